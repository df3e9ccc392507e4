package rules

import (
	"testing"

	"boardwatchd/rules/legal"
)

func TestIrregularPosition(t *testing.T) {
	for _, c := range []struct {
		claim, fen string
		want       bool
	}{
		{"both kings in check", "4r1k1/7p/8/8/2B5/8/8/4K2R b K - 1 1", true},
		{"only the side to move is in check", "4r1k1/7p/8/8/8/2B5/8/4K2R w K - 1 1", false},
		{"only the side not to move is in check", "6k1/7p/8/8/2B5/8/8/4K2R w K - 1 1", false},
		{"neighbouring kings", "8/8/8/3kK3/8/8/8/8 w - - 0 1", true},
		{"a white pawn on the eighth rank", "P5k1/8/8/8/8/8/8/6K1 b - - 0 1", true},
		{"a black pawn on the first rank", "6k1/8/8/8/8/8/8/p5K1 w - - 0 1", true},
		{"the start", legal.StartSetup(518).FEN(), false},
	} {
		s, err := legal.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		pos, err := s.Standing()
		if err != nil {
			t.Fatal(err)
		}
		if got := irregularPosition(&pos); got != c.want {
			t.Errorf("%s: %v", c.claim, got)
		}
	}
}
