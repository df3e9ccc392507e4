package detector

import (
	"testing"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

func TestDead(t *testing.T) {
	for _, c := range []struct {
		claim, fen string
		want       bool
	}{
		{"bare kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
		{"a knight", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", true},
		{"a bishop", "4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true},
		{"bishops of both sides on one colour", "4kb2/8/8/8/8/8/3B4/4K3 w - - 0 1", true},
		{"three bishops on one colour", "4kb2/6b1/8/8/8/4B3/8/4K3 w - - 0 1", true},
		{"three bishops, one on the other colour", "4kb2/5b2/8/8/8/4B3/8/4K3 w - - 0 1", false},
		{"bishops on two colours", "4kb2/8/8/8/8/8/4B3/4K3 w - - 0 1", false},
		{"two knights", "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", false},
		{"a knight on each side", "4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false},
		{"knight and bishop", "4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false},
		{"a pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
		{"a rook", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false},
	} {
		pos := positionOf(t, c.fen)
		if got := dead(&pos); got != c.want {
			t.Errorf("%s: %v", c.claim, got)
		}
		if got := helpmate.Dead(&pos, 0); got != c.want {
			t.Errorf("%s: package helpmate says %v", c.claim, got)
		}
	}
}

func TestProveDead(t *testing.T) {
	for _, c := range []struct {
		claim, fen, moves string
		want              bool
	}{
		{"the pawn's move locks the wall", "4k3/8/7p/1p1p1p2/1P1P1P1P/8/8/4K3 b - - 0 1", "h6h5", true},
		{"a wall with a hole", "4k3/8/7p/3p1p2/3P1P1P/8/8/4K3 b - - 0 1", "h6h5", false},
		{"a wall that stood before is not asked about again", "4k3/8/7p/1p1p1p2/1P1P1P1P/8/8/4K3 b - - 0 1", "h6h5 e1e2", false},
		{"the last pawn must be taken", "5K1k/8/7P/8/8/8/8/8 w - - 0 1", "h6h7", true},
		{"the queen must be taken, by a quiet move of hers", "K7/8/8/8/8/8/7q/4k3 b - - 3 1", "h2b8", true},
		{"all replies are forced, and every line is stalemate", "8/p5pp/5ppk/6n1/6PK/4BpP1/5P1P/8 w - - 0 1", "e3g5", true},
		{"one free reply", "6k1/2P2ppp/3K4/8/8/4r3/2R5/8 w - - 0 1", "c7c8q", false},
		{"75 moves will be over before anybody can mate", "8/8/4k3/8/8/3QK3/8/8 w - - 147 90", "d3e4", false},
		{"a game", StartFEN, "e2e4", false},
	} {
		if got := proveDead(lineOf(t, c.fen, c.moves)); got != c.want {
			t.Errorf("%s: %v", c.claim, got)
		}
	}
}

func BenchmarkProveDead(b *testing.B) {
	for _, c := range []struct{ name, fen, moves string }{
		{"a game", StartFEN, "e2e4"},
		{"an endgame", "8/5pk1/6p1/8/8/6P1/5PK1/8 w - - 0 1", "f2f4"},
		{"a wall", "4k3/8/7p/1p1p1p2/1P1P1P1P/8/8/4K3 b - - 0 1", "h6h5"},
	} {
		b.Run(c.name, func(b *testing.B) {
			line := lineOf(b, c.fen, c.moves)
			for b.Loop() {
				proveDead(line)
			}
		})
	}
}

// A pawn that was not exchanged is no immobile piece: the outcome of such a board is not known.
func TestPawnOnTheLastRankIsNotStalemated(t *testing.T) {
	s, err := legal.ParseFEN("P7/p5pp/5ppk/6n1/6PK/4BpP1/5P1P/8 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	pos, err := s.Standing()
	if err != nil {
		t.Fatal(err)
	}
	var g game
	g.open(pos, -1, 0)
	m, _ := pos.FindUCI("e3g5")
	g.push(m)
	if proveDead(g.nodes) {
		t.Error("the position is called dead")
	}
}
