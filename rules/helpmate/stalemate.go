package helpmate

import "boardwatchd/rules/legal"

// useful removes from a king's new squares those that stalemate: rule 6 of mobility. By the facts so far, the other
// side has no move with any piece but its king, and the step leaves that king, wherever it is, no step either, because
// all of its squares are beside the new one. If the other side is the loser it could be a mate, by a line that the king
// opens: then the square stays.
//
// Why it is safe: the reply would have to be made at once, when only two squares have changed. No piece can enter the
// square on which the king arrives, but the king may block a line of its own side there. (A reply that captures the
// winner's last piece does not count: by rule 7 no mate follows.) The square that the king left counts as open to the
// others already, unless the king never moved before: then no piece may be ready to enter it.
func (b *mobility) useful(m *piece, more squares) (out squares) {
	other := m.side.Other()
	if b.stirs[other] || b.mayCastle(other) || m.reach == m.home && b.touched(m.home, other) {
		return more
	}
	king := b.kingOf(other)
	for x := more; x != 0; x &= x - 1 {
		if square := x & -x; b.replies(king, square) || other != b.winner && b.opens(m, king, square) {
			out |= square
		}
	}
	return out
}

// touched reports whether some piece of the side other than its king, which has not moved yet, could enter the square
// if it were empty.
func (b *mobility) touched(square squares, side legal.Side) bool {
	for i := firstPiece; i < b.count; i++ {
		m := &b.pieces[i]
		if m.side == side && (m.strikes(m.home, ^b.steady)|pawnSteps(m.home, side))&square != 0 {
			return true
		}
	}
	return false
}

func (b *mobility) kingOf(side legal.Side) *piece {
	if side == b.winner {
		return &b.pieces[winnerKing]
	}
	return &b.pieces[loserKing]
}

// replies reports whether a king may have a step while the enemy king is on the square. Only rules 1 and 4 judge the
// step, not the king's reach, from which rule 6 has removed legal steps.
func (b *mobility) replies(king *piece, enemy squares) bool {
	never := around(enemy) | b.homes[king.side]
	if watchers := king.side.Other(); b.watched[watchers]&enemy == 0 {
		never |= b.watched[watchers]
	} else {
		for i := firstPiece; i < b.count; i++ {
			if w := &b.pieces[i]; w.side == watchers && w.guards != 0 {
				never |= b.always(w, enemy)
			}
		}
	}
	for x := king.reach &^ around(enemy); x != 0; x &= x - 1 {
		if around(x&-x)&^(x&-x)&^never != 0 {
			return true
		}
	}
	return false
}

// opens reports whether the winner's king, stepping to the square, may open a line on the loser's king.
func (b *mobility) opens(m, king *piece, square squares) bool {
	from := around(square) & m.reach &^ square
	for x := king.reach &^ around(square); x != 0; x &= x - 1 {
		if b.lineThrough(m.side, x&-x, from, &straight, legal.Rook) || b.lineThrough(m.side, x&-x, from, &diagonal, legal.Bishop) {
			return true
		}
	}
	return false
}

// lineThrough reports whether some slider of the side may be on a line from the target behind one of the squares, which
// the king leaves.
func (b *mobility) lineThrough(side legal.Side, target, through squares, ways *[4]direction, kind legal.Kind) bool {
	for _, way := range ways {
		behind, passed := squares(0), false
		for x := way.shift(target); x != 0; x = way.shift(x &^ (b.steady &^ through)) {
			if passed {
				behind |= x
			}
			passed = passed || x&through != 0
		}
		for i := range b.pieces[:b.count] {
			m := &b.pieces[i]
			if m.side == side && m.reach&behind != 0 && (m.grown || m.kind == kind || m.kind == legal.Queen) {
				return true
			}
		}
	}
	return false
}
