package rules

import (
	"slices"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about fallen flags. By the Laws a flag falls when the arbiter notices it or a player claims it (FIDE
// Laws 6.8). An event that ends the game before that moment counts, even if the clock had shown the flag already.

// flag rules on a fallen flag by the mate test of the rule set (6.9).
func (s *sheet) flag() {
	s.stand()
	s.r.RunClock = legal.NoSide
	both := s.m.c.Kind == kinds.BothFlags || s.m.c.Side == legal.NoSide
	later := s.d.endedLater(s.m)
	switch {
	case s.flagOfNoGame(later):
		return
	case s.p.FlagCall == "players" && !s.m.claimed:
		s.propose(NoAlert, kindFact, words.Say("flag.players"))
		return
	case !both && s.d.bothFlags() != nil:
		s.propose(Log, kindFact, words.Say("flag.both"))
		return
	case s.m.c.Proof < Certain && !both:
		s.propose(s.usual(), kindFact, words.Say("flag.sides"))
		return
	case s.flagAfterDecision():
		return
	case both:
		s.propose(s.usual(), kindFact, words.Sentence{})
		s.bothDown()
	default:
		s.propose(s.usual(), kindFact, words.Sentence{})
		s.timeUp()
	}
	if s.p.FlagCall == "players" {
		s.e.Alert = OnClaim
	}
	if later != nil {
		s.flagThenEnd(later)
	} else if !both {
		s.flagAndOffence()
	}
}

// flagOfNoGame handles a flag that was shown when the game was over, or seems to have been. Later ended the game after
// it, or is nil.
func (s *sheet) flagOfNoGame(later *matter) bool {
	switch {
	case s.d.endedBefore(s.m):
		s.propose(Log, kindNone, words.Say("flag.over_before"))
	case s.p.FlagCall == "players" && later != nil && !(s.m.claimed && s.m.claimedAt < later.order):
		s.propose(Log, kindNone, words.Say("flag.over_unclaimed"))
	case s.m.c.Cleared && !s.m.claimed:
		s.propose(Log, kindFact, words.Say("flag.cleared"))
	default:
		return false
	}
	return true
}

// ends reports whether a matter ended the game by itself: mate, stalemate, a dead position, a draw declared by the
// Laws, and the queen that 7.5.2 puts in place of a pawn, if it mates or stalemates.
func (d *Docket) ends(m *matter) bool {
	if !m.live() || m.decision == doReject || m.decision == doSensor {
		return false
	}
	switch {
	case m.c.Kind == kinds.Fivefold && d.p.Fivefold != "draw", m.c.Kind == kinds.Move75 && d.p.Move75 != "draw", m.c.Kind == kinds.ResultSignal, m.c.Kind == kinds.ResultContradicted:
	case familyOf(&m.c) == kinds.End:
		return !d.wentOn(m) && d.goneIfPutRight(m) == nil
	case m.c.Kind == kinds.IllegalPromoIncomplete && m.open() && d.p.Promotion == "queen" && m.c.Stands:
		o := m.c.After.Outcome()
		return o == legal.Checkmate || o == legal.Stalemate
	}
	return false
}

// wentOn reports whether the move that had ended the game was taken back and the game has gone on since. A piece that
// the players put back while they look at their finished game does not count.
func (d *Docket) wentOn(end *matter) bool { return end.restored && d.ply >= end.c.Ply }

// endedBefore reports whether the game was over before a flag was shown, by itself or by a decision: then the flag is
// moot (6.8, 6.9).
func (d *Docket) endedBefore(flag *matter) bool {
	for _, m := range d.matters {
		if m.order < flag.order && d.ends(m) || m.decidedAt < flag.order && m.endsByDecision() {
			return true
		}
	}
	return false
}

// endsByDecision reports whether the arbiter has confirmed a ruling that ends the game.
func (m *matter) endsByDecision() bool {
	if m.decision != doConfirm || m.kept == nil || !m.live() {
		return false
	}
	r := m.kept.Ruling
	return r.Result != "" || r.Kind == kindIllegal && r.Limit > 0 && m.c.Side != legal.NoSide && r.Strikes[m.c.Side] >= r.Limit
}

// endedLater returns the first matter that ended the game on the board after a flag was shown, or nil. A queen put in
// place of a pawn by 7.5.2 does not count, because the pawn was not exchanged in time.
func (d *Docket) endedLater(flag *matter) *matter {
	for _, m := range d.matters {
		if m.order > flag.order && familyOf(&m.c) == kinds.End && d.ends(m) {
			return m
		}
	}
	return nil
}

// flagBefore returns the flag that was shown before the game ended on the board and that decides the result if it was
// noticed then; or nil.
func (d *Docket) flagBefore(end *matter) *matter {
	if familyOf(&end.c) != kinds.End || !d.ends(end) {
		return nil
	}
	return d.latest(func(m *matter) bool {
		if familyOf(&m.c) != kinds.Flag || m.order > end.order || !m.live() || m.decision == doReject || m.decision == doSensor || d.endedBefore(m) {
			return false
		}
		return d.p.FlagCall != "players" || m.claimed && m.claimedAt < end.order
	})
}

// endWords returns the words for the end of the game, and its result.
func endWords(c *Case) (what words.Sentence, result string) {
	switch c.Kind {
	case kinds.Checkmate:
		side := c.Side
		if side == legal.NoSide && c.Stands && c.After != (legal.Position{}) {
			side = c.After.Turn().Other()
		}
		return words.Say("ending.mate"), wins(side)
	case kinds.Stalemate:
		return words.Say("ending.stalemate"), drawn
	case kinds.Dead:
		return words.Say("ending.dead"), drawn
	}
	return words.Say("ending.other"), drawn
}

// flagThenEnd adds the other reading of a flag that was shown before the game ended on the board.
func (s *sheet) flagThenEnd(end *matter) {
	what, result := endWords(&end.c)
	text := words.Say("flag.then_end", what, result)
	if n := end.c.When - s.m.c.When; end.c.When > 0 && s.m.c.When > 0 && n >= 1_000_000 {
		text = words.Say("flag.then_end_after", what, result, n/1_000_000)
	}
	s.r.also(text)
	s.cite(slices.Concat(s.own(), ownArticles(&end.c))...)
}

// flagAndOffence rules on a flag while an illegal move of the opponent is open: the first that is dealt with decides.
func (s *sheet) flagAndOffence() {
	open := s.d.openAgainst(s.m)
	if open == nil {
		return
	}
	fallen, offender := s.m.c.Side, open.c.Side
	r := s.d.consequence(open)
	dealt := words.Say("flag.open_time", fallen, clockTime(r.unit))
	switch {
	case r.losing:
		dealt = words.Say("flag.open_lost", offender)
	case r.goesBack:
		dealt = words.Say("flag.open_back", fallen, clockTime(r.unit))
	}
	time := words.Say("flag.first")
	if s.r.Result != "" {
		time = words.Say("flag.first_result", s.r.Result)
	}
	if s.e.Alert == Now && open.decision == "" && open.c.Ply >= s.m.c.Ply-2 {
		s.e.Alert = Advise // one incident, one alert: that of the illegal move, which has just been raised
	}
	s.r.Kind, s.r.Result, s.r.Text = kindDecides, "", beside(words.Say("flag.open", fallen, offender, string(open.c.Kind)), dealt, time, s.remark)
	s.cite(slices.Concat(s.own(), s.dealtWith())...)
}

// decidedBefore returns the opponent's offence on which the arbiter had decided when a flag was shown, if the decision
// had not been carried out yet; or nil. The time that ran out is then not the time with which the game goes on.
func (d *Docket) decidedBefore(flag *matter) *matter {
	fallen := flag.c.Side
	if fallen == legal.NoSide {
		return nil
	}
	return d.latest(func(m *matter) bool {
		if m.kept == nil || !m.live() || m.decision != doConfirm && m.decision != doAccident || m.c.Side != fallen.Other() {
			return false
		}
		if !dealtWithBefore(m, flag) || m.startedAt > 0 && flag.order > m.startedAt {
			return false
		}
		r := m.kept.Ruling
		return r.Kind != kindFact && r.Kind != kindNone && (r.RunClock == fallen.Other() || r.Bonus[fallen] > 0 || m.endsByDecision())
	})
}

// dealtWithBefore reports whether the arbiter decided about an offence before the flag was shown, or before he decided
// about the flag. The first that he deals with holds (6.8); a flag shown meanwhile had not fallen by the Laws.
func dealtWithBefore(m, flag *matter) bool {
	return m.decidedAt < flag.order || m.order < flag.order && (flag.decision != doConfirm || m.decidedAt < flag.decidedAt)
}

// flagAfterDecision rules on a flag that fell after a decision and before it was carried out: the earlier decision
// holds, and the player has not lost on time (6.8, 7.5.5). It returns false if there is no such decision.
func (s *sheet) flagAfterDecision() bool {
	ruled := s.d.decidedBefore(s.m)
	if ruled == nil {
		return false
	}
	fallen, r := s.m.c.Side, ruled.kept.Ruling
	text := words.Say("flag.ruled", fallen, ruled.c.Side, string(ruled.c.Kind))
	if ruled.decidedAt >= s.m.order {
		text = words.Say("flag.dealt_first", fallen, ruled.c.Side, string(ruled.c.Kind))
	}
	s.propose(Advise, kindDecides, text)
	back, bonus := r.Position == restore && !ruled.replaced, r.Bonus[fallen]
	switch {
	case ruled.endsByDecision():
		s.e.Alert = Log
		s.r.also(words.Say("flag.ruled_lost", ruled.c.Side))
	case ruled.startedAt == 0 && s.m.plyAt > ruled.decidedPly:
		s.e.Alert = s.usual()
		s.r.also(words.Say("flag.ruled_went_on"))
	case back && bonus > 0:
		s.r.also(words.Say("flag.ruled_back", fallen, clockTime(bonus)))
	case bonus > 0:
		s.r.also(words.Say("flag.ruled_time", fallen, clockTime(bonus)))
	default:
		s.r.also(words.Say("flag.ruled_position"))
	}
	if ruled.startedAt > 0 {
		s.e.Alert = Log // it has been carried out
	}
	s.cite(slices.Concat(s.own(), s.dealtWith())...)
	return true
}

// dealtWith returns the articles about an illegal move that is found in time.
func (s *sheet) dealtWith() []string {
	if s.p.us() {
		return []string{"US 11A", "US 11D"}
	}
	return []string{"7.5.1", "7.5.5"}
}

// outcome is the consequence of an open offence.
type outcome struct {
	losing, goesBack bool
	unit             int
}

func (d *Docket) consequence(m *matter) outcome {
	s := &sheet{d: d, p: d.p, m: m}
	return outcome{losing: s.losing(), goesBack: d.goesBack(m), unit: s.unit()}
}

// openAgainst returns the latest undecided completed illegal move of the other side that can still be dealt with, or
// nil.
func (d *Docket) openAgainst(flag *matter) *matter {
	return d.latest(func(m *matter) bool {
		return m.c.Side == flag.c.Side.Other() && d.canDealWith(m)
	})
}

// bothFlags returns the finding that both flags are down, or nil.
func (d *Docket) bothFlags() *matter {
	return d.latest(func(m *matter) bool {
		return m.c.Kind == kinds.BothFlags && m.live() && m.decision != doReject && m.decision != doSensor
	})
}

// flagOrderUS is the least difference between the times of two flags at which their order is certain: a clock sends its
// times once a second.
const flagOrderUS = 1_000_000

// bothDown rules on two flags. The side whose flag certainly fell first has lost on time (Arbiters' Manual 2025 p. 22,
// 41).
func (s *sheet) bothDown() {
	first, gap := legal.NoSide, int64(0)
	white, black := s.d.flagOf(legal.White), s.d.flagOf(legal.Black)
	if white != nil && black != nil && white.c.When > 0 && black.c.When > 0 {
		first, gap = legal.White, black.c.When-white.c.When
		if gap < 0 {
			first, gap = legal.Black, -gap
		}
	}
	if first == legal.NoSide || gap <= flagOrderUS {
		s.r.Text = words.Say("flag.both_unknown")
		return
	}
	s.r.Text = words.Say("flag.both_first", first, gap/1_000_000)
	var said words.Sentence
	s.r.Result, said = s.onTime(first)
	s.r.also(said)
}

// flagOf returns the finding about one side's flag, or nil.
func (d *Docket) flagOf(side legal.Side) *matter {
	return d.latest(func(m *matter) bool { return m.c.Kind == kinds.FlagFallen && m.c.Side == side && m.live() })
}

func (s *sheet) timeUp() {
	s.r.Result, s.r.Text = s.onTime(s.m.c.Side)
	if s.p.FlagCall != "players" {
		s.r.also(words.Say("flag.look"))
	}
}

// onTime returns the result of a side's flag, and the sentence about it.
func (s *sheet) onTime(side legal.Side) (result string, said words.Sentence) {
	pos, ok := s.flagPosition()
	winner := side.Other()
	verdict := helpmate.Unknown
	if ok {
		verdict = s.canWin(&pos, winner)
	}
	result, text := s.timeWords(side, verdict)
	return result, beside(text, s.remark)
}

// timeWords returns the result of a side's flag by the answer about mate, and the sentence about it.
func (s *sheet) timeWords(side legal.Side, verdict helpmate.Verdict) (result string, text words.Sentence) {
	winner := side.Other()
	switch m := s.r.Mate; {
	case verdict == helpmate.Possible && m != nil && !m.example.IsZero():
		return wins(winner), words.Say("flag.loses_line", side, winner, m.example)
	case verdict == helpmate.Possible && m != nil:
		return wins(winner), words.Say("flag.loses", side, winner)
	case verdict == helpmate.Possible:
		return wins(winner), words.Say("flag.loses_material", side, winner)
	case verdict == helpmate.Never && s.dead:
		return drawn, words.Say("flag.dead", side)
	case verdict == helpmate.Never && m != nil:
		return drawn, words.Say("flag.never", side, winner, m.because)
	case verdict == helpmate.Never:
		return drawn, words.Say("flag.no_material", side, winner)
	case m != nil:
		return "", beside(words.Say("flag.down", side), m.Text)
	}
	return "", words.Say("flag.unknown", side, winner)
}
