package uplink

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"boardwatchd/internal/hall/wire"
)

// follower sends one journal of one board to the hall.
type follower struct {
	u         *Uplink
	board     string
	kick      <-chan struct{}
	files     files
	at        place
	lateUntil place // everything before it was written while the hall was away

	lateAbsence time.Time // begin of the absence for which late was set
}

const (
	ackTime   = 15 * time.Second       // for one chunk; hundreds of boards may send theirs at once
	again     = 500 * time.Millisecond // pause after an attempt that failed
	lookEvery = time.Second            // without Kick: the disk was slow, or the journal wrote records of its own
)

// run goes on until ctx ends. After every failure, and at each new connection, it asks the hall how much of the journal
// is there, and goes on from that place.
func (f *follower) run(ctx context.Context) {
	told := ""
	for ctx.Err() == nil {
		relinked, here := f.u.link()
		if !here {
			select {
			case <-ctx.Done():
			case <-relinked:
			}
			continue
		}
		f.afterAbsence(ctx)
		err := f.cursor(ctx, relinked)
		if err == nil {
			err = f.bring(ctx, relinked)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			f.u.opt.Log.Debug().Err(err).Str("board", f.board).Msg("the uplink begins again")
		}
		if err != nil {
			select {
			case <-ctx.Done():
			case <-relinked:
			case <-time.After(again):
			}
		}
	}
}

const (
	// lateAfter is the shortest absence of the hall after which chunks count as late.
	lateAfter = 5 * time.Second
	// spread is the time over which boards with a backlog and nothing urgent begin.
	spread = 3 * time.Second
	much   = 256 << 10
)

// afterAbsence sets, once for each absence of the hall, the end of the late part, and lets boards with something urgent
// go first.
func (f *follower) afterAbsence(ctx context.Context) {
	absence := f.u.absence()
	if absence.Equal(f.lateAbsence) {
		return
	}
	f.lateAbsence = absence
	backlog, end := f.backlog()
	f.lateUntil = end
	if backlog < much || f.u.opt.Urgent(f.board) {
		return
	}
	select {
	case <-time.After(time.Duration(rand.Int64N(int64(spread)))):
	case <-ctx.Done():
	}
}

// backlog is the number of bytes after the last place that the hall is known to have, and their end.
func (f *follower) backlog() (n int64, end place) {
	n = -f.at.offset
	for _, s := range f.files.sizes() {
		end = place{s.Number, s.Size}
		if s.Number >= f.at.segment {
			n += s.Size
		}
	}
	return n, end
}

// attempt returns a context that ends after ackTime, or at a new connection.
func attempt(ctx context.Context, relinked <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, ackTime)
	go func() {
		select {
		case <-relinked:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// cursor asks the hall for the last chunk of this board that it has. If many boards have a backlog, the hall delays the
// answer until this board's turn.
func (f *follower) cursor(ctx context.Context, relinked <-chan struct{}) error {
	ctx, cancel := attempt(ctx, relinked)
	defer cancel()
	backlog, _ := f.backlog()
	ask := wire.LastQuestion{Journal: f.files.name, Backlog: backlog, Urgent: f.u.opt.Urgent(f.board)}
	m, err := f.u.nc.RequestMsgWithContext(ctx, ask.Message(f.u.member.Computer, f.board))
	if err != nil {
		return fmt.Errorf("ask for the last chunk: %w", err)
	}
	if m.Header.Get("Status") == "404" { // the hall asks for bytes that were sent and are missing in the mirror
		if f.at == (place{}) {
			f.at = place{segment: f.files.first()}
		}
		return nil
	}
	if s := m.Header.Get("Status"); s != "" {
		return fmt.Errorf("ask for the last chunk: status %s", s)
	}
	c, err := wire.ReadChunk(m.Header, m.Data)
	if err != nil { // damaged in the stream: the journal is sent again
		f.at = place{segment: f.files.first()}
		return nil
	}
	f.at = f.files.after(&c)
	return nil
}

// bring sends what is written now and later, chunk by chunk, until an error or a new connection.
func (f *follower) bring(ctx context.Context, relinked <-chan struct{}) error {
	for {
		c, err := f.files.next(f.at)
		if errors.Is(err, errShrunk) {
			f.at.offset = 0
			continue
		}
		if err != nil {
			return err
		}
		if len(c.Data) > 0 || c.Final {
			if err := f.send(ctx, &c, relinked); err != nil {
				return err
			}
			f.at = place{c.Segment, c.End()}
			if c.Final {
				f.at = place{segment: c.Segment + 1}
			}
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-relinked:
			return nil
		case <-f.kick:
		case <-time.After(lookEvery):
		}
	}
}

// send publishes a chunk and waits until the stream has it, or until a new connection.
func (f *follower) send(ctx context.Context, c *wire.Chunk, relinked <-chan struct{}) error {
	c.Board, c.Rate = f.board, f.u.opt.Rate
	c.Late = c.Segment < f.lateUntil.segment || c.Segment == f.lateUntil.segment && c.Offset < f.lateUntil.offset
	m := c.Message(wire.Records(f.u.member.Computer, f.board))
	if err := wire.Seal(m, f.u.key); err != nil {
		return err
	}
	m.Subject = wire.Put(f.u.member.Computer, f.board) // the hall puts it into the stream
	m.Header.Set(nats.ExpectedStreamHdr, wire.Stream)
	ctx, cancel := attempt(ctx, relinked)
	defer cancel()
	if _, err := f.u.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0)); err != nil {
		return fmt.Errorf("send a chunk: %w", err)
	}
	return nil
}
