package hands

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

// Whoever looks often enough finds a scan in anything. A board is looked at after every move of a game, and must not be
// believed at any of them.
func TestArrivalsOnNoLatticeAreNeverAScan(t *testing.T) {
	around := func(median, spread float64) func(*rand.Rand) int64 {
		return func(r *rand.Rand) int64 { return int64(median * math.Exp(spread*r.NormFloat64())) }
	}
	for name, gap := range map[string]func(*rand.Rand) int64{
		"people":      around(240e3, 0.45),
		"even people": around(240e3, 0.2),
		"very even":   around(300e3, 0.15),
		"quick":       func(r *rand.Rand) int64 { return 30_000 + r.Int64N(220_000) },
		"told in bursts": func(r *rand.Rand) int64 {
			return []int64{20_000, 20_000, 2_000_000 + r.Int64N(9_000_000)}[r.IntN(3)] + r.Int64N(8000)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(60) {
				var s Scan
				r := rand.New(rand.NewPCG(seed, 9))
				for move := range int64(120) {
					at := move * 5_000_000
					s.Add([]Report{
						{Square: legal.Square(r.IntN(64)), Was: legal.WhiteQueen, At: at},
						{Square: legal.Square(r.IntN(64)), Is: legal.WhiteQueen, At: at + gap(r)},
					}, false)
					if got := s.Sensor(); got.Trusted() && got.PeriodUS <= PeriodMost {
						t.Fatalf("seed %d, after %d moves: %+v", seed, move+1, got)
					}
				}
			}
		})
	}
}

// A bridge or a recording may deliver in steps. Behind short ones the scan is found, and behind long ones nothing is.
func TestTheStepsOfALineAreNotTakenForTheScan(t *testing.T) {
	for _, step := range []int64{10_000, 20_000, 50_000, 100_000, 200_000} {
		for seed := range uint64(10) {
			var s Scan
			b := sweep(seed, 225e3, Raster, 2e3)
			for range 60 {
				now := b.start + 2e6 + 6e6*b.rng.Float64()
				b.start += math.Floor((now-b.start)/b.period) * b.period
				from := legal.Square(b.rng.IntN(32))
				reports := b.play([]moment{{now, from, legal.NoPiece}, {now + 240e3*math.Exp(0.35*b.rng.NormFloat64()), from + 17, legal.WhiteRook}})
				for i := range reports {
					reports[i].At = (reports[i].At+step-1)/step*step + 7
				}
				s.Add(reports, false)
				if got := s.Sensor(); got.Trusted() && got.PeriodUS <= PeriodMost && (got.Order != Raster || got.PeriodUS < 220_000 || got.PeriodUS > 230_000) {
					t.Fatalf("steps of %d µs, seed %d: %+v", step, seed, got)
				}
			}
			if got := s.Sensor(); step <= 20_000 && !got.Trusted() {
				t.Errorf("steps of %d µs, seed %d: not found: %+v", step, seed, got)
			}
		}
	}
}
