package mateoracle

import (
	"math/rand/v2"
	"slices"
)

// Crowds are kinds of boards on which a mate is likely and far: pieces without number, a wall between them that only
// captures open, a side with one piece that has to be helped by many, and little time before the draw by 9.6.2. Each of
// them could arise in a game as far as its numbers go.
var Crowds = []Family{
	{"bishops of both colours behind a wall", walledCrowd},
	{"one bishop past a wall", onePastTheWall},
	{"promoted crowds without pawns", promoted},
	{"one minor piece against a crowd", oneAgainstACrowd},
	{"bishops of one colour against a crowd", bishopsAgainstACrowd},
	{"late, a crowd", late(promoted)},
	{"late, one minor piece", late(oneAgainstACrowd)},
	{"late, few pieces", late(fewPieces)},
	{"late, minor pieces", late(minorPieces)},
	{"late, a wall", late(chainAndPieces)},
	{"late, a wall with a crowd", late(walledCrowd)},
	{"late, bishops and kings on both sides of a wall", lateWall},
}

// arisable: no more promoted pieces than pawns are gone.
func (b *Board) arisable() bool {
	for _, side := range []Side{White, Black} {
		var n [128]int
		light := 0
		for s, m := range b.at {
			if sideOf(m) == side {
				n[upper(m)]++
				if upper(m) == 'B' && !dark(s) {
					light++
				}
			}
		}
		extra := max(n['Q']-1, 0) + max(n['R']-2, 0) + max(n['N']-2, 0) + max(light-1, 0) + max(n['B']-light-1, 0)
		if extra > 8-n['P'] {
			return false
		}
	}
	return true
}

// likely is a board with either side to move, if its numbers could arise.
func likely(b Board, r *rand.Rand) (Board, bool) {
	b, ok := done(b, r)
	return b, ok && b.arisable()
}

// wall is a lock without mishap from the a- or b-file on; the ranks above it are Black's.
func (b *Board) wall(r *rand.Rand) {
	rank := 2 + r.IntN(3)
	for f := r.IntN(2); f < 8; {
		b.drop('P', 8*rank+f)
		b.drop('p', 8*rank+8+f)
		if r.IntN(2) == 0 {
			f += 2
			continue
		}
		f++
		if rank == 1 || rank < 5 && r.IntN(2) == 0 {
			rank++
		} else {
			rank--
		}
	}
}

func walledCrowd(r *rand.Rand) (Board, bool) {
	b := empty()
	b.wall(r)
	b.kings(r)
	for _, m := range []piece{'B', 'b'} {
		for range 2 + r.IntN(6) {
			b.anywhere(r, m, 0, 7)
		}
	}
	return likely(b, r)
}

// lateWall has few bishops, most of them on the squares of their own pawns, so that they capture nothing, and a counter
// from 130 on: there is hardly time for what a mate needs.
func lateWall(r *rand.Rand) (Board, bool) {
	b := empty()
	b.wall(r)
	colour := dark(slices.Index(b.at[:], 'P'))
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	for i, m := range []piece{'B', 'b'} {
		for range 1 + r.IntN(4) {
			if at := r.IntN(64); dark(at) == (colour == (i == 0)) || r.IntN(8) == 0 {
				b.drop(m, at)
			}
		}
	}
	b, ok := likely(b, r)
	return b.WithClock(130 + r.IntN(20)), ok
}

// onePastTheWall: one side has bishops of one square colour only, most of them on its own side of the wall.
func onePastTheWall(r *rand.Rand) (Board, bool) {
	b := empty()
	b.wall(r)
	b.kings(r)
	colour := r.IntN(2) == 0
	for range 1 + r.IntN(4) {
		if at := r.IntN(64); dark(at) == colour {
			b.drop('B', at)
		}
	}
	for range 2 + r.IntN(6) {
		b.anywhere(r, "bbbbbbnr"[r.IntN(8)], 0, 7)
	}
	b, ok := likely(b, r)
	if ok && r.IntN(2) == 0 {
		b = b.Mirror()
	}
	return b, ok
}

func promoted(r *rand.Rand) (Board, bool) {
	b := empty()
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	letters := []string{"B", "BN", "N", "BNRQ", "BBBBN"}
	for _, side := range []Side{White, Black} {
		kinds := letters[r.IntN(len(letters))]
		for range r.IntN(12) {
			b.anywhere(r, ofSide(kinds[r.IntN(len(kinds))], side), 0, 7)
		}
	}
	return likely(b, r)
}

func oneAgainstACrowd(r *rand.Rand) (Board, bool) {
	b := empty()
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	b.anywhere(r, "BN"[r.IntN(2)], 0, 7)
	kinds := []string{"n", "b", "nb", "nbrqp", "p", "pq", "pb", "rq", "bq"}[r.IntN(9)]
	for range 1 + r.IntN(10) {
		b.anywhere(r, kinds[r.IntN(len(kinds))], 0, 7)
	}
	b, ok := likely(b, r)
	if ok && r.IntN(2) == 0 {
		b = b.Mirror()
	}
	return b, ok
}

func bishopsAgainstACrowd(r *rand.Rand) (Board, bool) {
	b := empty()
	b.anywhere(r, 'K', 0, 7)
	b.anywhere(r, 'k', 0, 7)
	colour := r.IntN(2) == 0
	for range 2 + r.IntN(12) {
		if at := r.IntN(64); dark(at) == colour {
			b.drop('B', at)
		}
	}
	kinds := []string{"n", "b", "nb", "nbrqp", "p", "pq", "pb", "bq"}[r.IntN(8)]
	for range 1 + r.IntN(10) {
		b.anywhere(r, kinds[r.IntN(len(kinds))], 0, 7)
	}
	b, ok := likely(b, r)
	if ok && r.IntN(2) == 0 {
		b = b.Mirror()
	}
	return b, ok
}

// late has a counter from 138 on.
func late(make func(*rand.Rand) (Board, bool)) func(*rand.Rand) (Board, bool) {
	return func(r *rand.Rand) (Board, bool) {
		b, ok := make(r)
		return b.WithClock(138 - r.IntN(2)*r.IntN(38) + r.IntN(12)), ok
	}
}
