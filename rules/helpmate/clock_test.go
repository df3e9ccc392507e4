package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

func withHalfMoves(t *testing.T, pos legal.Position, half int) legal.Position {
	t.Helper()
	setup := pos.Setup()
	setup.HalfMoves, setup.FullMoves = half, 100
	out, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCounterDecides(t *testing.T) {
	for _, q := range []struct {
		name, fen string
		side      legal.Side
		want      Verdict
		reason    Reason
	}{
		{"rook mates with the 150th half-move", "k7/8/1K6/8/8/8/8/7R w - - 149 120", legal.White, Possible, Played},
		{"rook one half-move short", "k7/8/1K6/8/8/8/8/6R1 b - - 149 120", legal.White, Never, Counted},
		{"rook far from a mate", "3k4/8/8/8/8/8/4R3/4K3 w - - 147 120", legal.White, Never, Counted},
		{"a pawn move sets the counter back", "3k4/8/8/8/8/8/P3R3/4K3 w - - 147 120", legal.White, Possible, Played},
		{"a capture by the other side sets the counter back", "8/8/3k4/3P4/8/8/4R3/4K3 b - - 149 120", legal.White, Possible, Played},
		{"time enough", "3k4/8/8/8/8/8/4R3/4K3 w - - 120 120", legal.White, Possible, Played},
	} {
		t.Run(q.name, func(t *testing.T) {
			pos := legaltest.Position(t, q.fen)
			if a := Ask(&pos, q.side, DefaultLimit); a.Verdict != q.want || a.Reason != q.reason {
				t.Errorf("%s: %v (%v) after %d nodes, want %v (%v)", q.fen, a.Verdict, a.Reason, a.Nodes, q.want, q.reason)
			}
		})
	}
}

// Random boards with few pieces a few half-moves before the draw, against the enumeration.
func TestCounterAgainstEnumeration(t *testing.T) {
	boards := 600
	if testing.Short() {
		boards = 200
	}
	r := rand.New(rand.NewPCG(75, 150))
	solver := new(Solver)
	compared, counted, possible, unknown := 0, 0, 0, 0
	for n := 0; n < boards; n++ {
		pos, ok := randomBoard(r, uint8(r.IntN(16)))
		if r.IntN(2) == 0 {
			pos, ok = randomBoard(r, 8*uint8(r.IntN(2)))
		}
		if !ok || pos.EnPassant() != legal.NoSquare {
			continue
		}
		pos = withHalfMoves(t, pos, 150-r.IntN(8))
		side := legal.White + legal.Side(r.IntN(2))
		a := solver.Ask(&pos, side, 100_000)
		switch a.Verdict {
		case Possible:
			possible++
			continue // the line was played within Ask
		case Unknown:
			unknown++
		}
		mate, done := inTime(pos, side, 6_000)
		if !done {
			continue
		}
		compared++
		if a.Reason == Counted {
			counted++
		}
		if mate != (a.Verdict == Possible) {
			t.Fatalf("%s in %s: %v (%v) after %d nodes, enumeration: mate %v", side, pos.FEN(), a.Verdict, a.Reason, a.Nodes, mate)
		}
	}
	t.Logf("possible %d, unknown %d, compared %d, of these counted %d", possible, unknown, compared, counted)
	if counted < boards/100 {
		t.Errorf("only %d answers hung on the counter: the test proves nothing", counted)
	}
}

// Moves that are not tried as the last half-move give no check.
func TestMovesLeftOutGiveNoCheck(t *testing.T) {
	out, checks := 0, 0
	for _, pos := range gamePositions(2000) {
		var list legal.MoveList
		pos.Moves(&list)
		for _, m := range list.Slice() {
			if m.Captured() != legal.NoKind || pos.PieceAt(m.From()).Kind() == legal.Pawn {
				continue
			}
			after := pos.After(m)
			switch {
			case after.InCheck():
				checks++
				if !mayCheck(&pos, m) {
					t.Fatalf("%s gives check in %s", pos.UCI(m), pos.FEN())
				}
			case !mayCheck(&pos, m):
				out++
			}
		}
	}
	if checks < 100 || out < 100 {
		t.Errorf("%d checks, %d moves left out: the test proves nothing", checks, out)
	}
}

// A check out of turn may mate after a move that gives none, or with pieces that can never mate by themselves.
func TestACheckOutOfTurnMayMate(t *testing.T) {
	for _, fen := range []string{
		"1rkr2B1/2r5/B7/8/8/7B/5q2/7K w - - 100 80",
		"4R1k1/8/8/8/Q2K4/8/8/8 w - - 149 90",
		"8/8/8/8/1B6/4N2K/k7/1bN1Q3 w - - 149 90",
	} {
		pos := legaltest.Position(t, fen)
		if a := Ask(&pos, legal.White, 1000); a.Verdict != Possible {
			t.Errorf("%s: %+v", fen, a)
		}
	}
}
