package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file infers from the presses which side of the clock is White's. A press follows its ply at once, however long
// the thought before it: with the sides exchanged, each press seems to complete the ply before, and to be late by the
// opponent's thinking time. So the two readings of a press are compared by how much later it would be than a report can
// be.

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

// sidesAfterPause allows for the clock having been turned round while it was stopped. If the time of the player who
// does not have the move is started, either that was done or the lever will be corrected.
func (t *Tracker) sidesAfterPause(turn legal.Side) {
	base := t.g.last()
	t.c.ExchangeGainUS = max(t.c.ExchangeGainUS, 0)
	if base.place == t.b.Live && turn == base.pos.Turn().Other() {
		t.c.ExchangeGainUS = max(t.c.ExchangeGainUS, turnedUS)
	}
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
