package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// A side with one minor piece often mates only if its opponent promotes to a piece that blocks its own king. Real games
// end so when a flag falls, and their questions are the most expensive ones. This file limits their cost in nodes,
// which are the same on every machine; BenchmarkLoneMinorPiece measures the cost of a node.

// loners are boards on which White has a knight or a bishop and Black must promote.
func loners(r *rand.Rand, count int) (out []legal.Position) {
	for len(out) < count {
		y := legal.Setup{Turn: legal.White + legal.Side(r.IntN(2)), EnPassant: legal.NoSquare, FullMoves: 1, HalfMoves: r.IntN(50)}
		put := func(piece legal.Piece, low, high int) {
			s := legal.Square(r.IntN(64))
			for y.Placement[s] != legal.NoPiece || s.Rank() < low || s.Rank() > high {
				s = legal.Square(r.IntN(64))
			}
			y.Placement[s] = piece
		}
		put(legal.WhiteKing, 0, 7)
		put(legal.BlackKing, 0, 7)
		put(legal.PieceOf(legal.White, [...]legal.Kind{legal.Knight, legal.Bishop}[r.IntN(2)]), 0, 7)
		for range 1 + r.IntN(8) {
			put(legal.BlackPawn, 1, 6)
		}
		for range r.IntN(4) {
			put(legal.PieceOf(legal.Black, [...]legal.Kind{legal.Queen, legal.Rook, legal.Bishop}[r.IntN(3)]), 0, 7)
		}
		pos, err := y.Position()
		if err != nil || pos.Outcome() != legal.Ongoing || materialOf(&pos).need(legal.White) != needHelper {
			continue
		}
		out = append(out, pos)
	}
	return out
}

// onceExpensive are boards that took 150,000 to 1,100,000 nodes until 24 November 2026.
var onceExpensive = [...]string{
	"8/2p1pk2/4p3/1Kp1p3/1pBp4/1b6/5p2/6r1 b - - 41 1",
	"6q1/8/3p2p1/4K1kB/1r2p3/4pbpp/5pp1/8 w - - 41 1",
	"8/2ppp3/5p2/8/4B3/3K4/k7/8 b - - 27 1",
	"8/1k1pp3/5p2/2p5/4K3/8/1q5B/8 b - - 7 1",
}

// maxForALoner is 20 ms at 0.4 µs a node (package comment). Of 80,000 such boards the dearest took 39,385.
const maxForALoner = 50_000

func TestALoneMinorPieceCostsLittle(t *testing.T) {
	count := 4000
	if testing.Short() {
		count = 800
	}
	list := loners(rand.New(rand.NewPCG(20, 1)), count)
	for _, fen := range onceExpensive {
		list = append(list, legaltest.Position(t, fen))
	}
	s := new(Solver)
	var counts [Unknown + 1]int
	sum, most, worst := 0, 0, ""
	for _, pos := range list {
		a := s.Ask(&pos, legal.White, DefaultLimit)
		counts[a.Verdict]++
		if sum += a.Nodes; a.Nodes > most {
			most, worst = a.Nodes, pos.FEN()
		}
		if a.Verdict == Unknown || a.Nodes > maxForALoner {
			t.Errorf("%s: %s (%s) after %d nodes", pos.FEN(), a.Verdict, a.Reason, a.Nodes)
		}
	}
	t.Logf("never %d, possible %d; %d nodes in the mean, at most %d (%s)", counts[Never], counts[Possible], sum/len(list), most, worst)
	if counts[Possible] < count/2 {
		t.Errorf("only %d of %d can mate: the test proves little", counts[Possible], count)
	}
}

// One operation is one question about a lone minor piece; the dearest of them has its time beside it.
func BenchmarkLoneMinorPiece(b *testing.B) {
	list := loners(rand.New(rand.NewPCG(20, 1)), 4000)
	s := new(Solver)
	nodes := 0
	b.ResetTimer()
	for i := range b.N {
		nodes += s.Ask(&list[i%len(list)], legal.White, DefaultLimit).Nodes
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
}
