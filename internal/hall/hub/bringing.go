package hub

import (
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"boardwatchd/internal/hall/wire"
)

// This file lets boards with much to bring begin a few at a time, by when their question for the last chunk is
// answered: whoever waits for that sends nothing. After an outage all boards of a hall come back at once. A chunk of
// each of 500, copied on its way through server, stream and queues, took half of the memory, so that most of the work
// was its collection and connections broke because nobody read from them.

const (
	// maxBringing is how many boards with much to bring do so at a time. Each has one chunk on its way.
	maxBringing = 64
	// muchToBring is how much is not brought at once.
	muchToBring = 256 << 10
	// turnTime is how long a turn lasts at most, and turnRest how long nothing may come: a board with a slow network
	// goes on beside the next one.
	turnTime = 10 * time.Second
	turnRest = 3 * time.Second
)

// bringing says which boards bring much, by the subjects of their chunks, and which wait for that.
type bringing struct {
	answer func(*nats.Msg) // the question for a last chunk

	mu     sync.Mutex
	turns  map[string]turn
	asked  map[string]*nats.Msg // of those that wait
	of     map[string]int       // how many of a computer wait
	urgent []string             // those, in their order
	others []string
}

// A turn is one board's.
type turn struct{ begun, came time.Time }

func (b *bringing) open(answer func(*nats.Msg)) {
	b.answer, b.turns, b.asked, b.of = answer, map[string]turn{}, map[string]*nats.Msg{}, map[string]int{}
}

// ask answers a question for a last chunk when the board's turn has come. A board that asks again keeps its place.
func (b *bringing) ask(m *nats.Msg, now time.Time) {
	q := wire.ReadLast(m.Header)
	board, computer := wire.RecordsOf(m.Subject), wire.Sender(m.Subject)
	b.mu.Lock()
	_, has := b.turns[board]
	_, waits := b.asked[board]
	switch {
	case waits:
		b.asked[board] = m
	case has, q.Backlog < muchToBring, b.of[computer] >= maxBoards:
		b.mu.Unlock()
		b.answer(m)
		return
	default:
		b.asked[board] = m
		b.of[computer]++
		if q.Urgent {
			b.urgent = append(b.urgent, board)
		} else {
			b.others = append(b.others, board)
		}
	}
	b.next(now)
}

// next gives the free turns to those that wait. The caller holds the lock, which is released.
func (b *bringing) next(now time.Time) {
	var let []*nats.Msg
	for len(b.turns) < maxBringing && len(b.urgent)+len(b.others) > 0 {
		from := &b.urgent
		if len(*from) == 0 {
			from = &b.others
		}
		board := (*from)[0]
		*from = (*from)[1:]
		m := b.asked[board]
		let = append(let, m)
		delete(b.asked, board)
		if computer := wire.Sender(m.Subject); b.of[computer] > 1 {
			b.of[computer]--
		} else {
			delete(b.of, computer)
		}
		b.turns[board] = turn{now, now}
	}
	b.mu.Unlock()
	for _, m := range let {
		b.answer(m)
	}
}

// came notes a chunk of a board, and reports whether it has a turn. With the last chunk of what it has the turn is over.
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

// answered begins a board's turn anew, also where it is over by now: its worker may have read the journal until then.
func (b *bringing) answered(board string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turns[board] = turn{now, now}
}

// tick ends the turns that have lasted long enough.
func (b *bringing) tick(now time.Time) {
	b.mu.Lock()
	for board, t := range b.turns {
		if now.Sub(t.begun) > turnTime || now.Sub(t.came) > turnRest {
			delete(b.turns, board)
		}
	}
	b.next(now)
}

// putDirectly takes a chunk of a board that has a turn past the stream, and answers as the stream does when the mirror
// has it. The server keeps all that goes into the stream in memory for 10 seconds, and it goes on where the mirror ends,
// so that nothing of the board is in the stream and not in the mirror.
func (h *Hub) putDirectly(m *nats.Msg) bool {
	c, err := wire.ReadChunk(m.Header, m.Data)
	name, board := wire.Sender(m.Subject), wire.RecordsOf(m.Subject)
	if err != nil || board != wire.Records(name, c.Board) || !h.bringing.came(board, c.Remaining == 0 && !c.Final, time.Now()) {
		return false
	}
	h.handChunk(&c, name, m.Header, func() { _ = m.Respond(putAnswer) }) // else the computer asks for its last chunk
	return true
}

// putAnswer is what JetStream answers; the number is not looked at.
var putAnswer = []byte(`{"stream":"` + wire.Stream + `","seq":1}`)

// answerLast answers with the end of the mirror, as if it had come in one chunk: what is in the stream and not in the
// mirror may come a second time.
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

// end is the end of the mirror of a journal.
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
	return b.asked[board] != nil
}
