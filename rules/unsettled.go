package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about an illegal move that can still be dealt with although other events followed. By the Laws the
// position then differs from the one on the board.

// canDealWith reports whether a matter is an undecided completed illegal move that can still be dealt with. A move that
// was undone together with another ruling's position is settled by that ruling.
func (d *Docket) canDealWith(m *matter) bool {
	if !m.c.Completed || m.c.Proof < Strong || !m.open() || m.held || m.merged != "" || m.proves != "" || m.settledBy != "" || !d.offence(&m.c) {
		return false
	}
	s := &sheet{d: d, p: d.p, m: m}
	switch s.treatment() {
	case treatStrike, treatDecide, treatUnit:
	default:
		return false
	}
	return m.claimed || d.p.Arbiter != "never"
}

// openBeneath returns the first such illegal move before a matter, or nil: if its position is restored, later events
// are void.
func (d *Docket) openBeneath(top *matter) *matter {
	for _, m := range d.matters {
		if m.order < top.order && !m.restored && d.canDealWith(m) {
			return m
		}
	}
	return nil
}

// flagPosition returns the position by which a flag is judged. It is the one on the board, or, if an illegal move
// before it is open, the result of that: the restored position, or the pawn as a queen (7.5.1, 7.5.2; unwinnability
// notes, section 6).
func (s *sheet) flagPosition() (pos legal.Position, ok bool) {
	if m := s.d.openBeneath(s.m); m != nil {
		switch c := &m.c; {
		case s.d.goesBack(m):
			s.remark = words.Say("flag.asked_before")
			return c.Before, true
		case c.Kind == kinds.IllegalPromoIncomplete && s.p.Promotion == queen && c.Stands && c.After != (legal.Position{}):
			s.remark = words.Say("flag.as_queen")
			return c.After, true
		}
	}
	if pos, ok = s.after(); !ok {
		pos, ok = s.before()
	}
	return pos, ok
}

// goneIfPutRight returns an open illegal move before an end on the board whose ruling restores the position before it,
// or nil. Then the game has not ended yet. The draw of A.5.4 is itself about illegal moves.
func (d *Docket) goneIfPutRight(end *matter) *matter {
	if end.c.Kind == kinds.IllegalPositionDraw {
		return nil
	}
	if m := d.openBeneath(end); m != nil && d.goesBack(m) {
		return m
	}
	return nil
}

// onlyIfItStands rules on an end on the board after such a move: one alert, that of the illegal move, and two readings.
func (s *sheet) onlyIfItStands(open *matter) {
	what, result := endWords(&s.m.c)
	s.e.Alert = min(s.e.Alert, Advise)
	s.r.Kind, s.r.Result = kindDecides, ""
	s.r.Text = words.Say("over.if_stands", what, open.c.Side, string(open.c.Kind), result)
	s.cite(slices.Concat(s.own(), s.dealtWith())...)
}

// afterTheEnd reports whether an illegal move came after the game was over by itself: such a move is no offence (5.1.1,
// 5.2).
func (s *sheet) afterTheEnd() bool {
	for _, m := range s.d.matters {
		if m.c.Ply < s.m.c.Ply && m.order < s.m.order && s.d.ends(m) {
			s.propose(Log, kindNone, words.Say("rule.was_over"))
			s.stand()
			s.r.RunClock = legal.NoSide
			s.cite(slices.Concat(s.own(), ownArticles(&m.c))...)
			return true
		}
	}
	return false
}
