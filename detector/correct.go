package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// correct revises the move that was just committed, when the dump after its press shows that lost or damaged reports
// had made it look like another one. Nothing but dumps has been seen since, and the position before has exactly one
// legal move by the same player that leads to the board.
func (t *Tracker) correct() bool {
	n := len(t.g.nodes)
	if t.phase != playing || t.pend.on || n < 2 || t.pressedAt == 0 || t.now.At-t.pressedAt > correctUS {
		return false
	}
	for i := range t.b.Changes {
		if !t.b.Changes[i].FromDump {
			return false
		}
	}
	base, before := &t.g.nodes[n-1], &t.g.nodes[n-2]
	if base.ply != before.ply+1 {
		return false // the record was broken there
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		return false
	}
	m, ok := play.OnePly(&before.pos, &t.b.Live)
	if !ok {
		return false
	}
	t.note("move_corrected", words.Say("row.move_corrected"))
	t.takeBack(1)
	t.commit(m, ByPress, -1)
	return true
}

// putRightOtherwise takes back a move with a finding, where the pieces were corrected in the opponent's time so that
// the board shows another move. Once all is quiet, or the opponent begins to answer, that move was made.
func (t *Tracker) putRightOtherwise() bool {
	n, base := len(t.g.nodes), t.g.last()
	reads, _ := t.b.Uncounted()
	opponents := t.c.Running() && t.c.Turn() == base.pos.Turn() && !t.paused()
	if n < 2 || !opponents || t.fault.ply != base.ply || base.wrong.on || base.assumedPromotion.move != 0 {
		return false
	}
	m, ok := play.OnePly(&t.g.nodes[n-2].pos, &reads)
	if ok = ok && reads != base.place; ok {
		t.b.ReadOnly()
		t.takeBack(1)
		t.commit(m, ByPress, -1)
	}
	return ok
}

// mayBeReplyBegun reports whether the board may show the opponent's reply begun. The piece that has just moved was on
// another square, finished and capturable, has been taken off, and is read beside that square now, as a captured piece
// is while it is dragged away. The next reports will show it.
func (t *Tracker) mayBeReplyBegun(pos *legal.Position) bool {
	n := len(t.b.Changes)
	if n < 3 || t.now.At-t.b.Changes[n-1].Window.Hi > play.CarriedOffUS { // a move, and the lift of its reply
		return false
	}
	from := pos.Placement()
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		mid := play.PlacementAfter(from, m)
		taken := mid[m.To()]
		if t.b.Live[m.To()] == taken {
			continue
		}
		if i := t.b.Seen(&mid); i < 1 || i >= n || t.b.Stood(i) < play.StillUS {
			continue
		}
		if t.slidBeside(&mid, m.To()) && capturable(pos, m) {
			return true
		}
	}
	return false
}

// slidBeside reports whether the board is mid with the piece on sq in the opponent's hand, over a neighbouring square,
// and the rest of the opponent's turn begun.
func (t *Tracker) slidBeside(mid *legal.Placement, sq legal.Square) bool {
	taken := mid[sq]
	for beside := legal.Square(0); beside < 64; beside++ {
		if t.b.Live[beside] != taken || mid[beside] != legal.NoPiece || !play.Near(beside, sq) {
			continue
		}
		without := t.b.Live
		without[beside] = legal.NoPiece
		if play.InProgress(mid, &without, taken.Side().Other()) {
			return true
		}
	}
	return false
}

// capturable reports whether the piece that m moves can be captured on its target square. En passant does not count: it
// does not go to that square.
func capturable(pos *legal.Position, m legal.Move) bool {
	after := pos.After(m)
	return play.AnyMove(&after, func(r legal.Move) bool { return r.To() == m.To() })
}
