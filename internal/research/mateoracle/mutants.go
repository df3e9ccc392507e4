package mateoracle

import "math/rand/v2"

// Printed are boards of unwinnability notes 2.1, laws notes 3.2 and others that are difficult: a known program was
// wrong or could not decide, or arbiters have them as examples.
var Printed = []string{
	"8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1",
	"k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1",
	"3b4/4p1p1/1p1pP1P1/1P1PpBp1/1pBpP1P1/1P1P4/4K1P1/2k5 w - - 0 1",
	"1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 1",
	"kb6/b1p2p1p/1pP5/1P6/8/8/5P1P/5K2 w - - 0 1",
	"3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1",
	"2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
	"8/p5pp/5ppk/6n1/6PK/4BpP1/5P1P/8 w - - 0 1",
	"8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1",
	"8/b1b5/k6p/5p1P/5p2/5PpK/6P1/8 w - - 0 1",
	"2n5/k2P4/3K4/3N4/8/8/8/8 w - - 0 1",
	"5r1k/4K2P/8/8/8/8/8/8 w - - 0 1",
}

// mutant returns one of them after one to four small changes: a piece moved, added, removed or replaced.
func mutant(r *rand.Rand) (Board, bool) {
	b, err := Read(Printed[r.IntN(len(Printed))])
	if err != nil {
		return b, false
	}
	if r.IntN(2) == 0 {
		b = b.Mirror()
	}
	if r.IntN(2) == 0 {
		b = b.Flip()
	}
	for range 1 + r.IntN(4) {
		b.change(r)
	}
	return done(b, r)
}

func (b *Board) change(r *rand.Rand) {
	at := r.IntN(64)
	for b.at[at] == 0 {
		at = r.IntN(64)
	}
	old := b.at[at]
	king := upper(old) == 'K'
	switch n := r.IntN(5); {
	case n == 0 && !king:
		b.at[at] = 0
	case n == 1 && !king:
		b.at[at] = 0
		b.drop("PpBbNnRrQq"[r.IntN(10)], at)
	case n == 2:
		b.anywhere(r, "PpPpBbNnRrQq"[r.IntN(12)], 0, 7)
	case n == 3 && !king:
		b.at[at] = 0
		if !b.drop(old, step8(at, r)) {
			b.at[at] = old
		}
	default:
		b.at[at] = 0
		b.anywhere(r, old, 0, 7)
		if king && b.king(sideOf(old)) < 0 {
			b.at[at] = old
		}
	}
}

// step8 returns one of the adjacent squares.
func step8(at int, r *rand.Rand) int {
	ways := kingSteps[at]
	return int(ways[r.IntN(len(ways))])
}

// Back plays backwards from a mate: every board on the way is one from which the mate can be reached. Of several ways
// back it takes the one that leaves the fewest moves to both sides, and captures are taken back more often than at
// random, so that the board fills up and locks. It returns the board after that number of half-moves, fewer if there is
// no further way back.
func Back(b Board, plies int, r *rand.Rand) Board {
	for range plies {
		var best Board
		least := -1
		for range 1 + r.IntN(8) {
			before, ok := b.predecessor(r)
			if n := before.freedom(); ok && (least < 0 || n < least) {
				best, least = before, n
			}
		}
		if least < 0 {
			break
		}
		b = best
	}
	b.clock = 0
	return b
}

// freedom returns the number of moves of both sides together, without regard to checks.
func (b *Board) freedom() int {
	other := *b
	other.turn = b.turn.Other()
	return len(b.pseudo(nil)) + len(other.pseudo(nil))
}

// Change returns the board after one to three small changes.
func (b Board) Change(r *rand.Rand) (Board, bool) {
	b = b.Bare()
	for range 1 + r.IntN(1+r.IntN(3)) {
		b.change(r)
	}
	return done(b, r)
}

// predecessor returns a board from which some legal move leads to this one.
func (b *Board) predecessor(r *rand.Rand) (Board, bool) {
	mover := b.turn.Other()
	for range 60 {
		to := r.IntN(64)
		if sideOf(b.at[to]) != mover {
			continue
		}
		from := r.IntN(64)
		if b.at[from] != 0 {
			continue
		}
		p := *b
		p.turn, p.ep, p.castling = mover, -1, 0
		p.at[from], p.at[to] = b.at[to], 0
		promotion := byte(0)
		if last := to >> 3; upper(b.at[to]) != 'K' && upper(b.at[to]) != 'P' && (last == 7 && mover == White || last == 0 && mover == Black) && r.IntN(4) == 0 {
			promotion, p.at[from] = upper(b.at[to]), ofSide('P', mover)
		}
		if r.IntN(3) > 0 {
			p.drop(ofSide("PPPBNRQB"[r.IntN(8)], b.turn), to)
		}
		if p.leads(Move{int8(from), int8(to), promotion}, b) {
			return p, true
		}
	}
	return Board{}, false
}

// leads reports whether the board is sound, and the move is legal on it and makes the other board.
func (b *Board) leads(m Move, next *Board) bool {
	if !b.Sound() {
		return false
	}
	for _, x := range b.Moves(nil) {
		if x == m {
			after := *b
			after.Play(m)
			return after.at == next.at && after.castling == next.castling && after.ep == next.ep
		}
	}
	return false
}

// Disturbed returns the board as an illegal move may leave it: the side not to move in check, sometimes a pawn on an
// end rank or a high half-move counter.
func (b Board) Disturbed(r *rand.Rand) (Board, bool) {
	b = b.Bare()
	if r.IntN(3) == 0 {
		at := []int{0, 56}[r.IntN(2)] + r.IntN(8)
		if b.at[at] == 0 {
			b.at[at] = "Pp"[r.IntN(2)]
		}
	}
	if r.IntN(4) == 0 {
		b.clock = int16(90 + r.IntN(20))
	}
	for range 40 {
		if c := b; b.attacked(b.king(White), Black) || b.attacked(b.king(Black), White) {
			c.turn = White
			if c.attacked(c.king(White), Black) && !c.attacked(c.king(Black), White) {
				c.turn = Black
			}
			return c, c.numbers(16)
		}
		b.change(r)
	}
	return b, false
}
