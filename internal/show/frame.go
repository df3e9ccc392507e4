package show

import (
	"fmt"
	"strings"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
)

// Frame describes the meaning of a board's message in one line.
func Frame(f dgt.Frame) string {
	if d, ok := f.Clock(); ok {
		return clockText(d)
	}
	m, err := f.Message()
	if err != nil {
		return "(" + err.Error() + ")"
	}
	switch m := m.(type) {
	case dgt.FieldUpdate:
		return fmt.Sprintf("%s %v", squareName(m.Square), m.Piece)
	case dgt.BoardDump:
		return ranks(&m.Placement)
	case dgt.Log:
		return fmt.Sprintf("%d bytes of the board's own log", len(m.Data))
	case dgt.BusAddress:
		return fmt.Sprint(uint16(m.Address))
	case dgt.Battery:
		return batteryText(m)
	case dgt.Raw:
		return fmt.Sprintf("% x", m.Data)
	}
	return fmt.Sprint(m)
}

// notKnown is what a board sends for a time that it does not know (protocol notes 5.10).
const notKnown = 0x7f

func batteryText(b dgt.Battery) string {
	s := fmt.Sprintf("%d %%", b.Percent)
	if b.LeftHours != notKnown {
		s += fmt.Sprintf(", %d:%02d left", b.LeftHours, b.LeftMinutes)
	}
	s += fmt.Sprintf(", on for %d:%02d, standby for %d d %d:%02d", b.OnHours, b.OnMinutes, b.StandbyDays, b.StandbyHours, b.StandbyMinutes)
	if b.Charging {
		s += ", charging"
	}
	if b.Discharging {
		s += ", discharging"
	}
	return s
}

// squareName names a square of the board's numbering as if White sat at the near side.
func squareName(n byte) string {
	n &= 63
	return string([]byte{'a' + n%8, '8' - n/8})
}

// ranks writes a placement in the form of FEN, the board's far side first.
func ranks(p *dgt.Placement) string {
	const letters = ".PRNBKQprnbkq=+-"
	var b strings.Builder
	empty := 0
	flush := func() {
		if empty > 0 {
			fmt.Fprint(&b, empty)
			empty = 0
		}
	}
	for i, c := range p {
		if i > 0 && i%8 == 0 {
			flush()
			b.WriteByte('/')
		}
		if c == dgt.Empty {
			empty++
			continue
		}
		flush()
		b.WriteByte(letters[c&15])
	}
	flush()
	return b.String()
}

func clockText(d [7]byte) string {
	switch clockproto.Classify(d) {
	case clockproto.Time:
		r, err := clockproto.ParseReading(d)
		if err != nil {
			return "(" + err.Error() + ")"
		}
		return readingText(r)
	case clockproto.Null:
		return "null message"
	case clockproto.Invalid:
		return "neither a time nor an acknowledgement"
	}
	a, err := clockproto.ParseAck(d)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return fmt.Sprint(a)
}

func readingText(r clockproto.Reading) string {
	if r.NoClock {
		return "no clock"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "left %s%s right %s%s", clockTime(r.Left.Seconds), flags(r.Left), clockTime(r.Right.Seconds), flags(r.Right))
	if r.Running {
		b.WriteString(" running")
	} else {
		b.WriteString(" stopped")
	}
	fmt.Fprintf(&b, ", %v to move", r.Up)
	if r.BatteryLow {
		b.WriteString(", battery low")
	}
	return b.String()
}

func flags(f clockproto.Face) string {
	switch {
	case f.Fallen:
		return " (flag fallen)"
	case f.FlagShown:
		return " (flag shown)"
	}
	return ""
}
