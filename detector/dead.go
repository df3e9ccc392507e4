package detector

import (
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// This file finds positions in which neither player can ever mate (FIDE Laws 5.2.2).

// proveDead asks whether the last position of a line is dead, other than by material alone, which dead sees. Not asked
// is where the last move hardly made it so: a capture or a pawn move changes what stands in the way for good, and a
// lack of moves forces what follows. A piece that a quiet move shuts in is overlooked. The budget is small, because the
// board waits for the answer; what is left open is not told, and a flag or a losing strike asks again with more
// patience. Whether something illegal beneath it may still be put right, so that it has ended nothing, is for package
// rules: it depends on the rule set.
func proveDead(line []node) bool {
	pos := &line[len(line)-1].pos
	// A pawn that waits for its exchange is no piece that cannot move, as package helpmate takes it.
	if pos.HalfMoves() > 0 && !cornered(pos) || pos.PawnAtTheEnd() {
		return false
	}
	free := pos.Uncounted() // that 75 moves will be over first does not make it dead
	return helpmate.Dead(&free, helpmate.DeadLimit)
}

// fewMoves is how many moves at most a player has who is forced.
const fewMoves = 3

// cornered says that the player who has the move has little choice.
func cornered(pos *legal.Position) bool {
	var list legal.MoveList
	pos.Moves(&list)
	return list.Len() <= fewMoves
}

// dead says that neither player can ever mate, as far as the material alone tells (FIDE Laws 5.2.2; laws notes, section
// 3.1): bare kings, one knight, or bishops that all stand on one colour. What it does not call dead may still be.
// Package helpmate knows this rule too, within a longer question; this one is asked of every move of every game, and of
// moves not yet made.
func dead(pos *legal.Position) bool {
	knights, light, dark := 0, 0, 0
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		switch pos.PieceAt(sq).Kind() {
		case legal.Pawn, legal.Rook, legal.Queen:
			return false
		case legal.Knight:
			knights++
		case legal.Bishop:
			if (sq.File()+sq.Rank())%2 == 0 {
				dark++
			} else {
				light++
			}
		}
	}
	switch {
	case knights > 1, knights == 1 && light+dark > 0:
		return false
	}
	return light == 0 || dark == 0
}
