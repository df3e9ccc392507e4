package clockproto

import (
	"errors"
	"fmt"
)

// A Side is a side of the clock as seen from its display. The zero Side is
// none.
type Side uint8

// The sides.
const (
	NoSide Side = iota
	Left
	Right
)

// String names the side.
func (s Side) String() string {
	switch s {
	case NoSide:
		return "no side"
	case Left:
		return "left"
	case Right:
		return "right"
	}
	return fmt.Sprintf("side %d", uint8(s))
}

// Other returns the opposite side.
func (s Side) Other() Side {
	switch s {
	case Left:
		return Right
	case Right:
		return Left
	}
	return NoSide
}

// MaxSeconds is the highest time that the wire can carry, 9:59:59.
const MaxSeconds = 9*3600 + 59*60 + 59

// A Face is one half of the clock's display.
type Face struct {
	Seconds   int  // 0 to MaxSeconds
	PerMove   bool // a time per move is set, Fischer or Bronstein
	FlagShown bool // a flag is shown; the clock may go on with the next period
	Fallen    bool // the flag has fallen and the clock is blocked at zero
}

// A Reading is a time message (section 5.4).
type Reading struct {
	Left, Right Face
	Running     bool
	Up          Side // the lever is high on this side: it is this side's turn
	TurnBits    byte // status bits 3 and 4 as sent; Up is reliable, they are not
	BatteryLow  bool
	NoClock     bool // no clock is connected; only BatteryLow may be set besides
}

// TurnBits. Sources disagree about their meaning, and stopped or remotely controlled clocks set them freely; all 1755
// recorded messages have them as listed here.
const (
	TurnLeft  byte = 0x08
	TurnRight byte = 0x10
)

// Face returns the face of a side, and an empty one for no side.
func (r Reading) Face(s Side) Face {
	switch s {
	case Left:
		return r.Left
	case Right:
		return r.Right
	}
	return Face{}
}

// A Kind is the kind of the seven bytes of a clock frame. The zero Kind is invalid.
type Kind uint8

// The kinds.
const (
	Invalid     Kind = iota
	Time             // for ParseReading, which also checks it
	Acknowledge      // for ParseAck
	Null             // seven zeros, which a Bluetooth board sends after a command; ignore it
)

// String names the kind.
func (k Kind) String() string {
	switch k {
	case Invalid:
		return "invalid"
	case Time:
		return "time"
	case Acknowledge:
		return "acknowledge"
	case Null:
		return "null"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Positions of the bytes of a clock frame. The right player comes first.
const (
	atRight  = 0
	atLeft   = 3
	atStatus = 6
)

// Bits of the hour bytes.
const (
	hourMask  = 0x0F
	bitFallen = 0x10
	bitPer    = 0x20
	bitFlag   = 0x40
)

// Bits of the status byte. Bit 6 is unused.
const (
	bitRunning = 0x01
	bitRightUp = 0x02
	bitBattery = 0x04
	bitNoClock = 0x20
)

// ackNibble replaces the hours in an acknowledgement. Hours end at nine, so it cannot be part of a time.
const ackNibble = 0x0A

// Classify returns the kind of the seven bytes of a clock frame. Invalid means that neither parser would accept them.
func Classify(d [7]byte) Kind {
	switch {
	case d == [7]byte{}:
		return Null
	case firstHigh(d) >= 0:
		return Invalid
	case isAck(d):
		return Acknowledge
	}
	if at, _ := checkTime(d); at >= 0 {
		return Invalid
	}
	return Time
}

// firstHigh returns the index of the first byte with bit 7 set, or -1. The board's framing never passes one.
func firstHigh(d [7]byte) int {
	for i, b := range d {
		if b >= 0x80 {
			return i
		}
	}
	return -1
}

// isAck reports whether either hour nibble is that of an acknowledgement; real
// clocks may set only one of them.
func isAck(d [7]byte) bool {
	return d[atRight]&hourMask == ackNibble || d[atLeft]&hourMask == ackNibble
}

// ErrNotTime says that the seven bytes are an acknowledgement or null, and
// carry no time.
var ErrNotTime = errors.New("not a time")

// ParseReading reads a time message. The error names the impossible byte; the caller then drops the whole message. It
// does not allocate on success.
func ParseReading(d [7]byte) (Reading, error) {
	if d == [7]byte{} {
		return Reading{}, fmt.Errorf("clock reading: null message: %w", ErrNotTime)
	}
	if isAck(d) {
		return Reading{}, fmt.Errorf("clock reading: acknowledgement: %w", ErrNotTime)
	}
	if at, what := checkTime(d); at >= 0 {
		return Reading{}, fmt.Errorf("clock reading: byte %d is %02x, not %s", at, d[at], what)
	}

	status := d[atStatus]
	if status&bitNoClock != 0 {
		// All clock data are invalid, and so is the lever: boards have been observed to send lever changes without a
		// clock (quirk 10).
		return Reading{NoClock: true, BatteryLow: status&bitBattery != 0}, nil
	}
	r := Reading{
		Left:       parseFace(d[atLeft:]),
		Right:      parseFace(d[atRight:]),
		Running:    status&bitRunning != 0,
		Up:         Left,
		TurnBits:   status & (TurnLeft | TurnRight),
		BatteryLow: status&bitBattery != 0,
	}
	if status&bitRightUp != 0 {
		r.Up = Right
	}
	return r, nil
}

// checkTime returns the index of the first byte that is impossible in a time message, and the expected value; or -1.
// Without a clock only bit 7 is checked.
func checkTime(d [7]byte) (at int, what string) {
	if at := firstHigh(d); at >= 0 {
		return at, "below 80"
	}
	if d[atStatus]&bitNoClock != 0 {
		return -1, ""
	}
	for _, face := range [...]int{atRight, atLeft} {
		if d[face]&hourMask > 9 {
			return face, "hours 0 to 9"
		}
		if !isSixtieth(d[face+1]) {
			return face + 1, "minutes 00 to 59"
		}
		if !isSixtieth(d[face+2]) {
			return face + 2, "seconds 00 to 59"
		}
	}
	return -1, ""
}

func parseFace(b []byte) Face {
	return Face{
		Seconds:   int(b[0]&hourMask)*3600 + fromBCD(b[1])*60 + fromBCD(b[2]),
		PerMove:   b[0]&bitPer != 0,
		FlagShown: b[0]&bitFlag != 0,
		Fallen:    b[0]&bitFallen != 0,
	}
}

// Encode returns the seven bytes of the time message. Times are limited to zero and MaxSeconds. A stopped clock at zero
// with the lever high at the left and no TurnBits would be the null message; set TurnBits, as clocks do.
func (r Reading) Encode() [7]byte {
	var d [7]byte
	if r.NoClock {
		d[atStatus] = bitNoClock
	} else {
		r.Right.encode(d[atRight:])
		r.Left.encode(d[atLeft:])
		d[atStatus] = r.TurnBits & (TurnLeft | TurnRight)
		if r.Running {
			d[atStatus] |= bitRunning
		}
		if r.Up == Right {
			d[atStatus] |= bitRightUp
		}
	}
	if r.BatteryLow {
		d[atStatus] |= bitBattery
	}
	return d
}

func (f Face) encode(b []byte) {
	h, m, s := split(f.Seconds)
	b[0], b[1], b[2] = h, toBCD(m), toBCD(s)
	if f.Fallen {
		b[0] |= bitFallen
	}
	if f.PerMove {
		b[0] |= bitPer
	}
	if f.FlagShown {
		b[0] |= bitFlag
	}
}

// split limits a time to the range of the wire and splits it.
func split(seconds int) (h, m, s byte) {
	seconds = max(0, min(seconds, MaxSeconds))
	return byte(seconds / 3600), byte(seconds / 60 % 60), byte(seconds % 60)
}

// isSixtieth reports whether b is 00..59 in BCD.
func isSixtieth(b byte) bool { return b&0x0F <= 9 && b>>4 <= 5 }

func fromBCD(b byte) int { return int(b>>4)*10 + int(b&0x0F) }

func toBCD(n byte) byte { return n/10<<4 | n%10 }
