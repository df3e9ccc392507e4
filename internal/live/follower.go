package live

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrFellBehind says that events which the follower has not received are no longer stored. It must fetch the state and
// follow again.
var ErrFellBehind = errors.New("the feed has gone on without this follower; fetch the state and follow from there")

// The least time between two batches with summaries. It is short enough for the running second of a clock, and longer
// for a reader of hundreds of boards.
const (
	rest       = 250 * time.Millisecond
	restOfMany = time.Second
	manyBoards = 100 // boards
)

// A Follower is one reader's place in the feed. One goroutine at a time uses it.
type Follower struct {
	boards  *Boards
	resumed bool
	calm    bool            // at most one batch with summaries in a second, of many boards
	next    uint64          // number of its last durable event
	seen    []uint64        // by board: its last version
	rows    bool            // rows instead of summaries
	open    string          // of this board a summary all the same
	left    map[string]bool // with rows: boards that are left out unless they have something open
	restart time.Time
	timer   *time.Timer
	once    sync.Once
}

func newFollower(bs *Boards, after string) *Follower {
	f := &Follower{boards: bs}
	bs.feed.mu.Lock()
	defer bs.feed.mu.Unlock()
	bs.feed.follows++
	f.next = bs.feed.head
	if n, ok := parseID(bs.epoch, after); ok && bs.feed.oldest() <= n && n <= bs.feed.head {
		f.next, f.resumed = n, true
	}
	if after == "" {
		for _, b := range bs.all() {
			f.seen = append(f.seen, b.version.Load())
		}
	}
	return f
}

// Resumed reports whether the follower continues after the requested event, with nothing missing.
func (f *Follower) Resumed() bool { return f.resumed }

// Calm limits summaries to one batch in a second if there are 100 boards or more. Durable events are not delayed.
func (f *Follower) Calm() { f.calm = true }

// Rows gives rows instead of summaries, but of the open board, and none of the boards in left that have nothing open.
// It is called before Next.
func (f *Follower) Rows(open string, left map[string]bool) {
	f.rows, f.open, f.left = true, open, left
	for i, b := range f.boards.all() {
		if i < len(f.seen) && b.name != open {
			f.seen[i] = b.rowVersion.Load()
		}
	}
}

// Close ends the follower. It may be called more than once.
func (f *Follower) Close() {
	f.once.Do(func() {
		f.boards.feed.mu.Lock()
		defer f.boards.feed.mu.Unlock()
		f.boards.feed.follows--
	})
}

// Next waits for news and returns all of them: first the durable events in order, then the latest summary of each board
// that has changed, with the name "board" and no identifier. The error is that of ctx, or ErrFellBehind.
func (f *Follower) Next(ctx context.Context) ([]Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		resting := time.Until(f.restart)
		batch, durable, changed, err := f.take(resting > 0)
		if err != nil {
			return nil, err
		}
		if resting <= 0 {
			// The channel was taken before the versions are read: a change in between closes it.
			if f.summaries(&batch) > 0 || f.rows { // a reader of rows is woken by many changes that it does not see
				f.restart = time.Now().Add(f.rest())
			}
		}
		if len(batch) > 0 {
			return batch, nil
		}
		f.wait(ctx, durable, changed, resting)
	}
}

func (f *Follower) rest() time.Duration {
	if f.calm && len(f.seen) >= manyBoards {
		return restOfMany
	}
	return rest
}

// take returns the new durable events, or the channels to wait for.
func (f *Follower) take(resting bool) (batch []Event, durable, changed <-chan struct{}, err error) {
	feed := &f.boards.feed
	feed.mu.Lock()
	defer feed.mu.Unlock()
	if f.next < feed.oldest() {
		return nil, nil, nil, ErrFellBehind
	}
	batch = feed.since(f.next)
	f.next = feed.head
	if len(batch) > 0 {
		return batch, nil, nil, nil
	}
	durable = waiting(&feed.durable)
	if !resting {
		changed = waiting(&feed.changed)
	}
	return nil, durable, changed, nil
}

// summaries appends the summary of each board that has changed and returns their number.
func (f *Follower) summaries(batch *[]Event) (n int) {
	for i, b := range f.boards.all() {
		if i == len(f.seen) {
			f.seen = append(f.seen, 0)
		}
		asRow := f.rows && b.name != f.open
		if b.latest(asRow) == f.seen[i] {
			continue
		}
		var e Event
		e, f.seen[i] = b.event(asRow)
		if asRow && f.left[b.name] && !b.asks() {
			continue
		}
		*batch = append(*batch, e)
		n++
	}
	return n
}

// wait returns when there may be news.
func (f *Follower) wait(ctx context.Context, durable, changed <-chan struct{}, resting time.Duration) {
	var rested <-chan time.Time
	if resting > 0 {
		if f.timer == nil {
			f.timer = time.NewTimer(resting)
		} else {
			f.timer.Reset(resting)
		}
		defer f.timer.Stop()
		rested = f.timer.C
	}
	select {
	case <-ctx.Done():
	case <-durable:
	case <-changed:
	case <-rested:
	}
}
