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
	// maxRequests is how many request ids are remembered for a board: more than a round has.
	maxRequests = 1024
	// unsureTime is how long a request with an unknown outcome is not carried out again.
	unsureTime = 30 * time.Second
)

// once remembers the request ids of people's inputs, so that a phone may repeat a request after a lost answer. After a
// restart the journal's records restore the memory.
type once struct {
	now    func() time.Time
	mu     sync.Mutex
	boards map[string]*memory
}

type memory struct {
	known   map[string]*phoneRequest
	order   []string // the request whose record, or else whose first attempt, is the oldest comes first
	reading bool     // the journal is being read: not all requests are known
	opened  int      // how often the journal was read to its end
}

// phoneRequest is the state of one request of a phone.
type phoneRequest struct {
	seq        int64         // of its record; 0: none is known
	saved      bool          // the record is on the disk
	attempt    chan struct{} // closed at the end of the current attempt; nil: there is none
	retryAfter time.Time     // not tried again before: the last attempt may have been recorded or not
	opened     int           // memory.opened at the last attempt: numbers of an earlier opening are void
	findingSeq int64         // number of the finding's record when the last attempt ended
}

func newOnce(now func() time.Time) *once { return &once{now: now, boards: make(map[string]*memory)} }

// begin returns what is known of a request. If fresh is true the caller carries it out, and calls end. It waits while
// another caller has the same request.
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
	if e.attempt == nil && !e.saved && e.opened < opened { // it would be in the journal, which was read since then
		e.forget()
	}
	switch {
	case e.attempt != nil:
		return e.attempt, phoneRequest{}, false
	case e.seq > 0, e.saved, o.now().Before(e.retryAfter):
		return nil, *e, false
	}
	e.attempt, e.opened = make(chan struct{}), opened
	return nil, phoneRequest{}, true
}

// forget lets the request be carried out again.
func (e *phoneRequest) forget() { e.seq, e.retryAfter = 0, time.Time{} }

// end records the outcome of an attempt, and returns what is known then.
func (o *once) end(board, request string, how outcome) phoneRequest {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, request)
	switch how {
	case saved:
		e.saved = true
	case unsure:
		e.retryAfter = o.now().Add(unsureTime)
	case lost:
		e.forget()
	}
	if e.attempt != nil {
		close(e.attempt)
		e.attempt = nil
	}
	return *e
}

type outcome uint8

const (
	refused outcome = iota // nothing has happened
	saved
	unsure
	lost // was in force, and is in no journal
)

func outcomeOf(err error) outcome {
	var no *refusal
	switch {
	case err == nil:
		return saved
	case errors.Is(err, ErrLost):
		return lost
	case errors.As(err, &no), errors.Is(err, ErrNoBoard), errors.Is(err, ErrBusy), errors.Is(err, ErrWaits), errors.Is(err, ErrTaken), errors.Is(err, ErrNever):
		return refused
	}
	return unsure
}

// noteOutcome records the later outcome of an accepted record, unless the request has another record by now.
func (o *once) noteOutcome(board, request string, seq int64, how outcome) {
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

// rememberFinding remembers the state of a finding at the end of an attempt, and findingSeq returns it: a decision that
// was in force and lost has changed the finding itself, which is no reason to refuse it when a phone sends it again.
func (o *once) rememberFinding(board, request string, seq int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.entry(board, request).findingSeq = seq
}

func (o *once) findingSeq(board, request string) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.entry(board, request).findingSeq
}

// setReading notes that the reading of a board's journal begins, or (wholly) that it has ended.
func (o *once) setReading(board string, wholly bool) {
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

// note notes the request id of a record.
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
	m := o.boards[board]
	m.renew(body.Request)
	if !e.saved {
		e.seq, e.saved, e.opened = int64(r.Seq), onDisk, m.opened
		if m.reading {
			e.opened++ // it is in the journal that is being read
		}
	}
}

// renew makes a request the newest one: its record has come, and its first attempt may have come before older records
// were read.
func (m *memory) renew(request string) {
	last := len(m.order) - 1
	for i := last; i >= 0; i-- {
		if m.order[i] == request {
			copy(m.order[i:], m.order[i+1:])
			m.order[last] = request
			return
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

// entry finds or makes the entry. The caller holds the lock.
func (o *once) entry(board, request string) *phoneRequest {
	m := o.memory(board)
	if e := m.known[request]; e != nil {
		return e
	}
	for i := 0; len(m.order) >= maxRequests && i < len(m.order); i++ {
		if old := m.order[i]; m.known[old].attempt == nil {
			delete(m.known, old)
			m.order = append(m.order[:i], m.order[i+1:]...)
			break
		}
	}
	e := &phoneRequest{opened: m.opened}
	m.known[request], m.order = e, append(m.order, request)
	return e
}

// turns lets people decide one after another at each board, so that the state which a person has seen does not change
// during the decision.
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
