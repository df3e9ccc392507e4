package helpmate

import (
	"slices"

	"boardwatchd/rules/legal"
)

// DeadLimit is a budget for Dead in live play: below a millisecond for both sides together.
const DeadLimit = 1000

// Dead reports whether the position is dead (FIDE Laws 5.2.2): neither side can ever mate. Each side is asked within
// the limit. The answers are those of the questions that were asked, and the zero Answer for a question that was not
// necessary: one side that can mate, or may, is enough.
//
// It runs for every move of live play, so it does not ask about positions that are plainly alive, which most are. Not
// asking can only miss a dead position, never invent one. That test is a guess about questions that would take longer;
// it is no rule of chess.
func (s *Solver) Dead(pos *legal.Position, limit int) (dead bool, white, black Answer) {
	if pos == nil || plainlyAlive(pos) {
		return false, white, black
	}
	// The side with more pieces is asked first: its answer is more often enough.
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

// With freeMoves moves to choose from, play is not forced. A queen or rook that can go to freeSquares squares is not
// shut in, nor is it for long if freePawns pawns can step ahead. With manyLocked pairs of pawns face to face the whole
// board may be locked.
const (
	freeMoves   = 8
	freeSquares = 4
	freePawns   = 6
	manyLocked  = 4
)

// plainlyAlive is true for most positions of games and, on the test material, for no dead one. Every successor of a
// dead position is dead, so one free successor is enough. A bare king is the exception: it may have such a successor
// and be stalemated by every move after it.
func plainlyAlive(pos *legal.Position) bool {
	if free(pos) {
		return true
	}
	if squares(pos.Occupied(pos.Turn())).count() == 1 {
		return false
	}
	var list legal.MoveList
	pos.Moves(&list)
	return slices.ContainsFunc(list.Slice(), func(m legal.Move) bool {
		after := pos.After(m)
		return free(&after)
	})
}

// free reports whether fewer than half of the files are locked, a queen or a rook has room or will have it, and the
// side to move is not in check and has a choice of moves.
func free(pos *legal.Position) bool {
	white, black := squares(pos.Pieces(legal.White, legal.Pawn)), squares(pos.Pieces(legal.Black, legal.Pawn))
	ahead, before := pawnSteps(white, legal.White), pawnSteps(black, legal.Black)
	occupied := squares(pos.Occupied(legal.White) | pos.Occupied(legal.Black))
	return (ahead&black).count() < manyLocked && roomy(pos, (ahead&^occupied).count()+(before&^occupied).count()) &&
		!pos.InCheck() && pos.Perft(1) >= freeMoves
}

// roomy reports whether a queen or rook has room or will have it; steps is the number of pawns that can step ahead.
func roomy(pos *legal.Position, steps int) bool {
	occupied := pos.Occupied(legal.White) | pos.Occupied(legal.Black)
	for side := legal.White; side <= legal.Black; side++ {
		for _, kind := range [...]legal.Kind{legal.Queen, legal.Rook} {
			for x := pos.Pieces(side, kind); x != 0; x &= x - 1 {
				if steps >= freePawns || squares(legal.Reach(kind, lowest(x), occupied)&^pos.Occupied(side)).count() >= freeSquares {
					return true
				}
			}
		}
	}
	return false
}
