package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about an illegal move that is still to be dealt with beneath something that came after it. By the Laws the
// position is then another one than the board shows.

// canDealWith says that a matter is a completed illegal move that nobody has decided and that can still be dealt with.
func (d *Docket) canDealWith(m *matter) bool {
	if !m.c.Completed || m.c.Proof < Strong || !m.open() || m.held || m.merged != "" || m.proves != "" || !d.offence(&m.c) {
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

// openBeneath is the first such illegal move before a matter, nil for none: if it goes back, what came later goes with it.
func (d *Docket) openBeneath(top *matter) *matter {
	for _, m := range d.matters {
		if m.order < top.order && !m.restored && d.canDealWith(m) {
			return m
		}
	}
	return nil
}

// byTheRules is the position on which a flag is judged: the board as it stands, or what an open illegal move beneath it leads
// to, the position restored or the pawn a queen (7.5.1, 7.5.2; unwinnability notes, section 6).
func (s *sheet) byTheRules() (pos legal.Position, ok bool) {
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

// goneIfPutRight is an open illegal move beneath an end on the board whose ruling is to restore the position before it, nil for none.
// Then the game has not ended yet. The draw of A.5.4 is one over illegal moves.
func (d *Docket) goneIfPutRight(end *matter) *matter {
	if end.c.Kind == kinds.IllegalPositionDraw {
		return nil
	}
	if m := d.openBeneath(end); m != nil && d.goesBack(m) {
		return m
	}
	return nil
}

// onlyIfItStands is an end on the board above such a move: one alert, that of the illegal move, and two readings.
func (s *sheet) onlyIfItStands(open *matter) {
	what, result := endWords(&s.m.c)
	s.e.Alert = min(s.e.Alert, Advise)
	s.r.Kind, s.r.Result = kindDecides, ""
	s.r.Text = words.Say("over.if_stands", what, open.c.Side, string(open.c.Kind), result)
	s.cite(slices.Concat(s.own(), s.dealtWith())...)
}

// afterTheEnd is an illegal move in a game that was over by itself before: what is played then is no offence (5.1.1, 5.2).
func (s *sheet) afterTheEnd() bool {
	for _, m := range s.d.matters {
		if m.c.Ply < s.m.c.Ply && m.order < s.m.order && s.d.ends(m) {
			s.say(Log, kindNone, words.Say("rule.was_over"))
			s.stand()
			s.r.RunClock = legal.NoSide
			s.cite(slices.Concat(s.own(), ownArticles(&m.c))...)
			return true
		}
	}
	return false
}
