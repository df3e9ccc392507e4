package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file decides which reports may still come. What late ones prove: early.go.

// stillMoving reports whether the board may not show the end of the move yet: its last report is so fresh that the next
// square of a slide, or the rook of a castling, may still be on its way (board reports up to LateUS after the report of
// the press belong to before it). That is impossible where the piece has no other legal move.
func (t *Tracker) stillMoving(pos *legal.Position, m legal.Move, at int64) bool {
	if !t.reportsMayCome(at) || at-t.b.LastAt >= max(t.p.LateUS, t.stillUS()) {
		return false
	}
	return play.AnyMove(pos, func(c legal.Move) bool { return c.From() == m.From() && c.To() != m.To() })
}

// reportsMayCome reports whether board reports that belong to before a press reported at the given time may still come.
func (t *Tracker) reportsMayCome(at int64) bool {
	return !(t.pend.on && t.pend.late) && t.now.At < at+t.p.LateUS
}

// mayBeMovedOn reports whether the pawn that m captures en passant was lifted after the report of the press, a moment
// ago: its own player may be moving it on.
func (t *Tracker) mayBeMovedOn(m legal.Move, at int64) bool {
	if !m.IsEnPassant() || len(t.b.Changes) == 0 || t.now.At-t.b.LastAt >= putUS {
		return false
	}
	last := t.b.Changes[len(t.b.Changes)-1]
	return last.Square == m.EnPassantVictim() && last.Window.Hi > at
}

// lastLifted returns the side whose piece was lifted by the latest change, or NoSide.
func (t *Tracker) lastLifted() legal.Side {
	n := len(t.b.Changes)
	if n == 0 || t.b.Changes[n-1].Is != legal.NoPiece {
		return legal.NoSide
	}
	return t.b.Changes[n-1].Was.Side()
}

// atRest reports whether no report from before the waiting press can come any more, and nothing has been touched for a
// while: the explanation of the present board is then what was played, even if it was not seen by itself.
func (t *Tracker) atRest() bool {
	return t.pend.on && t.now.At >= t.pend.at+t.bound().US && t.now.At-t.b.LastAt >= t.p.LateUS
}

// stillUS returns how long a placement must have been on this board to be a finished move: a square that a piece has
// only passed may read so for a scan.
func (t *Tracker) stillUS() int64 {
	if x := &t.hands.sensor; x.Trusted() {
		return max(play.StillUS, x.LatestUS())
	}
	return play.StillUS
}
