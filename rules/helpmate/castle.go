package helpmate

import "boardwatchd/rules/legal"

// A right to castle counts as one more move of the king and of the rook. It needs that no steady piece other than these
// two is between them or on their way; attacked squares are not considered.
type right struct {
	king, rook       int     // numbers of pieces
	way              squares // squares that must be free, except for king and rook
	kingTo, rookTo   squares
	pending, granted bool
}

// castling notes the rights of a position.
func (b *mobility) castling(pos *legal.Position) {
	b.rights = [4]right{}
	rights := pos.Castling()
	if rights == 0 {
		return
	}
	n := 0
	for side := legal.White; side <= legal.Black; side++ {
		for file := range 8 {
			if rights.Has(side, file) {
				b.rights[n] = b.newRight(pos.KingSquare(side), side, file)
				n++
			}
		}
	}
}

func (b *mobility) newRight(king legal.Square, side legal.Side, file int) right {
	rank := king.Rank()
	r := right{king: winnerKing, pending: true}
	if side != b.winner {
		r.king = loserKing
	}
	kingFile, rookFile := 6, 5
	if file < king.File() {
		kingFile, rookFile = 2, 3
	}
	home := set(legal.SquareOf(file, rank))
	for i := firstPiece; i < b.count; i++ {
		if b.pieces[i].home == home {
			r.rook = i
		}
	}
	r.kingTo, r.rookTo = set(legal.SquareOf(kingFile, rank)), set(legal.SquareOf(rookFile, rank))
	low := min(file, king.File(), kingFile, rookFile)
	high := max(file, king.File(), kingFile, rookFile)
	for f := low; f <= high; f++ {
		r.way |= set(legal.SquareOf(f, rank))
	}
	r.way &^= home | set(king)
	return r
}

// castle grants the rights that may be used, and reports whether one of them was new.
func (b *mobility) castle() (changed bool) {
	for i := range b.rights {
		r := &b.rights[i]
		if r.pending && !r.granted && r.way&b.steady == 0 {
			r.granted, changed = true, true
			b.pieces[r.king].reach |= r.kingTo
			b.pieces[r.rook].reach |= r.rookTo
		}
	}
	return changed
}

// mayCastle reports whether the side has a right to castle in the position asked about.
func (b *mobility) mayCastle(side legal.Side) bool {
	for i := range b.rights {
		if r := &b.rights[i]; r.pending && b.pieces[r.king].side == side {
			return true
		}
	}
	return false
}
