package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file infers from the presses which side of the clock is White's. The first presses of a game teach it; later
// ones are weighed. A press follows its ply at once, however long the thought before it: with the sides exchanged, each
// press seems to complete the ply before, and to be late by the opponent's thinking time. So the two readings of a
// press are compared by how much later it would be than a report can be.

// learnSides finds White's side of the clock at the first presses of a game, or of a clock that was plugged in later. A
// press after one legal move is its player's; a press at the start, before any move, starts the opponent's clock.
func (t *Tracker) learnSides(side evidence.ClockSide, at int64) {
	base := t.g.last()
	if base.place == t.b.Live {
		t.learnUnmoved(side, at)
		return
	}
	white := side
	if base.pos.Turn() == legal.Black {
		white = side.Other()
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		if white == t.c.White || !t.sidesTried() {
			t.c.Settle(white)
		}
		return
	}
	if _, _, ok := t.moveFrom(&base.place, legal.Black, &t.b.Live); ok && t.atStart() {
		t.c.Assume(side.Other()) // Black has moved first, and pressed
		return
	}
	if t.c.White == evidence.NoClockSide {
		if play.CanBePlies(&base.pos, &t.b.Live, 2, 0) {
			white = white.Other() // both moves are complete: the press is that of the second
		}
		t.c.Assume(white)
	}
}

// learnUnmoved does so where no piece has moved.
func (t *Tracker) learnUnmoved(side evidence.ClockSide, at int64) {
	pos := t.g.pos()
	switch {
	// The press of the first move, whose reports may still come.
	case t.atStart() && t.reportsMayCome(at) && t.clockStartedAt > 0 && at > t.clockStartedAt:
	case t.atStart():
		t.c.Assume(side.Other())
	case t.c.Player(side) == pos.Turn() && !t.sidesTried() && t.c.ExchangeGainUS > -mostLateUS:
		t.c.Assume(t.c.White.Other()) // the sides were only assumed, and a player who presses has just moved
	}
}

// lookAtSides learns from a press which side of the clock is White's, until that is settled.
func (t *Tracker) lookAtSides(side evidence.ClockSide, at int64) {
	if t.startedLate(side, at) {
		t.c.SidesSettled = false
	}
	if !t.c.SidesSettled && !t.sidesWait() {
		t.learnSides(side, at)
	}
}

// startedLate reports whether the press before this one may have been Black's, which started White's clock and was
// reported only after White's first move was on the board; then this press is White's. Nothing has moved since, and the
// other side went down as soon as a hand can follow, but later than a lever bounces.
func (t *Tracker) startedLate(side evidence.ClockSide, at int64) bool {
	base, after := t.g.last(), at-t.pressedAt
	return t.p.White == evidence.NoClockSide && base.ply == 1 && base.by == ByPress && base.place == t.b.Live && !t.reportsMayCome(at) &&
		t.c.Player(side) == base.pos.Turn() && after >= play.PushedUS && after < play.BounceUS
}

// sidesTried reports whether most of the last plies were completed by presses on the assumed sides: a press that does
// not fit is then weighed and changes nothing by itself.
func (t *Tracker) sidesTried() bool {
	pressed := 0
	for i := max(len(t.g.nodes)-2*enoughTried, 0); i < len(t.g.nodes); i++ {
		if t.g.nodes[i].by == ByPress {
			pressed++
		}
	}
	return t.c.White != evidence.NoClockSide && pressed >= enoughTried
}

// enoughTried is the number of such presses.
const enoughTried = 3

// sidesWait reports whether a press shows nothing about the sides of the clock: after a gap, or where one reading held
// two presses, it may complete another ply than the board shows.
func (t *Tracker) sidesWait() bool {
	return t.c.White != evidence.NoClockSide && (t.gapLately() || t.mergedAt > 0)
}

// late returns the part of a press's delay after a ply that counts as late.
func late(us int64) int64 { return min(max(us-inTimeUS, 0), mostLateUS) }

// weighSides weighs a press, by the times of the last ply of the player who pressed and of the opponent's.
func (t *Tracker) weighSides(at, own, other int64) {
	switch better := late(at-own) - late(at-other); {
	case own == 0 || other == 0:
	case t.p.White == evidence.NoClockSide:
		t.c.ExchangeGainUS = max(t.c.ExchangeGainUS+better, -keptUS)
	default:
		t.weighConfigured(better)
	}
}

// weighConfigured notes that the presses disagree with the side of the clock that is configured as White's: the clock
// stands the other way round. Nothing is exchanged, and whose flag falls is not certain, until as much has spoken for
// the configured side again.
func (t *Tracker) weighConfigured(better int64) {
	turned := t.c.Turned
	t.c.AgainstUS = min(max(t.c.AgainstUS+better, -keptUS), exchangedUS)
	switch {
	case !turned && t.c.AgainstUS >= exchangedUS:
		t.c.Turned = true
		t.note("clock_turned", words.Say("row.clock_turned"))
	case turned && t.c.AgainstUS <= 0:
		t.c.Turned = false
		t.note("clock_turned_back", words.Say("row.clock_turned_back"))
	}
}

// exchanged weighs a press that comes when the board shows the opponent's reply. It returns true where the sides of the
// clock were assumed the wrong way round, and exchanges them.
func (t *Tracker) exchanged(at, own, other int64) bool {
	enough := int64(assumedUS)
	if t.c.SidesSettled {
		enough = exchangedUS
	}
	if t.weighSides(at, own, other); t.p.White != evidence.NoClockSide || t.c.ExchangeGainUS < enough {
		return false
	}
	t.c.ExchangeGainUS, t.c.ConfirmingPresses, t.c.White = 0, 0, t.c.White.Other()
	return true
}

// withdrawOfOtherSide withdraws a press without a move that was judged while the sides of the clock were taken the
// wrong way round: it was the other player's.
func (t *Tracker) withdrawOfOtherSide() {
	if f := &t.lastNullPress; t.g.last().ply-f.Ply <= mostOtherWayRound {
		t.withdraw(f, words.Say("withdrawn.other_side"))
	}
}

// mostOtherWayRound is the largest number of plies after which exchanged sides of the clock are noticed.
const mostOtherWayRound = 10

// sidesAfterPause allows for the clock having been turned round while it was stopped. If the time of the player who
// does not have the move is started, either that was done or the lever will be corrected.
func (t *Tracker) sidesAfterPause(turn legal.Side) {
	base := t.g.last()
	t.c.ExchangeGainUS = max(t.c.ExchangeGainUS, 0)
	if base.place == t.b.Live && turn == base.pos.Turn().Other() {
		t.c.ExchangeGainUS = max(t.c.ExchangeGainUS, turnedUS)
	}
}

// turnedInStop exchanges the sides of a clock that was turned round while it stood. It reports whether it did so.
func (t *Tracker) turnedInStop() bool {
	if !t.c.TurnedRound() || t.p.White != evidence.NoClockSide {
		return false
	}
	t.c.White, t.c.AtStop = t.c.White.Other(), t.c.Last
	t.note("clock_turned_in_stop", words.Say("row.clock_turned_in_stop"))
	return true
}

// cameInTime weighs a press that completes a ply, to which the first n changes led. Where the board shows nothing more
// and the ply before was pressed as well, it counts the press: for the assumed sides if the board showed the ply when
// the press was reported, and against them if it did not.
func (t *Tracker) cameInTime(code string, at int64, n int) {
	changes, base := t.b.Changes, t.g.last()
	if len(changes) == 0 || n >= 0 && n != len(changes) {
		return
	}
	own := changes[len(changes)-1].Window.Hi
	t.weighSides(at, own, base.made)
	switch {
	case own > at:
		t.c.ConfirmingPresses = max(t.c.ConfirmingPresses-1, 0)
	case code == "ok" && (base.by == ByPress || t.atStart()):
		t.c.ConfirmingPresses++
	}
}

// sidesUncertain reports whether too few presses confirm the sides: with the sides exchanged, each press comes when the
// other player has moved.
func (t *Tracker) sidesUncertain() bool {
	return t.p.White == evidence.NoClockSide && t.c.ConfirmingPresses < enoughAgreed
}

// enoughAgreed is the number of presses that settle which side of the clock is White's.
const enoughAgreed = 2
