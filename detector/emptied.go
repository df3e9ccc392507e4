package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A player makes a move and presses, and a piece of the opponent's has left its square before the press. The opponent
// may have begun the reply; this excuses the square until the opponent has moved something else, or for a few seconds.
// After that a piece is missing on the board, and the player in whose turn the square emptied is named (laws notes 1.4,
// sensor.unreadable).
//
// Innocent look-alikes: a reply begun early, also a capture, and a castling that is begun with either piece; a piece
// that was put back, or stood up again.

// awayUS is how long a piece may be in the opponent's hand for its square to be a reply begun.
const awayUS = 4_000_000

// An emptied square is one that a piece of the opponent's left before the press that completed the last move.
type emptied struct {
	found Found // what is told if the piece stays away
	sq    legal.Square
	due   int64 // when it is told at the latest; 0: it has been told, or there is none
}

// told says that the piece has been reported as missing, and nothing was played since.
func (e *emptied) told() bool { return e.due == 0 && e.found.ID != "" }

// emptiedBy returns the square that the opponent's piece has left, where nothing else differs from what m leaves.
func (t *Tracker) emptiedBy(m legal.Move) emptied {
	mid := placementAfter(t.g.last().place, m)
	return t.emptiedBeside(&mid, t.judgedAt, func(v *view) shape {
		sh := v.shapeOf(kinds.Unreadable, rules.Hint, v.diff)
		sh.uci, sh.after, sh.stands = v.pos.UCI(m), v.played(m), true
		return sh
	})
}

// emptiedBeside is that of a turn that has left these pieces and ended with a press at the given time, with the shape of
// what is told.
func (t *Tracker) emptiedBeside(mid *legal.Placement, press int64, shapeOf func(*view) shape) (e emptied) {
	rest := difference(mid, &t.b.live)
	if squares(rest) != 1 || t.held || t.doubtful() || t.gapLately() || t.b.folded || !t.trusted(press) {
		return e
	}
	sq := legal.Square(lowest(rest))
	v := t.view(len(t.b.changes))
	lift := v.lifted(sq)
	if t.b.live[sq] != legal.NoPiece || mid[sq].Side() == v.mover() || !v.inTurnOf(lift, press) || !v.prepare() {
		return e
	}
	v.press = Window{Lo: press - t.p.ClockLagUS, Hi: press}
	sh := shapeOf(&v)
	if lift.win.Hi > v.finishedAt(mid, rest) && lift.win.Hi > v.press.Lo {
		sh.ofNobody() // the report of the press may be late
	}
	return emptied{found: t.found(&sh, &v), sq: sq, due: max(lift.win.Hi+awayUS, t.now.At)}
}

// inTurnOf says that a change was reported between the press of the turn before and the one at the given time.
func (v *view) inTurnOf(c *change, press int64) bool {
	return c != nil && !c.healed && !c.odd && c.win.Hi > v.since && c.win.Hi <= press
}

// lookAtEmptied is asked when a press is judged: the opponent has moved something else, or has moved the piece after
// all.
func (t *Tracker) lookAtEmptied() {
	e := &t.emptied
	switch {
	case e.due != 0 && t.movedElse():
		t.tellEmptied()
	case e.told() && t.movedEmptied():
		t.withdraw(&e.found, words.Say("withdrawn.moved"))
	}
}

// emptiedLong tells of the piece that has been away for some seconds. Where a press waits, that is judged first.
func (t *Tracker) emptiedLong() {
	if t.pend.on || t.waits() {
		t.emptied.due = t.now.At + stillUS
		return
	}
	t.tellEmptied()
}

// tellEmptied tells that a piece is missing, and lets it count as standing where it stood.
func (t *Tracker) tellEmptied() {
	e := &t.emptied
	e.due = 0
	if t.phase != playing || t.held || t.sync.unknown || t.b.folded || !t.stillAway() {
		*e = emptied{}
		return
	}
	base := t.g.last()
	at, target := t.b.live, t.b.live
	target[e.sq] = base.place[e.sq]
	t.b.count(&at, &target)
	t.b.account(1 << e.sq)
	t.fault = fault{side: base.pos.Turn().Other(), ply: base.ply}
	e.found.Stamp = t.now
	t.openFinding(e.found)
}

// stillAway says that the piece has come to no other square: not to one where a legal move brings it, or its promotion,
// and none like it to one where no legal move of another piece brings that. It may have been taken there since.
func (t *Tracker) stillAway() bool {
	sq := t.emptied.sq
	if t.b.live[sq] != legal.NoPiece {
		return false
	}
	base := t.g.last()
	piece := base.place[sq]
	var others uint64 // where another piece like it can have come to
	moved := anyMove(&base.pos, func(r legal.Move) bool {
		next := placementAfter(base.place, r)
		own := difference(&base.place, &next)
		mine := own>>sq&1 != 0
		for ; own != 0; own &= own - 1 {
			to := legal.Square(lowest(own))
			switch {
			case next[to] == legal.NoPiece:
			case mine && t.cameTo(to, next[to]):
				return true
			case next[to] == piece:
				others |= 1 << to
			}
		}
		return false
	})
	for to := legal.Square(0); to < legal.NoSquare && !moved; to++ {
		moved = base.place[to] != piece && others>>to&1 == 0 && t.cameTo(to, piece)
	}
	return !moved
}

// cameTo says that such a piece stands on a square or has been put there.
func (t *Tracker) cameTo(sq legal.Square, p legal.Piece) bool {
	return t.b.live[sq] == p || t.b.placed(sq, p) != nil
}

// movedElse says that the opponent has put another piece on another square, and not in the same move.
func (t *Tracker) movedElse() bool {
	base := t.g.last()
	diff, put := difference(&base.place, &t.b.live), false
	for set := diff; set != 0; set &= set - 1 {
		put = put || t.b.live[lowest(set)].Side() == base.pos.Turn()
	}
	return put && t.stillAway() && !anyMove(&base.pos, func(r legal.Move) bool {
		next := placementAfter(base.place, r)
		own := difference(&base.place, &next)
		return own>>t.emptied.sq&1 != 0 && diff&^own == 0
	})
}

// movedEmptied says that the board, as it reads, shows a legal move of the piece that counts as standing on its square.
func (t *Tracker) movedEmptied() bool {
	base, sq := t.g.last(), t.emptied.sq
	raw, _ := t.b.uncounted()
	m, ok := onePly(&base.pos, &raw)
	return ok && raw[sq] == legal.NoPiece && m.From() == sq
}
