package detector

// This file finds holes in what was recorded that have no mark: a recording has none where its cable was out.

// foundHole notes a hole without a mark: the clock reports every second, and while it was silent, nothing was recorded.
// In a recording plies may have been made and pressed in it, and the board is not read again at once, so that nobody is
// accused until moves have been pressed in order again.
func (t *Tracker) foundHole() {
	t.trust.bytesDamaged = true
	if !t.p.Passive || t.phase != playing {
		return
	}
	t.noteCut()
	t.noteGuessedPlies()
	if t.b.GapFromChange == 0 && t.b.Verified <= t.c.ReadAt {
		t.b.GapFromChange = 1 + t.b.ChangesUntil(t.c.ReadAt)
	}
}

// holeOpen reports whether nothing was recorded for a while, without a mark, and no dump has been seen since.
func (t *Tracker) holeOpen() bool {
	return t.c.Silent(t.now) || t.b.GapFromChange > 0 && !t.sync.active
}

// dumpShowsGap reports whether a dump that found n unreported squares shows that plies were missed.
func (t *Tracker) dumpShowsGap(n int, hole bool) bool { return n >= manySquares || n > 0 && hole }

// gapUnreported begins a gap that has no mark, where a dump has found that many squares: this is not one lost report,
// but a line that was silent for a while (a recording has no mark where its cable was out). A press that waits shows
// that the line worked, unless the clock has shown the hole; so does a press that this dump has just explained.
func (t *Tracker) gapUnreported(hole bool) bool {
	if t.phase != playing || t.sync.active || t.pend.on && !hole || t.followsBoard() {
		return false
	}
	t.sync.reportsLost, t.sync.lostAt = true, t.now.At
	t.noteCut()
	t.countAnew()
	t.sync.active, t.sync.clocked, t.sync.at = true, true, t.now.At+t.p.ResyncUS
	return true
}

// manySquares is the number of unreported squares in one dump that shows that plies were missed: a capture changes two.
const manySquares = 3

// countWaiting counts the waiting presses among those of the gap, in a recording whose hole only the dump has shown.
// Its result makes them wait on, where nothing was decided.
func (t *Tracker) countWaiting() (undo func()) {
	pend, line, plies := t.pend, t.line, len(t.g.nodes)
	if !pend.on {
		return func() {}
	}
	t.sync.presses += 1 + len(line)
	t.pend, t.line = pending{}, nil
	return func() {
		if len(t.g.nodes) == plies && t.phase == playing {
			t.sync.presses -= 1 + len(line)
			t.pend, t.line = pend, line
		}
	}
}
