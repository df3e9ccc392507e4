package hint

import (
	"strconv"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

const secondUS = 1_000_000

const (
	startFEN  = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	scandiFEN = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"
	castleFEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	promoFEN  = "8/P5k1/8/8/8/8/8/6K1 w - - 0 1"
)

func microseconds(s string) (int64, error) {
	whole, frac, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole+(frac + "000000")[:6], 10, 64)
	return n, err
}

func pieceOf(s string) legal.Piece {
	for p := legal.WhitePawn; p <= legal.BlackKing; p++ {
		if p.String() == s {
			return p
		}
	}
	return legal.NoPiece
}

func positionOf(tb testing.TB, fen string) legal.Position {
	tb.Helper()
	s, err := legal.ParseFEN(fen)
	if err != nil {
		tb.Fatal(err)
	}
	pos, err := s.Position()
	if err != nil {
		tb.Fatal(err)
	}
	return pos
}

func middleGame(tb testing.TB) legal.Position {
	tb.Helper()
	return positionOf(tb, "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9")
}
