package hub

import (
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"boardwatchd/internal/hall/wire"
)

// This file admits boards with a large backlog a few at a time, by delaying the answer to their question for the last
// chunk: a board sends nothing before it has that answer. After an outage all boards of a hall come back at once. One
// chunk of each of 500 boards, copied on its way through server, stream and queues, took half of the memory, so that
// most of the work was garbage collection, and connections broke because they were not read.

const (
	// maxBringing is how many boards with a large backlog may send at a time. Each has one chunk on its way.
	maxBringing = 64
	// muchToBring is the backlog, in bytes, from which a board has to wait for its turn.
	muchToBring = 256 << 10
	// turnTime is the longest that a turn lasts, and turnRest ends it earlier when no chunk has come for that long. A
	// board with a slow network goes on sending after its turn, beside the next one.
	turnTime = 10 * time.Second
	turnRest = 3 * time.Second
)

// bringing holds the turns of the boards with a large backlog and the queue of those that wait for one. A board is
// known by the subject of its chunks.
type bringing struct {
	answer func(*nats.Msg) // answers the question for a last chunk

	mu        sync.Mutex
	turns     map[string]turn
	questions map[string]*nats.Msg // the latest question of each waiting board
	waitingOf map[string]int       // number of waiting boards of a computer
	urgent    []string             // the waiting boards, in their order; these first
	others    []string
}

// A turn is the time in which one board sends its backlog: its begin and its last chunk.
type turn struct{ begun, came time.Time }

func (b *bringing) open(answer func(*nats.Msg)) {
	b.answer, b.turns, b.questions, b.waitingOf = answer, map[string]turn{}, map[string]*nats.Msg{}, map[string]int{}
}

// ask answers a question for a last chunk when the board's turn has come. A board that asks again keeps its place.
func (b *bringing) ask(m *nats.Msg, now time.Time) {
	q := wire.ReadLast(m.Header)
	board, computer := wire.RecordsOf(m.Subject), wire.Sender(m.Subject)
	b.mu.Lock()
	_, has := b.turns[board]
	_, waits := b.questions[board]
	switch {
	case waits:
		b.questions[board] = m
	case has, q.Backlog < muchToBring, b.waitingOf[computer] >= maxBoards:
		b.mu.Unlock()
		b.answer(m)
		return
	default:
		b.questions[board] = m
		b.waitingOf[computer]++
		if q.Urgent {
			b.urgent = append(b.urgent, board)
		} else {
			b.others = append(b.others, board)
		}
	}
	b.next(now)
}

// next gives the free turns to waiting boards. The caller holds the lock; next releases it.
func (b *bringing) next(now time.Time) {
	var let []*nats.Msg
	for len(b.turns) < maxBringing && len(b.urgent)+len(b.others) > 0 {
		from := &b.urgent
		if len(*from) == 0 {
			from = &b.others
		}
		board := (*from)[0]
		*from = (*from)[1:]
		m := b.questions[board]
		let = append(let, m)
		delete(b.questions, board)
		if computer := wire.Sender(m.Subject); b.waitingOf[computer] > 1 {
			b.waitingOf[computer]--
		} else {
			delete(b.waitingOf, computer)
		}
		b.turns[board] = turn{now, now}
	}
	b.mu.Unlock()
	for _, m := range let {
		b.answer(m)
	}
}

// came notes a chunk of a board and reports whether the board has a turn. The last chunk of the backlog ends the turn.
func (b *bringing) came(board string, last bool, now time.Time) (hasTurn bool) {
	b.mu.Lock()
	t, has := b.turns[board]
	switch {
	case !has:
		b.mu.Unlock()
		return false
	case last:
		delete(b.turns, board)
	default:
		b.turns[board] = turn{t.begun, now}
	}
	b.next(now)
	return true
}

// answered begins a board's turn anew, even if it has ended: until now its worker may have been reading the journal.
func (b *bringing) answered(board string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turns[board] = turn{now, now}
}

// tick ends the turns whose time is over.
func (b *bringing) tick(now time.Time) {
	b.mu.Lock()
	for board, t := range b.turns {
		if now.Sub(t.begun) > turnTime || now.Sub(t.came) > turnRest {
			delete(b.turns, board)
		}
	}
	b.next(now)
}

// putDirectly hands a chunk of a board that has a turn to its worker without using the stream, and answers as the
// stream would once the mirror has the chunk. The server would keep a chunk of the stream in memory for 10 seconds. The
// board goes on where the mirror ends, so the stream holds nothing of it that the mirror lacks.
func (h *Hub) putDirectly(m *nats.Msg) bool {
	c, err := wire.ReadChunk(m.Header, m.Data)
	name, board := wire.Sender(m.Subject), wire.RecordsOf(m.Subject)
	if err != nil || board != wire.Records(name, c.Board) || !h.bringing.came(board, c.Remaining == 0 && !c.Final, time.Now()) {
		return false
	}
	h.handChunk(&c, name, m.Header, func() { _ = m.Respond(putAnswer) }) // else the computer asks for its last chunk
	return true
}

// putAnswer has the form of JetStream's answer. Computers do not read the number.
var putAnswer = []byte(`{"stream":"` + wire.Stream + `","seq":1}`)

// answerLast answers with the end of the mirror as if it were one chunk. Chunks that are in the stream and not yet in
// the mirror may then come a second time.
func (w *worker) answerLast() {
	m := w.asksLast.Swap(nil)
	if m == nil {
		return
	}
	q := wire.ReadLast(m.Header)
	c, err := w.end(q.Journal)
	if err != nil {
		w.log.Debug().Err(err).Msg("the end of the mirror is not known: the stream is asked")
		w.h.askStream(m)
		return
	}
	if q.Backlog >= muchToBring {
		w.h.bringing.answered(wire.RecordsOf(m.Subject), time.Now())
	}
	_ = w.h.nc.PublishMsg(c.Message(m.Reply)) // else the computer asks again
}

var errEmpty = errors.New("nothing of it is here")

// end returns the end of the mirror of a journal as a chunk.
func (w *worker) end(name string) (c wire.Chunk, err error) {
	j := w.journal
	if j == nil || j.Name() != name {
		if j, err = w.h.store.Journal(w.computer, name); err != nil {
			return c, err
		}
		defer func() { err = errors.Join(err, j.Close()) }()
	}
	if j.Empty() {
		return c, errEmpty
	}
	c = wire.Chunk{Board: w.board, Journal: name, Rate: w.rate}
	c.Segment, c.Offset, c.Data, err = j.End(wire.MaxChunk)
	return c, err
}

// waits reports whether a board waits for its turn.
func (b *bringing) waits(board string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.questions[board] != nil
}
