package rules

import (
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file answers claims about what stands on the board (laws notes, section 5.2a).

// unfinished answers the claim of an illegal move that was not pressed: no penalty, and what touch-move leaves (FIDE Laws 4.3, 7.5.1).
func (s *sheet) unfinished() {
	side := s.m.c.Side
	s.r.Deadline, s.r.Until, s.r.Closer = "until the clock is pressed", UntilPress, side
	s.r.Strikes = s.d.Strikes()
	if s.m.overtaken {
		s.say(Log, kindFact, "It was claimed before the clock was pressed, and the game has gone on since.")
		s.r.Deadline, s.r.Until, s.r.Closer = "closed: the game has gone on", UntilClosed, legal.NoSide
		return
	}
	if s.m.c.Kind == kinds.IllegalPromoIncomplete {
		s.say(OnClaim, kindFact, "Not completed, because the clock was not pressed: no penalty. "+name(side)+" still puts the new piece there.")
		s.r.RunClock = side
		return
	}
	s.back()
	s.r.MustPlay = s.d.mustPlay(s.m)
	text := "Not completed, because the clock was not pressed: no penalty. Set up the position before the move"
	if must := s.mustText(); must != "" {
		text += ", " + must
	}
	s.say(OnClaim, kindFact, text+", "+name(s.r.RunClock)+"'s clock runs."+s.touchedText())
	s.cite("7.5.1", "4.3")
}

// foreignPress is a press by somebody outside the game: the same complete answer as for an offence, and no strike (FIDE Laws 7.1).
func (s *sheet) foreignPress() {
	s.say(s.usual(), kindFact, "Somebody else has pressed: set the clock right by judgement. No strike for "+name(s.m.c.Side)+".")
	press := s.d.find(s.m.about)
	if press == nil || !press.c.Known || press.c.Before == (legal.Position{}) {
		return
	}
	before := press.c.Before
	s.r.Position, s.r.PositionFEN, s.r.RunClock = restore, before.FEN(), before.Turn()
	text := "Somebody else has pressed, no strike: set up the position before the press"
	if !s.d.known || s.d.pos.Placement() == before.Placement() {
		s.r.Position, text = stands, "Somebody else has pressed, no strike: the position stays as it is"
	}
	if unit, ok := s.d.credited(); ok {
		for _, side := range [...]legal.Side{legal.White, legal.Black} {
			s.r.TakeBack[side] = press.counted[side] * unit
		}
	}
	s.m.shown = press.shown
	s.clocks()
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		if t := s.timeText(side); t != "" {
			text += ", " + t
		}
	}
	s.r.Text = text + ", " + name(s.r.RunClock) + "'s clock runs. The time used since by judgement (7.1)."
}

// touchedText names the piece that was touched first.
func (s *sheet) touchedText() string {
	list := touches(&s.m.c)
	if len(list) == 0 || s.d.blind || s.d.assisted || s.d.noTouch {
		return ""
	}
	whose := ""
	if list[0].Piece.Side() != s.m.c.Side {
		whose = "the opponent's "
	}
	return " Touched first: " + whose + list[0].Piece.Kind().String() + " on " + list[0].Square.String() + "."
}

// touchClaimed answers a claim of touch-move that can still be made: position, compulsory moves, the piece that was touched first. Who
// touches with intent the board does not see: the arbiter decides whether the claim is right.
func (s *sheet) touchClaimed() {
	switch s.m.c.Kind {
	case kinds.TouchMove, kinds.RookFirst:
	default:
		return
	}
	if _, ok := s.before(); !ok {
		return
	}
	s.back()
	s.r.MustPlay = s.d.mustPlay(s.m)
	s.takeBack()
	s.clocks()
	text := "If the claim is right: set up the position before the move, "
	if len(s.r.MustPlay) > 0 {
		text += name(s.m.c.Side) + " must play " + strings.Join(s.r.MustPlay, ", ")
	} else {
		text += "no touched piece can be moved or captured: any legal move (4.5)"
	}
	if t := s.timeText(s.m.c.Side); t != "" {
		text += ", " + t
	}
	s.r.Text = text + ", " + name(s.r.RunClock) + "'s clock runs." + s.touchedText() +
		" The board hears no announced adjusting and sees no intent. No strike."
}
