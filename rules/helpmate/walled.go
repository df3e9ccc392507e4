package helpmate

import "boardwatchd/rules/legal"

// A mateReach is the facts of mobility about the chance of a mate: the squares of the loser's king, those of the
// winner's king, and the squares that the winner's other pieces may ever attack.
type mateReach struct {
	kingOfLoser, king     squares
	attacked, twice       squares // by one of the winner's pieces beside the king, by two of them
	anything              bool    // one of the winner's pawns may promote
	kingOfLoserAt, kingAt legal.Square
}

func (b *mobility) mateReach() (h mateReach) {
	for i := range b.pieces[:b.count] {
		m := &b.pieces[i]
		switch {
		case m.kind == legal.King && m.side == b.winner:
			h.king, h.kingAt = m.reach, m.home.first()
		case m.kind == legal.King:
			h.kingOfLoser, h.kingOfLoserAt = m.reach, m.home.first()
		case m.side == b.winner && m.grown:
			h.anything, h.attacked = true, ^squares(0)
		case m.side == b.winner:
			attacks := m.strikes(m.reach, ^b.steady)
			h.twice |= h.attacked & attacks
			h.attacked |= attacks
		}
	}
	return h
}

// walled proves that the side can never mate because its pieces cannot reach the enemy king: on no square of that king
// can it be attacked while all the squares around it, as far as it could step there, are denied to it. False proves
// nothing.
func (b *mobility) walled() bool {
	h := b.mateReach()
	if h.anything {
		return false
	}
	for x := h.kingOfLoser & h.attacked; x != 0; x &= x - 1 {
		if _, ok := b.cornered(&h, x&-x); ok && b.checkmated(&h, x&-x) {
			return false
		}
	}
	return true
}

// cornered reports whether the enemy king may be mated on a square, and the best squares for the winner's king (0:
// any).
func (b *mobility) cornered(h *mateReach, square squares) (king squares, ok bool) {
	return b.caged(h, square, around(square)&^square&h.kingOfLoser&^h.attacked, 0)
}

// checkmated is cornered with one of the winner's pieces on the square from which it gives the check. At a mate there
// is such a piece, which is not the king. It attacks from that square, also through the king's square, and the others
// may attack from anywhere. No piece of the loser is on its square.
func (b *mobility) checkmated(h *mateReach, square squares) bool {
	steps := around(square) &^ square & h.kingOfLoser
	for i := firstPiece; i < b.count; i++ {
		m := &b.pieces[i]
		if m.side != b.winner {
			continue
		}
		others := h.twice | h.attacked&^m.strikes(m.reach, ^b.steady)
		for x := b.checksFrom(m, square); x != 0; x &= x - 1 {
			checker := x & -x
			if _, ok := b.caged(h, square, steps&^(others|m.strikes(checker, ^b.steady|square)), checker); ok {
				return true
			}
		}
	}
	return false
}

// checksFrom is the squares from which the piece may attack the square.
func (b *mobility) checksFrom(m *piece, square squares) squares {
	if m.kind == legal.Pawn {
		return pawnStrikes(square, m.side.Other()) & m.reach
	}
	return m.strikes(square, ^b.steady) & m.reach
}

// caged reports whether the steps that only the winner's king may deny can be denied to the enemy king: each is
// attacked by the winner's king, on one square, or occupied by a piece of the loser, a different one each. No other
// piece can be on the square of the checking piece.
func (b *mobility) caged(h *mateReach, square, steps, checker squares) (king squares, ok bool) {
	if steps&checker == 0 && b.filled(steps) {
		return 0, true
	}
	for x := h.king &^ around(square); x != 0; x &= x - 1 {
		if left := steps &^ around(x&-x); left != steps && left&checker == 0 && b.filled(left) {
			return x & -x, true
		}
	}
	return 0, false
}

// filled reports whether different pieces of the loser, other than its king, may occupy all the squares: a matching,
// found by augmenting paths.
func (b *mobility) filled(open squares) bool {
	var holds [32]squares // by piece: the square it fills
	for x := open; x != 0; x &= x - 1 {
		if tried := uint32(0); !b.fill(x&-x, &holds, &tried) {
			return false
		}
	}
	return true
}

// fill finds a piece for one square, moving others if necessary.
func (b *mobility) fill(square squares, holds *[32]squares, tried *uint32) bool {
	for i := range b.pieces[:b.count] {
		m := &b.pieces[i]
		if m.side == b.winner || m.kind == legal.King || m.reach&square == 0 || *tried>>i&1 != 0 {
			continue
		}
		*tried |= 1 << i
		if holds[i] == 0 || b.fill(holds[i], holds, tried) {
			holds[i] = square
			return true
		}
	}
	return false
}
