package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file tells the next game from a game that is played again. In a stop of the clock the start position may stand
// for both: an arbiter sets it up to play a game again, for a claim or to reconstruct it. It is the next game when it
// has stood for a while, or when the clock is set or started.

// lookForNextGame opens the next game where the clock is set or started while the pieces stand ready for it.
func (t *Tracker) lookForNextGame() {
	if t.longEnough() && !t.boardUnknown() && t.arrayStands() {
		t.lookForStart()
	}
}

// arrayStands reports whether the array from which the game began is on the board, either way round, and no ply or two
// have led there.
func (t *Tracker) arrayStands() bool {
	n, _, ok := t.arrayShown()
	return ok && n == t.g.start && !withinTwoPlies(&t.g.last().pos, &t.b.Live)
}

// nextGameBegun opens the next game where the clock is started when its first move, or two, have been made on the
// array.
func (t *Tracker) nextGameBegun() {
	base := t.g.last()
	if !t.longEnough() || t.g.start < 0 || t.boardUnknown() || base.place == t.b.Live || withinTwoPlies(&base.pos, &t.b.Live) {
		return
	}
	setup := legal.StartSetup(t.g.start)
	pos, err := setup.Position()
	r := play.Rotated(t.b.Live)
	switch {
	case err != nil:
	case withinTwoPlies(&pos, &t.b.Live):
		t.openGame(t.g.start, false)
	case withinTwoPlies(&pos, &r):
		t.openGame(t.g.start, true)
	}
}

// mayBeReplayed reports whether the game may be played again from the start position that stands there, as an arbiter
// does for a claim or to reconstruct it: the clock was stopped, and its times have not been set since.
func (t *Tracker) mayBeReplayed() bool {
	return t.longEnough() && !t.g.timesSet && !t.c.Absent() && !t.c.Running() && !t.b.FromDump() && !t.sync.active
}

// longEnough reports whether the game in progress has a clock and as many plies as an arbiter may replay at a board.
func (t *Tracker) longEnough() bool {
	return t.phase == playing && t.g.started && t.g.last().ply >= leastReplayed
}

// leastReplayed is the least number of plies of a game that an arbiter plays again.
const leastReplayed = 6
