package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"boardwatchd/internal/record"
)

// MaxBacklog is enough for hours of a game.
const MaxBacklog = 4 << 20

// Options of a writer. The zero value is right for the daemon.
type Options struct {
	// SyncDelay is the time for which the first unsynced record waits for others before a sync. 0 means 25 ms: with a
	// disk that needs as long again, a power cut costs at most 50 ms of input.
	SyncDelay time.Duration
	// Patience is the longest time that one call of the disk may take before Append continues without it. 0 means 100
	// ms. Time in which a busy computer does not make the call is not counted, because the disk does not cause it.
	Patience time.Duration
	// SegmentBytes is the size at which a new segment begins. 0 means 16 MiB.
	SegmentBytes int64
	// Backlog bounds the bytes of lines kept in memory while the disk does not accept them, and may change. It must not
	// call the writer. nil means MaxBacklog.
	Backlog func() int
	// OpenBody returns the body of the open record of a segment that the writer begins by itself: cause is "rotate" or
	// an error's text. It is called from Append and from the writer's own goroutine and must not call the writer. A nil
	// OpenBody gives {"cause":…,"segment":…}.
	OpenBody func(segment int, cause string) []byte
	// Disk is the file system. nil means the operating system's.
	Disk Disk
}

func (o Options) withDefaults() Options {
	setDefault(&o.SyncDelay, 25*time.Millisecond)
	setDefault(&o.Patience, 100*time.Millisecond)
	setDefault(&o.SegmentBytes, 16<<20)
	if o.Backlog == nil {
		o.Backlog = func() int { return MaxBacklog }
	}
	if o.Disk == nil {
		o.Disk = osDisk{}
	}
	return o
}

func setDefault[T comparable](v *T, value T) {
	if *v == *new(T) {
		*v = value
	}
}

// Errors of a writer that a caller distinguishes.
var (
	// ErrClosed says that the writer has been closed.
	ErrClosed = errors.New("journal is closed")
	// ErrLost says that a record was dropped because the disk did not accept it and memory was full; a gap record has
	// its place.
	ErrLost = errors.New("record was dropped: the disk did not take it and the memory for such records was full")
	// ErrStalled says that the disk has not answered for a while.
	ErrStalled = errors.New("the disk does not answer")
)

// Writer writes a journal. Add, Append, Flush and Close belong to one goroutine; Durable, WaitDurable, Degraded and
// Stats may be called by any goroutine. The files belong to the writer's own goroutine, the keeper.
type Writer struct {
	dir, name string
	opt       Options
	lock      DiskLock
	kick      chan struct{} // to the keeper: there is work
	wrote     chan struct{} // from the keeper: the written cursor moved, or an error occurred
	done      chan struct{} // closed when the keeper has ended
	patience  *time.Timer   // of Flush

	mu            sync.Mutex
	stream        stream
	next          record.Seq
	nextSegmentAt int64 // place in the stream where the next segment begins; 0: not planned
	number        int   // of the current segment
	size          int64 // of the current segment, approximately
	lost          span  // records dropped since the last gap record
	gaps          []span
	trouble       error         // the reason why lines are in memory only; nil: no trouble
	unrestored    error         // the file lost its name and could not be written again before the end
	moved         chan struct{} // closed and replaced when the durable cursor moves
	syncSince     time.Time     // time when the running sync began; zero: none
	busy          time.Time     // time when the keeper last called the disk; zero: it waits for work, or to be scheduled
	urgent        bool          // a caller waits for a sync
	closing       bool
	stats         Stats
}

// span is a range of sequence numbers; from is 0 if there is none.
type span struct {
	from, to record.Seq
	at       int64 // of the last
}

func (s span) holds(seq record.Seq) bool { return s.from > 0 && s.from <= seq && seq <= s.to }

// Stats holds counts since the writer began.
type Stats struct {
	Records  int64 // appended, those of the writer itself included
	Bytes    int64 // written to files; bytes written twice count twice
	Syncs    int64
	Errors   int64 // of the file system
	Segments int   // begun
	Restored int   // files written again because they had been removed
	Lost     int64 // records dropped
	Backlog  int   // bytes that are not durable yet
}

// Create begins a journal. The first record is the caller's open record. If no file can be created, the journal begins
// in memory, without an error; if another journal of that name exists by the time a file can be created, it becomes
// NAME--2, NAME--3 … on the disk. Errors are an invalid name, ErrLocked and ErrExists.
func Create(dir, name string, opt Options) (*Writer, error) {
	return begin(dir, name, Last{}, opt)
}

// Continue continues a journal in a new segment, after a Reader has read it to the end and returned its Last. The first
// record is the caller's open record. Data already on the disk are synced and never changed.
func Continue(dir, name string, last Last, opt Options) (*Writer, error) {
	return begin(dir, name, last, opt)
}

func begin(dir, name string, last Last, opt Options) (*Writer, error) {
	w, k, err := open(dir, name, last, opt)
	if err == nil {
		go k.run()
	}
	return w, err
}

// open makes a writer and its keeper, which the caller must start.
func open(dir, name string, last Last, opt Options) (*Writer, *keeper, error) {
	if err := CheckName(name); err != nil {
		return nil, nil, err
	}
	w := &Writer{
		dir: dir, name: name, opt: opt.withDefaults(),
		kick: make(chan struct{}, 1), wrote: make(chan struct{}, 1), done: make(chan struct{}),
		moved: make(chan struct{}), next: last.Seq + 1, number: last.Segment,
		stream: stream{at: last.At},
	}
	w.stream.appended = cursor{seq: last.Seq, chain: last.Chain}
	w.stream.written, w.stream.durable = w.stream.appended, w.stream.appended
	w.patience = time.NewTimer(w.opt.Patience)
	w.patience.Stop()

	k := newKeeper(w)
	switch err := k.create(); {
	case err == nil:
	case errors.Is(err, ErrLocked) || errors.Is(err, fs.ErrExist):
		if w.lock != nil {
			err = errors.Join(err, w.lock.Close())
		}
		return nil, nil, fmt.Errorf("begin journal %s in %s: %w", name, dir, hint(err))
	default:
		k.late = true
		k.refused(err)
	}
	return w, k, nil
}

// Append adds one record and writes it to the file before it returns; a sync follows within the delay. It returns an
// error for a fault of the caller: an invalid record, or a closed writer. A failing disk is not an error here: the
// record is kept in memory until the disk accepts it, and Degraded reports it.
func (w *Writer) Append(at int64, kind record.Kind, body []byte) (record.Seq, error) {
	seq, err := w.Add(at, kind, body)
	if err == nil {
		w.Flush()
	}
	return seq, err
}

// Add is Append without writing: the records of one step are added one by one and written by one Flush.
func (w *Writer) Add(at int64, kind record.Kind, body []byte) (record.Seq, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closing {
		return 0, ErrClosed
	}
	if at < w.stream.at || at < w.lost.at {
		return 0, fmt.Errorf("append to journal %s: %s at %d µs: time runs backwards, the last record is at %d µs",
			w.name, kind, at, max(w.stream.at, w.lost.at))
	}
	r := record.Record{Seq: w.next, At: at, Kind: kind, Body: body}
	if err := r.Check(); err != nil {
		return 0, fmt.Errorf("append to journal %s: %w", w.name, err)
	}
	// A segment ends only before an input, so that the records of one step are never divided.
	if kind.Input() && w.size >= w.opt.SegmentBytes && w.nextSegmentAt == 0 && w.trouble == nil {
		w.closeSegment(at)
		r.Seq = w.next
	}
	w.next++
	if len(w.stream.lines)+r.LineSize() > w.opt.Backlog() {
		w.drop(r)
		return r.Seq, nil
	}
	w.settle()
	w.put(r)
	return r.Seq, nil
}

// put adds a record to the stream. The lock is held.
func (w *Writer) put(r record.Record) {
	before := w.stream.appended.off
	w.stream.add(r)
	w.size += w.stream.appended.off - before
	w.stats.Records++
}

// own adds a record of the writer itself. The lock is held.
func (w *Writer) own(at int64, kind record.Kind, body []byte) {
	w.put(record.Record{Seq: w.next, At: max(at, w.stream.at), Kind: kind, Body: body})
	w.next++
}

// closeSegment ends the segment after the last record. The lock is held.
func (w *Writer) closeSegment(at int64) {
	w.own(at, record.Close, closeBody(rotation))
	w.nextSegmentAt = w.stream.appended.off
	w.size = 0
	w.own(at, record.Open, w.openBody(w.number+1, rotation))
}

// drop counts a record for which there is no room. The oldest records are kept, not the youngest: they continue the
// history without a hole.
func (w *Writer) drop(r record.Record) {
	if w.lost.from == 0 {
		w.lost.from = r.Seq
	}
	w.lost.to, w.lost.at = r.Seq, r.At
	w.stats.Lost++
	if w.trouble == nil {
		w.trouble = ErrLost
	}
}

// settle adds the gap record that replaces dropped records, if there are any. It takes the number of the last one. The
// lock is held.
func (w *Writer) settle() {
	if w.lost.from == 0 {
		return
	}
	body, _ := json.Marshal(gapBody{Cause: "journal: no room while the disk did not take records", From: w.lost.from, To: w.lost.to})
	w.put(record.Record{Seq: w.lost.to, At: max(w.lost.at, w.stream.at), Kind: record.Gap, Body: body})
	w.gaps = append(w.gaps, w.lost)
	w.lost = span{}
}

func (w *Writer) openBody(segment int, cause string) []byte {
	if w.opt.OpenBody != nil {
		body := w.opt.OpenBody(segment, cause)
		if (record.Record{Seq: 1, Kind: record.Open, Body: body}).Check() == nil {
			return body
		}
	}
	body, _ := json.Marshal(struct {
		Cause   string `json:"cause"`
		Segment int    `json:"segment"`
	}{cause, segment})
	return body
}

// closing is the body of a close record. The reason is rotation if the segment continues in the next one; any other
// reason ends the journal.
type closing struct {
	Reason string `json:"reason"`
}

const rotation = "rotate"

func closeBody(reason string) []byte {
	body, _ := json.Marshal(closing{reason})
	return body
}

func isRotation(body []byte) bool {
	var c closing
	return json.Unmarshal(body, &c) == nil && c.Reason == rotation
}

// Flush writes the records of Add. It waits for the disk, but for no call longer than Options.Patience, and not at all
// once the disk is known to fail. It slows down a caller that is faster than a healthy disk before the memory is full.
func (w *Writer) Flush() {
	w.mu.Lock()
	target := w.stream.appended.off
	wait := !w.flushed(target)
	w.urgent = w.urgent || w.halfFull()
	w.mu.Unlock()
	w.wake()
	if !wait {
		return
	}
	w.patience.Reset(w.opt.Patience)
	defer w.patience.Stop()
	for {
		select {
		case <-w.wrote:
		case <-w.done:
			return
		case <-w.patience.C:
			w.mu.Lock()
			if left := w.opt.Patience - w.waiting(); left > 0 {
				w.patience.Reset(left)
			} else if !w.flushed(target) {
				w.trouble = ErrStalled
			}
			w.mu.Unlock()
		}
		w.mu.Lock()
		wait = !w.flushed(target)
		w.mu.Unlock()
		if !wait {
			return
		}
	}
}

// flushed reports whether there is nothing to wait for. The lock is held.
func (w *Writer) flushed(target int64) bool {
	return w.trouble != nil || w.stream.written.off >= target && !w.halfFull()
}

// waiting returns the time that the current call of the disk has taken, if Flush waits for it; 0 if it does not. The
// lock is held.
func (w *Writer) waiting() time.Duration {
	since := w.busy
	if since.IsZero() && w.halfFull() {
		since = w.syncSince
	}
	if since.IsZero() {
		return 0
	}
	return time.Since(since)
}

// halfFull reports whether half of the memory for records is used. The lock is held.
func (w *Writer) halfFull() bool { return len(w.stream.lines) > w.opt.Backlog()/2 }

// wake wakes the keeper.
func (w *Writer) wake() {
	select {
	case w.kick <- struct{}{}:
	default:
	}
}

// Durable returns the number up to which all records are on the disk, except those replaced by a gap record.
func (w *Writer) Durable() record.Seq {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stream.durable.seq
}

// WaitDurable waits until the record with this number is on the disk, and requests a sync at once. ErrLost says that it
// never will be.
func (w *Writer) WaitDurable(ctx context.Context, seq record.Seq) error {
	for {
		w.mu.Lock()
		settled, err := w.settled(seq)
		moved, trouble := w.moved, w.trouble
		w.urgent = w.urgent || !settled
		w.mu.Unlock()
		if settled {
			return err
		}
		w.wake()
		select {
		case <-moved:
		case <-w.done:
			w.mu.Lock()
			defer w.mu.Unlock()
			if settled, err := w.settled(seq); settled {
				return err
			}
			return fmt.Errorf("wait for record %d: %w", seq, ErrClosed)
		case <-ctx.Done():
			return fmt.Errorf("wait for record %d: %w", seq, errors.Join(ctx.Err(), trouble))
		}
	}
}

// settled reports whether the outcome for a record is known. The lock is held.
func (w *Writer) settled(seq record.Seq) (bool, error) {
	lost := w.lost.holds(seq)
	for _, g := range w.gaps {
		lost = lost || g.holds(seq)
	}
	if lost {
		return true, ErrLost
	}
	return seq <= w.stream.durable.seq, nil
}

// Degraded returns the reason why records are in memory only, or nil while the disk accepts them. A sync that takes
// longer than a second counts as well.
func (w *Writer) Degraded() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trouble == nil && !w.syncSince.IsZero() && time.Since(w.syncSince) > time.Second {
		return ErrStalled
	}
	return w.trouble
}

// Stats returns the counts of the writer so far.
func (w *Writer) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.stats
	s.Backlog = len(w.stream.lines)
	return s
}

// Close appends a close record with its reason, waits until everything is on the disk, and ends the writer. The error
// names the records that are not on the disk.
func (w *Writer) Close(at int64, reason string) error {
	w.mu.Lock()
	if w.closing {
		w.mu.Unlock()
		return ErrClosed
	}
	w.closing = true
	w.settle()
	w.own(at, record.Close, closeBody(reason))
	w.mu.Unlock()
	w.wake()
	<-w.done
	return w.ended()
}

// ended releases the lock and reports records that are not on the disk.
func (w *Writer) ended() (err error) {
	if w.lock != nil {
		err = w.lock.Close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := w.stream.appended.seq - w.stream.durable.seq; n > 0 {
		err = errors.Join(err, fmt.Errorf("%d records after record %d are not on the disk: %w", n, w.stream.durable.seq, w.trouble))
	}
	if w.unrestored != nil {
		err = errors.Join(err, w.unrestored)
	}
	if err != nil {
		return fmt.Errorf("close journal %s: %w", w.name, err)
	}
	return nil
}
