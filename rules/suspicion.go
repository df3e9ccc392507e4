package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about what only the timing suggests about two hands (suspect.*). Somebody is asked to look, always in the same quiet
// way, and nothing follows by itself (timing notes, section 0). So it is either told (advise) or not a finding at all: where the rule
// set does not ask about hands, the tracker's own line is all the record there is.

// isSuspicion says that only timing speaks for the case.
func isSuspicion(c *Case) bool { return c.Kind.Family() == kinds.Hand }

// AsksHands says whether anybody wants to know of two hands: in castlings, and in captures and promotions.
func (d *Docket) AsksHands() (castling, others bool) {
	others = !d.blind && !d.assisted && d.p.TwoHands != "nothing"
	return others && !d.p.TwoHandsCastling, others
}

// unasked is why nobody wants to know of a suspicion; "": somebody does.
func (d *Docket) unasked(c *Case) string {
	switch {
	case d.blind || d.assisted:
		return "somebody else may move the pieces at this board"
	case d.p.TwoHands == "nothing":
		return "two hands are not regulated"
	case d.p.TwoHandsCastling && isCastlingMove(c):
		return "castling with both hands is allowed"
	case d.handsTold(c):
		return "two hands are reported for this move: see that finding. The timing is evidence for it"
	}
	return ""
}

// handsTold says that a person has reported two hands for the move of a case, be it while it was being made.
func (d *Docket) handsTold(c *Case) bool {
	return d.latest(func(m *matter) bool {
		return m.live() && (m.c.Kind == kinds.IllegalTwoHands || m.c.Kind == kinds.TwoHandsWBCA) && m.c.Proof == Reported &&
			m.c.Side == c.Side && m.c.Ply == c.Ply
	}) != nil
}

// suspicion asks somebody to look, and says how it may have been one player's one hand.
func (s *sheet) suspicion() {
	if why := s.d.unasked(&s.m.c); why != "" {
		s.e.State = Withdrawn
		s.say(Advise, kindNone, words.Verbatim("Withdrawn: "+why+"."))
		return
	}
	other := "one hand can take both pieces, push the other one away or knock it over"
	switch s.m.c.Kind {
	case kinds.SuspectCastling:
		other = "one hand can hold king and rook together, or move them faster than most do"
	case kinds.SuspectPromotion:
		other = "the new piece may have been in the same hand before"
	}
	s.say(s.usual(), kindFact, words.Verbatim("Please look. Other reading: "+other+"; or one of the hands was the opponent's or the arbiter's"+
		". The board sees squares and no hands: no strike by this alone. If you have seen two hands, report it; if somebody claims it, this is evidence."))
	s.stand()
	s.r.PositionFEN, s.r.RunClock = "", legal.NoSide // nothing is to be done about it
}
