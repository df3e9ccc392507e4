package helpmate

import "boardwatchd/rules/legal"

// ghosts proves that the winner can never mate although pieces of no account walk about freely and multiply the positions. It visits every scene:
// the side to move and the squares of the exact men (kings, pawns, and pieces with little room). Of a loose man it is known only that it is
// on one of the squares that it haunts, or gone.
//
// The proof. Suppose that some series of legal moves from the root ends in mate by the winner. By induction over its moves each position has a scene that
// was visited, and its loose men stand where they haunt, because every move is one of these:
//
//   - A loose man moves or takes a loose man: the scene stays, a pass. Or it takes an exact man where it haunts. It arrives where it
//     haunts: spread goes on until no loose man can come to a new square past squares occupied in every scene.
//   - An exact man moves, with no exact man in the way; loose men in the way are overlooked. Pawns capture wherever
//     a loose enemy haunts; that the captured man is gone need not be known.
//
// Left out is what is not legal, because an exact man attacks the mover's king for certain, along squares where no exact man stands
// and no loose man haunts; and what no mate follows, because the winner has the bare king left. There is no castling: refused. A pawn's step
// to the last rank, or a double step beside an enemy pawn, so that a capture en passant might follow, ends the proof. The last move
// of the series is one of these, too; but of each of the winner's moves it is asked whether it may mate (ghostmate.go). So there is no such series.
//
// Exact men of one side and kind are not told apart: the moves of a scene do not depend on which of them stands where.
//
// It rests on no facts of mobility. A side without loose men cannot pass: it may run out of moves, which walls cannot know. Where loose men
// guard or block, legal play may allow less than this.
type ghosts struct {
	winner legal.Side
	root   legal.Side // to move
	exact  []man      // the winner's king, the loser's, the others; home is where it stands at the root
	loose  [3][]ghost // by side
	haunts [3]squares // by side: where its loose men may stand
	alike  uint32     // by exact man: it is of the side and kind of the one before it
	left   int        // so many moves may still be tried
	crowd  bool       // the proof ended for want of room or budget, not on a move

	scenes

	// The scene at hand.
	turn legal.Side
	at   [32]squares // by exact man: its square, or 0
	men  [3]squares  // by side: where its exact men stand
}

// A ghost is a loose man: its haunt is where it may stand.
type ghost struct {
	man
	haunt squares
}

// prove tries the proof, with those pieces loose that could come to more than so many squares if all pawns stayed where they are. The limit is of
// moves tried. The position is not mate already, and does not show the side not to move in check.
func (g *ghosts) prove(pos *legal.Position, winner legal.Side, room, limit int) (proved bool, nodes int) {
	g.winner, g.root, g.left, g.crowd = winner, pos.Turn(), limit, false
	if pos.Castling() != 0 || pos.EnPassant() != legal.NoSquare || !g.gather(pos, room) {
		return false, 0
	}
	if len(g.loose[legal.White])+len(g.loose[legal.Black]) == 0 {
		return false, 0 // the big search does that as well
	}
	for g.visit() {
		if !g.spread() {
			return true, limit - g.left
		}
	}
	return false, limit - max(g.left, 0)
}

// gather tells exact from loose men; false if too many are exact, or if a pawn stands on a last rank, on a board left standing.
func (g *ghosts) gather(pos *legal.Position, room int) bool {
	g.exact, g.haunts, g.alike = g.exact[:0], [3]squares{}, 0
	for side := range g.loose {
		g.loose[side] = g.loose[side][:0]
	}
	pawns := squares(pos.Men(legal.White, legal.Pawn) | pos.Men(legal.Black, legal.Pawn))
	if pawns&(rank1|rank8) != 0 {
		return false
	}
	for _, side := range [...]legal.Side{g.winner, g.winner.Other()} {
		g.exact = append(g.exact, man{kind: legal.King, side: side, home: squares(pos.Men(side, legal.King))})
	}
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		for kind := legal.Pawn; kind < legal.King; kind++ {
			for x := squares(pos.Men(side, kind)); x != 0; x &= x - 1 {
				g.put(man{kind: kind, side: side, home: x & -x}, pawns, room)
			}
		}
	}
	return len(g.exact) <= sceneMen
}

// put lays one man among the exact or the loose.
func (g *ghosts) put(m man, pawns squares, room int) {
	if m.kind != legal.Pawn {
		if haunt := m.roam(m.home, pawns, pawns); haunt.count() > room {
			g.loose[m.side] = append(g.loose[m.side], ghost{m, haunt})
			g.haunts[m.side] |= haunt
			return
		}
	}
	if before := &g.exact[len(g.exact)-1]; before.kind == m.kind && before.side == m.side {
		g.alike |= 1 << len(g.exact)
	}
	g.exact = append(g.exact, m)
}

// roam is where the piece may come to from some squares, past all but the men that stay; the shut squares it never enters.
func (m *man) roam(from, stay, shut squares) squares {
	for {
		more := m.strikes(from, ^stay) &^ (shut | from)
		if more == 0 {
			return from
		}
		from |= more
	}
}

// spread lets loose men roam past the squares that are occupied in every scene, and take what stands there; false if nothing is new.
func (g *ghosts) spread() (changed bool) {
	stay := g.stay[legal.White] | g.stay[legal.Black]
	for side := range g.loose {
		for i := range g.loose[side] {
			m := &g.loose[side][i]
			haunt := m.roam(m.haunt, stay, g.stay[side]|g.kings)
			changed = changed || haunt != m.haunt
			m.haunt = haunt
			g.haunts[side] |= haunt
		}
	}
	return changed
}
