package helpmate

import (
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// questions are positions whose answer is known by the Laws' own examples, by official keys, or by enumeration.
var questions = []struct {
	name string
	fen  string
	side legal.Side
	want Verdict
}{
	{"mate on the board counts", "2Q3k1/5ppp/3K4/8/8/7r/2R5/8 b - - 0 1", legal.White, Possible},
	{"the mated side can never mate", "2Q3k1/5ppp/3K4/8/8/7r/2R5/8 b - - 0 1", legal.Black, Never},
	{"one free reply is enough", "2Q3k1/5ppp/3K4/8/8/4r3/2R5/8 b - - 0 1", legal.Black, Possible},
	{"stalemate ends the game", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", legal.White, Never},
	{"after 75 moves the game is over", "3k4/8/8/8/8/8/4R3/4K3 w - - 150 120", legal.White, Never},
	{"the mate by the 150th half-move counts", "7k/5Q2/6K1/8/8/8/8/8 w - - 149 120", legal.White, Possible},
	{"a mate that comes too late for 9.6.2 is not possible", "3k4/8/8/8/8/8/4R3/4K3 w - - 147 120", legal.White, Never},

	{"bare king", "3k4/8/8/8/8/8/4R3/4K3 w - - 0 1", legal.Black, Never},
	{"knight against queen", "8/8/4k3/6n1/8/3QK3/8/8 w - - 0 1", legal.Black, Never},
	{"knight against rook and pawn", "8/8/4k3/6n1/8/3RK2P/8/8 w - - 0 1", legal.Black, Possible},
	{"knight against rook", "8/8/4k3/6n1/8/3RK3/8/8 w - - 0 1", legal.Black, Possible},
	{"knight against knight", "8/8/4k3/6n1/8/3NK3/8/8 w - - 0 1", legal.Black, Possible},
	{"two knights against a bare king", "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1", legal.White, Possible},
	{"bishop against rook", "8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", legal.Black, Never},
	{"bishop against queen", "8/3b2K1/k7/8/8/6Q1/8/8 b - - 0 1", legal.Black, Never},
	{"bishop against rook, its king far away", "8/3b2K1/k7/8/8/6R1/8/8 b - - 0 1", legal.Black, Never},
	{"bishop against bare king", "8/3b2K1/k7/8/8/8/8/8 b - - 0 1", legal.Black, Never},
	{"bishop against bishop of the other colour", "8/3b2K1/k7/8/8/6B1/8/8 b - - 0 1", legal.Black, Possible},
	{"bishop against bishop of its own colour", "8/3b2K1/k7/8/8/5B2/8/8 b - - 0 1", legal.Black, Never},
	{"bishop against knight", "8/3b2K1/k7/8/8/6N1/8/8 b - - 0 1", legal.Black, Possible},
	{"bishop against a knight far away", "8/3b2K1/k7/8/8/8/8/1N6 b - - 0 1", legal.Black, Possible},
	{"bishop against pawn", "8/3b2K1/k7/8/8/6P1/8/8 b - - 0 1", legal.Black, Possible},
	{"opposite bishops with three pawns", "8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1", legal.Black, Possible},
	{"pawn against bare king", "8/8/3k4/8/3K1P2/8/8/8 w - - 0 1", legal.White, Possible},
	{"pawn against bare king, the other side", "8/8/3k4/8/3K1P2/8/8/8 w - - 0 1", legal.Black, Never},

	{"the start position, White", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", legal.White, Possible},
	{"the start position, Black", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", legal.Black, Possible},
	{"a middlegame, White", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", legal.White, Possible},
	{"a middlegame, Black", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", legal.Black, Possible},

	{"forced captures end in stalemate", "8/p5pp/5ppk/6B1/6PK/5pP1/5P1P/8 b - - 0 1", legal.Black, Never},
	{"the last pawn must be taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", legal.White, Never},
	{"the last rook must be taken", "5r1k/4K2P/8/8/8/8/8/8 w - - 0 1", legal.Black, Possible},
	{"the last rook was taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", legal.Black, Never},
	{"a queen that stalemates", "2Q5/k7/3K4/3N4/8/8/8/8 b - - 0 1", legal.Black, Never},
	{"a wall of pawns", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.White, Never},
	{"a wall of pawns with bishops behind it", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", legal.White, Never},
}

func TestKnownAnswers(t *testing.T) {
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			pos := legaltest.Position(t, q.fen)
			got := Ask(&pos, q.side, DefaultLimit)
			if got.Verdict != q.want {
				t.Fatalf("%s in %s: %v, want %v", q.side, q.fen, got, q.want)
			}
			if got.Verdict == Possible && got.Line == nil {
				t.Fatalf("a mate without a line: %+v", got)
			}
		})
	}
}
