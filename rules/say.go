package rules

import (
	"strconv"
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// name is a side as a sentence names it.
func name(s legal.Side) string {
	switch s {
	case legal.White:
		return "White"
	case legal.Black:
		return "Black"
	}
	return "the player"
}

// clockTime writes seconds as a clock shows them, 2:00 or 1:03:20.
func clockTime(sec int) string {
	two := func(n int) string {
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
		return strconv.Itoa(n)
	}
	h, m, s := sec/3600, sec/60%60, sec%60
	if h > 0 {
		return strconv.Itoa(h) + ":" + two(m) + ":" + two(s)
	}
	return strconv.Itoa(m) + ":" + two(s)
}

func upperFirst(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

var ordinals = [...]string{"", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth"}

func ordinal(n int) string {
	if n > 0 && n < len(ordinals) {
		return ordinals[n]
	}
	return "Strike " + strconv.Itoa(n) + ":"
}

// deadline is until when an open offence can be dealt with.
func (s *sheet) deadline() (string, Until) {
	opponent := name(s.opponent())
	if s.m.claimed && s.p.Arbiter == "never" {
		return "claimed in time", UntilNever
	}
	switch s.p.window(s.d.class) {
	case untilGameEnd:
		return "until the game ends", UntilEnd
	case untilReply:
		if s.disputed() {
			return "disputed: " + opponent + " has pressed back, but has made no move on the board", UntilReply
		}
		if s.m.replaced {
			return "until " + opponent + " has made the next move; the players have put the move right", UntilReply
		}
		return "until " + opponent + " has made the next move on the board", UntilReply
	}
	if s.d.checkStands(s.m) {
		return "always open: the king is still in check", UntilNever
	}
	n := s.d.windowMoves()
	text := "while it is among the last " + strconv.Itoa(n) + " moves of " + name(s.m.c.Side)
	if s.d.tight && s.p.Arbiter == "calm" {
		text += "; time pressure: only the players may claim"
	}
	return text, UntilMoves
}

// lookFirst says that an alert alone is no reason to step in: in fast play the arbiter acts on what he has seen, or on a
// claim (FIDE Laws A.5.2, B.3.1).
func (s *sheet) lookFirst() bool {
	return s.p.window(s.d.class) == untilReply && s.p.Book == bookFIDE && !s.p.AlertObserves && s.m.c.Proof != Reported && !s.m.claimed
}

// strikeText is the ruling on an illegal move that does not lose the game, in the order of what is to be done.
func (s *sheet) strikeText() string {
	var b strings.Builder
	side := s.m.c.Side
	if side == legal.NoSide {
		b.WriteString("Completed illegal move")
	} else {
		b.WriteString(ordinal(s.r.Strikes[side]) + " completed illegal move by " + name(side))
	}
	sep := ": "
	add := func(text string) {
		if text != "" {
			b.WriteString(sep + text)
			sep = ", "
		}
	}
	add(s.placeText())
	add(s.mustText())
	for _, who := range [...]legal.Side{side.Other(), side} {
		add(s.timeText(who))
	}
	if s.r.RunClock != legal.NoSide && s.r.Result == "" {
		add(name(s.r.RunClock) + "'s clock runs")
	}
	switch s.r.Result {
	case drawn:
		add("and the queen ends the game at once, drawn: time and flag are moot")
	case "1-0", "0-1":
		add("and the queen mates: " + s.r.Result)
	}
	b.WriteString(".")
	return b.String() + s.remarks()
}

func (s *sheet) placeText() string {
	switch {
	case s.first != nil && s.first.c.Side != s.m.c.Side:
		return "both players have erred, set up the position before the first illegal move, see that finding"
	case s.first != nil:
		return "an earlier illegal move is still open, set up the position before that one, see that finding"
	case s.m.c.Kind == kinds.IllegalNoMove && s.r.Position == restore:
		return "the position stays as it was"
	case s.m.c.Kind == kinds.Displaced:
		return "what was displaced goes back, and the move stands"
	case s.r.Position == queen:
		return "the pawn becomes a queen, without a choice"
	case s.r.Position == restore:
		return "set up the position before the move"
	case s.m.replaced:
		return "the players have put it right, and the move that replaced it stands"
	case s.m.c.Kind == kinds.IllegalCastleKingOnly:
		return "the castling is completed"
	case s.m.c.Kind == kinds.IllegalPromoTwo:
		return "the first piece that touched the square stays, the other comes off"
	case s.r.Position == stands:
		return "the move stands"
	}
	return ""
}

func (s *sheet) mustText() string {
	if s.first != nil || s.r.Position != restore || s.m.c.Kind == kinds.IllegalNoMove || s.m.c.Kind == kinds.Displaced {
		return ""
	}
	touched := touches(&s.d.firstInCheck(s.m).c)
	switch {
	case len(s.r.MustPlay) > 0:
		return name(s.m.c.Side) + " must play " + strings.Join(s.r.MustPlay, ", ")
	case s.d.blind || s.d.assisted || s.d.noTouch:
		return "touch-move is not judged at this board"
	case len(touched) > 0:
		return "no touched piece can be moved or captured: any legal move (4.5)"
	}
	return "any legal move"
}

func (s *sheet) timeText(who legal.Side) string {
	if who == legal.NoSide {
		return ""
	}
	bonus, back := s.r.Bonus[who], s.r.TakeBack[who]
	switch {
	case bonus > 0 && back > 0:
		return name(who) + " +" + clockTime(bonus) + " and -" + clockTime(back) + " that presses have added"
	case bonus > 0:
		return name(who) + " +" + clockTime(bonus)
	case back > 0:
		return name(who) + " -" + clockTime(back) + " that presses have added"
	}
	return ""
}

// remarks are the other readings and what else the arbiter should know (laws notes 5.1 no 9, section 6).
func (s *sheet) remarks() string {
	var b strings.Builder
	add := func(text string) {
		if text != "" {
			b.WriteString(" " + text)
		}
	}
	c := &s.m.c
	opponent := name(s.opponent())
	switch c.Kind {
	case kinds.IllegalNoMove:
		add("Certain is that the lever moved and no square changed; who pressed and why is not known. Other reading: an accident, no strike.")
	case kinds.IllegalCastleKingOnly:
		add("Other reading: castling left unfinished, to be completed without a strike; or an illegal move, and the king goes back.")
	case kinds.IllegalEPPawnLeft:
		add("Other reading: an unfinished move (6.2.4), no strike: the captured pawn comes off.")
	case kinds.IllegalPromoTwo:
		add("Other reading: the extra piece was only parked on the board, no strike.")
	}
	if s.first != nil {
		add("Whether the later of the two counts as well is not regulated: the arbiter decides.")
	}
	for _, m := range s.later() {
		add("The later illegal move of " + name(m.c.Side) + " (" + string(m.c.Kind) + ") goes with the position; whether it counts as well is not regulated: the arbiter decides.")
	}
	add(s.overReading())
	add(s.manyPresses())
	if s.m.back {
		switch {
		case s.disputed():
			add("The arbiter decides, because " + opponent + " has started the clock again: by the text of A.5.2 only a move made on the board closes the window, so the offence can still be dealt with. Other reading: the press has accepted it, and the move stands.")
		case s.p.Restart != "nothing":
			add("That " + opponent + " pressed back instead of stopping the clock is usually an accident: no strike.")
		}
	}
	if n := s.p.BonusByLetterS; n > 0 && n != s.r.Bonus[s.opponent()] && s.r.Result == "" {
		add("By the letter of the rule the unit is " + clockTime(n) + "; the event must have chosen.")
	}
	if s.treatment() == treatUnit {
		add("7.5.4 is not in the draft's list of offences that lose at once.")
	}
	if s.lookFirst() {
		s.r.Advice = LookFirst
		add("Go and look: act if you saw it, or on a claim.")
	}
	if s.p.Book == bookUS {
		add("The time used is not given back.")
	}
	add(s.p.Note)
	add(s.chosen())
	if c.Note != "" && c.Proof != Reported {
		add(upperFirst(c.Note) + ".")
	}
	return b.String()
}

// overReading is the other reading of a move with two hands that ends the game (laws notes, section 6 no 3).
func (s *sheet) overReading() string {
	after, ok := s.after()
	if s.m.c.Kind != kinds.IllegalTwoHands || !ok || !s.d.over(&after) {
		return ""
	}
	result := drawn
	if after.Outcome() == legal.Checkmate {
		result = wins(s.m.c.Side)
	}
	return "Other reading, that of the Laws (5.1.1) and the Arbiters' Manual: the move had ended the game when it was made, " + result + ", and two hands are no strike."
}

// manyPresses is what the arbiter should know where more than one increment is to be taken back (7.1).
func (s *sheet) manyPresses() string {
	white, black := s.r.TakeBack[legal.White], s.r.TakeBack[legal.Black]
	if s.m.counted[legal.White]+s.m.counted[legal.Black] < 3 || white+black == 0 || s.r.Result != "" {
		return ""
	}
	return "Since that position presses have added " + clockTime(white) + " to White's time and " + clockTime(black) +
		" to Black's; the time used since may be left alone or given back, by judgement (7.1)."
}

// chosen says that nobody has named the rule set.
func (s *sheet) chosen() string {
	if !s.d.guess {
		return ""
	}
	text := "No rule set is configured: " + s.p.Title + " by the clock's time"
	if s.d.class == Rapid || s.d.class == Blitz {
		text += ", taken as not supervised"
	}
	return text + "."
}

// lostText is the ruling on the losing strike.
func (s *sheet) lostText(why string) string {
	side, winner := s.m.c.Side, s.opponent()
	text := ordinal(s.r.Strikes[side]) + " completed illegal move by " + name(side) + ": "
	switch s.r.Result {
	case drawn:
		text += "a draw, because " + why
	case "":
		spent := ""
		if m := s.r.Mate; m != nil {
			spent = m.spent
		}
		text += "lost if " + name(winner) + " can mate by any series of legal moves; that was not found out" + spent + ": needs a look at the position"
	case wins(winner):
		text += s.lostBy(winner)
	default:
		text += name(winner) + " loses: " + why
	}
	return text + "." + s.remarks()
}

// lostBy says that a strike loses, and on what condition.
func (s *sheet) lostBy(winner legal.Side) string {
	who := name(winner)
	switch {
	case s.p.MatingTest == "helpmate":
		text := "the game is lost, because a series of legal moves exists in which " + who + " mates"
		if m := s.r.Mate; m != nil && m.example != "" {
			text += ", for example " + m.example
		}
		return text
	case s.p.Arbiter == "never" && !s.m.claimed:
		return "the game is lost if " + who + " claims in time and can mate; the material for it is there"
	case s.p.Arbiter == "never":
		return "claimed in time, and " + who + " has the material to mate: the game is lost"
	}
	return "the game is lost"
}

// touchText is what follows if a touch-move claim is right.
func (s *sheet) touchText() string {
	switch s.m.c.Kind {
	case kinds.RookFirst:
		return "If it is claimed and right: the rook's move stands, and no castling (4.4.2). No strike."
	case kinds.ReleasedMoved:
		return "If it is claimed and right: the first square stands (4.7). The board cannot tell whether the hand let go. No strike."
	case kinds.PromoChanged:
		return "The first piece that touched the square stays (4.4.4). No strike."
	}
	if theirs, own := touchedFirst(&s.m.c); theirs && !own {
		return "If it is claimed and right: back, and the opponent's piece touched first is captured, if that is possible (4.3.2). The board hears no announced adjusting and sees no intent. No strike."
	}
	return "If it is claimed and right: back, and the piece touched first is played. The board hears no announced adjusting and sees no intent. No strike."
}
