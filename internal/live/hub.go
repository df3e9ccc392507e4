package live

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"sync"
	"time"
)

// Options of a hub. The zero value is ready.
type Options struct {
	Epoch string           // tells this start from others; "": a random one
	Keep  int              // durable events that are kept; 0: 4096
	Wall  func() time.Time // nil: time.Now
}

const keepByDefault = 4096

// A Hub holds all boards and the feed. It is safe for concurrent use.
//
// Locks: a board's before the feed's, and nothing is encoded and nobody is called under either.
type Hub struct {
	epoch string
	wall  func() time.Time
	start time.Time // the origin of Now, monotonic

	feed feed

	mu     sync.Mutex // of the list; a board has its own
	boards []*Board   // in the order of Add, never shortened
	byName map[string]*Board

	counts counts
}

// New returns a hub without boards.
func New(o Options) *Hub {
	if o.Keep <= 0 {
		o.Keep = keepByDefault
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	if o.Epoch == "" {
		o.Epoch = randomEpoch()
	}
	return &Hub{
		epoch: o.Epoch, wall: o.Wall, start: time.Now(), feed: newFeed(o.Epoch, o.Keep), byName: map[string]*Board{},
		counts: newCounts(),
	}
}

func randomEpoch() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

// Epoch is the first part of every identifier of this start.
func (h *Hub) Epoch() string { return h.epoch }

// Last is the identifier of the latest durable event; EPOCH-0 before the first.
func (h *Hub) Last() string { return h.feed.last() }

// Now is the monotonic time of the feed in nanoseconds, to be compared with Event.At.
func (h *Hub) Now() int64 { return int64(time.Since(h.start)) }

// Add begins to watch a board, or goes on with it.
func (h *Hub) Add(name string, info Info) *Board {
	h.mu.Lock()
	b, again := h.byName[name]
	if !again {
		b = newBoard(h, name)
		h.byName[name] = b
		h.boards = append(h.boards, b)
	}
	h.mu.Unlock()
	b.begin(info, again)
	return b
}

// Remove says that a board is not watched any more. It stays visible.
func (h *Hub) Remove(name string) {
	if b, ok := h.board(name); ok {
		b.end()
	}
}

func (h *Hub) board(name string) (*Board, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b, ok := h.byName[name]
	return b, ok
}

// all returns the boards in the order in which they were added.
func (h *Hub) all() []*Board {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clip(h.boards)
}

// Summaries returns all boards in the order in which they were added.
func (h *Hub) Summaries() []Summary {
	boards := h.all()
	list := make([]Summary, 0, len(boards))
	for _, b := range boards {
		list = append(list, b.Summary())
	}
	return list
}

// State returns everything that is shown of a board.
func (h *Hub) State(board string) (State, bool) {
	b, ok := h.board(board)
	if !ok {
		return State{}, false
	}
	return b.state(), true
}

// Finding returns one finding of a board.
func (h *Hub) Finding(board, id string) (Item, bool) {
	b, ok := h.board(board)
	if !ok {
		return Item{}, false
	}
	return b.finding(id)
}

// Publish puts an event of another room into the feed; data is JSON and belongs to the feed from now on.
func (h *Hub) Publish(name, board string, data []byte) {
	h.feed.append(Event{Name: name, Board: board, Data: data, At: h.Now()})
}

// Follow returns a follower that begins behind the event with the given identifier, or with "" at the present.
func (h *Hub) Follow(after string) *Follower { return newFollower(h, after) }
