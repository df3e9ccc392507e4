package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// quietMate reports whether the side can be helped to mate within that many half-moves without captures and pawn moves.
func quietMate(pos legal.Position, side legal.Side, left int) bool {
	var list legal.MoveList
	pos.Moves(&list)
	if list.Len() == 0 {
		return pos.InCheck() && pos.Turn() != side
	}
	for _, m := range list.Slice() {
		if left > 0 && !resets(&pos, m) && quietMate(pos.After(m), side, left-1) {
			return true
		}
	}
	return false
}

// The bound on quiet play is never above the shortest mate, and often just below it. The boards are the last ones of
// lines that mate.
func TestQuietPlayIsNotTooFarFromAMateThatItReaches(t *testing.T) {
	wanted := 300
	if testing.Short() {
		wanted = 100
	}
	r := rand.New(rand.NewPCG(140, 150))
	solver, q, b := new(Solver), new(quiet), new(mobility)
	known, exact := 0, 0
	for known < wanted {
		pos, ok := randomBoard(r, uint8(r.IntN(8)))
		if r.IntN(2) == 0 {
			seed := legaltest.Position(t, seeds[r.IntN(len(seeds))].fen)
			pos, ok = relative(r, &seed)
		}
		if !ok {
			continue
		}
		side := legal.White + legal.Side(r.IntN(2))
		a := solver.Ask(&pos, side, 5000)
		if a.Verdict != Possible {
			continue
		}
		for i, m := range a.Line {
			pos = pos.After(m)
			left := 0
			for left < 4 && !quietMate(pos, side, left) {
				left++
			}
			if left == 0 || left == 4 || len(a.Line)-i > 6 || !q.draw(b, &pos, side) {
				continue
			}
			known++
			late := withHalfMoves(t, pos, lastHalfMove-left)
			if !q.mayMate(&late) {
				t.Fatalf("%s in %s: %d half-moves are enough for a mate", side, late.FEN(), left)
			}
			if later := withHalfMoves(t, pos, lastHalfMove-left+1); !q.mayMate(&later) {
				exact++
			}
		}
	}
	t.Logf("%d positions, in %d of them no mate is nearer", known, exact)
	if exact < known/8 {
		t.Error("the bound says too little: the test proves nothing")
	}
}
