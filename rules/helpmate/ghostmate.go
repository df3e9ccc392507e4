package helpmate

import "boardwatchd/rules/legal"

// mayMate tells whether the winner's move that led to the picture at hand may have mated: of an exact man from a square, or of a loose one (-1). A mate
// is a check that the move gives, since the loser was not in check before it, and leaves the king no square beside it.
func (g *ghosts) mayMate(mover int, from squares) bool {
	king := g.at[preyKing]
	if mover >= 0 {
		return (g.direct(mover, king) || g.discovered(mover, from, king)) && g.caught(king)
	}
	return g.byLoose(king) && g.caught(king)
}

// direct: an exact man may check from where it stands. Loose men in between may be elsewhere.
func (g *ghosts) direct(mover int, king squares) bool {
	return g.exact[mover].strikes(g.at[mover], ^g.occupied())&king != 0
}

// discovered: a slider may check along a line that the moved man has left.
func (g *ghosts) discovered(mover int, from, king squares) bool {
	return g.through(from, king, &straight, legal.Rook, mover) || g.through(from, king, &diagonal, legal.Bishop, mover)
}

// through walks from the king outwards, over the square that was left, up to the first exact man.
func (g *ghosts) through(left, king squares, ways *[4]direction, kind legal.Kind, mover int) bool {
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
			if m.haunt&behind&open != 0 && (m.kind == kind || m.kind == legal.Queen) {
				return true
			}
		}
	}
	return false
}

// byLoose: some loose man may check, from a square of its own or because another has left a line; or an exact slider from behind the square that
// a loose man has left.
func (g *ghosts) byLoose(king squares) bool {
	open := ^g.occupied()
	for i := range g.loose[g.winner] {
		m := &g.loose[g.winner][i]
		if m.strikes(king, open)&m.haunt != 0 {
			return true
		}
	}
	for i := range g.exact {
		m := &g.exact[i]
		if m.side != g.winner {
			continue
		}
		if x := m.strikes(g.at[i], open); m.kind != legal.Pawn && m.kind != legal.Knight && m.kind != legal.King && x&king != 0 &&
			x&m.strikes(king, open)&g.haunts[g.winner] != 0 {
			return true
		}
	}
	return false
}

// caught: every square beside the king may be denied to it: its own exact man stands there, or the winner attacks it, or a loose man of its own
// stands there, on each square another one.
func (g *ghosts) caught(king squares) bool {
	loser := g.winner.Other()
	open := ^(g.occupied() &^ king)
	free := beside(king) &^ g.men[loser]
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
		free &^= m.strikes(m.haunt, open)
	}
	if free&g.men[g.winner] != 0 {
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

// fill finds a loose man of the loser's for one square, moving others if need be.
func (g *ghosts) fill(square squares, holds *[32]squares, tried *uint32) bool {
	for i := range g.loose[g.winner.Other()] {
		m := &g.loose[g.winner.Other()][i]
		if m.haunt&square == 0 || *tried>>i&1 != 0 {
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
