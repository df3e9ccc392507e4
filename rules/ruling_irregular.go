package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// hands is what the order of lifts suggests about two hands: evidence for a claim, and never an accusation (laws notes 1.2).
func (s *sheet) hands() {
	if isSuspicion(&s.m.c) {
		s.suspicion()
		return
	}
	if s.p.TwoHands == "nothing" {
		s.nothing(words.Verbatim("Not regulated."))
		return
	}
	if s.p.TwoHandsCastling && isCastlingMove(&s.m.c) {
		s.nothing(words.Verbatim("Castling with both hands is allowed."))
		return
	}
	a := Log
	if s.m.claimed {
		a = OnClaim
	}
	s.say(a, kindFact, words.Verbatim("One hand can hold two pieces: this only suggests two hands. Evidence if somebody claims it, nothing more."))
	s.stand()
}

// isCastlingMove says that the case is about castling.
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

// touchMove is article 4: no strike, and the claim lapses (4.8, laws notes section 6 no 14).
func (s *sheet) touchMove() {
	if s.m.follows != "" {
		s.afterRuling()
		return
	}
	if s.m.c.Kind == kinds.RookFirst && s.p.RookFirst == "allowed" {
		s.nothing(words.Verbatim("Castling with the rook first is allowed under these rules."))
		s.stand()
		return
	}
	a := s.usual()
	if s.m.c.Kind == kinds.PromoChanged && s.m.c.Proof == Certain {
		a = s.quietTell()
	}
	if s.m.closed != stillOpen {
		s.e.State = Expired
		s.say(Log, kindNone, words.Verbatim("Too late for a claim: "+name(s.opponent())+" has touched a piece. The position stands."))
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
		s.say(Log, kindIrregular, words.Say("claim.overtaken"))
		return
	}
	s.say(a, kindIrregular, s.touchText())
	if s.m.claimed {
		s.touchClaimed()
	}
	s.r.Deadline, s.r.Until, s.r.Closer = words.Say("due.touch", s.opponent()), UntilTouch, s.opponent()
	if s.p.TouchClaim == "move" {
		s.r.Deadline, s.r.Until = words.Say("due.next_move", s.opponent()), UntilReply
	}
}

// outOfTurn is a move without having the move, or one too many: never an illegal move (source 001).
func (s *sheet) outOfTurn() {
	s.say(s.tell(), kindIrregular, words.Sentence{})
	after, stood := s.after()
	if s.m.c.Kind == kinds.DoubleMove && stood {
		s.r.Position, s.r.PositionFEN, s.r.RunClock = restore, after.FEN(), after.Turn()
		s.r.Text = words.Verbatim("The second move is taken back, the first one stands. Not an illegal move.")
		return
	}
	s.back()
	if s.m.c.Kind == kinds.DoubleMove {
		s.r.RunClock = legal.NoSide
		s.r.Text = words.Verbatim("One of the two moves is taken back. Not an illegal move.")
		return
	}
	s.r.Text = words.Verbatim("The move made without having the move is taken back, and " + name(s.r.RunClock) + "'s clock runs. Not an illegal move, whatever the piece did.")
}

// displaced is a piece knocked over or pushed, and the clock pressed (7.4; US Chess 11C).
func (s *sheet) displaced() {
	if s.m.follows != "" {
		s.afterRuling()
		return
	}
	if s.m.c.Side == legal.NoSide {
		s.say(Advise, kindDecides, words.Verbatim("What was displaced goes back, and the move stands. In whose turn it was displaced is not known: nobody is blamed."))
		s.r.Position = restore
		if after, ok := s.after(); ok {
			s.r.PositionFEN = after.FEN()
		}
		return
	}
	if s.p.Displaced == "illegal" && s.m.c.Proof >= Strong && s.m.c.Completed {
		s.illegal()
		return
	}
	side := s.m.c.Side
	a := s.usual()
	if s.m.c.Proof >= Strong || s.m.back {
		a = s.quietTell()
	}
	s.say(a, kindIrregular, words.Verbatim(name(side)+" puts it right in their own time. A warning; more if it happens again or was done on purpose."))
	if s.m.back {
		s.r.Kind = kindDecides
		s.r.Text = words.Verbatim(name(side) + " puts it right in their own time. " + name(s.opponent()) +
			" has started the clock again instead of stopping it: no strike by itself (7.5.3 is for the arbiter).")
	}
	s.r.Position, s.r.RunClock = restore, side
	if after, ok := s.after(); ok {
		s.r.PositionFEN = after.FEN()
	}
}

// sensor is a square that reads empty and should not, or a board that nothing explains.
func (s *sheet) sensor() {
	switch {
	case s.m.c.Kind == kinds.NotUnderstood:
		s.say(s.usual(), kindDecides, words.Verbatim("The position is certainly not legal, and what was done is not known: look at the board and ask. "+
			"What was displaced goes back; an illegal move is dealt with as one."))
		s.r.RunClock = s.m.c.Side
	case promotionUnread(&s.m.c):
		// The time to look is now, and the words are neutral: neither a missing piece nor an unread one is proved, so nobody is
		// accused (laws notes 1.4).
		s.say(Now, kindFact, words.Verbatim("The promotion square reads empty: ask what stands there. A piece upside down reads as nothing. Upside down, a rook is a rook."))
		if s.p.InvertedRook == "queen" {
			s.r.Text = words.Verbatim("The promotion square reads empty: ask what stands there. An upside-down rook is a queen, unless the player has said otherwise.")
		}
		s.stand()
		s.r.PositionFEN = "" // nobody knows yet what stands there
		s.r.also(s.ifNothing())
		s.cite(s.fide("4.4", "4.6")...)
		if s.p.us() {
			s.cite("US 8F7")
		}
	case s.m.back && s.p.Restart == "nothing":
		s.nothing(words.Verbatim("The opponent may press back when pieces were knocked over."))
	case s.m.back:
		s.say(Log, kindFact, words.Verbatim("See the finding about the displaced piece."))
	default:
		s.say(s.usual(), kindDecides, words.Verbatim("A square reads empty: a piece that fell, stands off its square or has a bad chip. If it fell, "+
			name(s.m.c.Side)+" puts it up in their own time."))
		s.r.RunClock = s.m.c.Side
	}
}

// ifNothing is what holds if the promotion square is really empty.
func (s *sheet) ifNothing() words.Sentence {
	switch s.p.Promotion {
	case "queen":
		return words.Verbatim("If nothing stands there, the pawn was not exchanged: 7.5.2.")
	case "improper":
		return words.Verbatim("If nothing stands there, the player still chooses the piece, and the opponent may start his clock again.")
	}
	return words.Sentence{}
}

// other are the rest of the kinds.
func (s *sheet) other() {
	side := s.m.c.Side
	switch s.m.c.Kind {
	case kinds.PressBeforeDone:
		s.say(s.usual(), kindIrregular, words.Verbatim("The move stands. At most improper use of the clock: a warning."))
		switch c := &s.m.c; {
		case c.Proof == Reported:
			s.e.Alert = OnClaim
		case c.Note != "":
			s.r.also(words.Verbatim(upperFirst(c.Note) + "."))
		}
		s.stand()
	case kinds.OtherHand:
		s.say(s.usual(), kindIrregular, words.Verbatim("The move stands: a warning."))
		s.stand()
		if s.p.TwoHands == "counter" {
			s.counter()
		}
	case kinds.TwoHandsWBCA:
		if s.m.castled && s.p.TwoHandsCastling {
			s.nothing(words.Verbatim("Castling with both hands is allowed."))
			return
		}
		s.say(s.usual(), kindIrregular, words.Sentence{})
		s.stand()
		s.counter()
	case kinds.AdjustOffTurn:
		s.say(s.usual(), kindIrregular, words.Verbatim("Only in the record: the board does not know whose hand it was."))
	case kinds.PromoWrongColour:
		if s.p.WrongColour == "illegal" {
			s.illegal()
			return
		}
		s.say(s.quietTell(), kindIrregular, words.Verbatim("The piece is swapped for one of "+name(side)+"'s own colour, of the same kind (4.4.4). "+
			"Other reading: an illegal move, because 3.7.3.3 is part of article 3."))
		s.stand()
	case kinds.DrawOfferTiming:
		s.say(s.usual(), kindIrregular, words.Verbatim("The offer is valid; its timing is a matter of 11.5. No sensor sees an offer."))
	case kinds.DisplacedFound:
		s.say(s.usual(), kindIrregular, words.Verbatim("Back to the position before the piece was displaced; no strike. The times by judgement (7.1)."))
		s.r.Position = restore
	case kinds.PauseNoReason:
		s.say(s.usual(), kindIrregular, words.Verbatim("Certain: the clock was stopped. The reason is for the arbiter."))
	case kinds.ClockSetting:
		s.clockSetting()
	case kinds.ForeignPress:
		s.foreignPress()
	case kinds.BonusWrong:
		s.say(s.usual(), kindFact, words.Verbatim("The clock differs from the ruling: "+s.m.c.Note+". A reminder only."))
		s.ruledAgain()
	case kinds.LeverInPause:
		s.say(s.usual(), kindFact, words.Verbatim("The lever was moved while the clock stood: look whose clock is started. No press and no move: nothing to penalise by itself."))
		if s.m.routine {
			s.e.Alert = Log
		}
	default:
		s.say(Log, kindFact, words.Verbatim("In the record."))
	}
}

// counter is WBCA 4: a warning, then time for the opponent, then the loss. It is a count of its own.
func (s *sheet) counter() {
	n := 0
	for _, m := range s.d.matters {
		if m != s.m && m.c.Kind == s.m.c.Kind && m.c.Side == s.m.c.Side && m.decision == doConfirm && m.order < s.m.order {
			n++
		}
	}
	switch n {
	case 0:
		s.r.Text = words.Verbatim("First: a warning. Then one minute for the opponent, then the loss.")
	case 1:
		s.r.Bonus[s.opponent()] = s.p.OtherPenaltyS
		s.r.Text = words.Verbatim("Second: " + clockTime(s.p.OtherPenaltyS) + " for " + name(s.opponent()) + ".")
		s.clocks()
	default:
		s.r.Result = wins(s.opponent())
		s.r.Text = words.Verbatim("Third: the game is lost.")
	}
}

func (s *sheet) clockSetting() {
	s.say(s.usual(), kindFact, words.Verbatim("Correct the setting by judgement."))
	if n := s.p.ClockSettingMoves; n > 0 && s.moveNumber() > n {
		s.r.Text = words.Verbatim("The setting is not changed any more after ten moves each, unless the schedule would suffer.")
	}
}

// moveNumber is the move in which something was found: as reported, or the one that is being played.
func (s *sheet) moveNumber() int {
	switch {
	case s.m.c.Move > 0:
		return s.m.c.Move
	case s.m.found > 0:
		return s.m.found
	}
	return s.d.ply/2 + 1
}
