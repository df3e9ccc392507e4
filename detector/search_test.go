package detector

import (
	"testing"

	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

func MiddleGame(tb testing.TB) legal.Position {
	tb.Helper()
	return PositionOf(tb, "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9")
}

// BenchmarkLostPlies is the dearest question that is ever asked: after a gap, with a board that nearly agrees.
func BenchmarkLostPlies(b *testing.B) {
	pos := MiddleGame(b)
	live := pos.Placement()
	live[legal.A2] = legal.NoPiece
	for b.Loop() {
		for d := 1; d <= play.MaxLost; d++ {
			play.LostPlies(&pos, &live, d, maxRows)
		}
	}
}
