package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

// fewPieces is a board of the kind that layers are for, or none.
func fewPieces(r *rand.Rand) (legal.Position, bool) {
	armies := [...]string{"Kkbn", "Kkbb", "Kknn", "KkBb", "KkBn", "KkNb", "KkNn", "KkRn", "KkNr", "KkBN", "KkBB", "KkNNb", "KkNrb", "KkBnn", "KkRrn"}
	kinds := map[rune]legal.Kind{'k': legal.King, 'r': legal.Rook, 'b': legal.Bishop, 'n': legal.Knight}
	setup := legal.Setup{Turn: legal.White + legal.Side(r.IntN(2)), EnPassant: legal.NoSquare, FullMoves: 90}
	for _, letter := range armies[r.IntN(len(armies))] {
		at := legal.Square(r.IntN(64))
		if setup.Placement[at] != legal.NoPiece {
			return legal.Position{}, false
		}
		side := legal.White
		if letter >= 'a' {
			side = legal.Black
		}
		setup.Placement[at] = legal.PieceOf(side, kinds[letter|0x20])
	}
	pos, err := setup.Position()
	return pos, err == nil && pos.Outcome() == legal.Ongoing
}

// With few pieces before 9.6.2 the answers are those of a plain enumeration. The boards are the last ones of lines that
// mate, with as many half-moves left as the line needs, or fewer.
func TestLayersAgainstEnumeration(t *testing.T) {
	boards := 500
	if testing.Short() {
		boards = 150
	}
	r := rand.New(rand.NewPCG(138, 150))
	solver, g := new(Solver), new(layers)
	known, found, none := 0, 0, 0
	for known < boards {
		pos, ok := fewPieces(r)
		if !ok {
			continue
		}
		for side := legal.White; side <= legal.Black; side++ {
			a := solver.Ask(&pos, side, 20_000)
			if a.Verdict != Possible || len(a.Line) < 7 {
				continue
			}
			before, rest := pos, 1+r.IntN(6)
			for _, m := range a.Line[:len(a.Line)-rest] {
				before = before.After(m)
			}
			left := rest - r.IntN(2)*min(2, rest-1)
			late := withHalfMoves(t, before, lastHalfMove-left)
			if !g.fits(&late, materialOf(&late), side) {
				continue
			}
			known++
			got := g.count(&late, DefaultLimit)
			if got.Verdict == Possible && !mates(late, side, got.Line) {
				t.Fatalf("%s in %s: %v does not mate", side, late.FEN(), got.Line)
			}
			mate := left == rest
			if !mate {
				mated, done := inTime(late, side, 20_000)
				if !done {
					continue
				}
				mate = mated
			}
			if mate != (got.Verdict == Possible) || got.Verdict == Unknown {
				t.Fatalf("%s in %s: %v (%v), enumeration: mate %v", side, late.FEN(), got.Verdict, got.Reason, mate)
			}
			if mate {
				found++
			} else {
				none++
			}
		}
	}
	t.Logf("%d questions, %d mates in time, %d proved too late", known, found, none)
	if found < boards/4 || none < boards/20 {
		t.Error("the test proves nothing")
	}
}
