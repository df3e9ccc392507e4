package mateoracle

import "testing"

// BenchmarkClosure measures the positions a second in a closure that is known to contain 972,876 positions
// (unwinnability notes 2.3).
func BenchmarkClosure(b *testing.B) {
	board, seen := mustRead(b, Printed[5]), 0
	for b.Loop() {
		r := Closure(board, 2_000_000)
		if !r.Closed || r.White || r.Black || r.Positions != 972876 {
			b.Fatalf("%+v", r)
		}
		seen += r.Positions
	}
	b.ReportMetric(float64(seen)/b.Elapsed().Seconds(), "positions/s")
}
