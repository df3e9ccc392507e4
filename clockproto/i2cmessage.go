package clockproto

import "fmt"

// An I2CMessage is what the body of an [I2C] says. The set is closed: the types
// of this file. [FromHost] and [FromClock] make an I2C of one.
type I2CMessage interface {
	Type() I2CType
	body() []byte
}

// An I2CAck is the clock's answer to a message of type Command.
type I2CAck struct{ Command, Status byte }

// I2CStatusOK is the status of an accepted message.
const I2CStatusOK byte = 0x08

// An I2CHello is what a clock says when it wakes. What the two bytes say is not
// public.
type I2CHello struct{ Data [2]byte }

// An I2CTime is both times in seconds. Unlike in a board's clock frame left
// comes first.
type I2CTime struct {
	Left, Right int
	Lever       bool // sources disagree about the side; test on the device
	NoUpdate    bool // the message is to be ignored, and all else is zero
}

// An I2CButtons says which buttons are pressed and which were before. It comes
// at once, the lever's press included.
type I2CButtons struct{ Now, Before I2CButton }

// An I2CButton is a set of buttons. The bits are not those of [Buttons].
type I2CButton byte

// The buttons.
const (
	I2CBack    I2CButton = 0x01
	I2CMinus   I2CButton = 0x02
	I2CPlay    I2CButton = 0x04
	I2CPlus    I2CButton = 0x08
	I2CForward I2CButton = 0x10
	I2CPower   I2CButton = 0x20
	I2CLever   I2CButton = 0x40
)

// An I2CDisplay shows eleven characters.
type I2CDisplay struct {
	Text                  [11]byte
	Beep                  byte
	LeftIcons, RightIcons I2CIcon
}

// An I2CIcon is a set of icons on one side.
type I2CIcon byte

// The icons.
const (
	I2CFlag I2CIcon = 1 << iota
	I2CWhiteKing
	I2CBlackKing
	I2CColon
	I2CDot
	I2CExtra // left only
)

// An I2CEndDisplay goes back to the times.
type I2CEndDisplay struct{}

// A Run is what one side does after an [I2CSetAndRun].
type Run byte

// The runs.
const (
	RunStop Run = iota
	RunDown
	RunUp
)

// String names the run.
func (r Run) String() string {
	switch r {
	case RunStop:
		return "stop"
	case RunDown:
		return "down"
	case RunUp:
		return "up"
	}
	return fmt.Sprintf("run %d", byte(r))
}

// An I2CSetAndRun sets both times in seconds.
type I2CSetAndRun struct {
	Left, Right         int
	LeftRuns, RightRuns Run
}

// An I2CState changes what the clock is doing.
type I2CState struct{ State byte }

// The states of I2CState.
const (
	I2CMode25   byte = 0x39
	I2CPowerOff byte = 0x00
)

// An I2CWake wakes the clock.
type I2CWake struct{}

// An I2CTakeControl makes the host the clock's master.
type I2CTakeControl struct{}

func (I2CAck) Type() I2CType         { return TypeAck }
func (I2CHello) Type() I2CType       { return TypeHello }
func (I2CTime) Type() I2CType        { return TypeTime }
func (I2CButtons) Type() I2CType     { return TypeButtons }
func (I2CDisplay) Type() I2CType     { return TypeDisplay }
func (I2CEndDisplay) Type() I2CType  { return TypeEndDisplay }
func (I2CSetAndRun) Type() I2CType   { return TypeSetAndRun }
func (I2CState) Type() I2CType       { return TypeState }
func (I2CWake) Type() I2CType        { return TypeWake }
func (I2CTakeControl) Type() I2CType { return TypeTakeControl }

func (I2CEndDisplay) body() []byte  { return nil }
func (I2CWake) body() []byte        { return nil }
func (I2CTakeControl) body() []byte { return nil }
func (m I2CAck) body() []byte       { return []byte{m.Command, m.Status, 0} }
func (m I2CHello) body() []byte     { return m.Data[:] }
func (m I2CButtons) body() []byte   { return []byte{byte(m.Now), byte(m.Before), 0, 0, 0} }
func (m I2CState) body() []byte     { return []byte{m.State} }

// Where the parts of an I2CTime are in its body.
const (
	i2cAtLeft     = 5 - i2cHeaderLen
	i2cAtRight    = 11 - i2cHeaderLen
	i2cAtLever    = 19 - i2cHeaderLen
	i2cAtNoUpdate = 20 - i2cHeaderLen
)

func (m I2CTime) body() []byte {
	b := make([]byte, i2cTimeLen-i2cMinLen)
	if m.NoUpdate {
		b[i2cAtNoUpdate] = 1
		return b
	}
	putTime(b[i2cAtLeft:], m.Left)
	putTime(b[i2cAtRight:], m.Right)
	if m.Lever {
		b[i2cAtLever] = 1
	}
	return b
}

// Two bytes of an I2CDisplay that every program sends like this.
const (
	i2cDisplayMark = 0xFF
	i2cDisplayTail = 0x03
)

func (m I2CDisplay) body() []byte {
	return append(m.Text[:], i2cDisplayMark, m.Beep, i2cDisplayTail, byte(m.LeftIcons), byte(m.RightIcons))
}

func (m I2CSetAndRun) body() []byte {
	b := make([]byte, i2cSetAndRunLen-i2cMinLen)
	putTime(b, m.Left)
	putTime(b[3:], m.Right)
	b[6] = byte(m.LeftRuns&3) | byte(m.RightRuns&3)<<2
	return b
}

// putTime writes hours, and minutes and seconds in BCD: unlike in [SetAndRun]
// they are not binary here.
func putTime(b []byte, seconds int) {
	h, m, s := split(seconds)
	b[0], b[1], b[2] = h, toBCD(m), toBCD(s)
}

// FromHost addresses a message to the clock.
func FromHost(m I2CMessage) I2C {
	dest := I2CClock
	if m.Type() == TypeWake {
		dest = I2CAwake
	}
	return I2C{Dest: dest, Source: I2CHost, Type: m.Type(), Body: m.body()}
}

// FromClock addresses a message of the clock: an ack to the host, all others
// to everybody.
func FromClock(m I2CMessage) I2C {
	dest := I2CAll
	if m.Type() == TypeAck {
		dest = I2CHost
	}
	return I2C{Dest: dest, Source: I2CClock, Type: m.Type(), Body: m.body()}
}

// Message reads the body. A type that is not known is an error.
func (m I2C) Message() (I2CMessage, error) {
	n := m.Type.i2cLen()
	if n == 0 {
		return nil, fmt.Errorf("%v: unknown: %w", m.Type, ErrI2CBody)
	}
	if n != i2cMinLen+len(m.Body) {
		return nil, fmt.Errorf("%v: body of %d bytes, not %d: %w", m.Type, len(m.Body), n-i2cMinLen, ErrI2CLength)
	}
	b := m.Body
	switch m.Type {
	case TypeAck:
		return I2CAck{Command: b[0], Status: b[1]}, nil
	case TypeHello:
		return I2CHello{Data: [2]byte(b)}, nil
	case TypeTime:
		return parseI2CTime(b)
	case TypeButtons:
		return I2CButtons{Now: I2CButton(b[0]), Before: I2CButton(b[1])}, nil
	case TypeDisplay:
		return parseI2CDisplay(b)
	case TypeSetAndRun:
		return parseI2CSetAndRun(b)
	case TypeState:
		return I2CState{State: b[0]}, nil
	case TypeWake:
		return I2CWake{}, nil
	case TypeTakeControl:
		return I2CTakeControl{}, nil
	}
	return I2CEndDisplay{}, nil
}

func parseI2CTime(b []byte) (I2CMessage, error) {
	if b[i2cAtNoUpdate] == 1 {
		return I2CTime{NoUpdate: true}, nil
	}
	left, ok1 := takeTime(b[i2cAtLeft:])
	right, ok2 := takeTime(b[i2cAtRight:])
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("%v: % x: %w", TypeTime, b, ErrI2CBody)
	}
	return I2CTime{Left: left, Right: right, Lever: b[i2cAtLever]&1 != 0}, nil
}

func parseI2CDisplay(b []byte) (I2CMessage, error) {
	if b[11] != i2cDisplayMark || b[13] != i2cDisplayTail {
		return nil, fmt.Errorf("%v: % x: %w", TypeDisplay, b, ErrI2CBody)
	}
	return I2CDisplay{Text: [11]byte(b), Beep: b[12], LeftIcons: I2CIcon(b[14]), RightIcons: I2CIcon(b[15])}, nil
}

func parseI2CSetAndRun(b []byte) (I2CMessage, error) {
	left, ok1 := takeTime(b)
	right, ok2 := takeTime(b[3:])
	run := b[6]
	if !ok1 || !ok2 || run > 0x0F {
		return nil, fmt.Errorf("%v: % x: %w", TypeSetAndRun, b, ErrI2CBody)
	}
	return I2CSetAndRun{Left: left, Right: right, LeftRuns: Run(run & 3), RightRuns: Run(run >> 2)}, nil
}

// takeTime reads what putTime writes. The high nibble of the hours has another
// meaning, which is not public.
func takeTime(b []byte) (seconds int, ok bool) {
	h := int(b[0] & hourMask)
	if h > 9 || !isSixtieth(b[1]) || !isSixtieth(b[2]) {
		return 0, false
	}
	return h*3600 + fromBCD(b[1])*60 + fromBCD(b[2]), true
}
