package link

import (
	"context"
	"strings"
	"time"

	"boardwatchd/dgt"
)

// Identity is a board's own description of itself.
type Identity struct {
	Serial     string // five digits on known boards
	LongSerial string // ten characters, newer boards; empty if not requested or not known
	Version    string // of the firmware; empty if the serial number was enough
}

// Is reports whether the board has this serial number, long or short, without regard to leading zeros. An empty number
// matches every board.
func (id Identity) Is(serial string) bool {
	trim := func(s string) string { return strings.TrimLeft(strings.TrimSpace(s), "0") }
	return serial == "" || trim(serial) == trim(id.Serial) || id.LongSerial != "" && trim(serial) == trim(id.LongSerial)
}

const (
	// patience is the time limit of one request. Boards answer within 0.1 s, 0.4 s at worst (DGT protocol notes,
	// section 9).
	patience = 500 * time.Millisecond
	rounds   = 3
)

// handshake finds out whether a DGT board is at an open port. It sends only requests that change nothing on a board and
// mean nothing to other devices: no reset, no mode, nothing that ends a line. A board is recognised when a well-formed
// reply to one of them arrives. Other frames, for instance of a board that is still in update mode, are skipped.
func handshake(ctx context.Context, p *Port, patience time.Duration, long bool) (Identity, error) {
	var id Identity
	c := conversation{port: p, out: dgt.NewWriter(p), patience: patience}
	for range rounds {
		for _, ask := range []dgt.Short{dgt.RequestSerial, dgt.RequestVersion} {
			m, err := c.ask(ctx, ask)
			switch m := m.(type) {
			case dgt.Serial:
				id.Serial = string(m.Digits[:])
			case dgt.Version:
				id.Version = m.String()
			default:
				if err != nil {
					return id, err
				}
				continue // silence
			}
			if long {
				if m, err := c.ask(ctx, dgt.RequestLongSerial); err != nil {
					return id, err
				} else if m, ok := m.(dgt.LongSerial); ok { // older boards do not answer
					id.LongSerial = string(m.Text[:])
				}
			}
			p.waking = append(c.heard, p.waking...) // may contain a tick or a press, so all bytes go to the reader
			return id, nil
		}
	}
	return id, &Failure{Op: "identify", Path: p.Path(), What: ErrSilent,
		Hint: "is it a DGT board, and switched on? Name its port in the configuration if it answers late"}
}

// conversation is a port with a decoder of its bytes.
type conversation struct {
	port     *Port
	out      *dgt.Writer
	in       dgt.Decoder
	heard    []byte // all received bytes, in order
	patience time.Duration
}

// ask sends one request and waits for a reply to any of the handshake's requests. It returns nil, nil if none arrived
// in time.
func (c *conversation) ask(ctx context.Context, what dgt.Short) (dgt.Message, error) {
	if err := c.out.Send(what); err != nil {
		return nil, err
	}
	var b [512]byte
	end := time.Now().Add(c.patience)
	// A busy computer may not run this process until the time is over, while the reply is in the driver: only a read
	// without bytes, or one that began after the time limit, shows that there is none.
	for over := false; !over; {
		late := !time.Now().Before(end)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := c.port.Read(b[:])
		if err != nil {
			return nil, err
		}
		over = late || n == 0 && !time.Now().Before(end)
		c.heard = append(c.heard, b[:n]...) // at most three rounds of half a second at 9600 baud
		c.in.Feed(b[:n])
		var found dgt.Message
		for f, ok := c.in.Next(); ok; f, ok = c.in.Next() {
			if m, err := f.Message(); err == nil && answers(m, what) {
				found = m
			}
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// answers reports whether m is a reply. A late reply to the other request of the handshake counts too, but not for the
// request of the long number.
func answers(m dgt.Message, what dgt.Short) bool {
	switch m.(type) {
	case dgt.Serial, dgt.Version:
		return what != dgt.RequestLongSerial
	case dgt.LongSerial:
		return what == dgt.RequestLongSerial
	}
	return false
}

// Identify opens the port at path, identifies the board there and closes the port again. settle is the pause that some
// boards need after being opened.
func Identify(ctx context.Context, path string, settle time.Duration) (Identity, error) {
	p, err := Open(path)
	if err != nil {
		return Identity{}, err
	}
	defer p.Close() // everything of interest has been read
	if err := pause(ctx, settle); err != nil {
		return Identity{}, err
	}
	return handshake(ctx, p, patience, true)
}

// pause waits, or returns the context's error.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
