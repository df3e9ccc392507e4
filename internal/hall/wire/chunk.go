package wire

import (
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
)

// MaxChunk is the length of a chunk. Only a single longer line makes a longer one, up to MaxLine.
const (
	MaxChunk = 64 << 10
	MaxLine  = 900 << 10 // below what the server takes in one message
)

// A Chunk is a piece of one file of a board's journal.
type Chunk struct {
	Board     string
	Journal   string // a program that makes a file of it must check the name
	Segment   int
	Offset    int64
	Data      []byte
	Final     bool  // the file ends after it: another segment follows, or the journal has ended
	Remaining int64 // bytes of the journal after it that were already written, and come next
	Late      bool  // it was written while the hall was away
	Rate      int   // how much faster than life the board's time runs; 1 but in a simulation
}

// End is the offset after the chunk.
func (c *Chunk) End() int64 { return c.Offset + int64(len(c.Data)) }

// The headers of a chunk.
const (
	hBoard   = "Bw-Board"
	hJournal = "Bw-Journal"
	hSegment = "Bw-Segment"
	hOffset  = "Bw-Offset"
	hFinal   = "Bw-Final"
	hBehind  = "Bw-Behind"
	hRate    = "Bw-Rate"
	hLate    = "Bw-Late"
)

// A LastQuestion asks for the last chunk of a board. Older programs leave out all its fields.
type LastQuestion struct {
	Journal string // that is being written
	Backlog int64  // bytes that the board has to send, as far as it knows
	Urgent  bool   // a person waits for something in them
}

const (
	hBacklog = "Bw-Backlog"
	hUrgent  = "Bw-Urgent"
)

// Message returns the question as a message.
func (l *LastQuestion) Message(computer, board string) *nats.Msg {
	m := nats.NewMsg(Last(computer, board))
	m.Header.Set(hJournal, token(l.Journal))
	m.Header.Set(hBacklog, strconv.FormatInt(l.Backlog, 10))
	if l.Urgent {
		m.Header.Set(hUrgent, "1")
	}
	return m
}

// ReadLast reads a question from its headers. An unreadable field counts as absent.
func ReadLast(h nats.Header) (l LastQuestion) {
	l.Journal, _ = untoken(h.Get(hJournal))
	l.Backlog, _ = strconv.ParseInt(h.Get(hBacklog), 10, 64)
	l.Urgent = h.Get(hUrgent) != ""
	return l
}

// Message returns the chunk as a message.
func (c *Chunk) Message(subject string) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Header.Set(hBoard, token(c.Board))
	m.Header.Set(hJournal, token(c.Journal))
	m.Header.Set(hSegment, strconv.Itoa(c.Segment))
	m.Header.Set(hOffset, strconv.FormatInt(c.Offset, 10))
	if c.Final {
		m.Header.Set(hFinal, "1")
	}
	if c.Late {
		m.Header.Set(hLate, "1")
	}
	m.Header.Set(hBehind, strconv.FormatInt(c.Remaining, 10))
	m.Header.Set(hRate, strconv.Itoa(c.Rate))
	m.Data = c.Data
	return m
}

// ReadChunk reads a chunk from a message.
func ReadChunk(h nats.Header, data []byte) (c Chunk, err error) {
	number := func(key string, most int64) (n int64) {
		n, e := strconv.ParseInt(h.Get(key), 10, 64)
		if err == nil && (e != nil || n < 0 || n > most) {
			err = fmt.Errorf("a chunk with %s: %.40q", key, h.Get(key))
		}
		return n
	}
	c = Chunk{Data: data, Final: h.Get(hFinal) == "1", Late: h.Get(hLate) == "1"}
	c.Segment = int(number(hSegment, 1<<30))
	c.Offset = number(hOffset, 1<<50)
	c.Remaining = number(hBehind, 1<<50)
	c.Rate = int(number(hRate, 1000))
	if err != nil {
		return c, err
	}
	if c.Board, err = untoken(h.Get(hBoard)); err != nil {
		return c, err
	}
	if c.Journal, err = untoken(h.Get(hJournal)); err != nil {
		return c, err
	}
	if c.Segment < 1 || c.Board == "" {
		return c, fmt.Errorf("a chunk of segment %d of board %.40q", c.Segment, c.Board)
	}
	return c, nil
}

// untoken reverses token.
func untoken(text string) (string, error) {
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b = append(b, text[i])
			continue
		}
		n, err := strconv.ParseUint(text[min(i+1, len(text)):min(i+3, len(text))], 16, 8)
		if err != nil {
			return "", fmt.Errorf("a name with %.40q", text)
		}
		b = append(b, byte(n))
		i += 2
	}
	return string(b), nil
}
