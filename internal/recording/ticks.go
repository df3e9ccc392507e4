package recording

import (
	"boardwatchd/clockproto"
	"boardwatchd/dgt"
)

// ticks takes the time of an untimed capture from the board's clock: in update-nice mode each second that the running
// side loses is one message (DGT protocol notes, section 5.4: 1,549 ticks recorded, none skipped, none repeated).
// Between ticks, and while the clock is stopped, time does not advance: conclusions that need finer timing are
// impossible.
type ticks struct {
	last  clockproto.Reading
	known bool
	at    int64 // µs
}

// maxLoss is the greatest loss of time between two messages that counts as time: setting a clock looks like a loss as
// well, and 60 lost messages in a row are not expected.
const maxLoss = 60

// see takes a frame and advances the time if it is a tick. Only the side that was running counts: at a press it gains
// its increment, and a tick within the press cannot be distinguished from a smaller increment.
func (c *ticks) see(f dgt.Frame) {
	data, ok := f.Clock()
	if !ok || clockproto.Classify(data) != clockproto.Time {
		return
	}
	now, err := clockproto.ParseReading(data)
	if err != nil || now.NoClock {
		return
	}
	if c.known && c.last.Running {
		lost := c.last.Face(c.last.Up).Seconds - now.Face(c.last.Up).Seconds
		if 0 < lost && lost <= maxLoss {
			c.at += int64(lost) * 1_000_000
		}
	}
	c.last, c.known = now, true
}
