package detector

import "boardwatchd/rules/legal"

// resync is the state after a gap: the next dump is the truth about the squares, the next clock reading about the
// turn. Both are awaited, the dump for as long as it takes, the clock for ResyncUS.
type resync struct {
	on, dumped, clocked bool
	lost                bool // reports may have been lost since the last commit
	at                  int64
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
		if one || inProgress(&base.place, &live, pos.Turn()) {
			return
		}
	}
	if t.commitUnseen(&pos, turn) {
		return
	}
	if k := t.g.earlier(&live, turn); k > 0 && !t.c.running() {
		t.takeBack(k)
		return
	}
	if m, at, ok := onePlyThenReplyBegun(&pos, &t.b); ok && turn != pos.Turn() {
		t.commit(m, ByPress, at)
		return
	}
	// Not explained. The board as it stands becomes a second line that the next press may go on from.
	if turn != legal.NoSide {
		t.alt.on = true
		t.alt.presses = max(t.alt.presses, 1)
		t.alt.live = live
		t.alt.pos, t.alt.valid = t.positionFrom(live, turn)
	}
	t.mismatchAt = t.now.At + t.p.MismatchUS
}

// commitUnseen looks for rows of plies that lead to the board and fit the lever: those that were completed first,
// then rows whose last ply is not pressed yet.
func (t *Tracker) commitUnseen(pos *legal.Position, turn legal.Side) bool {
	for d := 1; d <= maxLost; d++ {
		mover := pos.Turn() // who made the last of d plies
		if d%2 == 0 {
			mover = mover.Other()
		}
		open := turn == mover || turn == legal.NoSide // the last ply's press is not known
		if open && d == 1 {
			continue
		}
		row, _, ok := t.bestRow(pos, d)
		if !ok {
			continue
		}
		if open {
			row = row[:d-1]
			t.commitRow(row, ByReply)
			t.b.folded = true
			return true
		}
		t.commitRow(row, ByPress)
		return true
	}
	return false
}

// commitByReply commits a move once the opponent's reply to it is complete, where no clock is there to press.
func (t *Tracker) commitByReply() {
	pos := t.g.pos()
	if m, _, ok := t.bestPair(&pos); ok {
		before := t.g.last().place
		mid := landing(before, m)
		t.commit(m, ByReply, t.b.seen(&mid))
	}
}

// catchUp commits, without a clock, what was played faster than the board could show: all but the last ply.
func (t *Tracker) catchUp() {
	pos := t.g.pos()
	for d := 3; d <= 4; d++ {
		if row, _, ok := t.bestRow(&pos, d); ok {
			t.commitRow(row[:d-1], ByReply)
			return
		}
	}
}
