package helpmate

import "boardwatchd/rules/legal"

// step makes every move from the current scene; false ends the proof.
func (g *looseProof) step() bool {
	side := g.turn
	for i := range g.exact {
		m := &g.exact[i]
		if m.side != side || g.at[i] == 0 {
			continue
		}
		goals := g.goals(i)
		if m.kind == legal.Pawn && (goals&(rank1|rank8) != 0 || g.passes(i, goals)) {
			return false
		}
		for x := goals; x != 0; x &= x - 1 {
			if !g.play(i, x&-x) {
				return false
			}
		}
	}
	return len(g.loose[side]) == 0 || g.reached(-1, 0) && g.captureByLoose()
}

// goals is the set of squares to which an exact piece may move.
func (g *looseProof) goals(i int) squares {
	m, at, enemy := &g.exact[i], g.at[i], g.exact[i].side.Other()
	all := g.occupied()
	if m.kind != legal.Pawn {
		return m.strikes(at, ^all) &^ g.pieces[m.side]
	}
	steps := pawnSteps(at, m.side) &^ all
	if at&(rank1<<8|rank8>>8) != 0 {
		steps |= pawnSteps(steps, m.side) &^ all
	}
	return steps | pawnStrikes(at, m.side)&(g.pieces[enemy]|g.areas[enemy])&^g.pieces[m.side]
}

func (g *looseProof) occupied() squares { return g.pieces[legal.White] | g.pieces[legal.Black] }

// passes reports whether the pawn may make a double step to a square beside an enemy pawn.
func (g *looseProof) passes(i int, goals squares) bool {
	m := &g.exact[i]
	double := pawnSteps(pawnSteps(g.at[i]&(rank1<<8|rank8>>8), m.side), m.side) & goals
	beside := double&^fileH<<1 | double&^fileA>>1
	if beside&g.pieces[m.side.Other()] == 0 {
		return false
	}
	for j := range g.exact {
		e := &g.exact[j]
		if e.kind == legal.Pawn && g.at[j]&beside != 0 && e.side != m.side {
			return true
		}
	}
	return false
}

// play moves an exact piece, which may capture an exact piece, and undoes the move.
func (g *looseProof) play(i int, to squares) bool {
	m, from := &g.exact[i], g.at[i]
	victim := -1
	if to&g.pieces[m.side.Other()] != 0 {
		for victim = 0; g.at[victim] != to; victim++ {
		}
		if victim < firstPiece {
			return true
		}
		g.remove(victim)
	}
	g.at[i] = to
	g.pieces[m.side] ^= from | to
	ok := g.reached(i, from)
	g.at[i] = from
	g.pieces[m.side] ^= from | to
	if victim >= 0 {
		g.restore(victim, to)
	}
	return ok
}

// captureByLoose lets loose pieces capture exact ones.
func (g *looseProof) captureByLoose() bool {
	for i := firstPiece; i < len(g.exact); i++ {
		m, here := &g.exact[i], g.at[i]
		if m.side == g.turn || here&g.areas[g.turn] == 0 {
			continue
		}
		g.remove(i)
		ok := g.reached(-1, 0)
		g.restore(i, here)
		if !ok {
			return false
		}
	}
	return true
}

func (g *looseProof) remove(i int) {
	g.pieces[g.exact[i].side] &^= g.at[i]
	g.at[i] = 0
}

func (g *looseProof) restore(i int, square squares) {
	g.pieces[g.exact[i].side] |= square
	g.at[i] = square
}

// reached examines the scene after a move by an exact piece from a square, or by a loose piece (-1); false ends the
// proof.
func (g *looseProof) reached(mover int, from squares) bool {
	if g.left--; g.left < 0 {
		g.outOfRoom = true
		return false
	}
	side, king := g.turn, winnerKing
	if side != g.winner {
		king = loserKing
	}
	switch {
	case g.struck(g.at[king], side.Other()) || g.bare():
		return true
	case side == g.winner && g.mayMate(mover, from):
		return false
	}
	g.turn = side.Other()
	ok := g.add(g.scene())
	g.turn = side
	g.outOfRoom = g.outOfRoom || !ok
	return ok
}

// struck reports whether an exact piece of the side certainly attacks the square.
func (g *looseProof) struck(square squares, by legal.Side) bool {
	open := ^(g.occupied() | g.areas[legal.White] | g.areas[legal.Black])
	for i := range g.exact {
		m := &g.exact[i]
		if m.side == by && m.strikes(g.at[i], open)&square != 0 {
			return true
		}
	}
	return false
}

// bare reports whether the winner has only the king left.
func (g *looseProof) bare() bool {
	return len(g.loose[g.winner]) == 0 && g.pieces[g.winner] == g.at[winnerKing]
}
