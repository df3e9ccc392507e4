package retention

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/watch"
)

// announceEarly is the share of the budget that is still free when journals are announced: it leaves some days until
// there is no room.
const announceEarly = 8

// maxRead is the number of bytes of journals that a Keeper reads at one look, or a single journal that is larger:
// boards are being watched meanwhile.
const maxRead = 64 << 20

// need returns the number of bytes of journals that must be removed. The free space counts only while all journals
// together take more than the space that is to be free; below that, something else fills the disk.
func (l Limits) need(total, journals, free int64) int64 {
	need := total - journals
	if l.IsFree >= 0 {
		need = max(need, min(free-l.IsFree, total-l.Free))
	}
	return need
}

// due returns the journals that must be removed, the oldest first.
func (k *Keeper) due(ctx context.Context, entries []journal.Entry, limits Limits, o *Outcome) (due []Due) {
	for _, e := range entries {
		o.Bytes += e.Size
	}
	need := limits.need(o.Bytes, limits.Journals-limits.Journals/announceEarly, limits.Free+limits.Free/2)
	if need <= 0 && limits.Days == 0 {
		return nil
	}
	now := k.now()
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return a.LastWrite.Compare(b.LastWrite) })
	newest := map[string]string{} // journal by board
	for _, e := range entries {
		if board := k.board(e); board != "" {
			newest[board] = e.Name
		}
	}
	read := int64(0)
	for _, e := range entries {
		why := Room
		if limits.Days > 0 && now.Sub(e.LastWrite) >= days(limits.Days-noticeDays) {
			why = Age
		} else if need <= 0 {
			continue
		}
		if now.Sub(e.LastWrite) < rest || limits.Current != nil && limits.Current(e.Name) || newest[k.board(e)] == e.Name {
			continue
		}
		if l := k.contents[e.Name]; !l.read {
			if read > 0 && read+e.Size > k.maxRead {
				o.Unread++ // until the next look
				continue
			}
			read += e.Size
		}
		switch l := k.contentsOf(ctx, e); {
		case !l.whole:
			o.Unknown++
		case l.open > 0:
			o.Undecided++
		default:
			need -= e.Size
			due = append(due, Due{Journal: Journal{
				Name: e.Name, Bytes: e.Size, Written: e.LastWrite.UTC(), Seq: int64(l.last), Chain: l.chain.String(), Why: why,
			}})
		}
	}
	return due
}

// contents describes the content of a journal; it is valid until the file changes.
type contents struct {
	size    int64
	written time.Time
	board   string // by its opening record; "" where that cannot be read

	read  bool // the following fields are known
	whole bool // all records can be read, and none is missing
	open  int  // findings that wait for a person
	last  record.Seq
	chain record.Chain
}

// board returns the name of the board that wrote a journal.
func (k *Keeper) board(e journal.Entry) string {
	l, ok := k.contents[e.Name]
	if ok && l.size == e.Size && l.written.Equal(e.LastWrite) {
		return l.board
	}
	l = contents{size: e.Size, written: e.LastWrite}
	if !plain(e) {
		k.contents[e.Name] = l
		return ""
	}
	src, err := recording.Open(e.Segments[0].Path, nil)
	if journal.Passing(err) {
		return ""
	}
	if err == nil {
		if it, err := src.Next(); err == nil && src.Journal() {
			if o, err := watch.ParseOpening(it.Record.Body); err == nil {
				l.board = o.Board
			}
		}
		_ = src.Close() // nothing was written
	}
	k.contents[e.Name] = l
	return l.board
}

// plain reports whether all files of a journal are regular: a link leads elsewhere, and opening a pipe may block for
// ever.
func plain(e journal.Entry) bool {
	for _, s := range e.Segments {
		if info, err := os.Lstat(s.Path); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// recall restores the known contents of journals that were announced before and have not changed.
func (k *Keeper) recall(entries []journal.Entry, due []Due) {
	for _, d := range due {
		i := slices.IndexFunc(entries, func(e journal.Entry) bool {
			return e.Name == d.Name && e.Size == d.Bytes && e.LastWrite.Equal(d.Written)
		})
		if i < 0 || k.board(entries[i]) == "" {
			continue
		}
		l := k.contents[d.Name]
		if chain, err := hex.DecodeString(d.Chain); !l.read && err == nil && len(chain) == len(l.chain) {
			l.read, l.whole, l.last, l.chain = true, true, record.Seq(d.Seq), record.Chain(chain)
			k.contents[d.Name] = l
		}
	}
}

// contentsOf reads a journal to its end, once.
func (k *Keeper) contentsOf(ctx context.Context, e journal.Entry) contents {
	board := k.board(e)
	l := k.contents[e.Name]
	if l.read || board == "" {
		return l
	}
	err := l.readAll(ctx, e)
	l.whole = err == nil
	l.read = ctx.Err() == nil && !journal.Passing(err) // otherwise it is read again
	k.contents[e.Name] = l
	return l
}

var errNotWhole = errors.New("records are missing")

func (l *contents) readAll(ctx context.Context, e journal.Entry) (err error) {
	src, err := recording.Open(e.Segments[0].Path, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	boards := live.New(live.Options{Keep: 1})
	shown := boards.Add(l.board, live.Info{})
	for ctx.Err() == nil {
		it, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		shown.Recovered(it.Record)
		l.last, l.chain = it.Record.Seq, src.Chain()
	}
	for _, b := range boards.Stats().Boards {
		l.open += b.Open
	}
	copies, err := src.Copies()
	if v := src.Verdict(); v == journal.Corrupt || src.GoesOn() || len(copies) > 0 {
		return errors.Join(errNotWhole, err)
	}
	return err
}
