package detector

import (
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
)

// narrate writes an outcome as a line.
func narrate(o Outcome) string {
	at := func(s evidence.Stamp) string {
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%06d", s.At/secondUS, s.At%secondUS), "0"), ".")
	}
	switch o := o.(type) {
	case GameStarted:
		s := fmt.Sprintf("%s game %d %s", at(o.Stamp), o.Game, o.FEN)
		if o.Reversed {
			s += " reversed"
		}
		if o.Chess960() {
			s += " chess960"
		}
		return s
	case Moved:
		s := fmt.Sprintf("%s move %d %s by %s", at(o.Stamp), o.Ply, o.Before.SAN(o.Move), o.By)
		if o.Corrects {
			s += " corrects"
		}
		if o.Clock.Known {
			s += " " + face(o.Clock)
		}
		for _, sq := range o.Differs {
			s += " differs " + sq.String()
		}
		return s
	case IllegalMoveStands:
		s := fmt.Sprintf("%s stood %d %s %q %s, %s", at(o.Stamp), o.Ply, o.Side, o.SAN, o.Finding, o.After.FEN())
		if o.Corrects {
			s += " corrects"
		}
		if o.Clock.Known {
			s += " " + face(o.Clock)
		}
		return s
	case NotKnown:
		to := "?"
		if o.To > 0 {
			to = strconv.Itoa(o.To)
		}
		if o.Ends() {
			return fmt.Sprintf("%s plies %d to %s not known, the game has ended", at(o.Stamp), o.From, to)
		}
		return fmt.Sprintf("%s plies %d to %s not known, %s", at(o.Stamp), o.From, to, o.Position.FEN())
	case Pressed:
		return fmt.Sprintf("%s press %s %s", at(o.Stamp), o.Side, o.Judged)
	case Result:
		return fmt.Sprintf("%s result %s by %s %s", at(o.Stamp), o.Result, o.By, o.State)
	case Found:
		return at(o.Stamp) + " " + narrateFound(&o)
	case Turn:
		return at(o.Stamp) + " " + narrateTurn(&o)
	case TakenBack:
		return fmt.Sprintf("%s takeback to ply %d", at(o.Stamp), o.Ply)
	case HandsJudged:
		if o.Abstain == hands.NoSensor {
			return "" // a story of one move: the board is a stranger
		}
		if !o.Known {
			return fmt.Sprintf("%s hands %s %s: %s", at(o.Stamp), o.Kind, o.UCI, o.Abstain)
		}
		return fmt.Sprintf("%s hands %s %s: %d.%d nats, %s", at(o.Stamp), o.Kind, o.UCI, o.Stated/1000, max(o.Stated, -o.Stated)/100%10, o.InAir)
	case ScanKnown:
		return fmt.Sprintf("%s scan %d ms %s: %s", at(o.Stamp), (o.Sensor.PeriodUS+500)/1000, o.Sensor.Order, o.Hands())
	case HandsHeld:
		return fmt.Sprintf("%s held %v: %s", at(o.Stamp), o.Held, o.Detail())
	case Note:
		return fmt.Sprintf("%s note %s: %s", at(o.Stamp), o.What, o.Detail)
	}
	return fmt.Sprintf("unknown outcome %T", o)
}

// face is what the clock shows.
func face(c evidence.Times) string {
	return fmt.Sprintf("%d:%02d %d:%02d", c.White/60, c.White%60, c.Black/60, c.Black%60)
}

// narrateFound writes a finding: kind, side, proof, state, identity, squares, the move that the press did not complete
// or the reply, and once it is confirmed the position if nothing is done. A withdrawn finding has only its reason.
func narrateFound(f *Found) string {
	s := fmt.Sprintf("found %s %s %s %s %s", f.Kind, f.Side, f.Proof, f.State, f.ID)
	if f.State == rules.Withdrawn {
		return s + ": " + f.Note.String()
	}
	for _, sq := range f.Squares {
		s += " " + sq.String()
	}
	if !f.Completed {
		s += ", not pressed"
	}
	if f.Answered {
		s += ", answered"
	}
	if f.Stands && f.State == rules.Confirmed {
		s += ", stands " + f.After.FEN()
	}
	return s
}

// narrateTurn writes an event around a case.
func narrateTurn(o *Turn) string {
	s := fmt.Sprintf("turn %s %s", o.What, o.Side)
	switch o.What {
	case PressedBack:
		s += fmt.Sprintf(" %+d", o.Gained)
	case ClockEdited:
		s += " " + face(o.Before) + " to " + face(o.Clock)
	case RecordRebased:
		s += fmt.Sprintf(" ply %d %s", o.Ply, o.Position.FEN())
	}
	if o.Promoting {
		s += " promoting"
	}
	return s
}
