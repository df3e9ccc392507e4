package helpmate

import "boardwatchd/rules/legal"

// maxCases is the number of cases that a proof by cases may have.
const maxCases = 48

// splits proves by cases that the winner can never mate: the cases are the first capture of a piece that had never
// moved until then and could not move. Walls often hold until such a piece is captured, and afterwards too, because it
// is gone for good; the plain survey assumes that a piece that may be captured may also walk away as soon as there is
// room.
//
// As long as none of them is captured, all play obeys the facts found with held pieces; if those facts contain no mate,
// a mate comes after the first such capture. Just before it the facts hold; just after it that piece is gone, the
// others are where the facts allow, and the capturing piece is on its square. From there the facts grow on, for each of
// these pieces, and so on: by induction over the captures all play is in one of the cases. A piece whose only moves are
// such captures is not without a move (noteMovable); otherwise rule 6 of mobility would be wrong.
func (b *mobility) splits(pos *legal.Position, winner legal.Side) bool {
	b.set(pos, winner)
	b.held = true
	left := maxCases
	return b.cases(&left)
}

// cases continues from the facts so far.
func (b *mobility) cases(left *int) bool {
	*left--
	for b.round() {
		if b.promotes {
			return false
		}
	}
	switch {
	case b.bare():
		return true
	case *left <= 0 || !b.walled():
		return false
	case b.released():
		return true
	}
	for victims := b.victims(); victims != 0; victims &= victims - 1 {
		next := *b
		next.capture(victims & -victims)
		if !next.cases(left) {
			return false
		}
	}
	return true
}

// bare reports whether the winner has only the king left.
func (b *mobility) bare() bool {
	for i := firstPiece; i < b.count; i++ {
		if b.pieces[i].side == b.winner {
			return false
		}
	}
	return true
}

// released reports whether the walls hold whatever is captured from now on.
func (b *mobility) released() bool {
	free := *b
	free.held = false
	for free.round() {
		if free.promotes {
			return false
		}
	}
	return free.walled()
}

// victims is the squares of the pieces that never move but may be captured.
func (b *mobility) victims() (out squares) {
	for i := range b.pieces[:b.count] {
		if m := &b.pieces[i]; m.side != legal.NoSide {
			out |= b.strikesAt(m, b.homes[m.side.Other()])
		}
	}
	if b.spare >= 0 {
		out &^= b.pieces[b.spare].home
	}
	return out
}

// strikesAt is the squares, among the targets, on which the piece may capture enemy pieces.
func (b *mobility) strikesAt(m *piece, targets squares) squares {
	switch {
	case m.grown:
		return targets
	case m.kind == legal.Pawn:
		return pawnStrikes(m.reach, m.side) & targets
	case m.kind == legal.King:
		if x := m.strikes(m.reach, 0) & targets &^ b.forbidden[m.side.Other()]; x != 0 {
			return b.useful(m, x)
		}
		return 0
	}
	x := m.strikes(m.reach, ^b.steady) & targets
	if x != 0 {
		x &^= b.pointless(m)
	}
	return x
}

// capture removes the piece on the square from the board. Pieces that can reach the square do; pawns only by capturing.
func (b *mobility) capture(square squares) {
	for i := firstPiece; i < b.count; i++ {
		switch m := &b.pieces[i]; {
		case m.home == square:
			b.remove(i)
		case m.kind == legal.Pawn && !m.grown && pawnStrikes(m.reach, m.side)&square != 0:
			m.reach |= square
			m.takes |= square
		}
	}
	b.spare = b.lastPiece()
}

// remove empties the piece's place in the list.
func (b *mobility) remove(i int) {
	m := &b.pieces[i]
	if m.kind == legal.Pawn {
		b.files[m.home.first().File()] &^= 1 << i
	}
	for j := range b.rights {
		if b.rights[j].rook == i {
			b.rights[j].pending = false
		}
	}
	*m = piece{taken: true}
}
