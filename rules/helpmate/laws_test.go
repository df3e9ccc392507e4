package helpmate_test

import (
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// The example positions of the arbiters' documents, as laws notes 3.2 have them: before and after
// the action. Where the notes assume a square, every square is tried that changes the meaning (knight on g3 or b1).
var examples = []struct {
	id           string
	fen          string
	white, black helpmate.Verdict
}{
	{"1a-Q before", "8/3b2p1/k5K1/8/8/6Q1/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-Q bishop against queen", "8/3b2K1/k7/8/8/6Q1/8/8 b - - 0 1", helpmate.Possible, helpmate.Never},
	{"1a-R before", "8/3b2p1/k5K1/8/8/6R1/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-R bishop against rook", "8/3b2K1/k7/8/8/6R1/8/8 b - - 0 1", helpmate.Possible, helpmate.Never},
	{"1a-0 before", "8/3b2p1/k5K1/8/8/8/8/8 w - - 0 1", helpmate.Never, helpmate.Possible},
	{"1a-0 bishop against king", "8/3b2K1/k7/8/8/8/8/8 b - - 0 1", helpmate.Never, helpmate.Never},
	{"1a-B dark, before", "8/3b2p1/k5K1/8/8/6B1/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-B dark, bishops on two colours", "8/3b2K1/k7/8/8/6B1/8/8 b - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-B light, before", "8/3b2p1/k5K1/8/8/5B2/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-B light, bishops on one colour", "8/3b2K1/k7/8/8/5B2/8/8 b - - 0 1", helpmate.Never, helpmate.Never},
	{"1a-N before", "8/3b2p1/k5K1/8/8/6N1/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-N bishop against knight", "8/3b2K1/k7/8/8/6N1/8/8 b - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-N knight on b1, before", "8/3b2p1/k5K1/8/8/8/8/1N6 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-N knight on b1", "8/3b2K1/k7/8/8/8/8/1N6 b - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-P before", "8/3b2p1/k5K1/8/8/6P1/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"1a-P bishop against pawn", "8/3b2K1/k7/8/8/6P1/8/8 b - - 0 1", helpmate.Possible, helpmate.Possible},
	{"2 before", "6k1/2P2ppp/3K4/8/8/7r/2R5/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"2b, 2c mate on the board", "2Q3k1/5ppp/3K4/8/8/7r/2R5/8 b - - 0 1", helpmate.Possible, helpmate.Never},
	{"2 counter, before", "6k1/2P2ppp/3K4/8/8/4r3/2R5/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"2 counter, the rook can come between", "2Q3k1/5ppp/3K4/8/8/4r3/2R5/8 b - - 0 1", helpmate.Possible, helpmate.Possible},
	{"3b before", "8/p5pp/5ppk/6n1/6PK/4BpP1/5P1P/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"3b all play ends in stalemate", "8/p5pp/5ppk/6B1/6PK/5pP1/5P1P/8 b - - 0 1", helpmate.Never, helpmate.Never},
	{"CF opposite bishops, three pawns", "8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"PZ 8 before", "5r1k/4K2P/8/8/8/8/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"PZ 8 the last pawn must be taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", helpmate.Never, helpmate.Never},
	{"PZ 11 before", "2n5/k2P4/3K4/3N4/8/8/8/8 w - - 0 1", helpmate.Possible, helpmate.Possible},
	{"PZ 11 stalemate by the queen", "2Q5/k7/3K4/3N4/8/8/8/8 b - - 0 1", helpmate.Never, helpmate.Never},
	{"pawn on the seventh, before", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", helpmate.Possible, helpmate.Never},
	{"pawn not exchanged: stalemate by the queen", "5Q2/7k/5K2/8/8/8/8/8 b - - 0 1", helpmate.Never, helpmate.Never},
	{"flag against a bishop", "8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", helpmate.Possible, helpmate.Never},
}

// Each for both sides, and with the colours changed; the oracle says the same wherever it sees all.
func TestExamplesOfTheLaws(t *testing.T) {
	for _, e := range examples {
		t.Run(e.id, func(t *testing.T) {
			c := newCourt(t, helpmate.DefaultLimit, 20_000)
			b := board(t, e.fen)
			m := b.Mirror()
			for _, q := range []struct {
				b    mateoracle.Board
				side legal.Side
				want helpmate.Verdict
			}{{b, legal.White, e.white}, {b, legal.Black, e.black}, {m, legal.Black, e.white}, {m, legal.White, e.black}} {
				if got := c.ask(q.b, q.side); got.Verdict != q.want {
					t.Errorf("%s in %s: %s (%s), want %s", q.side, q.b.FEN(), got.Verdict, got.Reason, q.want)
				}
			}
			truth := mateoracle.Closure(b, c.most)
			if e.white == helpmate.Never && truth.White || e.black == helpmate.Never && truth.Black ||
				truth.Closed && (e.white == helpmate.Possible && !truth.White || e.black == helpmate.Possible && !truth.Black) {
				t.Errorf("the oracle says otherwise: %+v", truth)
			}
		})
	}
}

// Boards of unwinnability notes 2.1: known programs were wrong about the first three and could not decide the sixth.
func TestBoardsOthersStumbledOver(t *testing.T) {
	want := []struct{ white, black helpmate.Verdict }{
		0: {white: helpmate.Possible},
		1: {helpmate.Possible, helpmate.Possible},
		2: {white: helpmate.Possible},
		5: {helpmate.Never, helpmate.Never},
		6: {helpmate.Never, helpmate.Never},
		9: {helpmate.Never, helpmate.Never},
	}
	for i, w := range want {
		b := board(t, mateoracle.Printed[i])
		c := newCourt(t, helpmate.DefaultLimit, 0)
		for side, want := range map[legal.Side]helpmate.Verdict{legal.White: w.white, legal.Black: w.black} {
			if got := c.ask(b, side); want != helpmate.NoVerdict && got.Verdict != want {
				t.Errorf("%s in %s: %s (%s), want %s", side, b.FEN(), got.Verdict, got.Reason, want)
			}
		}
	}
}
