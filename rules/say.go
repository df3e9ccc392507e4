package rules

import (
	"strconv"
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

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

// asSentence turns a clause that is also used inside other sentences into a sentence; an empty one stays empty.
func asSentence(s words.Sentence) words.Sentence {
	if s.IsZero() {
		return s
	}
	return words.Say("note.sentence", s)
}

// ordinal returns a number as a word from First to Ninth, and as figures beyond.
func ordinal(n int) words.Sentence {
	if n > 0 && n < 10 {
		return words.Say("nth." + strconv.Itoa(n))
	}
	return words.Say("nth.more", n)
}

// deadline returns the time until which an open offence can be dealt with.
func (s *sheet) deadline() (words.Sentence, Until) {
	if s.m.claimed && s.p.Arbiter == "never" {
		return words.Say("due.claimed"), UntilNever
	}
	switch s.d.until() {
	case untilGameEnd:
		return words.Say("due.game_end"), UntilEnd
	case untilReply:
		if s.disputed() {
			return words.Say("due.disputed", s.opponent()), UntilReply
		}
		if s.m.replaced {
			return words.Say("due.put_right", s.opponent()), UntilReply
		}
		return words.Say("due.next_on_board", s.opponent()), UntilReply
	}
	if s.d.checkStands(s.m) {
		return words.Say("due.check"), UntilNever
	}
	n := s.d.lookBackMoves()
	if s.d.tight && s.p.Arbiter == "calm" {
		return words.Say("due.among_tight", n, s.m.c.Side), UntilMoves
	}
	return words.Say("due.among", n, s.m.c.Side), UntilMoves
}

// lookFirst reports whether an alert alone is no reason to intervene: in rapid and blitz the arbiter acts on an offence
// that he has seen, or on a claim (FIDE Laws A.5.2, B.3.1).
func (s *sheet) lookFirst() bool {
	return s.d.until() == untilReply && s.p.Book == bookFIDE && !s.p.AlertObserves && s.m.c.Proof != Reported && !s.m.claimed
}

// strikeText returns the ruling on an illegal move that does not lose the game, with its steps in the order of action.
func (s *sheet) strikeText() words.Sentence {
	var steps []words.Sentence
	add := func(step words.Sentence) {
		if !step.IsZero() {
			steps = append(steps, step)
		}
	}
	side := s.m.c.Side
	add(s.placeText())
	add(s.mustText())
	for _, who := range [...]legal.Side{side.Other(), side} {
		add(s.timeText(who))
	}
	if s.r.RunClock != legal.NoSide && s.r.Result == "" {
		add(words.Say("then.runs", s.r.RunClock))
	}
	switch s.r.Result {
	case drawn:
		add(words.Say("then.queen_draws"))
	case "1-0", "0-1":
		add(words.Say("then.queen_mates", s.r.Result))
	}
	text := words.Say("strike.stop", s.strikeHead())
	if len(steps) > 0 {
		text = words.Say("strike.says", s.strikeHead(), words.List(", ", steps))
	}
	return beside(text, s.remarks())
}

// strikeHead returns the words for the strike itself.
func (s *sheet) strikeHead() words.Sentence {
	side := s.m.c.Side
	if side == legal.NoSide {
		return words.Say("strike.nobody")
	}
	return words.Say("strike.by", ordinal(s.r.Strikes[side]), side)
}

func (s *sheet) placeText() words.Sentence {
	switch {
	case s.first != nil && s.first.c.Side != s.m.c.Side:
		return words.Say("then.both_erred")
	case s.first != nil:
		return words.Say("then.earlier_open")
	case s.m.c.Kind == kinds.IllegalNoMove && s.r.Position == restore:
		return words.Say("then.as_it_was")
	case s.m.c.Kind == kinds.Displaced:
		return words.Say("then.put_back")
	case s.r.Position == queen:
		return words.Say("then.queen")
	case s.r.Position == restore:
		return words.Say("then.restore")
	case s.m.replaced:
		return words.Say("then.replaced")
	case s.m.c.Kind == kinds.IllegalCastleKingOnly:
		return words.Say("then.castling")
	case s.m.c.Kind == kinds.IllegalPromoTwo:
		return words.Say("then.first_piece")
	case s.r.Position == stands:
		return words.Say("then.stands")
	}
	return words.Sentence{}
}

func (s *sheet) mustText() words.Sentence {
	if s.first != nil || s.r.Position != restore || s.m.c.Kind == kinds.IllegalNoMove || s.m.c.Kind == kinds.Displaced {
		return words.Sentence{}
	}
	touched := touches(&s.d.firstInCheck(s.m).c)
	switch {
	case len(s.r.MustPlay) > 0:
		return words.Say("then.must", s.m.c.Side, strings.Join(s.r.MustPlay, ", "))
	case s.d.blind || s.d.assisted || s.d.noTouch:
		return words.Say("then.no_touch")
	case len(touched) > 0:
		return words.Say("then.any_touched")
	}
	return words.Say("then.any")
}

func (s *sheet) timeText(who legal.Side) words.Sentence {
	if who == legal.NoSide {
		return words.Sentence{}
	}
	bonus, back, given := s.r.Bonus[who], s.r.TakeBack[who], s.bonusOf().m.onClock.given[who]
	switch {
	case bonus > 0 && back > 0:
		return words.Say("then.time_both", who, clockTime(bonus), clockTime(back))
	case bonus > 0:
		return words.Say("then.time", who, clockTime(bonus))
	case back > 0:
		return words.Say("then.time_back", who, clockTime(back))
	case given > 0:
		return words.Say("then.time_given", who, clockTime(given))
	}
	return words.Sentence{}
}

// noMoveRemark returns the certain facts about a press without a move.
func noMoveRemark(c *Case) words.Sentence {
	if len(c.Squares) > 0 {
		return words.Say("note.no_move_other", c.Side)
	}
	return words.Say("note.no_move")
}

// remarks returns the other readings and further information for the arbiter (laws notes 5.1 no 9, section 6).
func (s *sheet) remarks() words.Sentence {
	var list []words.Sentence
	add := func(s words.Sentence) { list = append(list, s) }
	c := &s.m.c
	switch c.Kind {
	case kinds.IllegalNoMove:
		add(noMoveRemark(c))
	case kinds.IllegalCastleKingOnly:
		add(words.Say("note.king_only"))
	case kinds.IllegalEPPawnLeft:
		add(words.Say("note.ep_left"))
	case kinds.IllegalPromoTwo:
		add(words.Say("note.promo_two"))
	}
	if s.first != nil {
		add(words.Say("note.later_counts"))
	}
	for _, m := range s.later() {
		add(words.Say("note.goes_with", m.c.Side, string(m.c.Kind)))
	}
	add(s.overReading())
	add(s.manyPresses())
	add(s.nextPeriodRemark())
	if s.m.back {
		switch {
		case s.disputed():
			add(words.Say("note.pressed_back", s.opponent()))
		case s.p.Restart != "nothing":
			add(words.Say("note.back_accident", s.opponent()))
		}
	}
	if n := s.p.BonusByLetterS; n > 0 && n != s.r.Bonus[s.opponent()] && s.r.Result == "" {
		add(words.Say("note.by_letter", clockTime(n)))
	}
	if s.treatment() == treatUnit {
		add(words.Say("note.draft"))
	}
	if s.lookFirst() {
		s.r.Advice = LookFirst
		add(words.Say("note.look"))
	}
	if s.p.Book == bookUS {
		add(words.Say("note.time_used"))
	}
	add(s.p.remark())
	add(s.chosen())
	if c.Proof != Reported {
		add(asSentence(c.Note))
	}
	return beside(list...)
}

// overReading returns the other reading of a move with two hands that ends the game (laws notes, section 6 no 3).
func (s *sheet) overReading() words.Sentence {
	after, ok := s.after()
	if s.m.c.Kind != kinds.IllegalTwoHands || !ok || !s.d.over(&after) {
		return words.Sentence{}
	}
	result := drawn
	if after.Outcome() == legal.Checkmate {
		result = wins(s.m.c.Side)
	}
	return words.Say("note.was_over", result)
}

// manyPresses informs the arbiter that more than one increment is to be taken back (7.1).
func (s *sheet) manyPresses() words.Sentence {
	white, black := s.r.TakeBack[legal.White], s.r.TakeBack[legal.Black]
	if s.m.counted[legal.White]+s.m.counted[legal.Black] < 3 || white+black == 0 || s.r.Result != "" {
		return words.Sentence{}
	}
	return words.Say("note.presses", clockTime(white), clockTime(black))
}

// nextPeriodRemark names the player whose next period was begun by a press that is taken back.
func (s *sheet) nextPeriodRemark() words.Sentence {
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		if s.nextPeriod(side) > 0 && s.r.TakeBack[side] > 0 {
			return words.Say("note.next_period", side)
		}
	}
	return words.Sentence{}
}

// chosen says that the rule set was chosen by the clock and not by a person.
func (s *sheet) chosen() words.Sentence {
	if !s.d.guess {
		return words.Sentence{}
	}
	if s.d.class == Rapid || s.d.class == Blitz {
		return words.Say("note.chosen_fast", s.p.title())
	}
	return words.Say("note.chosen", s.p.title())
}

// title and remark are those of the rule set, translated if they are the texts that come with the program.
func (p *Profile) title() words.Sentence { return p.own("title.", p.Title) }

func (p *Profile) remark() words.Sentence { return p.own("profile.", p.Note) }

// own returns the sentence with the rule set's key if its English is the given text; a person may have changed the text
// in the profile.
func (p *Profile) own(prefix, text string) words.Sentence {
	if s := words.Say(prefix + strings.ReplaceAll(p.Name, "-", "_")); s.String() == text {
		return s
	}
	return words.Verbatim(text)
}

// lostText returns the ruling on the losing strike.
func (s *sheet) lostText(why words.Sentence) words.Sentence {
	winner := s.opponent()
	what := words.Say("lost.other", winner, why)
	switch s.r.Result {
	case drawn:
		what = words.Say("lost.draw", why)
	case "":
		found := words.Say("found.no")
		if m := s.r.Mate; m != nil && !m.spent.IsZero() {
			found = m.spent
		}
		what = words.Say("lost.unknown", winner, found)
	case wins(winner):
		what = s.lostBy(winner)
	}
	return beside(words.Say("strike.says", s.strikeHead(), what), s.remarks())
}

// lostBy states that a strike loses, and on which condition.
func (s *sheet) lostBy(winner legal.Side) words.Sentence {
	switch {
	case s.p.MatingTest == "helpmate":
		text := words.Say("lost.series", winner)
		if m := s.r.Mate; m != nil && !m.example.IsZero() {
			text = words.Say("lost.example", text, m.example)
		}
		return text
	case s.p.Arbiter == "never" && !s.m.claimed:
		return words.Say("lost.if_claimed", winner)
	case s.p.Arbiter == "never":
		return words.Say("lost.claimed", winner)
	}
	return words.Say("lost.lost")
}

// touchText states the consequence if a claim of touch-move is right.
func (s *sheet) touchText() words.Sentence {
	switch s.m.c.Kind {
	case kinds.RookFirst:
		return words.Say("touch.rook")
	case kinds.ReleasedMoved:
		return words.Say("touch.released")
	case kinds.PromoChanged:
		return words.Say("touch.promoted")
	}
	if theirs, own := touchedFirst(&s.m.c); theirs && !own {
		return words.Say("touch.theirs")
	}
	return words.Say("touch.own")
}
