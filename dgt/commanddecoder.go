package dgt

import (
	"bytes"
	"fmt"
)

// A Mode is one of the two link modes of a board (section 2). The zero Mode is
// invalid.
type Mode byte

// The link modes.
const (
	BusMode         Mode = 1 + iota // at power-up
	SingleBoardMode                 // after any command of single-board mode
)

// String names the mode.
func (m Mode) String() string {
	switch m {
	case BusMode:
		return "bus mode"
	case SingleBoardMode:
		return "single-board mode"
	}
	return fmt.Sprintf("mode %d", byte(m))
}

// An Order is the meaning of received bytes to a board.
type Order struct {
	Command  Command // nil if the bytes only switched the mode
	Mode     Mode    // of the link, from here on
	Switched bool    // the bytes changed the mode; reporting is idle from here on
}

// A CommandDecoder is the receiver of an emulated board: it reads the commands of a host and keeps the link mode
// (sections 2, 16.1, 16.2). The zero CommandDecoder is a board after power-up, in bus mode. It belongs to one goroutine
// and has the loop of a [Decoder].
//
// In single-board mode a byte with bit 7 switches to bus mode at once, and a bus command that begins with it is not
// executed. In bus mode any whole known command of single-board mode switches back and is executed. Unknown and
// incomplete commands are ignored; so are bus commands with a wrong checksum, which are counted as garbage.
type CommandDecoder struct {
	in     []byte
	single bool
	deaf   bool // the bus command in buf only switched the mode
	n      int
	stats  Stats
	buf    [2 + maxPayload]byte
}

// Feed takes the next chunk, as [Decoder.Feed] does.
func (d *CommandDecoder) Feed(p []byte) {
	if lost := len(d.in); lost > 0 {
		d.Abort()
		d.stats.Bytes += int64(lost)
		d.stats.Garbage += int64(lost)
	}
	d.in = p
}

// Next returns the next order, and false when more bytes are needed. The order
// has its own memory.
func (d *CommandDecoder) Next() (Order, bool) {
	for len(d.in) > 0 {
		b := d.in[0]
		d.in = d.in[1:]
		d.stats.Bytes++
		if o, ok := d.take(b); ok {
			return o, true
		}
	}
	return Order{}, false
}

// take handles one byte.
func (d *CommandDecoder) take(b byte) (Order, bool) {
	if b >= 0x80 {
		d.Abort()
		d.push(b)
		d.deaf = d.single
		if d.single {
			d.single = false
			return Order{Mode: BusMode, Switched: true}, true
		}
		return Order{}, false
	}
	if d.n > 0 {
		d.push(b)
		return d.complete()
	}
	if variable(b) {
		d.push(b)
		return Order{}, false
	}
	d.push(b)
	if !Short(b).Known() {
		d.Abort()
		return Order{}, false
	}
	return d.execute(Short(b)), true
}

func (d *CommandDecoder) push(b byte) {
	d.buf[d.n] = b
	d.n++
}

// complete executes the command in buf if its last byte has arrived.
func (d *CommandDecoder) complete() (Order, bool) {
	if d.buf[0] >= 0x80 {
		if d.n < busCommandLen {
			return Order{}, false
		}
		c, err := ParseBusCommand(d.buf[:d.n])
		if err != nil || d.deaf {
			d.Abort()
			return Order{}, false
		}
		return d.execute(c), true
	}

	if d.n < 2+int(d.buf[1]) {
		return Order{}, false
	}
	if d.buf[1] == 0 || d.buf[d.n-1] != 0 {
		d.Abort() // section 16.1: run only if the last byte is 00
		return Order{}, false
	}
	return d.execute(parseVariable(d.buf[0], d.buf[2:d.n])), true
}

// execute makes an order from the command in buf and switches the mode.
func (d *CommandDecoder) execute(c Command) Order {
	was := d.single
	switch c := c.(type) {
	case BusCommand: // stays in bus mode
	case Short:
		d.single = c != ToBusMode
	default:
		d.single = true
	}
	d.stats.Frames++
	d.stats.FrameBytes += int64(d.n)
	d.n = 0
	return Order{Command: c, Mode: d.Mode(), Switched: d.single != was}
}

// parseVariable reads a command of variable length from its whole payload.
func parseVariable(code byte, payload []byte) Command {
	p := bytes.Clone(payload)
	switch code {
	case CodeClock:
		return ClockMessage{Payload: p}
	case CodeLEDs:
		switch {
		case len(p) == 4:
			return LEDs{Action: p[0], A: p[1], B: p[2]}
		case len(p) == 2 && p[0] == 0:
			return PegasusLEDs{}
		case len(p) > 5 && p[0] == pegasusLight:
			return PegasusLEDs{Speed: p[1], Repeat: p[2], Brightness: p[3], Squares: p[4 : len(p)-1]}
		}
	}
	return Variable{Code: code, Payload: p}
}

// Abort gives up the incomplete command, because the host stalled. Its bytes become garbage; Abort returns their
// number.
func (d *CommandDecoder) Abort() int {
	n := d.n
	d.stats.Garbage += int64(n)
	d.n = 0
	return n
}

// Mode returns the link mode.
func (d *CommandDecoder) Mode() Mode {
	if d.single {
		return SingleBoardMode
	}
	return BusMode
}

// Pending returns the number of bytes of the incomplete command.
func (d *CommandDecoder) Pending() int { return d.n }

// Stats returns the account of all bytes: frames are commands, garbage is bytes that were ignored.
func (d *CommandDecoder) Stats() Stats { return d.stats }
