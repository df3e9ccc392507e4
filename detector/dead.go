package detector

import (
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// This file finds positions in which neither player can ever mate (FIDE Laws 5.2.2).

// proveDead reports whether the last position of a line is dead for another reason than material, which dead covers. It
// is tried only where the last move may have caused it: a capture or a pawn move changes for good what is in the way,
// and a lack of moves forces what follows. A piece that a quiet move shuts in is overlooked. The budget is small,
// because the board waits for the answer; an undecided position is not reported, and a flag or a losing strike tries
// again with a larger budget. Whether an illegal move beneath it may still be restored, so that nothing has ended, is
// for package rules: it depends on the rule set.
func proveDead(line []node) bool {
	pos := &line[len(line)-1].pos
	// A pawn that waits for its exchange is no immobile piece, as package helpmate would take it.
	if pos.HalfMoves() > 0 && !cornered(pos) || pos.PawnAtTheEnd() {
		return false
	}
	free := pos.Uncounted() // the 75-move rule does not make a position dead
	return helpmate.Dead(&free, helpmate.DeadLimit)
}

// fewMoves is the greatest number of moves with which a player counts as forced.
const fewMoves = 3

// cornered reports whether the side to move has little choice.
func cornered(pos *legal.Position) bool {
	var list legal.MoveList
	pos.Moves(&list)
	return list.Len() <= fewMoves
}

// dead reports whether neither player can ever mate, as far as the material alone shows (FIDE Laws 5.2.2; laws notes,
// section 3.1): bare kings, one knight, or bishops that are all on one colour. Other positions may still be dead.
// Package helpmate knows this rule too, within a longer question; this function is called for every move of every game,
// and for moves not yet made.
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
