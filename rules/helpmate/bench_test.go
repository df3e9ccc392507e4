package helpmate

import (
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// One operation is one question, asked of a Solver that is kept: go test -run xxx -bench 'Questions' -cpu 1
// ./rules/helpmate
func BenchmarkQuestions(b *testing.B) {
	for _, name := range []string{"lichess.txt", "positions.txt"} {
		b.Run(name, func(b *testing.B) {
			list := corpus(b, name)
			s := new(Solver)
			nodes := 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				q := &list[i%len(list)]
				nodes += s.Ask(&q.pos, q.side, DefaultLimit).Nodes
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}

// One operation is one question whose answer is forced play.
func BenchmarkForcedPlay(b *testing.B) {
	var list []question
	s := new(Solver)
	for _, q := range corpus(b, "positions.txt") {
		if s.Ask(&q.pos, q.side, 1000).Reason == Forced {
			list = append(list, q)
		}
	}
	b.ResetTimer()
	for i := range b.N {
		q := &list[i%len(list)]
		s.Ask(&q.pos, q.side, 1000)
	}
}

// One operation is the question whether a position of the kind is dead, as it is asked at every move of live play.
func BenchmarkDead(b *testing.B) {
	for _, name := range []string{"lichess.txt", "positions.txt"} {
		b.Run(name, func(b *testing.B) {
			list := corpus(b, name)
			s := new(Solver)
			b.ResetTimer()
			for i := range b.N {
				s.Dead(&list[i%len(list)].pos, DeadLimit)
			}
		})
	}
}

// One operation is one question that uses nearly the whole default budget: the longest that a call may take.
func BenchmarkWholeBudget(b *testing.B) {
	pos := legaltest.Position(b, "6k1/8/3B4/8/p1p1p3/P1PpPp1p/1BbP1P1P/BK3b2 w - - 0 1")
	s, total := new(Solver), 0
	for range b.N {
		total += s.Ask(&pos, legal.Black, DefaultLimit).Nodes
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total), "ns/node")
	b.ReportMetric(float64(total)/float64(b.N), "nodes/op")
}

// One operation is the proof, or the failure of the proof, that a wall is closed.
func BenchmarkWall(b *testing.B) {
	for _, fen := range []string{
		"2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
	} {
		b.Run(fen, func(b *testing.B) {
			pos := legaltest.Position(b, fen)
			var m mobility
			for range b.N {
				m.survey(&pos, legal.White)
				m.walled()
			}
		})
	}
}
