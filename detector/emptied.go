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

// This file handles pieces, of either side, that have left their squares before the press of a move. The opponent may
// have begun the reply, or taken off what it captures; that excuses the squares until the opponent has moved something
// else, or for a few seconds. After that pieces are missing on the board, and the finding names the player in whose
// turn the squares emptied (laws notes 1.4, sensor.unreadable).
//
// Innocent look-alikes: a reply begun early, also a capture, and a castling that is begun with either piece; a pawn
// that is about to be promoted, while the new piece is fetched; a piece that was put back, or put upright again.

// Emptied squares are those that pieces left before the press that completed the last move.
type emptied struct {
	found Found // what is reported if the pieces stay away
	set   uint64
	due   int64 // when it is reported at the latest; 0: it was reported, or there is none
	// replyFrom is since when another move of the opponent's shows that the pieces are no part of it. One piece of the
	// opponent's own is none at once; two, or a piece that may be captured, may be so in a scramble.
	replyFrom int64
}

// maxEmptied is how many squares they are at most: more at once are no accident beside a move.
const maxEmptied = 4

// told reports whether the pieces have been reported as missing, and nothing was played since.
func (e *emptied) told() bool { return e.due == 0 && e.found.ID != "" }

// emptiedBy returns the squares that pieces have left, where nothing else differs from what m leaves.
func (t *Tracker) emptiedBy(m legal.Move) emptied {
	mid := play.PlacementAfter(t.g.last().place, m)
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
	if n := play.Count(rest); n == 0 || n > maxEmptied || t.judgementPaused || t.doubtful() || t.gapLately() || t.b.HistoryIncomplete || !t.trusted(press) {
		return e
	}
	v := t.view(len(t.b.Changes))
	last, ok := t.lastEmptied(&v, mid, rest, press)
	if !ok || !v.Prepare() {
		return e
	}
	v.Press = evidence.Window{Lo: press - t.p.ClockLagUS, Hi: press}
	sh := shapeOf(&v)
	if done := v.FinishedAt(mid, rest).Hi; last > done && (last > v.Press.Lo || ownOf(v.Mover(), mid, rest)) {
		sh.NameNeither() // the report of the press may be late, or the opponent has reached for the piece
	}
	e = emptied{found: t.newFinding(&sh, &v), set: rest, due: max(last+awayFor(v.Mover(), mid, rest), t.now.At)}
	if play.Count(rest) > 1 || ownOf(v.Mover(), mid, rest) {
		e.replyFrom = last + awayUS
	}
	return e
}

// lastEmptied returns when the last of the squares emptied, if all are empty, and emptied in the turn that the press
// ended. A piece that has just been moved there may be slid on.
func (t *Tracker) lastEmptied(v *offence.View, mid *legal.Placement, rest uint64, press int64) (last int64, ok bool) {
	for set := rest; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		lift := v.Lifted(sq)
		if t.b.Live[sq] != legal.NoPiece || mid[sq] != t.g.last().place[sq] || !v.InTurnOf(lift, press) {
			return 0, false
		}
		last = max(last, lift.Window.Hi)
	}
	return last, true
}

// ownOf reports whether one of the pieces is the player's own: the opponent may be about to capture it.
func ownOf(s legal.Side, mid *legal.Placement, rest uint64) bool {
	for set := rest; set != 0; set &= set - 1 {
		if mid[play.Lowest(set)].Side() == s {
			return true
		}
	}
	return false
}

// awayFor is how long the pieces may be in the opponent's hand. A piece of the player's own that may be
// captured has been touched, and may be put back.
func awayFor(mover legal.Side, mid *legal.Placement, rest uint64) int64 {
	away := int64(awayUS)
	if ownOf(mover, mid, rest) {
		away = takenUS
	}
	for set := rest; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		if _, before := play.LastRank(mid[sq].Side()); mid[sq].Kind() == legal.Pawn && sq.Rank() == before {
			away = fetchUS
		}
	}
	return away
}

// lookAtEmptied runs when a press is judged: the opponent may have moved something else, or this piece after all.
func (t *Tracker) lookAtEmptied() {
	e := &t.turn.emptied
	switch {
	case e.due != 0 && t.now.At >= e.replyFrom && t.beside() == replied:
		t.reportEmptied()
	case e.told():
		switch moved, captured := t.playedFromEmptied(); {
		case moved:
			t.withdraw(&e.found, words.Say("withdrawn.moved"))
		case captured:
			t.withdraw(&e.found, words.Say("withdrawn.goes_on"))
		}
	}
}

// emptiedLong reports the pieces that have been away for some seconds. A waiting press is judged first; where a move is
// being made, it looks again later.
func (t *Tracker) emptiedLong() {
	switch {
	case t.pend.on || t.boardUnknown():
		t.turn.emptied.due = t.now.At + play.StillUS
	case t.beside() == more:
		t.turn.emptied.due = t.now.At + awayUS
	default:
		t.reportEmptied()
	}
}

// reportEmptied reports that pieces are missing, and lets them count on their squares.
func (t *Tracker) reportEmptied() {
	e := &t.turn.emptied
	e.due = 0
	if t.phase != playing || t.judgementPaused || t.sync.pliesUnknown || t.b.HistoryIncomplete || !e.empty(&t.b.Live) {
		*e = emptied{}
		return
	}
	base := t.g.last()
	at := t.b.Live
	target := e.filled(&at, &base.place)
	t.b.Count(&at, &target)
	t.b.Absorb(e.set)
	t.fault = fault{side: base.pos.Turn().Other(), ply: base.ply}
	e.found.Stamp = t.now
	t.openFinding(e.found)
}

// empty reports whether all the squares read empty.
func (e *emptied) empty(at *legal.Placement) bool {
	for set := e.set; set != 0; set &= set - 1 {
		if at[play.Lowest(set)] != legal.NoPiece {
			return false
		}
	}
	return true
}

// filled returns the board with the squares as a placement has them.
func (e *emptied) filled(at, as *legal.Placement) legal.Placement {
	p := *at
	for set := e.set; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		p[sq] = as[sq]
	}
	return p
}

// besides is what has changed on the board besides the emptied squares.
type besides int

const (
	nothing besides = iota
	replied         // the opponent has made a legal move with another piece, and nothing else
	more
)

func (t *Tracker) beside() besides {
	base := t.g.last()
	filled := t.turn.emptied.filled(&t.b.Live, &base.place)
	if filled == base.place {
		return nothing
	}
	if _, ok := play.OnePly(&base.pos, &filled); ok {
		return replied
	}
	return more
}

// playedFromEmptied reports whether the board, as it reads, shows a legal move of a piece that counts on its square, or
// one that captures such a piece.
func (t *Tracker) playedFromEmptied() (moved, captured bool) {
	base, set := t.g.last(), t.turn.emptied.set
	raw, _ := t.b.Uncounted()
	m, ok := play.OnePly(&base.pos, &raw)
	if !ok {
		return false, false
	}
	return raw[m.From()] == legal.NoPiece && set>>m.From()&1 != 0, m.Victim() < legal.NoSquare && set>>m.Victim()&1 != 0
}
