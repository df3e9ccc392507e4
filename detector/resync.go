package detector

import "boardwatchd/rules/legal"

// resync is the state after a gap: the next dump is the truth about the squares, the next clock reading about the
// turn. Both are awaited, the dump for as long as it takes, the clock for ResyncUS.
type resync struct {
	on, dumped, clocked bool
	lost                bool // reports may have been lost since the last commit
	lostAt              int64
	at                  int64
	looked              bool            // a dump that nothing simple explains has been seen: live then read
	live                legal.Placement // … this
}

// lose says that reports may have been lost up to now.
func (t *Tracker) lose() {
	t.sync.lost, t.sync.lostAt = true, t.now.At
	t.wantDump = true
}

// tryResync decides once both are there.
func (t *Tracker) tryResync() {
	if !t.sync.on || !t.sync.dumped {
		return
	}
	if t.sync.clocked {
		t.resolveResync()
		return
	}
	if t.sync.at == 0 {
		t.sync.at = t.now.At + t.p.ResyncUS
	}
}

// resolveResync finds the plies that were played unseen.
func (t *Tracker) resolveResync() {
	t.sync.on, t.sync.at = false, 0
	if t.phase != playing {
		return
	}
	base := t.g.last()
	pos, live := base.pos, t.b.live
	turn := t.c.turn()
	if base.place == live {
		t.sync.lost = false
		return
	}
	if turn == pos.Turn() || turn == legal.NoSide {
		// Nothing was pressed, or two plies were. A turn half done needs no repair.
		_, one := onePly(&pos, &live)
		if one || inProgressScan(&base.place, &live, pos.Turn()) {
			return
		}
	}
	// A position that stood before came by a take-back where the clock stands still or the number of plies is odd: legal
	// moves would need three or more to come there.
	if k := t.g.earlier(&live, turn); k > 0 && (!t.c.running() || k%2 == 1) {
		t.takeBack(k)
		return
	}
	if t.commitUnseen(&pos, turn) {
		return
	}
	// Not explained. The board as it stands becomes a second line that the next press may go on from.
	if turn != legal.NoSide {
		t.alt.on = true
		t.alt.presses = max(t.alt.presses, 1)
		t.alt.live = live
		t.alt.pos, t.alt.valid = t.positionFrom(live, turn)
	}
	t.unsure = true
	t.mismatchAt = t.now.At + t.p.MismatchUS
}

// stoodStill says whether the board has been like this for a while, or for two dumps. Otherwise it asks for another one:
// the first may have been taken while pieces were in the air, and there is nearly always some row of moves that explains
// that.
func (t *Tracker) stoodStill() bool {
	if t.now.At-t.b.lastAt >= stoodUS || t.sync.looked && t.sync.live == t.b.live {
		t.sync.looked = false
		return true
	}
	t.sync.looked, t.sync.live = true, t.b.live
	t.sync.on, t.sync.dumped = true, false
	t.wantDump = true
	return false
}

// commitUnseen looks for rows of plies that lead to the board and fit the lever, the shortest first: those that were
// completed, then those after which the next turn has begun, then rows whose last ply is not pressed yet. Where the
// next turn has begun in more than one way nothing longer is looked for: a longer row would be an invention that lets
// the piece in the hand be captured.
func (t *Tracker) commitUnseen(pos *legal.Position, turn legal.Side) bool {
	for d := 1; d <= maxLost; d++ {
		mover := pos.Turn() // who made the last of d plies
		if d%2 == 0 {
			mover = mover.Other()
		}
		open := turn == mover || turn == legal.NoSide // the last ply's press is not known
		if !open || d > 1 {
			if r, ok := t.bestRow(pos, d); ok {
				if d > 1 && !t.stoodStill() {
					return true
				}
				t.doubt(r.tied)
				t.commitUnseenRow(r.moves, open)
				t.unsure = t.phase == playing && d > 1 // a longer row may lead here as well, and end with the other side's move
				return true
			}
		}
		if open && turn != legal.NoSide {
			continue
		}
		switch row, n := pliesThenBegun(pos, &t.b.live, d); {
		case n == 1 && !open:
			t.commitRow(row, ByPress)
			t.b.folded = true
			return true
		case n > 0:
			return false
		}
	}
	return false
}

// commitUnseenRow commits a row; the last ply stays open where its press is not known.
func (t *Tracker) commitUnseenRow(row []legal.Move, open bool) {
	if !open {
		t.commitRow(row, ByPress)
		return
	}
	t.commitRow(row[:len(row)-1], ByReply)
	t.b.folded = true
}

// commitByReply commits a move once the opponent's reply to it is complete, where no clock is there to press. A pair of
// moves of which a square was never reported waits until the board is quiet: a captured piece that was lifted first can
// look like another pair.
func (t *Tracker) commitByReply(quiet bool) {
	pos := t.g.pos()
	m, _, doubt, ok := t.bestPair(&pos)
	if !ok {
		return
	}
	before := t.g.last().place
	mid := landing(before, m)
	if !quiet && !t.b.folded && !(t.b.reported(&before, &mid) && t.b.reported(&mid, &t.b.live)) {
		return
	}
	if !quiet && t.maybeGhost(&pos) {
		return
	}
	t.doubt(doubt)
	t.commit(m, ByReply, t.b.seen(&mid))
}

// catchUp commits, without a clock, what was played faster than the board could show: all but the last ply.
func (t *Tracker) catchUp() {
	pos := t.g.pos()
	for d := 3; d <= 4; d++ {
		if r, ok := t.bestRow(&pos, d); ok && r.whole {
			t.doubt(r.tied)
			t.commitRow(r.moves[:d-1], ByReply)
			return
		}
	}
}
