package detector

import "boardwatchd/rules/legal"

// One piece of the side to move stands on another square, and nothing else differs: knight, bishop, rook, queen, king
// and pawn as they do not move, jumps, an own piece or the king captured, and everything that the king's safety
// forbids. It does not matter in which order the squares were reported, nor whether the victim was taken off first.
//
// Innocent look-alikes: the transfer is legal; the piece that moved is the opponent's (check_turn.go); a second square
// differs; another piece of the same kind moved legally, and this one was pushed to where that one had stood; an own
// piece that is captured was only carried over its square; the judges of legality do not agree.

func seeOnePiece(v *view) (shape, bool) {
	t, ok := oneTransfer(&v.base, &v.at)
	if !ok || t.piece.Side() != v.mover() || v.followedUp(t) || v.ownGone(t) {
		return shape{}, false
	}
	uci := uciOf(t.from, t.to, legal.NoKind)
	verdict := v.pos.Explain(uci)
	return v.illegalShape(&verdict, uci, t.squares())
}

// ownGone says that the mover's own piece on the target square has come there by the mover's last ply and was read
// there at no time since the opponent's: it was carried over that square, and the record is wrong.
func (v *view) ownGone(t transfer) bool {
	n := v.line.Len()
	return t.victim.Side() == t.piece.Side() && v.origin[t.to] == legal.NoPiece && v.latest(t.to, t.victim) == nil &&
		n >= 3 && v.line.Position(n-3).PieceAt(t.to) != t.victim
}

// followedUp says that the transfer may be two pieces of one kind: another one, which was lifted meanwhile, went there
// legally, and this one stands where that one stood.
func (v *view) followedUp(t transfer) bool {
	return anyMove(v.pos, func(m legal.Move) bool {
		return m.To() == t.to && v.base[m.From()] == t.piece && v.refilled(m.From(), t.from)
	})
}

// refilled says that the square was emptied and filled again at a time when the other one was empty.
func (v *view) refilled(sq, other legal.Square) bool {
	board := v.origin
	emptied := false
	for i := range v.changes {
		c := &v.changes[i]
		board[c.sq] = c.is
		if c.sq == sq {
			if c.is != legal.NoPiece && emptied && board[other] == legal.NoPiece {
				return true
			}
			emptied = c.is == legal.NoPiece
		}
	}
	return false
}
