package rules

import (
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file answers claims about the position on the board (laws notes, section 5.2a).

// unfinished answers the claim of an illegal move without a press: no penalty, and the moves that touch-move allows
// (FIDE Laws 4.3, 7.5.1).
func (s *sheet) unfinished() {
	side := s.m.c.Side
	s.r.Deadline, s.r.Until, s.r.Closer = words.Say("due.press"), UntilPress, side
	s.r.Strikes = s.d.Strikes()
	if s.m.overtaken {
		s.propose(Log, kindFact, words.Say("claim.overtaken"))
		s.r.Deadline, s.r.Until, s.r.Closer = words.Say("due.went_on"), UntilClosed, legal.NoSide
		return
	}
	if s.m.c.Kind == kinds.IllegalPromoIncomplete {
		s.propose(OnClaim, kindFact, words.Say("claim.promo", side))
		s.r.RunClock = side
		return
	}
	s.back()
	s.r.MustPlay = s.d.mustPlay(s.m)
	steps := []words.Sentence{words.Say("claim.restore")}
	if must := s.mustText(); !must.IsZero() {
		steps = append(steps, must)
	}
	steps = append(steps, words.Say("then.runs", s.r.RunClock))
	s.propose(OnClaim, kindFact, beside(words.Say("claim.not_completed"), words.Say("strike.stop", words.List(", ", steps)), s.touchedText()))
	s.cite("7.5.1", "4.3")
}

// foreignPress rules on a press by a person outside the game: a complete answer as for an offence, and no strike (FIDE
// Laws 7.1).
func (s *sheet) foreignPress() {
	s.propose(s.usual(), kindFact, words.Say("claim.foreign", s.m.c.Side))
	press := s.d.find(s.m.idlePress)
	if press == nil || !press.c.Known || press.c.Before == (legal.Position{}) {
		return
	}
	before := press.c.Before
	s.r.Position, s.r.PositionFEN, s.r.RunClock = restore, before.FEN(), before.Turn()
	steps := []words.Sentence{words.Say("claim.before_press")}
	if !s.d.known || s.d.pos.Placement() == before.Placement() {
		s.r.Position, steps[0] = stands, words.Say("claim.as_it_is")
	}
	if unit, ok := s.d.clock.credited(); ok {
		for _, side := range [...]legal.Side{legal.White, legal.Black} {
			s.r.TakeBack[side] = press.counted[side] * unit
		}
	}
	s.m.correctedFrom = press.correctedFrom
	s.clocks()
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		if t := s.timeText(side); !t.IsZero() {
			steps = append(steps, t)
		}
	}
	steps = append(steps, words.Say("then.runs", s.r.RunClock))
	s.r.Text = beside(words.Say("strike.says", words.Say("claim.somebody"), words.List(", ", steps)), words.Say("claim.time_since"))
}

// touchedText names the piece that was touched first.
func (s *sheet) touchedText() words.Sentence {
	list := touches(&s.m.c)
	if len(list) == 0 || s.d.blind || s.d.assisted || s.d.noTouch {
		return words.Sentence{}
	}
	if list[0].Piece.Side() != s.m.c.Side {
		return words.Say("touch.first_theirs", list[0].Piece.Kind(), list[0].Square)
	}
	return words.Say("touch.first", list[0].Piece.Kind(), list[0].Square)
}

// touchClaimed answers a claim of touch-move that can still be made: position, compulsory moves, the piece that was
// touched first. The board cannot show whether a touch was intended: the arbiter decides whether the claim is right,
// also by confirming the finding.
func (s *sheet) touchClaimed() {
	switch s.m.c.Kind {
	case kinds.TouchMove, kinds.RookFirst:
	default:
		return
	}
	before, ok := s.before()
	if !ok {
		return
	}
	head, doubt := words.Say("claim.if_right"), words.Say("touch.unseen")
	if s.m.upheld {
		head, doubt = words.Say("claim.upheld"), words.Sentence{}
	}
	if after, ok := afterRook(&before, s.m.c.UCI); ok && s.m.c.Kind == kinds.RookFirst {
		s.r.Position, s.r.PositionFEN, s.r.RunClock = restore, after.FEN(), after.Turn()
		steps := []words.Sentence{words.Say("then.rook_stands"), words.Say("then.runs", s.r.RunClock)}
		s.r.Text = beside(words.Say("strike.says", head, words.List(", ", steps)), s.touchedText(), doubt)
		return
	}
	s.back()
	s.r.MustPlay = s.d.mustPlay(s.m)
	s.takeBack()
	s.clocks()
	steps := []words.Sentence{words.Say("then.restore"), words.Say("then.any_touched")}
	if len(s.r.MustPlay) > 0 {
		steps[1] = words.Say("then.must", s.m.c.Side, strings.Join(s.r.MustPlay, ", "))
	}
	if t := s.timeText(s.m.c.Side); !t.IsZero() {
		steps = append(steps, t)
	}
	steps = append(steps, words.Say("then.runs", s.r.RunClock))
	s.r.Text = beside(words.Say("strike.says", head, words.List(", ", steps)), s.touchedText(), doubt)
}

// afterRook returns the position after the rook's part of a castling alone: a rook that was released on its square has
// moved there (FIDE Laws 4.4.2, 4.7.1).
func afterRook(before *legal.Position, castling string) (after legal.Position, ok bool) {
	m, ok := before.FindUCI(castling)
	if !ok || !m.IsCastling() {
		return after, false
	}
	var list legal.MoveList
	before.Moves(&list)
	for _, r := range list.Slice() {
		if !r.IsCastling() && r.From() == m.RookFrom() && r.To() == m.RookTo() {
			return before.After(r), true
		}
	}
	return after, false
}
