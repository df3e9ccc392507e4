package web

import (
	"context"
	"encoding/json"
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

// once remembers the request ids of what people told, so that a phone may send the same again after a lost answer. After
// a restart the journal's records bring the memory back.
type once struct {
	now    func() time.Time
	mu     sync.Mutex
	boards map[string]*memory
}

type memory struct {
	known map[string]*told
	order []string // oldest first
}

// told is what became of one request.
type told struct {
	seq    int64         // of its record; 0: none that is known
	saved  bool          // it is on the disk
	flying chan struct{} // closed at the end of the attempt under way; nil: none
	until  time.Time     // not tried again before: the last attempt may have been taken or not
}

func newOnce(now func() time.Time) *once { return &once{now: now, boards: make(map[string]*memory)} }

// begin says what is known of a request. Where fresh is true the caller carries it out, and calls end. It waits while
// another caller is at the same request.
func (o *once) begin(ctx context.Context, board, request string) (t told, fresh bool, err error) {
	for {
		wait, t, fresh := o.look(board, request)
		if wait == nil {
			return t, fresh, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return told{}, false, ctx.Err()
		}
	}
}

func (o *once) look(board, request string) (wait <-chan struct{}, t told, fresh bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, request)
	switch {
	case e.flying != nil:
		return e.flying, told{}, false
	case e.seq > 0, e.saved, o.now().Before(e.until):
		return nil, *e, false
	}
	e.flying = make(chan struct{})
	return nil, told{}, true
}

// end says how an attempt ended, and returns what is known now.
func (o *once) end(board, request string, how outcome) told {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.entry(board, request)
	switch how {
	case saved:
		e.saved = true
	case unsure:
		e.until = o.now().Add(unsureTime)
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
)

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
	if e.seq == 0 {
		e.seq = int64(r.Seq)
	}
	e.saved = e.saved || onDisk
}

// entry finds or makes the entry; the caller holds the lock.
func (o *once) entry(board, request string) *told {
	m := o.boards[board]
	if m == nil {
		m = &memory{known: make(map[string]*told)}
		o.boards[board] = m
	}
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
	e := new(told)
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
