package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about suspicions of two hands that rest on timing alone (suspect.*). They ask a person to look, always
// in the same quiet way, and have no other consequence (timing notes, section 0). A suspicion is therefore either shown
// (advise) or no finding at all: if the rule set does not ask about hands, only the tracker's own line is recorded.

// isSuspicion reports whether the case rests on timing alone.
func isSuspicion(c *Case) bool { return c.Kind.Family() == kinds.Hand }

// AsksHands reports whether the rule set asks about two hands: in castlings, and in captures and promotions.
func (d *Docket) AsksHands() (castling, others bool) {
	others = !d.blind && !d.assisted && d.p.TwoHands != "nothing"
	return others && !d.p.TwoHandsCastling, others
}

// whyUnwanted returns the reason why a suspicion is not wanted; empty: it is wanted.
func (d *Docket) whyUnwanted(c *Case) words.Sentence {
	switch {
	case d.blind || d.assisted:
		return words.Say("look.assisted")
	case d.p.TwoHands == "nothing":
		return words.Say("look.not_regulated")
	case d.p.TwoHandsCastling && isCastlingMove(c):
		return words.Say("look.castling_allowed")
	case d.handsReported(c):
		return words.Say("look.reported")
	}
	return words.Sentence{}
}

// handsReported reports whether a person has reported two hands for the move of a case, also while it was being made.
func (d *Docket) handsReported(c *Case) bool {
	return d.latest(func(m *matter) bool {
		return m.live() && (m.c.Kind == kinds.IllegalTwoHands || m.c.Kind == kinds.TwoHandsWBCA) && m.c.Proof == Reported &&
			m.c.Side == c.Side && m.c.Ply == c.Ply
	}) != nil
}

// suspicion asks a person to look, and says how one hand of one player may have made the move.
func (s *sheet) suspicion() {
	if why := s.d.whyUnwanted(&s.m.c); !why.IsZero() {
		s.e.State = Withdrawn
		s.propose(Advise, kindNone, words.Say("rule.withdrawn_for", why))
		return
	}
	other := words.Say("look.capture")
	switch s.m.c.Kind {
	case kinds.SuspectCastling:
		other = words.Say("look.castling")
	case kinds.SuspectPromotion:
		other = words.Say("look.promotion")
	}
	s.propose(s.usual(), kindFact, beside(other, words.Say("look.no_strike")))
	s.stand()
	s.r.PositionFEN, s.r.RunClock = "", legal.NoSide // no action follows
}
