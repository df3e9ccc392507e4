package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A recorder writes events into the journals of their boards, one goroutine for each board with waiting events, so that
// a hanging board or disk delays neither a channel nor another board.
type recorder struct {
	opt     Options
	changed func() // trouble has changed

	mu      sync.Mutex
	queues  map[string]*boardQueue // by board
	ending  chan struct{}          // closed when unwritten records are to be given up
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// A boardQueue holds the events to be written into the journal of one board.
type boardQueue struct {
	journal string
	queue   []note
	writing *note  // the one that its goroutine is writing
	unsure  []note // in force, and perhaps not on the disk
	runs    bool   // its goroutine runs
	resumed bool   // resume was called since that note was taken: another attempt is worthwhile
	problem string // of the disk; "": none
}

const (
	maxQueue     = 1000 // events that wait for one board; beyond it the oldest are dropped
	writeTimeout = 5 * time.Second
	writeTries   = 3
)

func newRecorder(opt Options, changed func()) *recorder {
	ctx, cancel := context.WithCancel(context.Background())
	return &recorder{opt: opt, changed: changed, queues: map[string]*boardQueue{}, ending: make(chan struct{}), ctx: ctx, cancel: cancel}
}

func (r *recorder) shelf(board string) *boardQueue {
	s := r.queues[board]
	if s == nil {
		s = &boardQueue{}
		r.queues[board] = s
	}
	return s
}

// add queues an event. A lost event costs a message that is sent twice after a restart, never one that is not sent.
func (r *recorder) add(n note) {
	if r.opt.Journal == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shelf(n.board)
	s.queue = newest(append(s.queue, n))
	r.start(s)
}

func newest(list []note) []note { return list[max(len(list)-maxQueue, 0):] }

func (r *recorder) start(s *boardQueue) {
	if s.runs || len(s.queue) == 0 || r.ends() {
		return
	}
	s.runs = true
	r.running.Go(func() { r.drain(s) })
}

func (r *recorder) ends() bool {
	select {
	case <-r.ending:
		return true
	default:
		return false
	}
}

// resume reports that a board's journal can be written again. Of the events that are not, or perhaps not, on the disk,
// those are kept for which missing returns true. It is called with the outbox's lock, and calls missing with its own.
func (r *recorder) resume(board, journal string, missing func(note) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shelf(board)
	s.journal = journal
	kept := slices.DeleteFunc(s.unsure, func(n note) bool { return !missing(n) })
	if s.writing != nil {
		missing(*s.writing) // known from now on, and still being written by its goroutine
	}
	for _, n := range s.queue {
		if missing(n) {
			kept = append(kept, n)
		}
	}
	s.unsure, s.queue, s.resumed = nil, newest(kept), true
	r.start(s)
}

// drain writes queued events. If the board is not watched, the rest is left for the next add or resume.
func (r *recorder) drain(s *boardQueue) {
	for {
		r.mu.Lock()
		s.writing = nil
		if len(s.queue) == 0 {
			s.runs = false
			r.mu.Unlock()
			return
		}
		n := s.queue[0]
		s.queue, s.writing = s.queue[1:], &n
		r.mu.Unlock()
		if r.writeWithRetries(s) {
			continue
		}
		r.mu.Lock()
		s.queue, s.writing, s.runs = newest(append([]note{n}, s.queue...)), nil, s.resumed
		again := s.resumed
		s.resumed = false
		r.mu.Unlock()
		if !again {
			return
		}
	}
}

// writeWithRetries writes one event, in several attempts. It returns false if the board is not watched.
func (r *recorder) writeWithRetries(s *boardQueue) bool {
	var n note
	var err error
	away := false
	for try := range writeTries {
		if try > 0 && !r.rest(time.Duration(try)*time.Second, away) {
			break
		}
		var fits bool
		if n, fits = r.present(s); !fits {
			return true // another round has begun
		}
		ctx, cancel := context.WithTimeout(r.ctx, writeTimeout)
		err = r.write(ctx, n.board, n.ev)
		cancel()
		if err == nil {
			r.settled(s)
			return true
		}
		if r.inForce(err) {
			r.keepUnsure(n)
			break
		}
		away = r.opt.Unwatched != nil && r.opt.Unwatched(err)
	}
	if away {
		return false
	}
	r.opt.Log.Warn().Err(err).Str("board", n.board).Str("event", n.ev.Event).Msg("what became of an alert is not in the journal")
	r.report(s, fmt.Sprintf("board %s: %v", clean(n.board, longestBoard), err))
	return true
}

// rest waits between two attempts; at the end of the program it does not wait for a board that has ended.
func (r *recorder) rest(d time.Duration, away bool) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	ending := r.ending
	if !away {
		ending = nil
	}
	select {
	case <-timer.C:
		return true
	case <-ending:
	case <-r.ctx.Done():
	}
	return false
}

// present returns the event that is being written, and whether it belongs to the journal that the board writes.
func (r *recorder) present(s *boardQueue) (n note, fits bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return *s.writing, s.journal == s.writing.journal
}

// rename changes the journal of queued events to the name that its files have now.
func (r *recorder) rename(board, from, to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shelf(board)
	if s.journal == from {
		s.journal = to
	}
	if s.writing != nil {
		s.writing.rename(board, from, to)
	}
	for _, list := range [][]note{s.queue, s.unsure} {
		for i := range list {
			list[i].rename(board, from, to)
		}
	}
}

// retry starts writing the queued events of a board, if possible; "" means all boards.
func (r *recorder) retry(board string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, s := range r.queues {
		if board == "" || name == board {
			s.resumed = s.runs
			r.start(s)
		}
	}
}

// busy reports whether a record is being written.
func (r *recorder) busy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.queues {
		if s.runs {
			return true
		}
	}
	return false
}

// settled notes that a record is on the disk, and so are all before it.
func (r *recorder) settled(s *boardQueue) {
	r.mu.Lock()
	s.unsure = nil
	r.mu.Unlock()
	r.report(s, "")
}

func (r *recorder) inForce(err error) bool { return r.opt.InForce != nil && r.opt.InForce(err) }

// keepUnsure keeps an event that is in force until it is known to be on the disk, or the board is opened again.
func (r *recorder) keepUnsure(n note) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shelf(n.board)
	s.unsure = newest(append(s.unsure, n))
}

func (r *recorder) report(s *boardQueue, problem string) {
	r.mu.Lock()
	was := s.problem
	s.problem = cut(problem, longestProblem)
	differs := was != s.problem
	r.mu.Unlock()
	if differs {
		r.changed()
	}
}

// trouble returns the problem of the disk, on the first board that has one.
func (r *recorder) trouble() (problem string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.queues {
		if s.problem != "" && (problem == "" || s.problem < problem) {
			problem = s.problem
		}
	}
	return problem
}

// write writes one event and returns when it is on the disk.
func (r *recorder) write(ctx context.Context, board string, ev event) error {
	if r.opt.Journal == nil {
		return nil
	}
	return r.opt.Journal.Instruct(ctx, board, ev.body())
}

// body returns the event in a form for the journal: compact, without the escaping for HTML, and without DEL, which JSON
// allows and a journal's line does not.
func (ev event) body() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(ev); err != nil {
		panic("alert: internal error: " + err.Error()) // strings and numbers only
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte{0x7f}, []byte(`\u007f`))
}

// finish waits for the queued events, and stops after limit.
func (r *recorder) finish(limit time.Duration) {
	r.mu.Lock()
	close(r.ending)
	r.mu.Unlock()
	timer := time.AfterFunc(limit, r.cancel)
	defer timer.Stop()
	r.running.Wait()
	r.cancel()
}
