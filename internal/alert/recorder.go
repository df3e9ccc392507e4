package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// A recorder writes events into the journals of their boards, one goroutine for each board that has something to write, so
// that a board or a disk that hangs delays neither a channel nor another board.
type recorder struct {
	journal Journal
	log     zerolog.Logger
	changed func() // trouble has changed

	mu      sync.Mutex
	queues  map[string][]event // a board is in it while its goroutine runs
	problem string
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

const (
	maxQueue     = 1000 // events that wait for one board; the oldest give way
	writeTimeout = 5 * time.Second
	writeTries   = 3
)

func newRecorder(j Journal, log zerolog.Logger, changed func()) *recorder {
	ctx, cancel := context.WithCancel(context.Background())
	return &recorder{journal: j, log: log, changed: changed, queues: map[string][]event{}, ctx: ctx, cancel: cancel}
}

// add queues an event. An event that is lost costs a message that is sent twice after a restart, never one that is not
// sent.
func (r *recorder) add(board string, ev event) {
	if r.journal == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	queue, runs := r.queues[board]
	if len(queue) >= maxQueue {
		queue = queue[1:]
	}
	r.queues[board] = append(queue, ev)
	if !runs {
		r.running.Go(func() { r.drain(board) })
	}
}

func (r *recorder) drain(board string) {
	for {
		r.mu.Lock()
		queue := r.queues[board]
		if len(queue) == 0 {
			delete(r.queues, board)
			r.mu.Unlock()
			return
		}
		ev := queue[0]
		r.queues[board] = queue[1:]
		r.mu.Unlock()
		r.insist(board, ev)
	}
}

// insist writes one event, in several attempts.
func (r *recorder) insist(board string, ev event) {
	var err error
	for try := range writeTries {
		if try > 0 && !r.rest(time.Duration(try)*time.Second) {
			break
		}
		ctx, cancel := context.WithTimeout(r.ctx, writeTimeout)
		err = r.write(ctx, board, ev)
		cancel()
		if err == nil {
			r.report("")
			return
		}
	}
	r.log.Warn().Err(err).Str("board", board).Str("event", ev.Event).Msg("what became of an alert is not in the journal")
	r.report(fmt.Sprintf("board %s: %v", clean(board, longestBoard), err))
}

func (r *recorder) rest(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.ctx.Done():
		return false
	}
}

func (r *recorder) report(problem string) {
	r.mu.Lock()
	was := r.problem
	r.problem = cut(problem, longestProblem)
	differs := was != r.problem
	r.mu.Unlock()
	if differs {
		r.changed()
	}
}

func (r *recorder) trouble() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.problem
}

// write writes one event and returns when it is on the disk.
func (r *recorder) write(ctx context.Context, board string, ev event) error {
	if r.journal == nil {
		return nil
	}
	return r.journal.Instruct(ctx, board, ev.body())
}

// body is the event as a journal takes it: compact, without the escaping for HTML, and without DEL, which JSON allows and
// a journal's line does not.
func (ev event) body() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(ev); err != nil {
		panic("alert: internal error: " + err.Error()) // strings and numbers only
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte{0x7f}, []byte(`\u007f`))
}

// finish waits for what is queued, and breaks off what takes longer than limit.
func (r *recorder) finish(limit time.Duration) {
	timer := time.AfterFunc(limit, r.cancel)
	defer timer.Stop()
	r.running.Wait()
	r.cancel()
}
