package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file handles a piece of the opponent's that has left its square before the press of a move. The opponent may
// have begun the reply; that excuses the square until the opponent has moved something else, or for a few seconds.
// After that a piece is missing on the board, and the finding names the player in whose turn the square emptied (laws
// notes 1.4, sensor.unreadable).
//
// Innocent look-alikes: a reply begun early, also a capture, and a castling that is begun with either piece; a pawn
// that is about to be promoted, while the new piece is fetched; a piece that was put back, or put upright again.

// An emptied square is one that a piece of the opponent's left before the press that completed the last move.
type emptied struct {
	found Found // what is reported if the piece stays away
	sq    legal.Square
	due   int64 // when it is reported at the latest; 0: it was reported, or there is none
}

// told reports whether the piece has been reported as missing, and nothing was played since.
func (e *emptied) told() bool { return e.due == 0 && e.found.ID != "" }

// emptiedBy returns the square that the opponent's piece has left, where nothing else differs from what m leaves.
func (t *Tracker) emptiedBy(m legal.Move) emptied {
	mid := play.Landing(t.g.last().place, m)
	return t.emptiedBeside(&mid, t.judgedAt, func(v *offence.View) offence.Shape {
		sh := v.ShapeOf(kinds.Unreadable, rules.Hint, v.Diff)
		sh.UCI, sh.After, sh.Stands = v.Pos.UCI(m), v.Played(m), true
		return sh
	})
}

// emptiedBeside does so for a turn that has left the pieces of mid and ended with a press at the given time; shapeOf
// makes the shape that is reported.
func (t *Tracker) emptiedBeside(mid *legal.Placement, press int64, shapeOf func(*offence.View) offence.Shape) (e emptied) {
	rest := play.Difference(mid, &t.b.Live)
	if play.Count(rest) != 1 || t.held || t.doubtful() || t.gapLately() || t.b.Folded || !t.trusted(press) {
		return e
	}
	sq := play.Lowest(rest)
	v := t.view(len(t.b.Changes))
	lift := v.Lifted(sq)
	if t.b.Live[sq] != legal.NoPiece || mid[sq].Side() == v.Mover() || !v.InTurnOf(lift, press) || !v.Prepare() {
		return e
	}
	v.Press = evidence.Window{Lo: press - t.p.ClockLagUS, Hi: press}
	sh := shapeOf(&v)
	if lift.Window.Hi > v.Finished(mid, rest).Hi && lift.Window.Hi > v.Press.Lo {
		sh.OfNobody() // the report of the press may be late
	}
	away := int64(awayUS)
	if _, before := play.LastRank(mid[sq].Side()); mid[sq].Kind() == legal.Pawn && sq.Rank() == before {
		away = fetchUS
	}
	return emptied{found: t.found(&sh, &v), sq: sq, due: max(lift.Window.Hi+away, t.now.At)}
}

// lookAtEmptied runs when a press is judged: the opponent may have moved something else, or this piece after all.
func (t *Tracker) lookAtEmptied() {
	e := &t.turn.emptied
	switch {
	case e.due != 0 && t.beside() == replied:
		t.tellEmptied()
	case e.told() && t.movedEmptied():
		t.withdraw(&e.found, words.Say("withdrawn.moved"))
	}
}

// emptiedLong reports the piece that has been away for some seconds. A waiting press is judged first; where a move is
// being made, it looks again later.
func (t *Tracker) emptiedLong() {
	switch {
	case t.pend.on || t.waits():
		t.turn.emptied.due = t.now.At + play.StillUS
	case t.beside() == more:
		t.turn.emptied.due = t.now.At + awayUS
	default:
		t.tellEmptied()
	}
}

// tellEmptied reports that a piece is missing, and lets it count on its square.
func (t *Tracker) tellEmptied() {
	e := &t.turn.emptied
	e.due = 0
	if t.phase != playing || t.held || t.sync.unknown || t.b.Folded || t.b.Live[e.sq] != legal.NoPiece {
		*e = emptied{}
		return
	}
	base := t.g.last()
	at, target := t.b.Live, t.b.Live
	target[e.sq] = base.place[e.sq]
	t.b.Count(&at, &target)
	t.b.Account(1 << e.sq)
	t.fault = fault{side: base.pos.Turn().Other(), ply: base.ply}
	e.found.Stamp = t.now
	t.openFinding(e.found)
}

// besides is what has changed on the board besides an emptied square.
type besides int

const (
	nothing besides = iota
	replied         // the opponent has made a legal move with another piece, and nothing else
	more
)

func (t *Tracker) beside() besides {
	base, filled := t.g.last(), t.b.Live
	filled[t.turn.emptied.sq] = base.place[t.turn.emptied.sq]
	if filled == base.place {
		return nothing
	}
	if _, ok := play.OnePly(&base.pos, &filled); ok {
		return replied
	}
	return more
}

// movedEmptied reports whether the board, as it reads, shows a legal move of the piece that counts on its square.
func (t *Tracker) movedEmptied() bool {
	base, sq := t.g.last(), t.turn.emptied.sq
	raw, _ := t.b.Uncounted()
	m, ok := play.OnePly(&base.pos, &raw)
	return ok && raw[sq] == legal.NoPiece && m.From() == sq
}
