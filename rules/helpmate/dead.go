package helpmate

import (
	"slices"

	"boardwatchd/rules/legal"
)

// DeadLimit is a budget for Dead in live play: below a millisecond for both sides together.
const DeadLimit = 1000

// Dead tells whether the position is dead (FIDE Laws 5.2.2): neither side can ever mate. Each side is asked within the
// limit. The answers are those of the questions that were asked, and the zero Answer where none was necessary: the
// first side that can mate, or may, settles it.
//
// It is made for every move of live play, and so most positions are not asked about at all: those that are plainly
// alive. Not asking can only miss a dead position, never invent one. It is a guess of Ask that takes longer, not a rule
// of chess.
func (s *Solver) Dead(pos *legal.Position, limit int) (dead bool, white, black Answer) {
	if pos == nil || plainlyAlive(pos) {
		return false, white, black
	}
	// The side with more pieces is asked first: it settles more.
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

// freeMoves: with so many moves to choose from play is not forced; freeSquares: a queen or rook that can go to so many
// is not shut in; freePawns: nor is one for long where so many pawns can step ahead; manyLocked: with so many pawns
// face to face the whole board may be.
const (
	freeMoves   = 8
	freeSquares = 4
	freePawns   = 6
	manyLocked  = 4
)

// plainlyAlive is true for most positions of games and, on the test material, for no dead one. What follows on a dead
// position is dead, so that one free successor is enough; a bare king may have such and be stalemated by every move
// after them.
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

// free: not half of the files are locked, a queen or a rook has room or will have, and the side to move is not in check
// and has a choice of moves.
func free(pos *legal.Position) bool {
	white, black := squares(pos.Pieces(legal.White, legal.Pawn)), squares(pos.Pieces(legal.Black, legal.Pawn))
	ahead, before := pawnSteps(white, legal.White), pawnSteps(black, legal.Black)
	occupied := squares(pos.Occupied(legal.White) | pos.Occupied(legal.Black))
	return (ahead&black).count() < manyLocked && roomy(pos, (ahead&^occupied).count()+(before&^occupied).count()) &&
		!pos.InCheck() && pos.Perft(1) >= freeMoves
}

// roomy: steps is how many pawns can step ahead.
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
