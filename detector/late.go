package detector

import "boardwatchd/rules/legal"

// This file asks which reports may still come. What they prove when they come late: early.go.

// stillMoving says that the board may not show the end of the move yet: its last report is so fresh that the next
// square of a slide, or the rook of a castling, may only be on its way (board reports up to LateUS after the press
// report belong to before it). It cannot be so when the piece has nowhere else to go.
func (t *Tracker) stillMoving(pos *legal.Position, m legal.Move, at int64) bool {
	if !t.reportsMayCome(at) || at-t.b.lastAt >= t.p.LateUS {
		return false
	}
	return anyMove(pos, func(c legal.Move) bool { return c.From() == m.From() && c.To() != m.To() })
}

// reportsMayCome says that board reports which belong to before a press reported at the given time may still come.
func (t *Tracker) reportsMayCome(at int64) bool {
	return !(t.pend.on && t.pend.late) && t.now.At < at+t.p.LateUS
}

// mayBeMovedOn says that the pawn that m takes en passant was lifted after the report of the press, a moment ago: its
// own player may be moving it on.
func (t *Tracker) mayBeMovedOn(m legal.Move, at int64) bool {
	if !m.IsEnPassant() || len(t.b.changes) == 0 || t.now.At-t.b.lastAt >= putUS {
		return false
	}
	last := t.b.changes[len(t.b.changes)-1]
	return last.sq == m.EnPassantVictim() && last.win.Hi > at
}

// lastLifted returns whose piece was lifted by the latest change, or NoSide.
func (t *Tracker) lastLifted() legal.Side {
	n := len(t.b.changes)
	if n == 0 || t.b.changes[n-1].is != legal.NoPiece {
		return legal.NoSide
	}
	return t.b.changes[n-1].was.Side()
}

// carriedOffUS is how long a captured piece may be seen on a neighbouring square while it is carried off
// (reconstruction notes, row 20), and stillUS how long a placement must have stood before that to be a finished move.
const (
	carriedOffUS = 1_500_000
	stillUS      = 300_000
)

// atRest says that no report from before the waiting press can come any more, and that nobody has touched anything for
// a while: what explains the board now is what was played, also where it was not seen by itself.
func (t *Tracker) atRest() bool {
	return t.pend.on && t.now.At >= t.pend.at+t.bound().us && t.now.At-t.b.lastAt >= t.p.LateUS
}
