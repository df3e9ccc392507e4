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

// recorded plays games and returns the input records and their number of frames.
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

// A stopwatch holds the shortest time of each input in any pass, which other work on the machine does not change.
type stopwatch []time.Duration

// step steps one input and returns its duration, and the number of its effects.
func (w stopwatch) step(m *watch.Machine, inputs []record.Record, i int) (took time.Duration, effects int) {
	start := time.Now()
	effects = len(m.Step(inputs[i]))
	took = time.Since(start)
	if w[i] == 0 || took < w[i] {
		w[i] = took
	}
	return took, effects
}

// BenchmarkReplay steps whole recorded games. The target is 300,000 frames/s on one core, and a time that grows with
// the length. least-frames/s is the rate with the shortest time of every input in any pass, and least-per-frame-to-1x
// is the ratio of such a time per frame for twice and four times as many games to that for one, 1.0 if it is linear.
func BenchmarkReplay(b *testing.B) {
	perFrame := map[int]float64{}
	for _, games := range []int{5, 10, 20} {
		name := map[int]string{5: "1x", 10: "2x", 20: "4x"}[games]
		b.Run(name, func(b *testing.B) {
			inputs, frames := recorded(b, games)
			w := make(stopwatch, len(inputs))
			b.ReportAllocs()
			for b.Loop() {
				m := watch.New()
				for i := range inputs {
					w.step(m, inputs, i)
				}
			}
			b.ReportMetric(float64(frames*b.N)/b.Elapsed().Seconds(), "frames/s")
			least := time.Duration(0)
			for _, took := range w {
				least += took
			}
			perFrame[games] = least.Seconds() / float64(frames)
			b.ReportMetric(1/perFrame[games], "least-frames/s")
			if base := perFrame[5]; base > 0 {
				b.ReportMetric(perFrame[games]/base, "least-per-frame-to-1x")
			}
		})
	}
}

// BenchmarkPress measures a live step from the record with the press to the committed move, over every press of twenty
// games, the effects' bytes included. The target is 0.1 ms at the 99th percentile. p50 and p99 are of every step,
// least-p50 and least-p99 of the shortest time of each press in any pass.
func BenchmarkPress(b *testing.B) {
	inputs, _ := recorded(b, 20)
	w := make(stopwatch, len(inputs))
	var took []time.Duration
	press := make([]bool, len(inputs))
	b.ReportAllocs()
	for b.Loop() {
		m := watch.New()
		for i, in := range inputs {
			clock := in.Kind == record.Rx && len(in.Body) > 0 && in.Body[0] == byte(dgt.MsgClock)
			if d, effects := w.step(m, inputs, i); clock && effects >= 2 { // a press, and the move that it committed
				took = append(took, d)
				press[i] = true
			}
		}
	}
	var least []time.Duration
	for i, d := range w {
		if press[i] {
			least = append(least, d)
		}
	}
	if len(took) == 0 {
		b.Fatal("no press committed a move")
	}
	slices.Sort(took)
	slices.Sort(least)
	us := func(of []time.Duration, permille int) float64 {
		return float64(of[min(len(of)-1, len(of)*permille/1000)].Nanoseconds()) / 1000
	}
	b.ReportMetric(us(took, 500), "p50-µs")
	b.ReportMetric(us(took, 990), "p99-µs")
	b.ReportMetric(us(took, 1000), "max-µs")
	b.ReportMetric(us(least, 500), "least-p50-µs")
	b.ReportMetric(us(least, 990), "least-p99-µs")
	b.ReportMetric(float64(len(least)), "presses/op")
}

// BenchmarkMemory measures the memory of one board at the end of a game of some hundred plies: the reachable memory
// after garbage collection, less what all boards share. The target is 150 KB a board.
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
