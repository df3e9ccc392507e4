package helpmate

import "boardwatchd/rules/legal"

// mayMate reports whether the winner's move that led to the current scene may have mated: a move of an exact piece from
// a square, or of a loose one (-1). A mate is a check by the move, since the loser was not in check before it, that
// leaves the king no square beside it.
func (g *looseProof) mayMate(mover int, from squares) bool {
	king := g.at[loserKing]
	if mover >= 0 {
		return (g.direct(mover, king) || g.discovered(mover, from, king)) && g.caught(king)
	}
	return g.byLoose(king) && g.caught(king)
}

// direct reports whether the exact piece that moved may give check from its square. Loose pieces in between may be
// elsewhere.
func (g *looseProof) direct(mover int, king squares) bool {
	return g.exact[mover].strikes(g.at[mover], ^g.occupied())&king != 0
}

// discovered reports whether a slider may check along a line that the moved piece has left.
func (g *looseProof) discovered(mover int, from, king squares) bool {
	return g.through(from, king, &straight, legal.Rook, mover) || g.through(from, king, &diagonal, legal.Bishop, mover)
}

// through walks from the king outwards, over the square that the piece left, up to the first exact piece.
func (g *looseProof) through(left, king squares, ways *[4]direction, kind legal.Kind, mover int) bool {
	open := ^g.occupied()
	for _, way := range ways {
		behind, passed := squares(0), false
		for x := way.shift(king); x != 0; x = way.shift(x & open) {
			if passed {
				behind |= x
			}
			passed = passed || x&left != 0
		}
		if behind == 0 {
			continue
		}
		for i := range g.exact {
			m := &g.exact[i]
			if i != mover && m.side == g.winner && g.at[i]&behind != 0 && (m.kind == kind || m.kind == legal.Queen) {
				return true
			}
		}
		for i := range g.loose[g.winner] {
			m := &g.loose[g.winner][i]
			if m.area&behind&open != 0 && (m.kind == kind || m.kind == legal.Queen) {
				return true
			}
		}
	}
	return false
}

// byLoose reports whether a loose piece may give check, from a square of its own or because another has left a line, or
// an exact slider from behind the square that a loose piece has left.
func (g *looseProof) byLoose(king squares) bool {
	open := ^g.occupied()
	for i := range g.loose[g.winner] {
		m := &g.loose[g.winner][i]
		if m.strikes(king, open)&m.area != 0 {
			return true
		}
	}
	for i := range g.exact {
		m := &g.exact[i]
		if m.side != g.winner {
			continue
		}
		if x := m.strikes(g.at[i], open); m.kind != legal.Pawn && m.kind != legal.Knight && m.kind != legal.King && x&king != 0 &&
			x&m.strikes(king, open)&g.areas[g.winner] != 0 {
			return true
		}
	}
	return false
}

// caught reports whether every square beside the king may be denied to it: one of its own exact pieces is there, or the
// winner attacks it, or a loose piece of its own is there, a different one on each square.
func (g *looseProof) caught(king squares) bool {
	loser := g.winner.Other()
	open := ^(g.occupied() &^ king)
	free := beside(king) &^ g.pieces[loser]
	for i := range g.exact {
		m := &g.exact[i]
		if m.side == g.winner {
			free &^= m.strikes(g.at[i], open)
		}
	}
	for i := range g.loose[g.winner] {
		m := &g.loose[g.winner][i]
		if free == 0 {
			return true
		}
		free &^= m.strikes(m.area, open)
	}
	if free&g.pieces[g.winner] != 0 {
		return false
	}
	var holds [32]squares
	for x := free; x != 0; x &= x - 1 {
		if tried := uint32(0); !g.fill(x&-x, &holds, &tried) {
			return false
		}
	}
	return true
}

// fill finds a loose piece of the loser for one square, moving others if necessary.
func (g *looseProof) fill(square squares, holds *[32]squares, tried *uint32) bool {
	for i := range g.loose[g.winner.Other()] {
		m := &g.loose[g.winner.Other()][i]
		if m.area&square == 0 || *tried>>i&1 != 0 {
			continue
		}
		*tried |= 1 << i
		if holds[i] == 0 || g.fill(holds[i], holds, tried) {
			holds[i] = square
			return true
		}
	}
	return false
}
