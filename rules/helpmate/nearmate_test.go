package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

// fewPieces is a board of the kind that nearMate is for, or none.
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

// With few pieces before 9.6.2 the answers are those of a plain enumeration, and no position on the way to a mate is
// called too late. The boards are the last ones of lines that mate, with as many half-moves left as the line needs, or
// fewer.
func TestNearMateAgainstEnumeration(t *testing.T) {
	boards := 500
	if testing.Short() {
		boards = 150
	}
	r := rand.New(rand.NewPCG(138, 150))
	solver := new(Solver)
	known, mates, none := 0, 0, 0
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
			mat := materialOf(&late)
			var m nearMate
			if m.point(&late, mat, side); !m.known {
				continue
			}
			known++
			p := progress{pos: &late, side: side, mat: mat, limit: DefaultLimit}
			got := new(Solver).count(&p, p.limit)
			mate := left == rest
			if mate {
				foreseen(t, &m, late, a.Line[len(a.Line)-rest:])
			} else {
				found, done := inTime(late, side, 20_000)
				if !done {
					continue
				}
				mate = found
			}
			if mate != (got.Verdict == Possible) || got.Verdict == Unknown {
				t.Fatalf("%s in %s: %v (%v), enumeration: mate %v", side, late.FEN(), got.Verdict, got.Reason, mate)
			}
			if mate {
				mates++
			} else {
				none++
			}
		}
	}
	t.Logf("%d questions, %d mates in time, %d proved too late", known, mates, none)
	if mates < boards/4 || none < boards/20 {
		t.Error("the test proves nothing")
	}
}

// foreseen: at each position of a line the least number of half-moves is no more than are left.
func foreseen(t *testing.T, m *nearMate, pos legal.Position, line []legal.Move) {
	t.Helper()
	for i, move := range line {
		if move.Captured() != legal.NoKind {
			return // no mate follows, and there is none to foresee
		}
		if least, left := m.least(&pos, len(line)), len(line)-i; least > left {
			t.Fatalf("%s: at least %d half-moves, and a mate in %d", pos.FEN(), least, left)
		}
		pos = pos.After(move)
	}
}
