package web

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"boardwatchd/internal/record"
)

const (
	// maxRequests is how many request ids are remembered of a board: more than a round has.
	maxRequests = 1024
	// unsureTime is how long a request whose outcome is not known is not carried out again.
	unsureTime = 30 * time.Second
)

// once remembers the request ids of what people told, so that a phone may send the same again after a lost answer.
// After a restart the journal's records bring the memory back.
type once struct {
	now    func() time.Time
	mu     sync.Mutex
	boards map[string]*memory
}

type memory struct {
	known   map[string]*phoneRequest
	order   []string // oldest first
	reading bool     // the journal is being read, and not all of it is known
	opened  int      // how often it was read to its end
}

// phoneRequest is the state of one request of a phone.
type phoneRequest struct {
	seq        int64         // of its record; 0: none that is known
	saved      bool          // it is on the disk
	flying     chan struct{} // closed at the end of the attempt under way; nil: none
	until      time.Time     // not tried again before: the last attempt may have been taken or not
	opened     int           // memory.opened at the last attempt: numbers of an earlier opening mean nothing any more
	findingSeq int64         // number of the finding's record when the last attempt ended
}

func newOnce(now func() time.Time) *once { return &once{now: now, boards: make(map[string]*memory)} }

// begin says what is known of a request. Where fresh is true the caller carries it out, and calls end. It waits while
// another caller is at the same request.
func (o *once) begin(ctx context.Context, board, request string) (t phoneRequest, fresh bool, err error) {
	for {
		wait, t, fresh := o.lookUp(board, request)
		if wait == nil {
			return t, fresh, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return phoneRequest{}, false, ctx.Err()
		}
	}
}

func (o *once) lookUp(board, request string) (wait <-chan struct{}, t phoneRequest, fresh bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, request)
	opened := o.boards[board].opened
	if e.flying == nil && !e.saved && e.opened < opened { // it would be in the journal, which was read since
		e.forget()
	}
	switch {
	case e.flying != nil:
		return e.flying, phoneRequest{}, false
	case e.seq > 0, e.saved, o.now().Before(e.until):
		return nil, *e, false
	}
	e.flying, e.opened = make(chan struct{}), opened
	return nil, phoneRequest{}, true
}

// forget lets the request be carried out anew.
func (e *phoneRequest) forget() { e.seq, e.until = 0, time.Time{} }

// end says how an attempt ended, and returns what is known now.
func (o *once) end(board, request string, how outcome) phoneRequest {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, request)
	switch how {
	case saved:
		e.saved = true
	case unsure:
		e.until = o.now().Add(unsureTime)
	case lost:
		e.forget()
	}
	if e.flying != nil {
		close(e.flying)
		e.flying = nil
	}
	return *e
}

type outcome uint8

const (
	refused outcome = iota // nothing has happened
	saved
	unsure
	lost // in force, and in no journal
)

func outcomeOf(err error) outcome {
	var no *refusal
	switch {
	case err == nil:
		return saved
	case errors.Is(err, ErrLost):
		return lost
	case errors.As(err, &no), errors.Is(err, ErrNoBoard), errors.Is(err, ErrWaits), errors.Is(err, ErrTaken), errors.Is(err, ErrNever):
		return refused
	}
	return unsure
}

// settle says what became of a record that was taken earlier, unless the request has another one by now.
func (o *once) settle(board, request string, seq int64, how outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, request)
	switch {
	case e.seq != seq || e.saved:
	case how == saved:
		e.saved = true
	case how == lost:
		e.forget()
	}
}

// show remembers what a finding was at the end of an attempt, and shown says it: a decision that was in force and lost
// has changed the finding itself, which is no reason to refuse it when a phone sends it again.
func (o *once) show(board, request string, seq int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.entry(board, request).findingSeq = seq
}

func (o *once) findingSeq(board, request string) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.entry(board, request).findingSeq
}

// read says whether a board's journal is being read, or was read to its end.
func (o *once) read(board string, wholly bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := o.memory(board)
	m.reading = !wholly
	if wholly {
		m.opened++
	}
}

func (o *once) reading(board string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.memory(board).reading
}

// note takes the request id of a record.
func (o *once) note(board string, r record.Record, onDisk bool) {
	if r.Kind != record.Decide && r.Kind != record.Instruct {
		return
	}
	var body struct {
		Request string `json:"request"`
	}
	if json.Unmarshal(r.Body, &body) != nil || body.Request == "" || len(body.Request) > maxRequest {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, body.Request)
	if !e.saved {
		m := o.boards[board]
		e.seq, e.saved, e.opened = int64(r.Seq), onDisk, m.opened
		if m.reading {
			e.opened++ // it is in what is read now
		}
	}
}

func (o *once) memory(board string) *memory {
	m := o.boards[board]
	if m == nil {
		m = &memory{known: make(map[string]*phoneRequest)}
		o.boards[board] = m
	}
	return m
}

// entry finds or makes the entry; the caller holds the lock.
func (o *once) entry(board, request string) *phoneRequest {
	m := o.memory(board)
	if e := m.known[request]; e != nil {
		return e
	}
	for i := 0; len(m.order) >= maxRequests && i < len(m.order); i++ {
		if old := m.order[i]; m.known[old].flying == nil {
			delete(m.known, old)
			m.order = append(m.order[:i], m.order[i+1:]...)
			break
		}
	}
	e := &phoneRequest{opened: m.opened}
	m.known[request], m.order = e, append(m.order, request)
	return e
}

// turns lets people decide one after another at each board: who looks at what stands there now, and decides, is not
// interrupted by the other phone.
type turns struct {
	mu     sync.Mutex
	boards map[string]chan struct{}
}

func (t *turns) take(ctx context.Context, board string) (release func(), err error) {
	t.mu.Lock()
	if t.boards == nil {
		t.boards = make(map[string]chan struct{})
	}
	turn := t.boards[board]
	if turn == nil {
		turn = make(chan struct{}, 1)
		t.boards[board] = turn
	}
	t.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
