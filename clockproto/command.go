package clockproto

import (
	"errors"
	"fmt"
)

// A Code is the number of a clock command (section 6.2). The zero Code is
// invalid.
type Code byte

// The commands.
const (
	CodeDisplay        Code = 0x01
	CodeIcons          Code = 0x02
	CodeEndDisplay     Code = 0x03
	CodeQueryButtons   Code = 0x08
	CodeQueryVersion   Code = 0x09
	CodeSetAndRun      Code = 0x0A
	CodeBeep           Code = 0x0B
	CodeText           Code = 0x0C // DGT3000
	CodeTextRevelation Code = 0x0D
)

// String names the command.
func (c Code) String() string {
	switch c {
	case CodeDisplay:
		return "display"
	case CodeIcons:
		return "icons"
	case CodeEndDisplay:
		return "end display"
	case CodeQueryButtons:
		return "query buttons"
	case CodeQueryVersion:
		return "query version"
	case CodeSetAndRun:
		return "set and run"
	case CodeBeep:
		return "beep"
	case CodeText:
		return "text"
	case CodeTextRevelation:
		return "revelation text"
	}
	return fmt.Sprintf("clock command %02x", byte(c))
}

// A Command is a command to a clock. The set is closed: the types of this file.
type Command interface {
	Code() Code
	// AppendTo appends the content of the board's clock message: 03, the code, its arguments, 00. Values that the wire
	// cannot carry are truncated.
	AppendTo(dst []byte) []byte
	command()
}

// Dots are the points of an XL's display.
type Dots byte

// The points. The display is laid out as 1A:BC 1D:EF.
const (
	DotRight Dots = 1 << iota
	ColonRight
	OneRight
	DotLeft
	ColonLeft
	OneLeft
)

// A Display shows six characters on an XL.
type Display struct {
	Segments [6]byte // A to F, from left to right; bit 0 is the top, then clockwise, bit 6 the middle (section 6.3)
	Dots     Dots
	Beep     bool
}

// Icons sets the marks around the digits of an XL. [Icons.Special] determines what happens to those that are on.
type Icons struct {
	Left, Right             Mark
	LeftPeriod, RightPeriod Period
	Special                 Special
}

// A Mark is a set of icons on one side.
type Mark byte

// The marks.
const (
	MarkTime Mark = 1 << iota
	MarkFischer
	MarkDelay
	MarkHourGlass
	MarkUpCount
	MarkByoYomi
	MarkEnd
)

// A Period is a set of the digits 1 to 5, from bit 0 on, and of the flag.
type Period byte

// PeriodFlag is the flag among the marks of a Period.
const PeriodFlag Period = 0x20

// A Special is a set of the icons in the middle, and of actions on the other icons.
type Special byte

// The special icons.
const (
	ClearAll Special = 1 << iota
	Sound
	BlackWhite
	WhiteBlack
	LowBattery
	SoundAgain
	KeepIcons // the icons stay when the time changes
)

// EndDisplay goes back to showing the times.
type EndDisplay struct{}

// QueryButtons is acknowledged, but the answer does not contain the buttons.
type QueryButtons struct{}

// QueryVersion asks for the version: the best test for the presence of a clock.
type QueryVersion struct{}

// A Setting is the part of SetAndRun for one side.
type Setting struct {
	Seconds int
	Up      bool // count up; an XL up to 1.14 cannot
}

// SetAndRun sets both times. It is refused outside mode 23 of an XL and mode
// 25 of a DGT3000. EndDisplay makes the display show them.
type SetAndRun struct {
	Left, Right         Setting
	LeftRuns, RightRuns bool
	Pause               bool
	TurnAtLever         bool // change sides when the lever moves
}

// Beep sounds for multiples of 64 ms.
type Beep struct{ Units byte }

// Text shows eight ASCII characters on a DGT3000. Beep is 0 for none to 15
// for about 1 s.
type Text struct {
	Text [8]byte
	Beep byte
}

// TextRevelation shows eleven ASCII characters on a Revelation II of firmware
// 3.24H or later.
type TextRevelation struct {
	Text [11]byte
	Beep byte
}

func (Display) Code() Code        { return CodeDisplay }
func (Icons) Code() Code          { return CodeIcons }
func (EndDisplay) Code() Code     { return CodeEndDisplay }
func (QueryButtons) Code() Code   { return CodeQueryButtons }
func (QueryVersion) Code() Code   { return CodeQueryVersion }
func (SetAndRun) Code() Code      { return CodeSetAndRun }
func (Beep) Code() Code           { return CodeBeep }
func (Text) Code() Code           { return CodeText }
func (TextRevelation) Code() Code { return CodeTextRevelation }

func (Display) command()        {}
func (Icons) command()          {}
func (EndDisplay) command()     {}
func (QueryButtons) command()   {}
func (QueryVersion) command()   {}
func (SetAndRun) command()      {}
func (Beep) command()           {}
func (Text) command()           {}
func (TextRevelation) command() {}

// start is the first byte of every command.
const start = 0x03

// appendCommand appends a command; bit 7 of its content is cleared.
func appendCommand(dst []byte, c Code, content ...byte) []byte {
	dst = append(dst, start, byte(c))
	for _, b := range content {
		dst = append(dst, b&0x7F)
	}
	return append(dst, 0)
}

// With and without a beep. Some programs send 00 for none, which works too.
const (
	displayQuiet = 0x01
	displayBeep  = 0x03
)

func (c Display) AppendTo(dst []byte) []byte {
	beep := byte(displayQuiet)
	if c.Beep {
		beep = displayBeep
	}
	s := c.Segments
	return appendCommand(dst, CodeDisplay, s[2], s[1], s[0], s[5], s[4], s[3], byte(c.Dots), beep)
}

func (c Icons) AppendTo(dst []byte) []byte {
	return appendCommand(dst, CodeIcons, byte(c.Left), byte(c.Right), byte(c.LeftPeriod), byte(c.RightPeriod),
		byte(c.Special), 0, 0, 0)
}

func (EndDisplay) AppendTo(dst []byte) []byte   { return appendCommand(dst, CodeEndDisplay) }
func (QueryButtons) AppendTo(dst []byte) []byte { return appendCommand(dst, CodeQueryButtons) }
func (QueryVersion) AppendTo(dst []byte) []byte { return appendCommand(dst, CodeQueryVersion) }

// Bits of SetAndRun. Its numbers are binary, not BCD, and left comes first.
const (
	bitUp          = 0x10
	bitLeftRuns    = 0x01
	bitRightRuns   = 0x02
	bitPause       = 0x04
	bitTurnAtLever = 0x08
)

func (c SetAndRun) AppendTo(dst []byte) []byte {
	lh, lm, ls := c.Left.split()
	rh, rm, rs := c.Right.split()
	var run byte
	for _, b := range [...]struct {
		on  bool
		bit byte
	}{{c.LeftRuns, bitLeftRuns}, {c.RightRuns, bitRightRuns}, {c.Pause, bitPause}, {c.TurnAtLever, bitTurnAtLever}} {
		if b.on {
			run |= b.bit
		}
	}
	return appendCommand(dst, CodeSetAndRun, lh, lm, ls, rh, rm, rs, run)
}

func (s Setting) split() (hour, minute, second byte) {
	hour, minute, second = split(s.Seconds)
	if s.Up {
		hour |= bitUp
	}
	return hour, minute, second
}

func (c Beep) AppendTo(dst []byte) []byte { return appendCommand(dst, CodeBeep, c.Units) }

func (c Text) AppendTo(dst []byte) []byte {
	return appendCommand(dst, CodeText, append(c.Text[:], c.Beep)...)
}

func (c TextRevelation) AppendTo(dst []byte) []byte {
	return appendCommand(dst, CodeTextRevelation, append(c.Text[:], c.Beep)...)
}

// ErrCommand says that bytes are not a clock command.
var ErrCommand = errors.New("no clock command")

// ParseCommand reads the content of a board's clock message, for an emulated clock.
func ParseCommand(payload []byte) (Command, error) {
	n := len(payload)
	if n < 3 || payload[0] != start || payload[n-1] != 0 {
		return nil, fmt.Errorf("clock command % x: not 03 … 00: %w", payload, ErrCommand)
	}
	for i, b := range payload {
		if b >= 0x80 {
			return nil, fmt.Errorf("clock command: byte %d is %02x, not below 80: %w", i, b, ErrCommand)
		}
	}
	code, content := Code(payload[1]), payload[2:n-1]
	want, ok := contentLen(code)
	if !ok {
		return nil, fmt.Errorf("%v: unknown: %w", code, ErrCommand)
	}
	if len(content) != want {
		return nil, fmt.Errorf("%v: content of %d bytes, not %d: %w", code, len(content), want, ErrCommand)
	}
	return parseContent(code, content)
}

// contentLen returns the n of section 6.2 less the 03, the code and the 00.
func contentLen(c Code) (int, bool) {
	switch c {
	case CodeEndDisplay, CodeQueryButtons, CodeQueryVersion:
		return 0, true
	case CodeBeep:
		return 1, true
	case CodeSetAndRun:
		return 7, true
	case CodeDisplay, CodeIcons:
		return 8, true
	case CodeText:
		return 9, true
	case CodeTextRevelation:
		return 12, true
	}
	return 0, false
}

// parseContent reads a content of the right length.
func parseContent(code Code, b []byte) (Command, error) {
	switch code {
	case CodeDisplay:
		return Display{Segments: [6]byte{b[2], b[1], b[0], b[5], b[4], b[3]}, Dots: Dots(b[6]), Beep: b[7] == displayBeep}, nil
	case CodeIcons:
		return Icons{Left: Mark(b[0]), Right: Mark(b[1]), LeftPeriod: Period(b[2]), RightPeriod: Period(b[3]), Special: Special(b[4])}, nil
	case CodeQueryButtons:
		return QueryButtons{}, nil
	case CodeQueryVersion:
		return QueryVersion{}, nil
	case CodeSetAndRun:
		return parseSetAndRun(b)
	case CodeBeep:
		return Beep{Units: b[0]}, nil
	case CodeText:
		return Text{Text: [8]byte(b), Beep: b[8]}, nil
	case CodeTextRevelation:
		return TextRevelation{Text: [11]byte(b), Beep: b[11]}, nil
	}
	return EndDisplay{}, nil
}

func parseSetAndRun(b []byte) (Command, error) {
	left, err := parseSetting(b)
	if err != nil {
		return nil, fmt.Errorf("set and run: left: %w", err)
	}
	right, err := parseSetting(b[3:])
	if err != nil {
		return nil, fmt.Errorf("set and run: right: %w", err)
	}
	run := b[6]
	return SetAndRun{
		Left: left, Right: right,
		LeftRuns: run&bitLeftRuns != 0, RightRuns: run&bitRightRuns != 0,
		Pause: run&bitPause != 0, TurnAtLever: run&bitTurnAtLever != 0,
	}, nil
}

func parseSetting(b []byte) (Setting, error) {
	hour := b[0] &^ bitUp
	if hour > 9 || b[1] > 59 || b[2] > 59 {
		return Setting{}, fmt.Errorf("%d:%02d:%02d is no time: %w", hour, b[1], b[2], ErrCommand)
	}
	return Setting{Seconds: int(hour)*3600 + int(b[1])*60 + int(b[2]), Up: b[0]&bitUp != 0}, nil
}
