package detector

// This file finds holes in what was heard of which nobody has told: a recording has no mark where its cable was out.

// foundHole takes a hole in what was heard, of which nobody has told: the clock counts every second, and while it was
// not heard, nothing was. In a recording plies may have been made and pressed in it, and nobody asks the board at once:
// nobody is accused until moves have been pressed in order again.
func (t *Tracker) foundHole() {
	t.trust.noisy = true
	if !t.p.Passive || t.phase != playing {
		return
	}
	t.cutAt()
	t.guess()
	if t.b.Unheard == 0 && t.b.Verified <= t.c.Heard {
		t.b.Unheard = 1 + t.b.ChangesUntil(t.c.Heard)
	}
}

// holeOpen says that nothing was heard for a while, of which nobody has told, and that no dump has been seen since.
func (t *Tracker) holeOpen() bool { return t.c.Silent(t.now) || t.b.Unheard > 0 && !t.sync.on }

// dumpShowsGap says that a dump which found n squares unreported shows that plies were missed.
func (t *Tracker) dumpShowsGap(n int, hole bool) bool { return n >= manySquares || n > 0 && hole }

// gapUnreported begins a gap that nothing has marked, where a dump has found that many squares: not one report is lost,
// but the line was silent for a while (a recording has no mark where its cable was out). A press that waits knows better,
// unless the clock has told of the hole; one that has just been explained by this dump does so anyway.
func (t *Tracker) gapUnreported(hole bool) bool {
	if t.phase != playing || t.sync.on || t.pend.on && !hole || t.followsBoard() {
		return false
	}
	t.sync.lost, t.sync.lostAt = true, t.now.At
	t.cutAt()
	t.countAnew()
	t.sync.on, t.sync.clocked, t.sync.at = true, true, t.now.At+t.p.ResyncUS
	return true
}

// manySquares is how many unreported squares in one dump mean that plies were missed: a capture changes two.
const manySquares = 3

// countWaiting counts the presses that wait, in a recording whose hole only the dump has shown, among those of the gap.
// Where nothing is decided they wait on.
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
