package dgt

import (
	"bytes"
	"math/rand"
	"testing"
	"time"
)

// syntheticStream makes frames in the proportions of the recordings (section
// 12): 3 dumps, 1755 clock and 458 field frames in 2216.
func syntheticStream(frames int) []byte {
	r := rand.New(rand.NewSource(1))
	var b []byte
	for range frames {
		switch n := r.Intn(2216); {
		case n < 3:
			b = BoardDump{Placement: startPlacement()}.AppendTo(b)
		case n < 3+1755:
			b = ClockData{0x20, byte(r.Intn(6)), byte(r.Intn(10)), 0x20, byte(r.Intn(6)), byte(r.Intn(10)), 0x09}.AppendTo(b)
		default:
			b = FieldUpdate{Square: byte(r.Intn(64)), Piece: Piece(r.Intn(13))}.AppendTo(b)
		}
	}
	return b
}

// BenchmarkDecode decodes a synthetic stream in chunks as a terminal or a file delivers them. The metric x-naive is the
// factor by which it is faster than the naive decoder of the tests, measured on the same stream in the same run.
func BenchmarkDecode(b *testing.B) {
	const frames = 20 * 2216
	stream := syntheticStream(frames)
	naive := naiveSpeed(stream)
	for _, bb := range []struct {
		name string
		size int
	}{{"chunks of 16", 16}, {"chunks of 64", 64}, {"chunks of 4096", 4096}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			b.ReportAllocs()
			var fields, clocks int
			for b.Loop() {
				var d Decoder
				fields, clocks = 0, 0
				for rest := stream; len(rest) > 0; rest = rest[min(bb.size, len(rest)):] {
					d.Feed(rest[:min(bb.size, len(rest))])
					for f, ok := d.Next(); ok; f, ok = d.Next() {
						if _, ok := f.Field(); ok {
							fields++
						} else if _, ok := f.Clock(); ok {
							clocks++
						}
					}
				}
			}
			if fields+clocks < frames*9/10 {
				b.Fatalf("%d field and %d clock frames", fields, clocks)
			}
			perSecond := float64(len(stream)) * float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(perSecond/naive, "x-naive")
			b.ReportMetric(perSecond*float64(frames)/float64(len(stream)), "frames/s")
		})
	}
}

// naiveSpeed measures the baseline in bytes per second: the best of five.
func naiveSpeed(stream []byte) float64 {
	best := time.Duration(1<<63 - 1)
	for range 5 {
		start := time.Now()
		n := newNaive(bytes.NewReader(stream))
		for {
			if _, _, err := n.next(); err != nil {
				break
			}
		}
		best = min(best, time.Since(start))
	}
	return float64(len(stream)) / best.Seconds()
}

// BenchmarkGarbage decodes bytes without any frame.
func BenchmarkGarbage(b *testing.B) {
	for _, bb := range []struct {
		name  string
		bytes []byte
	}{
		{"small bytes", bytes.Repeat([]byte{0x07}, 1<<16)},
		{"a stream of 80", bytes.Repeat([]byte{0x80}, 1<<16)},
		{"ids only", bytes.Repeat([]byte{0x8E}, 1<<16)},
		{"logs cut short", bytes.Repeat([]byte{0x8F, 0x3E, 0x03, 0x7F}, 1<<14)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.bytes)))
			b.ReportAllocs()
			var d Decoder
			for b.Loop() {
				d.Feed(bb.bytes)
				for _, ok := d.Next(); ok; _, ok = d.Next() {
					b.Fatal("a frame in garbage")
				}
			}
		})
	}
}
