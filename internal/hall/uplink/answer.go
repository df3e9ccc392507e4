package uplink

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

const (
	maxQuestions = 8                // answered at the same time
	saveTime     = 10 * time.Second // for a person's input to be on the disk
	maxFetched   = 512 << 10        // bytes of one answer
)

// answer answers the hall's questions.
func (u *Uplink) answer(ctx context.Context, sub *nats.Subscription) {
	room := make(chan struct{}, maxQuestions)
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return
			}
			continue // a slow consumer: the hall asks again
		}
		var q wire.Question
		if wire.CheckSeal(wire.Ask(u.member.Computer), m.Header, m.Data, u.member.Hub) != nil || json.Unmarshal(m.Data, &q) != nil {
			u.opt.Log.Warn().Msg("a question without the hall's seal is not answered")
			continue
		}
		if q.Do == wire.DoSpeak {
			u.confirm(q.Board, q.Journal)
			continue
		}
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		u.work.Go(func() {
			defer func() { <-room }()
			a, data := u.reply(ctx, q)
			text, err := json.Marshal(a)
			if err != nil {
				return
			}
			back := nats.NewMsg(q.ID) // the seal is bound to the id of this question
			back.Header.Set(wire.HAnswer, string(text))
			back.Data = data
			if wire.Seal(back, u.key) != nil {
				return
			}
			if err := m.RespondMsg(back); err != nil && ctx.Err() == nil {
				u.opt.Log.Warn().Err(err).Str("question", q.Do).Msg("the hall does not get an answer; it asks again")
			}
		})
	}
}

// ErrUnwritten marks an input that was accepted and could not be written to the disk.
var ErrUnwritten = errors.New("the disk does not take it")

// reply answers one question.
func (u *Uplink) reply(ctx context.Context, q wire.Question) (a wire.Answer, data []byte) {
	switch q.Do {
	case wire.DoList:
		return u.list(), nil
	case wire.DoFetch, wire.DoSum:
		if journal.CheckName(q.Journal) != nil || q.Segment < 1 || q.Offset < 0 || q.Length < 0 {
			return wire.Answer{Error: wire.ERefused}, nil
		}
		return u.file(q)
	case wire.DoStandby:
		if err := u.opt.Standby([]byte(q.Body)); err != nil {
			return wire.Answer{Error: wire.ERefused, Text: err.Error()}, nil
		}
		return wire.Answer{}, nil
	case wire.DoRound:
		switch err := u.opt.TakeRound([]byte(q.Body), q.Mark); {
		case errors.Is(err, ErrUnwritten):
			return wire.Answer{Error: wire.EDisk, Text: errText(err)}, nil
		case err != nil:
			return wire.Answer{Error: wire.ERefused, Text: err.Error()}, nil
		}
		poke(u.beat)
		return wire.Answer{}, nil
	case wire.DoDecide, wire.DoInstruct, wire.DoSaved:
		if q.Do == wire.DoSaved && q.Seq <= 0 {
			return wire.Answer{Error: wire.ERefused}, nil
		}
		ctx, cancel := context.WithTimeout(ctx, saveTime)
		defer cancel()
		return u.deliver(ctx, q), nil
	}
	return wire.Answer{Error: wire.ERefused, Text: "this program does not know the question"}, nil
}

// maxListed limits the list of journals in an answer, in bytes: it has to fit into one message of 1 MiB.
const maxListed = 768 << 10

// list names the journals that are here. If they do not fit into one answer, it names those that are written now, and
// then the latest of the others.
func (u *Uplink) list() (a wire.Answer) {
	entries, err := journal.List(u.opt.Dir)
	if err != nil {
		return wire.Answer{Error: wire.ENone, Text: err.Error()}
	}
	written := u.written()
	slices.SortStableFunc(entries, func(x, y journal.Entry) int {
		if written[x.Name] != written[y.Name] {
			if written[x.Name] {
				return -1
			}
			return 1
		}
		return y.LastWrite.Compare(x.LastWrite)
	})
	size := 0
	for i, e := range entries {
		list := segments(e)
		if len(list) == 0 {
			continue
		}
		j := wire.Journal{Name: e.Name, Board: mirror.BoardOf(e), Segments: list}
		text, err := json.Marshal(j)
		if size += len(text) + 1; err != nil || size > maxListed {
			u.opt.Log.Warn().Int("journals", len(entries)-i).Msg("the hall does not compare the oldest journals: there are too many for one answer; remove some of earlier events")
			break
		}
		a.Journals = append(a.Journals, j)
	}
	return a
}

// written are the journals that the boards write.
func (u *Uplink) written() map[string]bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	names := map[string]bool{}
	for _, b := range u.boards {
		names[b.journal] = true
	}
	return names
}

// file answers with bytes of a segment, or with their sum.
func (u *Uplink) file(q wire.Question) (a wire.Answer, data []byte) {
	path := filepath.Join(u.opt.Dir, journal.SegmentName(q.Journal, q.Segment))
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return wire.Answer{Error: wire.ENone, Text: errText(err)}, nil
	}
	a.Size = info.Size()
	if q.Do == wire.DoSum {
		a.Sum, err = u.sum(path, min(q.Length, a.Size))
	} else {
		data, err = u.fetch(q)
	}
	if err != nil {
		return wire.Answer{Error: wire.ENone, Text: errText(err)}, nil
	}
	return a, data
}

func (u *Uplink) sum(path string, length int64) (string, error) {
	f, err := u.open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() // read only
	return mirror.SumOf(io.NewSectionReader(f, 0, length), length)
}

func (u *Uplink) fetch(q wire.Question) ([]byte, error) {
	f, err := u.files(q.Journal).patched(q.Segment)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return readAt(f, q.Offset, min(q.Length, maxFetched))
}

func errText(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error() // without paths of this computer
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// deliver hands a person's input to a board, once. While the outcome of an earlier attempt is unknown, it is not handed
// over again: a busy loop may still record what is in its queue.
func (u *Uplink) deliver(ctx context.Context, q wire.Question) wire.Answer {
	u.mu.Lock()
	b := u.boards[q.Board]
	u.mu.Unlock()
	if b == nil {
		return wire.Answer{Error: wire.EReading} // the request may still be found
	}
	b.inputs.Lock()
	defer b.inputs.Unlock()
	u.mu.Lock()
	seq, journal, under, read := q.Seq, b.journal, b.said.handed(q.Request), b.readToEnd
	if q.Request != "" {
		seq = b.said.seq(q.Request)
	}
	u.mu.Unlock()
	var err error
	switch {
	case q.Journal != "" && q.Journal != journal:
		return u.answerFromOldJournal(q, journal)
	case !read && seq == 0:
		return wire.Answer{Error: wire.EReading, Text: "the board's journal is being read"}
	case q.Do == wire.DoSaved && seq == 0:
		return wire.Answer{Error: wire.ELost, Text: "it is not in the board's journal"}
	case seq > 0:
		err = u.opt.Boards.Saved(ctx, q.Board, seq)
	case under:
		return wire.Answer{Error: wire.EUnsure, Text: "the board has not answered yet"}
	default:
		err = u.hand(ctx, b, &q)
	}
	a := wire.Answer{Seq: seq}
	if err != nil {
		a.Error, a.Text = u.opt.Code(err), err.Error()
	}
	if seq > 0 && a.Error == wire.ENoBoard {
		a.Error = wire.EReading // it was recorded, and it is not known whether it is on the disk
	}
	if q.Request != "" {
		u.mu.Lock()
		a.Seq = b.said.seq(q.Request)
		if a.Error != wire.EUnsure || a.Seq > 0 {
			b.said.over(q.Request)
		}
		if a.Error == wire.ELost {
			b.said.forget(q.Request)
		}
		u.mu.Unlock()
	}
	if h := u.opt.Boards.Head(q.Board); h.Seq > 0 {
		a.Head = h.String()
	}
	return a
}

// answerFromOldJournal answers a question about a journal that the board does not write any more: the request may be in
// it.
func (u *Uplink) answerFromOldJournal(q wire.Question, now string) wire.Answer {
	seq, err := requestIn(u.opt.Dir, q.Journal, q.Request)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wire.Answer{Error: wire.EOther, Text: "the board writes " + now + " now, and " + q.Journal + " is not there any more"}
	case journal.Passing(err):
		return wire.Answer{Error: wire.EUnsure, Text: q.Journal + ": " + errText(err)}
	case err != nil: // the error stays, so that no later question may wait for an answer
		u.opt.Log.Error().Err(err).Str("journal", q.Journal).Msg("whether an earlier journal has a request")
		return wire.Answer{Error: wire.ERefused, Text: "it cannot be read whether " + q.Journal + " has it: " + errText(err)}
	case seq == 0:
		return wire.Answer{Error: wire.EOther, Text: "the board writes " + now + " now"}
	}
	return wire.Answer{Seq: seq, Journal: q.Journal}
}

// requestIn is the number of a request's record in a journal that is not written any more; 0: it is not there. A record
// that is found is on the disk.
func requestIn(dir, name, request string) (seq int64, err error) {
	if err := journal.CheckName(name); err != nil || request == "" {
		return 0, err
	}
	entries, err := journal.List(dir)
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(entries, func(e journal.Entry) bool { return e.Name == name })
	if i < 0 {
		return 0, fs.ErrNotExist
	}
	for _, s := range entries[i].Segments {
		if err := toDisk(s.Path); err != nil {
			return 0, err
		}
	}
	rd, err := journal.Open(entries[i].Segments[0].Path)
	if err != nil {
		return 0, err
	}
	defer rd.Close() // read only
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) && seq == 0 && rd.Verdict() == journal.Corrupt {
			return 0, errors.New(rd.Damage()[0].String()) // the request may have been in the unreadable place
		}
		if errors.Is(err, io.EOF) {
			return seq, nil
		}
		if err != nil {
			return 0, err
		}
		var o struct {
			Request string `json:"request"`
		}
		if (r.Kind == record.Instruct || r.Kind == record.Decide) && json.Unmarshal(r.Body, &o) == nil && o.Request == request {
			seq = int64(r.Seq)
		}
	}
}

// toDisk syncs a file: its writer may have ended without it.
func toDisk(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// hand gives a body to the board.
func (u *Uplink) hand(ctx context.Context, b *board, q *wire.Question) error {
	u.mu.Lock()
	b.said.hand(q.Request)
	u.mu.Unlock()
	if q.Do == wire.DoDecide {
		return u.opt.Boards.Decide(ctx, b.name, []byte(q.Body))
	}
	return u.opt.Boards.Instruct(ctx, b.name, []byte(q.Body))
}
