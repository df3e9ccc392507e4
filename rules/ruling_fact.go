package rules

import (
	"slices"
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// end is a game that the position has ended.
func (s *sheet) end() {
	s.say(s.usual(), kindFact, words.Sentence{})
	s.stand()
	s.r.RunClock = legal.NoSide
	if s.d.wentOn(s.m) {
		s.say(Log, kindNone, words.Verbatim("The move that ended the game was taken back: play goes on."))
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
		s.r.Text = words.Verbatim("Checkmate ended the game when it was made; a flag after it, or a press that was not made, changes nothing.")
	case kinds.Stalemate:
		s.r.Result, s.r.Text = drawn, words.Verbatim("Stalemate ended the game when it was made.")
	case kinds.Dead:
		why := s.whyDead()
		if why != "" {
			s.e.Reason = words.Say("reason.end.dead_because", c.Side, why[1:])
		}
		s.r.Result, s.r.Text = drawn, words.Verbatim("Neither player can mate by any legal moves: the game is drawn."+why)
	case kinds.IllegalPositionDraw:
		s.r.Result, s.r.Text = drawn, words.Verbatim("The illegal position is still there after the next completed move: the game is drawn.")
	case kinds.Fivefold:
		s.ruled(s.p.Fivefold, "The same position for the fifth time")
	case kinds.Move75:
		s.ruled(s.p.Move75, "Seventy-five moves by each player without pawn move or capture")
	case kinds.ResultSignal:
		s.say(s.usual(), kindFact, words.Verbatim("The kings in the centre show the result."))
		s.r.Result, s.r.Position, s.r.PositionFEN = s.d.result, "", ""
		if s.r.Result == "" {
			s.r.Result = resultIn(c.Note)
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
		s.say(Log, kindFact, words.Verbatim("Only if the piece that stands there now is the one that counts: see the finding about the promotion."))
		s.r.Result = ""
	}
}

// handsAfterEnd adds what a report of two hands means for the move that ended the game: the game was over before the press
// (laws notes, section 6 no 3).
func (s *sheet) handsAfterEnd() {
	c := &s.m.c
	m := s.d.latest(func(m *matter) bool {
		return m.live() && m.c.Kind == kinds.IllegalTwoHands && m.c.Proof == Reported && m.c.Ply == c.Ply && m.c.UCI != "" && !m.held
	})
	switch {
	case m == nil || s.p.Book != bookFIDE || c.Kind != kinds.Checkmate && c.Kind != kinds.Stalemate && c.Kind != kinds.Dead:
		return
	case s.p.TwoHandsMate == "draw" && (&sheet{d: s.d, p: s.p, m: m}).losing():
		s.r.also(words.Verbatim("Two hands are reported: see that finding, the sources of these rules read it as the losing strike and a draw."))
	default:
		s.r.also(words.Verbatim("Two hands are reported: no strike, because the game was over before the press (7.5.4)."))
		if (&sheet{d: s.d, p: s.p, m: m}).losing() {
			s.r.also(words.Verbatim("Other reading, that of the CAA commentary: the losing strike, and a draw."))
		}
	}
	s.cite(slices.Concat(s.own(), []string{"7.5.4"})...)
}

// onlyWithoutFlag is an end on the board after a flag was shown: which of them counts is a matter of who noticed what (6.8).
func (s *sheet) onlyWithoutFlag(flag *matter) {
	what, result := endWords(&s.m.c)
	if s.m.c.Kind == kinds.Checkmate && flag.c.Side != legal.NoSide && result == wins(flag.c.Side.Other()) {
		return // the same result either way
	}
	if s.p.FlagCall == "players" {
		s.say(Log, kindNone, words.Verbatim("A player had claimed the flag before "+what+": see the finding about the flag."))
		s.r.Result = ""
		return
	}
	whose := "a flag"
	if flag.c.Side != legal.NoSide {
		whose = name(flag.c.Side) + "'s flag"
	}
	s.say(Log, kindFact, words.Verbatim("Before "+what+" the clock had shown "+whose+". Only if nobody had noticed or claimed it by then, "+what+" stands, "+result+
		" (6.8): see the finding about the flag."))
	s.r.Result = ""
}

// pieceInDoubt is an open finding that another piece than the one on the board counts for a promotion (4.4.4).
func (d *Docket) pieceInDoubt(ply int) *matter {
	return d.latest(func(m *matter) bool {
		return m.c.Kind == kinds.PromoChanged && m.c.Proof == Certain && m.open() && m.c.Ply == ply
	})
}

func (s *sheet) ruled(by, what string) {
	switch by {
	case "draw":
		s.r.Result, s.r.Text = drawn, words.Verbatim(what+": the game is drawn.")
	case "director":
		s.say(Advise, kindFact, words.Verbatim(what+": the director may declare a draw."))
	default:
		s.say(Log, kindNone, words.Verbatim(what+": no rule about it."))
	}
}

// resultIn is a result that a note consists of.
func resultIn(note string) string {
	switch note {
	case "1-0", "0-1", drawn:
		return note
	}
	return ""
}

// setup is an error that the game began with.
func (s *sheet) setup() {
	n := s.moveNumber()
	limit := s.p.WrongArrayMoves
	if s.m.c.Kind == kinds.ColoursReversed {
		s.say(s.usual(), kindFact, words.Verbatim("Fewer than ten moves by both: a new game with the right colours."))
		if l := s.p.WrongColoursMoves; l > 0 && n > l {
			s.r.Text = words.Verbatim("The game goes on; correct the pairing. A result reached before counts.")
		}
		return
	}
	late := limit > 0 && n > limit
	switch {
	case late && s.m.c.Kind == kinds.BoardRotated:
		s.say(Log, kindFact, words.Verbatim("No claim any more: the game goes on."))
	case late:
		s.say(Log, kindFact, s.lateArray())
	case s.m.c.Kind == kinds.BoardRotated:
		s.say(s.usual(), kindFact, words.Verbatim("The position is transferred to a board that lies rightly, and the game goes on."))
	case s.p.Book == bookUS:
		s.say(s.usual(), kindFact, words.Verbatim("The game is annulled; a new one is played with the times as they stand."))
	default:
		s.say(s.usual(), kindFact, words.Verbatim("The game is cancelled and a new one is played; before the first press, put the pieces right."))
	}
	if late {
		s.e.State = Expired
		s.r.Position, s.r.Deadline = stands, words.Say("due.too_many")
		s.r.Until = UntilClosed
	}
}

// lateArray is a wrong start position that is not corrected any more, in the words of the book.
func (s *sheet) lateArray() words.Sentence {
	switch s.p.Book {
	case bookUS:
		return words.Verbatim("Black's tenth move has been made: by 11F the game goes on from the position as it is.")
	case bookUSBlitz:
		return words.Verbatim("Both players have moved: the game goes on (3A). With king and queen on each other's squares at the start, mirrored castling is allowed.")
	case bookWBCA:
		return words.Verbatim("Both players have moved: the game goes on.")
	}
	return words.Verbatim("No claim any more: the game goes on. Who does not have king and rook on their squares cannot castle.")
}

// draw is a claim that was made; what could be claimed is never told unasked (12.6).
func (s *sheet) draw() {
	side := s.m.c.Side
	s.stand()
	if s.m.c.Kind != kinds.ClaimIncorrect {
		s.say(s.usual(), kindFact, words.Verbatim("The claim of "+name(side)+" is right: the game is drawn."))
		if move, ok := intendedMove(s.m.c.Note); ok {
			s.r.Text = words.Verbatim("The claim of " + name(side) + " is right by an intended move, for example " + move +
				", if the player has written it down and not made it: then the game is drawn.")
		} else if s.m.c.Note != "" {
			s.r.also(words.Verbatim(upperFirst(s.m.c.Note) + "."))
		}
		s.r.Result, s.r.RunClock = drawn, legal.NoSide
		return
	}
	text := "The claim is wrong: play goes on"
	if s.p.WrongClaimS > 0 && side != legal.NoSide {
		s.r.Bonus[side.Other()] = s.p.WrongClaimS
		text += ", and " + name(side.Other()) + " gets " + clockTime(s.p.WrongClaimS)
	}
	s.say(s.usual(), kindFact, words.Verbatim(text+"."))
	if s.m.c.Note != "" {
		s.r.also(words.Verbatim(upperFirst(s.m.c.Note) + "."))
	}
	s.clocks()
}

// intendedMove is the move by which a claim of a draw holds, where the position as it stands does not give it (9.2.1, 9.3.1).
// There may be others: nobody but the player knows which one is written down.
func intendedMove(note string) (san string, ok bool) {
	if san, ok = strings.CutPrefix(note, "only by the move "); ok {
		san, _, _ = strings.Cut(san, ",")
	}
	return san, ok
}
