package live

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/watch"
)

// Options of Boards. The zero value is ready.
type Options struct {
	Epoch string           // distinguishes this start from others; "": a random one
	Keep  int              // number of durable events kept; 0: 4096
	Wall  func() time.Time // nil: time.Now
	// Said returns the text of an id in a journal, or its argument; nil: its argument.
	Said func(string) string
}

const keepByDefault = 4096

// Boards holds all boards of this computer, with their feed. It is safe for concurrent use.
//
// Lock order: a board's before the feed's. Nothing is encoded and no callback is called under either.
type Boards struct {
	epoch string
	wall  func() time.Time
	said  func(string) string
	start time.Time // the origin of Now, monotonic

	feed feed

	mu     sync.Mutex // of the list; a board has its own
	boards []*Board   // in the order of Add, never shortened
	byName map[string]*Board

	counts counts
}

// New returns an empty list of boards and a feed without events.
func New(o Options) *Boards {
	if o.Keep <= 0 {
		o.Keep = keepByDefault
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	if o.Said == nil {
		o.Said = func(s string) string { return s }
	}
	if o.Epoch == "" {
		o.Epoch = randomEpoch()
	}
	return &Boards{
		epoch: o.Epoch, wall: o.Wall, said: o.Said, start: time.Now(), feed: newFeed(o.Epoch, o.Keep), byName: map[string]*Board{},
		counts: newCounts(),
	}
}

func randomEpoch() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

// Epoch returns the first part of every identifier of this start.
func (bs *Boards) Epoch() string { return bs.epoch }

// Last returns the identifier of the latest durable event; EPOCH-0 before the first.
func (bs *Boards) Last() string { return bs.feed.last() }

// Now returns the monotonic time of the feed in nanoseconds, for comparison with Event.At.
func (bs *Boards) Now() int64 { return int64(time.Since(bs.start)) }

// Expect shows a board that will be watched after its journal has been read.
func (bs *Boards) Expect(name string) {
	b, _ := bs.place(name)
	b.expect()
}

// Add starts to watch a board, or continues.
func (bs *Boards) Add(name string, info Info) *Board {
	b, again := bs.place(name)
	b.begin(info, again)
	return b
}

// place returns the board with a name, made if necessary, and whether it existed.
func (bs *Boards) place(name string) (b *Board, there bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if b, there = bs.byName[name]; !there {
		b = newBoard(bs, name)
		bs.byName[name] = b
		bs.boards = append(bs.boards, b)
	}
	return b, there
}

// Remove says that a board is no longer watched. It stays visible.
func (bs *Boards) Remove(name string) {
	if b, ok := bs.board(name); ok {
		b.end()
	}
}

// Away sets whether a board has no connection at present. Its data stay visible; it is no longer expected.
func (bs *Boards) Away(name string, away bool) {
	if b, ok := bs.board(name); ok {
		b.away(away)
	}
}

// Lost is Away for a board whose computer cannot be reached: the board may still be watched there.
func (bs *Boards) Lost(name string) {
	if b, ok := bs.board(name); ok {
		b.setLost(bs.wall())
	}
}

// Degraded sets the reason why the journal of a board cannot be written to the disk of a computer, or "" if it can.
func (bs *Boards) Degraded(name, problem, computer string) {
	if b, ok := bs.board(name); ok {
		b.Degraded(problem, computer)
	}
}

// SetStalled sets since when a hall lacks some of what the computer of a board has written; the zero time: it lacks
// nothing. The board may be one of which nothing has been read yet.
func (bs *Boards) SetStalled(name string, since time.Time, computer string) {
	b, _ := bs.place(name)
	b.setStalled(since, computer)
}

// Renamed sets the name of a board's journal, which got another one than planned.
func (bs *Boards) Renamed(name, journal string) {
	if b, ok := bs.board(name); ok {
		b.mu.Lock()
		b.oldJournal, b.info.Journal = b.info.Journal, journal
		b.mu.Unlock()
	}
}

// Gone sets whether a board that is not watched is not to be watched any more.
func (bs *Boards) Gone(name string, gone bool) {
	if b, ok := bs.board(name); ok {
		b.setGone(gone)
	}
}

// Copied sets whether two programs speak for a board in one name, because a card was copied.
func (bs *Boards) Copied(name string, copied bool) {
	if b, ok := bs.board(name); ok {
		b.setCopied(copied)
	}
}

func (bs *Boards) board(name string) (*Board, bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b, ok := bs.byName[name]
	return b, ok
}

// all returns the boards in the order in which they were added.
func (bs *Boards) all() []*Board {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return slices.Clip(bs.boards)
}

// Journal returns the name of a board's journal; "": there is no such board, or no journal.
func (bs *Boards) Journal(name string) string {
	b, ok := bs.board(name)
	if !ok {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.info.Journal
}

// Shows reports whether a board shows the journal with that name. The name from before its files were renamed counts as
// well, because a reader may know it.
func (bs *Boards) Shows(name, journal string) bool {
	b, ok := bs.board(name)
	if !ok {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return journal == b.info.Journal || journal == b.oldJournal && b.oldJournal != ""
}

// Summaries returns all boards in the order in which they were added.
func (bs *Boards) Summaries() []Summary {
	boards := bs.all()
	list := make([]Summary, 0, len(boards))
	for _, b := range boards {
		list = append(list, b.Summary())
	}
	return list
}

// One returns the summary of a board.
func (bs *Boards) One(board string) (Summary, bool) {
	b, ok := bs.board(board)
	if !ok {
		return Summary{}, false
	}
	return b.Summary(), true
}

// State returns all data of a board.
func (bs *Boards) State(board string) (State, bool) {
	b, ok := bs.board(board)
	if !ok {
		return State{}, false
	}
	return b.state(), true
}

// Finding returns one finding of a board.
func (bs *Boards) Finding(board, id string) (Item, bool) {
	b, ok := bs.board(board)
	if !ok {
		return Item{}, false
	}
	return b.finding(id)
}

// Span returns the span of unknown plies that begins at a ply of a game.
func (bs *Boards) Span(board string, game, ply int) (watch.Span, bool) {
	b, ok := bs.board(board)
	if !ok {
		return watch.Span{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.spans.list {
		if s.Game == game && s.PlyFrom == ply {
			return s.of, true
		}
	}
	return watch.Span{}, false
}

// Publish puts an event of another room into the feed; data is JSON and belongs to the feed from now on.
func (bs *Boards) Publish(name, board string, data []byte) {
	bs.feed.append(Event{Name: name, Board: board, Data: data, At: bs.Now()})
}

// Follow returns a follower that begins after the event with the given identifier, or with "" at the present.
func (bs *Boards) Follow(after string) *Follower { return newFollower(bs, after) }
