package detector

import "boardwatchd/rules/legal"

// One man of the side to move stands on another square, and nothing else differs: knight, bishop, rook, queen, king and
// pawn as they do not move, jumps, an own man or the king captured, and everything that the king's safety forbids. It does
// not matter in which order the squares were reported, nor whether the victim was taken off first.
//
// Innocent look-alikes: the transfer is legal; the man who moved is the opponent's (check_turn.go); a second square
// differs; the judges of legality do not agree.

func seeOnePiece(v *view) (shape, bool) {
	t, ok := oneTransfer(&v.base, &v.at)
	if !ok || t.man.Side() != v.mover() {
		return shape{}, false
	}
	uci := uciOf(t.from, t.to, legal.NoKind)
	verdict := v.pos.Explain(uci)
	return v.charged(&verdict, uci, t.squares())
}
