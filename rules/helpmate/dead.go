package helpmate

import "boardwatchd/rules/legal"

// DeadLimit is a budget for Dead in live play: below a millisecond for both sides together.
const DeadLimit = 1000

// Dead tells whether the position is dead (FIDE Laws 5.2.2): neither side can ever mate. Each side is asked within the limit. The
// answers are those of the questions that were asked, and the zero Answer where none was necessary: the first side that can mate, or may, settles it.
//
// It is made for every move of live play, and so most positions are not asked about at all: those that are plainly alive. Not asking
// can only miss a dead position, never invent one. It is a guess of Ask that takes longer, not a rule of chess.
func (s *Solver) Dead(pos *legal.Position, limit int) (dead bool, white, black Answer) {
	if pos == nil || plainlyAlive(pos) {
		return false, white, black
	}
	// The side with more men is asked first: it settles more.
	first, a, b := legal.White, &white, &black
	if squares(pos.Occupied(legal.Black)).count() > squares(pos.Occupied(legal.White)).count() {
		first, a, b = legal.Black, &black, &white
	}
	if *a = s.Ask(pos, first, limit); a.Verdict != Never {
		return false, white, black
	}
	*b = s.Ask(pos, first.Other(), limit)
	return b.Verdict == Never, white, black
}

// freeMoves: with so many moves to choose from play is not forced; freeSquares: a queen or rook that can go to so many is not shut
// in; manyLocked: with so many pawns face to face the whole board may be.
const (
	freeMoves   = 8
	freeSquares = 4
	manyLocked  = 4
)

// plainlyAlive is true for most positions of games and, on the test material, for no dead one: the side to move is not in check and
// has a choice of moves, and there is a queen or a rook with room, and not half of the
// files are locked.
func plainlyAlive(pos *legal.Position) bool {
	facing := pawnSteps(squares(pos.Men(legal.White, legal.Pawn)), legal.White) & squares(pos.Men(legal.Black, legal.Pawn))
	return facing.count() < manyLocked && roomy(pos) && !pos.InCheck() && pos.Perft(1) >= freeMoves
}

func roomy(pos *legal.Position) bool {
	occupied := pos.Occupied(legal.White) | pos.Occupied(legal.Black)
	for side := legal.White; side <= legal.Black; side++ {
		for _, kind := range [...]legal.Kind{legal.Queen, legal.Rook} {
			for x := pos.Men(side, kind); x != 0; x &= x - 1 {
				if squares(legal.Reach(kind, lowest(x), occupied)&^pos.Occupied(side)).count() >= freeSquares {
					return true
				}
			}
		}
	}
	return false
}
