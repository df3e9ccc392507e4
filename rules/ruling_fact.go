package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// end rules on a game that the position has ended.
func (s *sheet) end() {
	s.propose(s.usual(), kindFact, words.Sentence{})
	s.stand()
	s.r.RunClock = legal.NoSide
	if s.d.wentOn(s.m) {
		s.propose(Log, kindNone, words.Say("over.taken_back"))
		return
	}
	if s.m.c.Kind == kinds.ResultContradicted {
		s.resultContradicted()
		return
	}
	switch c := &s.m.c; c.Kind {
	case kinds.Checkmate:
		s.r.Result = wins(c.Side)
		if after, ok := s.after(); ok && c.Side == legal.NoSide {
			s.r.Result = wins(after.Turn().Other())
		}
		s.r.Text = words.Say("over.checkmate")
	case kinds.Stalemate:
		s.r.Result, s.r.Text = drawn, words.Say("over.stalemate")
	case kinds.Dead:
		why := s.whyDead()
		if !why.IsZero() {
			s.e.Reason = words.Say("reason.end.dead_because", c.Side, why)
		}
		s.r.Result, s.r.Text = drawn, beside(words.Say("over.dead"), why)
	case kinds.IllegalPositionDraw:
		s.r.Result, s.r.Text = drawn, words.Say("over.illegal_position")
	case kinds.Fivefold:
		s.ruled(s.p.Fivefold, words.Say("over.fivefold"))
	case kinds.Move75:
		s.ruled(s.p.Move75, words.Say("over.move75"))
	case kinds.ResultSignal:
		s.propose(s.usual(), kindFact, words.Say("over.kings"))
		s.r.Result, s.r.Position, s.r.PositionFEN = s.d.result, "", ""
		if s.r.Result == "" {
			s.r.Result = resultIn(c.Note.Text)
		}
	default:
		s.e.Alert = Log // of a kind that this revision does not know
	}
	s.handsAfterEnd()
	if m := s.d.goneIfPutRight(s.m); m != nil && s.m.c.Kind != kinds.ResultSignal && s.r.Result != "" {
		s.onlyIfItStands(m)
		return
	}
	if m := s.d.flagBefore(s.m); m != nil {
		s.onlyWithoutFlag(m)
	}
	if m := s.d.pieceInDoubt(s.m.c.Ply); m != nil && s.r.Result == drawn {
		s.propose(Log, kindFact, words.Say("over.only_if_piece"))
		s.r.Result = ""
	}
}

// handsAfterEnd adds the meaning of a report of two hands about the move that ended the game: the game was over before
// the press (laws notes, section 6 no 3).
func (s *sheet) handsAfterEnd() {
	c := &s.m.c
	m := s.d.latest(func(m *matter) bool {
		return m.live() && m.c.Kind == kinds.IllegalTwoHands && m.c.Proof == Reported && m.c.Ply == c.Ply && m.c.UCI != "" && !m.held
	})
	switch {
	case m == nil || s.p.Book != bookFIDE || c.Kind != kinds.Checkmate && c.Kind != kinds.Stalemate && c.Kind != kinds.Dead:
		return
	case s.p.TwoHandsMate == "draw" && (&sheet{d: s.d, p: s.p, m: m}).losing():
		s.r.also(words.Say("over.hands_losing"))
	default:
		s.r.also(words.Say("over.hands"))
		if (&sheet{d: s.d, p: s.p, m: m}).losing() {
			s.r.also(words.Say("over.hands_caa"))
		}
	}
	s.cite(slices.Concat(s.own(), []string{"7.5.4"})...)
}

// onlyWithoutFlag rules on an end on the board after a flag was shown: the one that was noticed first counts (6.8).
func (s *sheet) onlyWithoutFlag(flag *matter) {
	what, result := endWords(&s.m.c)
	if s.m.c.Kind == kinds.Checkmate && flag.c.Side != legal.NoSide && result == wins(flag.c.Side.Other()) {
		return // the same result either way
	}
	if s.p.FlagCall == "players" {
		s.propose(Log, kindNone, words.Say("over.flag_claimed", what))
		s.r.Result = ""
		return
	}
	text := words.Say("over.flag_shown", what, result, flag.c.Side)
	if flag.c.Side == legal.NoSide {
		text = words.Say("over.any_flag_shown", what, result)
	}
	s.propose(Log, kindFact, text)
	s.r.Result = ""
}

// pieceInDoubt returns an open finding that a promotion counts as another piece than the one on the board (4.4.4), or
// nil.
func (d *Docket) pieceInDoubt(ply int) *matter {
	return d.latest(func(m *matter) bool {
		return m.c.Kind == kinds.PromoChanged && m.c.Proof == Certain && m.open() && m.c.Ply == ply
	})
}

func (s *sheet) ruled(by string, what words.Sentence) {
	switch by {
	case "draw":
		s.r.Result, s.r.Text = drawn, words.Say("over.drawn", what)
	case "director":
		s.propose(Advise, kindFact, words.Say("over.director", what))
	default:
		s.propose(Log, kindNone, words.Say("over.no_rule", what))
	}
}

// resultIn returns the result if the note consists of one.
func resultIn(note string) string {
	switch note {
	case "1-0", "0-1", drawn:
		return note
	}
	return ""
}

// setup rules on an error at the beginning of the game.
func (s *sheet) setup() {
	n := s.moveNumber()
	limit := s.p.WrongArrayMoves
	if s.m.c.Kind == kinds.ColoursReversed {
		s.propose(s.usual(), kindFact, words.Say("array.colours"))
		if l := s.p.WrongColoursMoves; l > 0 && n > l {
			s.r.Text = words.Say("array.colours_late")
		}
		return
	}
	late := limit > 0 && n > limit
	switch {
	case late && s.m.c.Kind == kinds.BoardRotated:
		s.propose(Log, kindFact, words.Say("array.rotated_late"))
	case late:
		s.propose(Log, kindFact, s.lateArray())
	case s.m.c.Kind == kinds.BoardRotated:
		s.propose(s.usual(), kindFact, words.Say("array.rotated"))
	case s.p.Book == bookUS:
		s.propose(s.usual(), kindFact, words.Say("array.annulled"))
	default:
		s.propose(s.usual(), kindFact, words.Say("array.cancelled"))
	}
	if late {
		s.e.State = Expired
		s.r.Position, s.r.Deadline = stands, words.Say("due.too_many")
		s.r.Until = UntilClosed
	}
}

// lateArray returns the book's words for a wrong start position that can no longer be corrected.
func (s *sheet) lateArray() words.Sentence {
	switch s.p.Book {
	case bookUS:
		return words.Say("array.late_us")
	case bookUSBlitz:
		return words.Say("array.late_us_blitz")
	case bookWBCA:
		return words.Say("array.late_wbca")
	}
	return words.Say("array.late")
}

// draw rules on a claim that was made; a possible claim is never shown unasked (12.6).
func (s *sheet) draw() {
	side := s.m.c.Side
	s.stand()
	if s.m.c.Kind != kinds.ClaimIncorrect {
		s.propose(s.usual(), kindFact, words.Say("claim.right", side))
		if move, ok := intendedMove(s.m.c.Note); ok {
			s.r.Text = words.Say("claim.right_by", side, move)
		} else {
			s.r.also(asSentence(s.m.c.Note))
		}
		s.r.Result, s.r.RunClock = drawn, legal.NoSide
		return
	}
	text := words.Say("claim.wrong")
	if s.p.WrongClaimS > 0 && side != legal.NoSide {
		s.r.Bonus[side.Other()] = s.p.WrongClaimS
		text = words.Say("claim.wrong_time", side.Other(), clockTime(s.p.WrongClaimS))
	}
	s.propose(s.usual(), kindFact, beside(text, asSentence(s.m.c.Note)))
	s.clocks()
}

// intendedMove returns the move by which a claim of a draw holds, where the position itself does not give it (9.2.1,
// 9.3.1). There may be others: only the player knows which one is written down.
func intendedMove(note words.Sentence) (san words.Sentence, ok bool) {
	if note.Key != OnlyByMove || len(note.Args) != 1 {
		return san, false
	}
	return note.Args[0], true
}

// OnlyByMove is the key of the note on a claim that holds only by a move; the move is its argument.
const OnlyByMove = "claim.only_by"
