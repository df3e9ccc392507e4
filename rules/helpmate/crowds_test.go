package helpmate_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// Questions that were open at the default budget until 29 November 2026, with the answers. A line to mate is replayed.
var wereOpen = []struct {
	fen  string
	side legal.Side
	want helpmate.Verdict
}{
	{"1K5k/5N2/6NN/N2N4/3b1NNN/5N2/8/8 b - - 0 1", legal.Black, helpmate.Possible},
	{"7n/n7/4Bn2/n7/n6n/Kn6/3n4/n1k4n b - - 0 1", legal.White, helpmate.Possible},
	{"n7/n3b3/1K6/b7/3p1rB1/3n1q2/2b5/3k4 w - - 0 1", legal.White, helpmate.Possible},
	{"4kBnB/B7/2n4B/n1n1B3/3n2n1/2K1nn2/3B4/n1B5 b - - 0 1", legal.White, helpmate.Possible},
	{"3bb3/B3B3/2bB1B2/b2kb3/b2B4/2B5/7B/K1B1Bb2 b - - 0 1", legal.White, helpmate.Possible},
	{"8/2b2N2/6N1/6N1/8/2N1NN1N/4N2N/NK5k b - - 139 1", legal.Black, helpmate.Possible},
	{"1n6/8/8/4n3/n1n5/B1K1kn2/1n1n1n2/nn2B3 w - - 124 1", legal.White, helpmate.Possible},
	{"5NkN/3N3N/8/N3N3/3NK3/2NN4/8/b7 b - - 109 1", legal.Black, helpmate.Possible},
	{"8/1b2kbB1/8/8/p3bBb1/Pp1p1p1p/1PKP1P1P/4B1B1 w - - 144 1", legal.Black, helpmate.Possible},
	{"8/8/8/8/1r2k3/8/8/1KN5 w - - 139 1", legal.White, helpmate.Possible},
	{"6K1/8/8/8/k7/b7/6b1/8 w - - 140 1", legal.Black, helpmate.Possible},
	{"8/6K1/4BN2/k7/8/8/8/8 b - - 138 1", legal.White, helpmate.Possible},
	{"8/8/8/8/8/7N/K3k3/b7 w - - 138 1", legal.White, helpmate.Possible},
	{"8/8/8/8/8/7N/K3k3/b7 w - - 138 1", legal.Black, helpmate.Possible},
	{"5k2/8/2B5/8/8/n7/6K1/8 b - - 131 1", legal.White, helpmate.Possible},
	{"8/3k4/8/8/8/8/6K1/N1b5 b - - 130 1", legal.Black, helpmate.Possible},
	{"3R2K1/8/2k5/8/8/3n4/8/8 w - - 141 1", legal.Black, helpmate.Never},
	{"4k3/8/8/4K3/8/b7/B7/8 w - - 140 1", legal.White, helpmate.Never},
	{"8/2K5/8/1B6/6N1/8/8/4k3 w - - 140 1", legal.White, helpmate.Never},
	{"8/5k2/8/8/8/6N1/n7/4K3 b - - 141 1", legal.White, helpmate.Never},

	{"8/4B1k1/b7/5b1p/p1p1p1pP/P1PpP1P1/3P4/4K3 w - - 140 1", legal.White, helpmate.Never},
	{"5k2/1bB5/6b1/3p1p2/p1pP1Pp1/P1P3Pp/2K4P/B7 w - - 138 1", legal.White, helpmate.Never},

	{"4B2b/4b2k/1pBp1p2/1P1P1Pp1/6P1/4b3/8/6KB w - - 146 1", legal.White, helpmate.Possible},
	{"7b/4bk2/1pBp1p2/1P1P1Pp1/6P1/4b3/7K/7B w - - 0 1", legal.White, helpmate.Possible},
	{"1Bb4k/1b1p1p1p/p1pP1P1P/P1P5/7B/1b6/4K3/5b2 w - - 0 1", legal.White, helpmate.Never},
	{"6k1/8/3B4/8/p1p1p3/P1PpPp1p/1BbP1P1P/BK3b2 w - - 0 1", legal.Black, helpmate.Never},
	{"3k1b2/q1p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1", legal.White, helpmate.Never},
	{"3k1b2/q1p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1", legal.Black, helpmate.Never},
	{"8/8/2b5/1b1b4/2b3p1/1pkp1pP1/1PbP1P2/2B1K3 w - - 0 1", legal.White, helpmate.Never},
	{"8/8/2b5/1b1b4/2b3p1/1pkp1pP1/1PbP1P2/2B1K3 w - - 0 1", legal.Black, helpmate.Never},
	{"8/8/5b2/4b1b1/1p3b2/1Pp1pkp1/2P1PbP1/3K1B2 w - - 0 1", legal.White, helpmate.Never},
	{"8/8/5b2/4b1b1/1p3b2/1Pp1pkp1/2P1PbP1/3K1B2 w - - 0 1", legal.Black, helpmate.Never},
}

func TestQuestionsThatWereOpen(t *testing.T) {
	c := newCourt(t, helpmate.DefaultLimit, 0)
	for _, q := range wereOpen {
		if a := c.ask(board(t, q.fen), q.side); a.Verdict != q.want {
			t.Errorf("%s in %s: %s (%s) after %d nodes, want %s", q.side, q.fen, a.Verdict, a.Reason, a.Nodes, q.want)
		}
	}
	c.report("were open")
}

// Crowds of pieces, walls between them and late half-move counters: every question is answered, and each answer "never"
// is held against the oracle. BOARDWATCHD_ORACLE_FOUND has the slow ones in slow.txt.
func TestCrowdsAreDecided(t *testing.T) {
	boards := setting("", 20)
	if testing.Short() {
		boards = min(boards, 8)
	}
	for i, family := range mateoracle.Crowds {
		if only := os.Getenv("BOARDWATCHD_ORACLE_FAMILY"); only != "" && only != family.Name {
			continue
		}
		t.Run(family.Name, func(t *testing.T) {
			c := newCourt(t, helpmate.DefaultLimit, 2000)
			r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), uint64(i)))
			for n := 0; n < boards; {
				b, ok := family.Make(r)
				if !ok || !admitted(&b) {
					continue
				}
				n++
				for side := range sides {
					c.decided(b, side, family.Name)
				}
			}
			c.report(family.Name)
		})
	}
}

const slowNodes = 30_000

func (c *court) decided(b mateoracle.Board, side legal.Side, family string) {
	c.t.Helper()
	a := c.ask(b, side)
	if a.Nodes > slowNodes {
		c.note("slow.txt", "%-5s %s %s %s %d", side, b.FEN(), family, a.Verdict, a.Nodes)
	}
	switch {
	case a.Verdict == helpmate.Unknown:
		c.note("open.txt", "%-5s %s %s %d", side, b.FEN(), family, a.Nodes)
		c.t.Errorf("open: %s in %s after %d nodes", side, b.FEN(), a.Nodes)
	case a.Verdict != helpmate.Never || a.Reason == helpmate.Material:
	default:
		truth := mateoracle.Clocked(b, c.most)
		if truth.Mates(sides[side]) {
			c.wrong("%s %s: never (%s), but there is a mate in time", side, b.FEN(), a.Reason)
		}
		if truth.Closed {
			c.confirmed++
		}
	}
}
