package offence

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// One piece of the side to move is on another square, and nothing else differs: knight, bishop, rook, queen, king and
// pawn moving as they may not, jumps, a capture of a piece of its own side or of the king, and everything that the
// king's safety forbids. Neither the order of the reports matters, nor whether the captured piece was taken off first.
//
// Innocent look-alikes: the transfer is legal; the piece that moved is the opponent's (turn.go); a second square
// differs; another piece of the same kind moved legally, and this one was pushed to that one's old square; a captured
// piece of the same side was only carried over its square; two moves of the piece, with the reply between; the judges
// of legality disagree.

func seeOnePiece(v *View) (Shape, bool) {
	t, ok := OneTransfer(&v.Base, &v.At)
	if !ok || t.Piece.Side() != v.Mover() || v.followedUp(t) || v.ownGone(t) || v.answeredOnTheWay(t) {
		return Shape{}, false
	}
	uci := UCI(t.From, t.To, legal.NoKind)
	verdict := v.Pos.Explain(uci)
	return v.illegalShape(&verdict, uci, t.squares())
}

// ownGone reports whether the mover's own piece that would be captured was not read on its square since the turn began,
// and the square read empty then: the piece was captured, or carried over that square, and the record is wrong.
func (v *View) ownGone(t transfer) bool {
	return t.Victim.Side() == t.Piece.Side() && (v.Origin[t.To] == legal.NoPiece || v.ReadEmpty>>t.To&1 != 0) && v.Latest(t.To, t.Victim) == nil
}

// answeredOnTheWay reports whether the opponent put down a piece, other than the captured one, where a legal move
// brings it, while this piece was between its squares. This piece may have made two moves, of which the first was never
// read, and the opponent may have moved on as well.
func (v *View) answeredOnTheWay(t transfer) bool {
	pos, ok := TurnOf(v.Pos, v.Mover().Other())
	replies := func(c *evidence.Change) bool {
		return play.AnyMove(&pos, func(r legal.Move) bool {
			return r.To() == c.Square && v.Base[r.From()] == c.Is && r.From() != t.To
		})
	}
	lifted := false
	for i := 0; ok && i < len(v.Changes); i++ {
		c := &v.Changes[i]
		switch {
		case c.Square == t.From:
			lifted = c.Is == legal.NoPiece
		case c.Square == t.To && c.Is == t.Piece:
			return false
		case lifted && c.Is.Side() == pos.Turn() && replies(c):
			return true
		}
	}
	return false
}

// followedUp reports whether the transfer may be two pieces of one kind: another one, lifted meanwhile, went there
// legally, and this one is on that one's old square.
func (v *View) followedUp(t transfer) bool {
	return play.AnyMove(v.Pos, func(m legal.Move) bool {
		return m.To() == t.To && v.Base[m.From()] == t.Piece && v.refilled(m.From(), t.From)
	})
}

// refilled reports whether the square was emptied and filled again while the other one was empty.
func (v *View) refilled(sq, other legal.Square) bool {
	board := v.Origin
	emptied := false
	for i := range v.Changes {
		c := &v.Changes[i]
		board[c.Square] = c.Is
		if c.Square == sq {
			if c.Is != legal.NoPiece && emptied && board[other] == legal.NoPiece {
				return true
			}
			emptied = c.Is == legal.NoPiece
		}
	}
	return false
}
