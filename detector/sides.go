package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Which side of the clock is White's, as the presses tell it. A press follows its ply at once, however long the ply was
// thought about: taken the wrong way round, each seems to complete the ply before, and to come late by the time that the
// opponent has thought. So the two readings of a press are weighed: by how much it would be later than a report can be.

// late is what counts of how late a press came after a ply.
func late(us int64) int64 { return min(max(us-inTimeUS, 0), mostLateUS) }

// weighSides weighs a press, by when the last ply of the player who pressed was made and the last one of his opponent.
func (t *Tracker) weighSides(at, own, other int64) {
	switch better := late(at-own) - late(at-other); {
	case own == 0 || other == 0:
	case t.p.White == evidence.NoClockSide:
		t.c.Lean = max(t.c.Lean+better, -keptUS)
	default:
		t.weighConfigured(better)
	}
}

// weighConfigured notes that the presses disagree with the side of the clock that is configured as White's: the clock
// stands the other way round. Nothing is exchanged, and whose flag falls is not certain, until as much has spoken for
// the configured side again.
func (t *Tracker) weighConfigured(better int64) {
	turned := t.c.Turned
	t.c.Against = min(max(t.c.Against+better, -keptUS), exchangedUS)
	switch {
	case !turned && t.c.Against >= exchangedUS:
		t.c.Turned = true
		t.note("clock_turned", words.Say("row.clock_turned"))
	case turned && t.c.Against <= 0:
		t.c.Turned = false
		t.note("clock_turned_back", words.Say("row.clock_turned_back"))
	}
}

// exchanged weighs a press that comes when the opponent's reply stands there, and says that the sides of the clock were
// taken the wrong way round: it exchanges them.
func (t *Tracker) exchanged(at, own, other int64) bool {
	enough := int64(assumedUS)
	if t.c.Fixed {
		enough = exchangedUS
	}
	if t.weighSides(at, own, other); t.p.White != evidence.NoClockSide || t.c.Lean < enough {
		return false
	}
	t.c.Lean, t.c.Agreed, t.c.White = 0, 0, t.c.White.Other()
	return true
}

// sidesAfterPause: while the clock stands it may be turned round. If the time of the player who does not have the move is
// started, either that was done or the lever will be put right.
func (t *Tracker) sidesAfterPause(turn legal.Side) {
	base := t.g.last()
	t.c.Lean = max(t.c.Lean, 0)
	if base.place == t.b.Live && turn == base.pos.Turn().Other() {
		t.c.Lean = max(t.c.Lean, turnedUS)
	}
}

// cameInTime weighs a press that completes a ply, to which the first n changes led, and counts it where nothing more
// stands there and the ply before was pressed as well: for the sides as they are taken if the ply stood there when the
// press was reported, and against them if it did not.
func (t *Tracker) cameInTime(code string, at int64, n int) {
	changes, base := t.b.Changes, t.g.last()
	if len(changes) == 0 || n >= 0 && n != len(changes) {
		return
	}
	own := changes[len(changes)-1].Window.Hi
	t.weighSides(at, own, base.made)
	switch {
	case own > at:
		t.c.Agreed = max(t.c.Agreed-1, 0)
	case code == "ok" && (base.by == ByPress || t.atStart()):
		t.c.Agreed++
	}
}

// sidesUncertain: on the wrong side of the clock each press comes when the other player has moved.
func (t *Tracker) sidesUncertain() bool {
	return t.p.White == evidence.NoClockSide && t.c.Agreed < enoughAgreed
}

// enoughAgreed is how many presses settle which side of the clock is White's.
const enoughAgreed = 2
