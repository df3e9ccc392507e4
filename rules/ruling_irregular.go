package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// hands rules on a suspicion of two hands from the order of lifts: evidence for a claim, and never an accusation (laws
// notes 1.2).
func (s *sheet) hands() {
	if isSuspicion(&s.m.c) {
		s.suspicion()
		return
	}
	if s.p.TwoHands == "nothing" {
		s.nothing(words.Say("irr.not_regulated"))
		return
	}
	if s.p.TwoHandsCastling && isCastlingMove(&s.m.c) {
		s.nothing(words.Say("irr.both_hands"))
		return
	}
	a := Log
	if s.m.claimed {
		a = OnClaim
	}
	s.propose(a, kindFact, words.Say("irr.one_hand"))
	s.stand()
}

// isCastlingMove reports whether the case is about castling.
func isCastlingMove(c *Case) bool {
	if isSuspicion(c) {
		return c.Kind == kinds.SuspectCastling
	}
	if !c.Known || c.Before == (legal.Position{}) {
		return false
	}
	m, ok := c.Before.FindUCI(c.UCI)
	return ok && m.IsCastling()
}

// touchMove rules on article 4: no strike, and the claim lapses (4.8, laws notes section 6 no 14).
func (s *sheet) touchMove() {
	if s.m.follows != "" {
		s.afterRuling()
		return
	}
	if s.m.c.Kind == kinds.RookFirst && s.p.RookFirst == "allowed" {
		s.nothing(words.Say("irr.rook_first"))
		s.stand()
		return
	}
	a := s.usual()
	if s.m.c.Kind == kinds.PromoChanged && s.m.c.Proof == Certain {
		a = s.alertUnlessNever()
	}
	if s.m.closed != stillOpen {
		s.e.State = Expired
		s.propose(Log, kindNone, words.Say("irr.touch_late", s.opponent()))
		if s.m.claimed {
			s.e.Alert = OnClaim
		}
		s.stand()
		s.r.Deadline, s.r.Until = words.Say("due.touched", s.opponent()), UntilClosed
		return
	}
	if s.m.claimed {
		a = max(a, OnClaim)
	}
	if s.m.overtaken {
		s.propose(Log, kindIrregular, words.Say("claim.overtaken"))
		return
	}
	s.propose(a, kindIrregular, s.touchText())
	if s.m.claimed || s.m.upheld {
		s.touchClaimed()
	}
	s.r.Deadline, s.r.Until, s.r.Closer = words.Say("due.touch", s.opponent()), UntilTouch, s.opponent()
	if s.p.TouchClaim == "move" {
		s.r.Deadline, s.r.Until = words.Say("due.next_move", s.opponent()), UntilReply
	}
}

// outOfTurn rules on a move out of turn, or an extra move: never an illegal move (source 001).
func (s *sheet) outOfTurn() {
	if s.m.uncorrected {
		s.wentOn(s.alertInTime())
		return
	}
	if s.m.c.Side == legal.NoSide {
		if s.m.c.Answered { // the player to move has moved as well, and the game goes on
			s.propose(Log, kindIrregular, words.Say("irr.whose_hand"))
			return
		}
		s.back()
		s.propose(Advise, kindDecides, words.Say("irr.turn_of_nobody", s.r.RunClock))
		return
	}
	s.propose(s.alertInTime(), kindIrregular, words.Sentence{})
	after, stood := s.after()
	if s.m.c.Kind == kinds.DoubleMove && stood {
		s.r.Position, s.r.PositionFEN, s.r.RunClock = restore, after.FEN(), after.Turn()
		s.r.Text = words.Say("irr.second_back")
		s.r.also(asSentence(s.m.c.Note))
		return
	}
	s.back()
	if s.m.c.Kind == kinds.DoubleMove {
		s.r.RunClock = legal.NoSide
		s.r.Text = words.Say("irr.one_back")
		return
	}
	s.r.Text = words.Say("irr.out_of_turn", s.r.RunClock)
}

// displaced rules on a piece knocked over or pushed, with the clock pressed (7.4; US Chess 11C).
func (s *sheet) displaced() {
	if s.m.follows != "" {
		s.afterRuling()
		return
	}
	if s.m.uncorrected {
		s.wentOn(s.displacedAlert())
		return
	}
	if s.m.c.Side == legal.NoSide {
		s.propose(Advise, kindDecides, words.Say("irr.nobody"))
		s.r.Position = restore
		if after, ok := s.after(); ok {
			s.r.PositionFEN = after.FEN()
		}
		return
	}
	if s.d.offence(&s.m.c) {
		s.illegal()
		return
	}
	side := s.m.c.Side
	s.propose(s.displacedAlert(), kindIrregular, words.Say("irr.puts_right", side))
	if s.m.back {
		s.r.Kind = kindDecides
		s.r.Text = words.Say("irr.puts_right_back", side, s.opponent())
	}
	s.r.Position, s.r.RunClock = restore, side
	if after, ok := s.after(); ok {
		s.r.PositionFEN = after.FEN()
	}
}

// displacedAlert is the alert for displaced pieces.
func (s *sheet) displacedAlert() Alert {
	if s.m.c.Side != legal.NoSide && (s.m.c.Proof >= Strong || s.m.back) {
		return s.alertUnlessNever()
	}
	return s.usual()
}

// wentOn rules on pieces that still differ from the record on the board, although moves have been played since (FIDE
// Laws 7.6).
func (s *sheet) wentOn(a Alert) {
	s.propose(a, kindDecides, words.Say("irr.went_on"))
	s.back()
	s.cite("7.6", "7.1")
}

// sensor rules on a square that wrongly reads empty, or on a position without an explanation.
func (s *sheet) sensor() {
	switch {
	case s.m.c.Kind == kinds.NotUnderstood:
		s.propose(s.usual(), kindDecides, words.Say("irr.not_legal"))
		s.r.RunClock = s.m.c.Side
	case promotionUnread(&s.m.c):
		// The alert is immediate and its words are neutral: neither a missing piece nor an unread one is proved, so no
		// player is accused (laws notes 1.4).
		s.propose(Now, kindFact, words.Say("irr.unread"))
		if s.p.InvertedRook == "queen" {
			s.r.Text = words.Say("irr.unread_queen")
		}
		s.stand()
		s.r.PositionFEN = "" // the piece on the square is not known yet
		s.r.also(s.ifNothing())
		s.cite(s.fide("4.4", "4.6")...)
		if s.p.us() {
			s.cite("US 8F7")
		}
	case s.m.back && s.p.Restart == "nothing":
		s.nothing(words.Say("irr.back_allowed"))
	case s.m.back:
		s.propose(Log, kindFact, words.Say("irr.see_displaced"))
	case s.m.c.Side == legal.NoSide:
		s.propose(s.usual(), kindDecides, words.Say("irr.reads_empty_nobody"))
	default:
		s.propose(s.usual(), kindDecides, words.Say("irr.reads_empty", s.m.c.Side))
		s.r.RunClock = s.m.c.Side
	}
}

// ifNothing returns the ruling for the case that the promotion square is really empty.
func (s *sheet) ifNothing() words.Sentence {
	switch s.p.Promotion {
	case "queen":
		return words.Say("irr.if_nothing")
	case "improper":
		return words.Say("irr.if_nothing_us")
	}
	return words.Sentence{}
}

// other rules on the remaining kinds.
func (s *sheet) other() {
	switch s.m.c.Kind {
	case kinds.PressBeforeDone:
		s.propose(s.usual(), kindIrregular, words.Say("irr.improper_use"))
		switch c := &s.m.c; {
		case c.Proof == Reported:
			s.e.Alert = OnClaim
		default:
			s.r.also(asSentence(c.Note))
		}
		s.stand()
	case kinds.OtherHand:
		s.propose(s.usual(), kindIrregular, words.Say("irr.warning"))
		s.stand()
		if s.p.TwoHands == "counter" {
			s.counter()
		}
	case kinds.TwoHandsWBCA:
		if s.m.castled && s.p.TwoHandsCastling {
			s.nothing(words.Say("irr.both_hands"))
			return
		}
		s.propose(s.usual(), kindIrregular, words.Sentence{})
		s.stand()
		s.counter()
	case kinds.AdjustOffTurn:
		s.propose(s.usual(), kindIrregular, words.Say("irr.whose_hand"))
	case kinds.PromoWrongColour:
		s.wrongColour()
	case kinds.DrawOfferTiming:
		s.propose(s.usual(), kindIrregular, words.Say("irr.offer"))
	case kinds.DisplacedFound:
		s.propose(s.usual(), kindIrregular, words.Say("irr.back_before"))
		s.r.Position = restore
	case kinds.PauseNoReason:
		s.propose(s.usual(), kindIrregular, words.Say("irr.stopped"))
	case kinds.ClockSetting:
		s.clockSetting()
	case kinds.ForeignPress:
		s.foreignPress()
	case kinds.BonusWrong:
		s.propose(s.usual(), kindFact, words.Say("irr.clock_differs", s.m.c.Note))
		s.ruledAgain()
	case kinds.LeverInPause:
		s.propose(s.usual(), kindFact, words.Say("irr.lever"))
		if s.m.routine {
			s.e.Alert = Log
		}
	default:
		s.propose(Log, kindFact, words.Say("irr.record"))
	}
}

// wrongColour rules on a promotion piece of the other colour (laws notes, section 6 no 6).
func (s *sheet) wrongColour() {
	switch s.p.WrongColour {
	case "illegal":
		s.illegal()
	case "nothing":
		s.nothing(words.Say("irr.not_regulated"))
		s.stand()
	default:
		s.propose(s.alertUnlessNever(), kindIrregular, words.Say("irr.swap", s.m.c.Side))
		s.stand()
	}
}

// counter applies WBCA 4: a warning, then time for the opponent, then the loss. It is a count of its own.
func (s *sheet) counter() {
	n := 0
	for _, m := range s.d.matters {
		if m != s.m && m.c.Kind == s.m.c.Kind && m.c.Side == s.m.c.Side && m.decision == doConfirm && m.order < s.m.order {
			n++
		}
	}
	switch n {
	case 0:
		s.r.Text = words.Say("irr.first")
	case 1:
		s.r.Bonus[s.opponent()] = s.p.OtherPenaltyS
		s.r.Text = words.Say("irr.second", clockTime(s.p.OtherPenaltyS), s.opponent())
		s.clocks()
	default:
		s.r.Result = wins(s.opponent())
		s.r.Text = words.Say("irr.third")
	}
}

func (s *sheet) clockSetting() {
	s.propose(s.usual(), kindFact, words.Say("irr.setting"))
	if n := s.p.ClockSettingMoves; n > 0 && s.moveNumber() > n {
		s.r.Text = words.Say("irr.setting_late")
	}
}

// moveNumber returns the move in which something was found: as reported, or the one in progress.
func (s *sheet) moveNumber() int {
	switch {
	case s.m.c.Move > 0:
		return s.m.c.Move
	case s.m.found > 0:
		return s.m.found
	}
	return s.d.ply/2 + 1
}
