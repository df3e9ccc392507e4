package helpmate

import "boardwatchd/rules/legal"

// looseProof proves that the winner can never mate although pieces of no account walk about freely and multiply the
// positions. It visits every scene: the side to move and the squares of the exact pieces (kings, pawns, and pieces with
// little room). Of a loose piece it is known only that it is on one of the squares of its area, or gone.
//
// The proof. Suppose that some series of legal moves from the root ends in mate by the winner. By induction over its
// moves each position has a scene that was visited, and each of its loose pieces stands on a square of its area,
// because every move is one of these:
//
//   - A loose piece moves or takes a loose piece: the scene stays, a pass. Or it takes an exact piece that stands in
//     its area. It arrives in its area: spread goes on until no loose piece can come to a new square past squares
//     occupied in every scene.
//   - An exact piece moves, with no exact piece in the way; loose pieces in the way are overlooked. Pawns capture
//     wherever a loose enemy may stand; that the captured piece is gone need not be known.
//
// Left out is what is not legal, because an exact piece attacks the mover's king for certain, along squares where no
// exact piece stands and no loose piece may stand; and what no mate follows, because the winner has the bare king left.
// There is no castling: refused. A pawn's step to the last rank, or a double step beside an enemy pawn, so that a
// capture en passant might follow, ends the proof. The last move of the series is one of these, too; but of each of the
// winner's moves it is asked whether it may mate (loosemate.go). So there is no such series.
//
// Exact pieces of one side and kind are not told apart: the moves of a scene do not depend on which of them stands
// where.
//
// It rests on no facts of mobility. A side without loose pieces cannot pass: it may run out of moves, which walls
// cannot know. Where loose pieces guard or block, legal play may allow less than this.
type looseProof struct {
	winner legal.Side
	root   legal.Side      // to move
	exact  []piece         // the winner's king, the loser's, the others; home is where it stands at the root
	loose  [3][]loosePiece // by side
	areas  [3]squares      // by side: where its loose pieces may stand
	alike  uint32          // by exact piece: it is of the side and kind of the one before it
	left   int             // so many moves may still be tried
	crowd  bool            // the proof ended for want of room or budget, not on a move

	scenes

	// The scene at hand.
	turn   legal.Side
	at     [32]squares // by exact piece: its square, or 0
	pieces [3]squares  // by side: where its exact pieces stand
}

// A loosePiece may stand on any square of its area.
type loosePiece struct {
	piece
	area squares
}

// prove tries the proof, with those pieces loose that could come to more than so many squares if all pawns stayed where
// they are. The limit is of moves tried. The position is not mate already, and does not show the side not to move in
// check.
func (g *looseProof) prove(pos *legal.Position, winner legal.Side, room, limit int) (proved bool, nodes int) {
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

// gather tells exact from loose pieces; false if too many are exact, or if a pawn stands on a last rank, on a board
// left standing.
func (g *looseProof) gather(pos *legal.Position, room int) bool {
	g.exact, g.areas, g.alike = g.exact[:0], [3]squares{}, 0
	for side := range g.loose {
		g.loose[side] = g.loose[side][:0]
	}
	pawns := squares(pos.Pieces(legal.White, legal.Pawn) | pos.Pieces(legal.Black, legal.Pawn))
	if pawns&(rank1|rank8) != 0 {
		return false
	}
	for _, side := range [...]legal.Side{g.winner, g.winner.Other()} {
		g.exact = append(g.exact, piece{kind: legal.King, side: side, home: squares(pos.Pieces(side, legal.King))})
	}
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		for kind := legal.Pawn; kind < legal.King; kind++ {
			for x := squares(pos.Pieces(side, kind)); x != 0; x &= x - 1 {
				g.put(piece{kind: kind, side: side, home: x & -x}, pawns, room)
			}
		}
	}
	return len(g.exact) <= scenePieces
}

// put lays one piece among the exact or the loose.
func (g *looseProof) put(m piece, pawns squares, room int) {
	if m.kind != legal.Pawn {
		if area := m.reachFrom(m.home, pawns, pawns); area.count() > room {
			g.loose[m.side] = append(g.loose[m.side], loosePiece{m, area})
			g.areas[m.side] |= area
			return
		}
	}
	if before := &g.exact[len(g.exact)-1]; before.kind == m.kind && before.side == m.side {
		g.alike |= 1 << len(g.exact)
	}
	g.exact = append(g.exact, m)
}

// reachFrom is where the piece may come to from some squares, past all but the pieces that stay; the shut squares it
// never enters.
func (m *piece) reachFrom(from, stay, shut squares) squares {
	for {
		more := m.strikes(from, ^stay) &^ (shut | from)
		if more == 0 {
			return from
		}
		from |= more
	}
}

// spread lets loose pieces reachFrom past the squares that are occupied in every scene, and take what stands there;
// false if nothing is new.
func (g *looseProof) spread() (changed bool) {
	stay := g.stay[legal.White] | g.stay[legal.Black]
	for side := range g.loose {
		for i := range g.loose[side] {
			m := &g.loose[side][i]
			area := m.reachFrom(m.area, stay, g.stay[side]|g.kings)
			changed = changed || area != m.area
			m.area = area
			g.areas[side] |= area
		}
	}
	return changed
}
