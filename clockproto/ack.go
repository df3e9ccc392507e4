package clockproto

import "fmt"

// An Ack is an acknowledgement or an event of the clock: the four bytes that section 6.5 decodes from a clock frame.
type Ack struct{ A0, A1, A2, A3 byte }

// First bytes of an Ack. Any value other than StatusOK is an error.
const (
	StatusOK      byte = 0x10
	StatusRefused byte = 0x40 // for instance set-and-run outside mode 23 (XL) or 25 (DGT3000)
	StatusUnknown byte = 0x20 // observed as (20,00,00,00); resend
)

// Second bytes of an Ack that the clock sends unasked.
const (
	EventReady     byte = 0x81
	EventButton    byte = 0x88
	EventInMode    byte = 0x8A // probably in mode 23; doubtful
	EventNotInMode byte = 0x90 // probably not in mode 23; doubtful
)

// The hour bytes of an Ack hold bit 7 of two other bytes, in these places.
const (
	carryFirst  = 0x10
	carrySecond = 0x20
)

// ParseAck reads an acknowledgement. The status byte has no meaning here; in particular it does not contain the lever.
func ParseAck(d [7]byte) (Ack, error) {
	if !isAck(d) {
		return Ack{}, fmt.Errorf("clock acknowledgement: hours %02x and %02x, neither ends in a", d[atRight], d[atLeft])
	}
	if i := firstHigh(d); i >= 0 {
		return Ack{}, fmt.Errorf("clock acknowledgement: byte %d is %02x, not below 80", i, d[i])
	}
	return Ack{
		A0: d[1] | d[atLeft]&carryFirst<<3,
		A1: d[2] | d[atLeft]&carrySecond<<2,
		A2: d[4] | d[atRight]&carryFirst<<3,
		A3: d[5] | d[atRight]&carrySecond<<2,
	}, nil
}

// Encode returns the seven bytes of the acknowledgement. Both hour nibbles
// mark it.
func (a Ack) Encode() [7]byte {
	return [7]byte{
		ackNibble | a.A2&0x80>>3 | a.A3&0x80>>2,
		a.A0 & 0x7F, a.A1 & 0x7F,
		ackNibble | a.A0&0x80>>3 | a.A1&0x80>>2,
		a.A2 & 0x7F, a.A3 & 0x7F,
		0,
	}
}

// OK reports whether the clock executed the command.
func (a Ack) OK() bool { return a.A0 == StatusOK }

// Spontaneous reports whether the clock sent it unasked.
func (a Ack) Spontaneous() bool { return a.A1 >= 0x80 }

// Command returns the code of the command that is acknowledged, and false
// where the Ack was sent unasked.
func (a Ack) Command() (Code, bool) {
	if a.Spontaneous() {
		return 0, false
	}
	return Code(a.A1), true
}

// Version returns the clock's version: 1.x is an XL, 2.x a DGT3000. ok is false for all but the accepted answer to
// QueryVersion.
func (a Ack) Version() (major, minor byte, ok bool) {
	if !a.OK() || a.A1 != byte(CodeQueryVersion) {
		return 0, 0, false
	}
	return a.A2 >> 4, a.A2 & 0x0F, true
}

// Buttons returns the buttons that are pressed; ok is false for every Ack that is not a button event.
func (a Ack) Buttons() (Buttons, bool) {
	if a.A1 != EventButton {
		return 0, false
	}
	var b Buttons
	for i, row := range buttonRows {
		if a.A2&row.bit != 0 {
			b |= 1 << i
		}
	}
	return b, true
}

// String returns the four bytes in the form in which other programs log them.
func (a Ack) String() string {
	return fmt.Sprintf("(%02x,%02x,%02x,%02x)", a.A0, a.A1, a.A2, a.A3)
}

// Buttons is a set of the five buttons under the display.
type Buttons uint8

// The buttons from left to right.
const (
	ButtonBack Buttons = 1 << iota
	ButtonMinus
	ButtonPlay // run and pause
	ButtonPlus
	ButtonForward // OK
)

// buttonRows holds the bit of each button in A2. Bit 0 is always set, and A3 is the number of the highest button
// pressed: 31 to 35 for back, plus, play, minus, forward (section 6.5).
var buttonRows = [5]struct {
	bit  byte
	name string
}{
	{0x04, "back"},
	{0x20, "minus"},
	{0x10, "play"},
	{0x08, "plus"},
	{0x40, "forward"},
}

// String joins the names of the buttons, "back+forward".
func (b Buttons) String() string {
	s := ""
	for i, row := range buttonRows {
		if b&(1<<i) == 0 {
			continue
		}
		if s != "" {
			s += "+"
		}
		s += row.name
	}
	if s == "" {
		return "no button"
	}
	return s
}

// VersionAck returns the answer to QueryVersion. Both numbers are cut at 15.
func VersionAck(major, minor byte) Ack {
	return Ack{A0: StatusOK, A1: byte(CodeQueryVersion), A2: min(major, 15)<<4 | min(minor, 15)}
}
