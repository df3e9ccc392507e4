package helpmate

import "boardwatchd/rules/legal"

// looseProof proves that the winner can never mate although unimportant pieces move freely and multiply the positions.
// It visits every scene: the side to move and the squares of the exact pieces (kings, pawns, and pieces with little
// room). Of a loose piece it is known only that it is on one of the squares of its area, or gone.
//
// The proof. Suppose that some series of legal moves from the root ends in mate by the winner. By induction over its
// moves each position has a scene that was visited, and each of its loose pieces is on a square of its area, because
// every move is one of these:
//
//   - A loose piece moves or captures a loose piece: the scene does not change, which is a pass. Or it captures an
//     exact piece in its area. It arrives within its area: spread continues until no loose piece can reach a new
//     square past the squares that are occupied in every scene.
//   - An exact piece moves, with no exact piece in the way; loose pieces in the way are ignored. Pawns capture
//     wherever a loose enemy piece may be; that the captured piece is gone need not be known.
//
// Two kinds of moves are left out: illegal ones, in which an exact piece certainly attacks the mover's king, along
// squares that no exact piece occupies and no loose piece may occupy; and moves that leave the winner with the bare
// king, after which there is no mate. Positions with castling rights are refused. A pawn's step to the last rank, or a
// double step beside an enemy pawn, after which a capture en passant might follow, ends the proof. The last move of the
// series is one of these, too; but each of the winner's moves is tested for a possible mate (loosemate.go). So there is
// no such series.
//
// Exact pieces of one side and kind are not distinguished: the moves of a scene do not depend on which of them is on
// which square.
//
// The proof uses no facts of mobility. A side without loose pieces cannot pass: it may run out of moves, which walls
// cannot know. Loose pieces that guard or block may allow less in legal play than this proof allows.
type looseProof struct {
	winner    legal.Side
	root      legal.Side      // to move
	exact     []piece         // the winner's king, the loser's, the others; home is the square at the root
	loose     [3][]loosePiece // by side
	areas     [3]squares      // by side: the squares on which its loose pieces may be
	alike     uint32          // by exact piece: it has the side and kind of the one before it
	left      int             // number of moves that may still be tried
	outOfRoom bool            // the proof ended for lack of room or budget, not on a move

	scenes

	// The current scene.
	turn   legal.Side
	at     [32]squares // by exact piece: its square, or 0
	pieces [3]squares  // by side: the squares of its exact pieces
}

// A loosePiece may be on any square of its area.
type loosePiece struct {
	piece
	area squares
}

// prove tries the proof. Pieces are loose if they could reach more than room squares while all pawns keep their places.
// The limit is the number of moves tried. The position must not be mate already, and the side not to move must not be
// in check.
func (g *looseProof) prove(pos *legal.Position, winner legal.Side, room, limit int) (proved bool, nodes int) {
	g.winner, g.root, g.left, g.outOfRoom = winner, pos.Turn(), limit, false
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

// gather separates exact from loose pieces. It returns false if too many are exact, or if a pawn is on a last rank,
// which happens after an illegal move that stands.
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

// put adds one piece to the exact or the loose ones.
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

// reachFrom is the set of squares that the piece can reach from some squares, past all pieces except those that stay;
// it never enters the shut squares.
func (m *piece) reachFrom(from, stay, shut squares) squares {
	for {
		more := m.strikes(from, ^stay) &^ (shut | from)
		if more == 0 {
			return from
		}
		from |= more
	}
}

// spread extends the areas of loose pieces past the squares that are occupied in every scene, and onto captures there;
// it returns false if nothing is new.
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
