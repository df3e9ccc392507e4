package watch_test

import (
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"boardwatchd/dgt"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// recorded plays games and returns the input records and the number of frames in them.
func recorded(b *testing.B, games int) (inputs []record.Record, frames int) {
	b.Helper()
	r, _ := play(b, players.Options{Seed: 1, Count: games})
	var dec dgt.Decoder
	for _, in := range r.inputs {
		if in.Kind == record.Rx {
			dec.Feed(in.Body)
			for _, ok := dec.Next(); ok; _, ok = dec.Next() {
				frames++
			}
		}
	}
	return r.inputs, frames
}

func replay(inputs []record.Record) (effects int) {
	m := watch.New()
	for _, in := range inputs {
		effects += len(m.Step(in))
	}
	return effects
}

// BenchmarkReplay steps whole recorded games. The target is 300,000 frames/s on one core, and a time that grows with the
// length: the last metric is the time per frame of four times as many games to that of one, 1.0 when it is linear.
func BenchmarkReplay(b *testing.B) {
	perFrame := map[int]float64{}
	for _, games := range []int{5, 10, 20} {
		name := map[int]string{5: "1x", 10: "2x", 20: "4x"}[games]
		b.Run(name, func(b *testing.B) {
			inputs, frames := recorded(b, games)
			b.ReportAllocs()
			for b.Loop() {
				replay(inputs)
			}
			perFrame[games] = float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(frames)
			b.ReportMetric(1e9/perFrame[games], "frames/s")
			if base := perFrame[5]; base > 0 {
				b.ReportMetric(perFrame[games]/base, "per-frame-to-1x")
			}
		})
	}
}

// BenchmarkPress measures a live step from the record with the press to the committed move, over every press of twenty
// games, the effects' bytes included. The target is 1 ms at the 99th percentile.
func BenchmarkPress(b *testing.B) {
	inputs, _ := recorded(b, 20)
	presses := 0
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		m := watch.New()
		for _, in := range inputs {
			clock := in.Kind == record.Rx && len(in.Body) > 0 && in.Body[0] == byte(dgt.MsgClock)
			start := time.Now()
			n := len(m.Step(in))
			if clock && n >= 2 { // a press, and the move that it committed
				took = append(took, time.Since(start))
				presses++
			}
		}
	}
	slices.Sort(took)
	if len(took) == 0 {
		b.Fatal("no press committed a move")
	}
	us := func(permille int) float64 {
		return float64(took[min(len(took)-1, len(took)*permille/1000)].Nanoseconds()) / 1000
	}
	b.ReportMetric(us(500), "p50-µs")
	b.ReportMetric(us(990), "p99-µs")
	b.ReportMetric(us(1000), "max-µs")
	b.ReportMetric(float64(presses)/float64(b.N), "presses/op")
}

// BenchmarkMemory is what one board keeps at the end of a game of some hundred plies: what is still reachable after
// the garbage was collected, less what every board shares. The target is 150 KB a board.
func BenchmarkMemory(b *testing.B) {
	const boards = 32
	for _, plies := range []int{80, 300, 600} {
		b.Run(strconv.Itoa(plies)+"plies", func(b *testing.B) {
			r, truth := play(b, players.Options{Seed: 1, Generator: players.GeneratorOptions{MinPlies: plies, MaxPlies: plies}})
			got := 0
			kept := make([]*watch.Machine, 0, boards)
			for b.Loop() {
				clear(kept)
				kept = kept[:0]
				before := reachable()
				for range boards {
					m := watch.New()
					for _, in := range r.inputs {
						m.Step(in)
					}
					kept = append(kept, m)
				}
				got = reachable() - before
			}
			runtime.KeepAlive(kept)
			b.ReportMetric(float64(got)/boards/1024, "KB/board")
			b.ReportMetric(float64(len(truth.Games[0].Moves)), "plies")
		})
	}
}

func reachable() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
