package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"boardwatchd/internal/live"
)

// chunk is roughly the most bytes in one write to a phone. Each write has its own deadline.
const chunk = 32 << 10

// events is the feed. Only the goroutine of the request writes to the phone, and it reads from its own place in the
// feed's ring: a phone that does not read delays no other. If a write has not ended after the stall time, the phone is
// dropped; it comes back with the id of the last event that it got.
func (s *Server) events(w http.ResponseWriter, r *http.Request, c *call) error {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy in between must not buffer
	h.Add("Vary", "Accept-Encoding")
	var packed *packer // nothing in the feed is secret from its reader, so its length reveals nothing
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		packed = new(packer)
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		return nil
	}
	after := r.Header.Get("Last-Event-ID")
	if after == "" {
		after = r.URL.Query().Get("after")
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ending, cancel)()
	guarded := make(chan struct{})
	go func() {
		defer close(guarded)
		s.whileAllowed(ctx, cancel, c)
	}()
	defer func() { cancel(); <-guarded }()

	last := s.Live.Last()
	f := s.Live.Follow(after)
	defer f.Close()
	p := &phone{s: s, w: w, control: http.NewResponseController(w), packer: packed}
	if q := r.URL.Query(); q.Has("open") {
		p.overview, p.open = true, q.Get("open")
		if p.open == "" {
			f.Calm()
		}
		if left, ok := s.rowsAsked(r, c, s.Live.Summaries()); ok {
			f.Rows(p.open, left)
			p.narrow = len(left) > 0
		}
	}
	p.hello(last, f.Resumed())
	p.flush()
	s.feed(ctx, p, f, f.Resumed() && after != last)
	p.end()
	return nil
}

// whileAllowed ends the feed of a device that was revoked, or that has another role now. It returns when ctx ends.
func (s *Server) whileAllowed(ctx context.Context, end context.CancelFunc, c *call) {
	for {
		changed := s.Access.Changed()
		if d, ok := s.Access.Check(c.secret); !ok || d.Role != c.device.Role {
			end()
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// feed writes until ctx ends, the phone does not accept a write, or the phone has to fetch the state again. With
// backlog the first batch has the events that the phone has missed.
func (s *Server) feed(ctx context.Context, p *phone, f *live.Follower, backlog bool) {
	due := time.Now().Add(s.Ping)
	for pings := 0; p.err == nil; {
		batch, err := next(ctx, f, due)
		if ctx.Err() != nil || errors.Is(err, live.ErrFellBehind) {
			return
		}
		if now := time.Now(); !now.Before(due) {
			due = now.Add(s.Ping)
			p.ping()
			if pings%headsEvery == 0 && (pings > 0 || !p.narrow) {
				p.own("heads", p.s.allHeads())
			}
			pings++
		}
		missed := backlog && len(batch) > 0
		if missed {
			p.writeUrgent(batch)
			backlog = false
		}
		p.batch(batch)
		p.flush()
		if !missed && p.err == nil {
			s.observe(p, batch)
		}
	}
}

// next waits for the next batch, until a ping is due.
func next(ctx context.Context, f *live.Follower, due time.Time) ([]live.Event, error) {
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	return f.Next(ctx)
}

// observe reports to the metrics how old confirmed findings were when they were written to the phone's socket.
func (s *Server) observe(p *phone, batch []live.Event) {
	for i := range batch {
		if e := &batch[i]; e.Name == "finding" && p.wants(e) && bytes.Contains(e.Data, []byte(`"state":"confirmed"`)) {
			s.AlertSent("page", time.Duration(s.Live.Now()-e.At))
		}
	}
}

// phone is the stream to one phone. The first error is kept, and nothing is written after it.
type phone struct {
	s       *Server
	w       http.ResponseWriter
	control *http.ResponseController
	buf     bytes.Buffer
	packer  *packer // nil: plain

	overview bool   // of all boards but the open one, only what a list of boards shows
	open     string // the open board; "": none
	narrow   bool   // a list that is loaded for the first time: heads of hundreds of journals come after the rest of the boards
	last     string // id of the last durable event, even if it was left out

	packed bytes.Buffer
	err    error
}

func (p *phone) hello(last string, resumed bool) {
	p.buf.WriteString("retry: 1000\n\n")
	p.own("hello", struct {
		Epoch   string `json:"epoch"`
		Resumed bool   `json:"resumed"`
		Last    string `json:"last"`
		NowMS   int64  `json:"now_ms"`
	}{p.s.Live.Epoch(), resumed, last, p.s.Now().UnixMilli()})
}

// ping is a named event, because a page does not see comments and has to notice a dead connection.
func (p *phone) ping() {
	p.own("ping", struct {
		NowMS int64 `json:"now_ms"`
	}{p.s.Now().UnixMilli()})
}

func (p *phone) own(name string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("web: internal error: " + name + ": " + err.Error())
	}
	p.event(&live.Event{Name: name, Data: b}, "")
}

// urgent are the kinds of events that a returning phone gets first.
var urgent = []string{"finding", "ruling", "alert"}

// writeUrgent writes the urgent events of a backlog, without ids: if the phone is lost again meanwhile, it resumes
// where it was.
func (p *phone) writeUrgent(batch []live.Event) {
	for i := range batch {
		if p.wants(&batch[i]) && slices.Contains(urgent, batch[i].Name) {
			p.event(&batch[i], "")
		}
	}
}

// onlyOnBoardScreen are the kinds of events that only the screen of their board shows: in a hall there are hundreds a
// second.
var onlyOnBoardScreen = []string{"game", "move", "press", "finding", "ruling", "result", "takeback", "health", "decision", "waiting"}

func (p *phone) wants(e *live.Event) bool {
	return !p.overview || e.Board == p.open || !slices.Contains(onlyOnBoardScreen, e.Name)
}

// batch writes events in order, and for an overview the summaries together after them, because a page takes much longer
// to handle an event than to read its data. The summaries have the id of the last event before them, which may have
// been left out, so that a page which comes back soon can resume.
func (p *phone) batch(list []live.Event) {
	var summaries []byte
	for i := range list {
		e := &list[i]
		if e.ID != "" {
			p.last = e.ID
		}
		switch {
		case !p.wants(e):
		case p.overview && e.ID == "":
			summaries = append(append(summaries, ','), e.Data...)
			if len(summaries) >= chunk {
				p.boards(summaries)
				summaries = nil
			}
		default:
			p.event(e, e.ID)
		}
	}
	if len(summaries) > 0 {
		p.boards(summaries)
	}
}

// boards writes summaries, each with a comma before it.
func (p *phone) boards(summaries []byte) {
	p.event(&live.Event{Name: "boards", Data: slices.Concat([]byte(`{"boards":[`), summaries[1:], []byte("]}"))}, p.last)
}

func (p *phone) event(e *live.Event, id string) {
	if id != "" {
		p.buf.WriteString("id: ")
		p.buf.WriteString(id)
		p.buf.WriteByte('\n')
	}
	p.buf.WriteString("event: ")
	p.buf.WriteString(e.Name)
	p.buf.WriteString("\ndata: ")
	if bytes.ContainsAny(e.Data, "\r\n") { // only between tokens, or it would not be JSON
		p.buf.Write(bytes.Map(func(c rune) rune {
			if c == '\r' || c == '\n' {
				return ' '
			}
			return c
		}, e.Data))
	} else {
		p.buf.Write(e.Data)
	}
	p.buf.WriteString("\n\n")
	if p.buf.Len() >= chunk {
		p.flush()
	}
}

// flush sends what is in the buffer.
func (p *phone) flush() {
	if p.err != nil || p.buf.Len() == 0 {
		p.buf.Reset()
		return
	}
	out := &p.buf
	if p.packer != nil {
		out = &p.packed
		p.keep(p.packer.piece(out, p.buf.Bytes()))
	}
	p.send(out)
	p.buf.Reset()
}

// end completes a packed stream. The phone may be gone.
func (p *phone) end() {
	if p.packer != nil && p.err == nil {
		p.packer.end(&p.packed)
		p.send(&p.packed)
	}
}

// send sets a deadline for one write and removes it after that, because HTTP/2 would end the stream at a deadline
// between two writes.
func (p *phone) send(b *bytes.Buffer) {
	p.keep(p.control.SetWriteDeadline(time.Now().Add(p.s.Stall)))
	_, err := p.w.Write(b.Bytes())
	p.keep(err)
	p.keep(p.control.Flush())
	p.keep(p.control.SetWriteDeadline(time.Time{}))
	b.Reset()
}

func (p *phone) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}
