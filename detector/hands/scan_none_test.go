package hands

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// opening are moves that a game begins with, White's. Their distances in the order of the scan are few, and most are
// multiples of eight: wrong orders and no scan at all look better on them than on squares by chance.
var opening = strings.Fields("e2e4 d2d4 c2c4 g1f3 b1c3 f1b5 f1c4 f1e2 c1g5 c1f4 c1e3 f1d3 e1g1h1f1 e1g1h1f1 h2h3 a2a3 f1e1 d1e2 b2b3 g2g3 f1g2 " +
	"e4e5 d4d5 b2b4 a2a4 f2f4 a1c1 d1d2 f3e5 f3d4 c2c3 d2d3 e2e3 b1d2 c3d5 f3g5 e1c1a1d1 a1d1 f4f5 g2g4 h2h4 d1b3 d1a4")

// squares of a move, in the order in which they change.
func squares(r *rand.Rand, begun, black bool) (list []legal.Square) {
	if !begun {
		from := legal.Square(r.IntN(64))
		return []legal.Square{from, (from + 1 + legal.Square(r.IntN(63))) % 64}
	}
	for m := opening[r.IntN(len(opening))]; m != ""; m = m[2:] {
		sq := legal.Square(m[1]-'1')*8 + legal.Square(m[0]-'a')
		if black {
			sq ^= 56
		}
		list = append(list, sq)
	}
	return list
}

// A stranger is a board without a scan: how long people take from one square to the next, and what the line makes of an
// instant. µs.
type stranger struct {
	name string
	gap  func(r *rand.Rand, from, to legal.Square) float64
	line func(r *rand.Rand, at float64) float64
	// From batchMoves on this looks like batches: steps are batches, of whatever is behind them, and hands that all
	// take the same time to 7 % cannot be told from them.
	batch bool
}

func strangers() []stranger {
	around := func(median, spread float64) func(*rand.Rand, legal.Square, legal.Square) float64 {
		return func(r *rand.Rand, _, _ legal.Square) float64 { return median * math.Exp(spread*r.NormFloat64()) }
	}
	asFar := func(pace, spread float64) func(*rand.Rand, legal.Square, legal.Square) float64 {
		return func(r *rand.Rand, from, to legal.Square) float64 {
			return pace * float64(fittsUS(wayMM(from, to))) * math.Exp(spread*r.NormFloat64())
		}
	}
	straight := func(_ *rand.Rand, at float64) float64 { return at }
	steps := func(us, rough float64) func(*rand.Rand, float64) float64 {
		return func(r *rand.Rand, at float64) float64 { return math.Ceil(at/us)*us + rough*r.Float64() }
	}
	radio := func(r *rand.Rand, at float64) float64 { return at + 100e3*r.Float64() }
	quick := func(r *rand.Rand, _, _ legal.Square) float64 { return 30e3 + 220e3*r.Float64() }
	bursts := func(r *rand.Rand, _, _ legal.Square) float64 {
		return []float64{20e3, 20e3, 2e6 + 9e6*r.Float64()}[r.IntN(3)] + 8e3*r.Float64()
	}
	return []stranger{
		{"people", around(240e3, 0.45), straight, false}, {"even people", around(240e3, 0.2), straight, false}, {"very even", around(300e3, 0.15), straight, false},
		{"all alike", around(260e3, 0.07), straight, true}, {"at leisure", around(550e3, 0.35), straight, false}, {"quick", quick, straight, false},
		{"as the distance asks", asFar(1, 0.1), straight, false}, {"exactly as the distance asks", asFar(0.8, 0.04), straight, false},
		{"told in bursts", bursts, straight, false},
		{"steps of 10 ms", around(240e3, 0.35), steps(10e3, 0), false}, {"steps of 20 ms", around(240e3, 0.35), steps(20e3, 2e3), true},
		{"steps of 50 ms", around(240e3, 0.35), steps(50e3, 0), false}, {"steps of 100 ms", around(240e3, 0.35), steps(100e3, 3e3), true},
		{"steps of 200 ms", around(240e3, 0.35), steps(200e3, 0), false}, {"even people, steps of 50 ms", around(240e3, 0.15), steps(50e3, 1e3), true},
		{"as the distance asks, steps of 100 ms", asFar(1, 0.1), steps(100e3, 1e3), true}, {"as the distance asks, steps of 200 ms", asFar(1, 0.1), steps(200e3, 1e3), true},
		{"radio", around(240e3, 0.35), radio, false}, {"even people, radio", around(240e3, 0.1), radio, false},
	}
}

// move is one move on such a board.
func (k *stranger) move(r *rand.Rand, begun, black bool) (reports []Report) {
	at, last := 1e6*r.Float64(), 0.0
	for i, sq := range squares(r, begun, black) {
		if i > 0 {
			at += k.gap(r, reports[i-1].Square, sq)
		}
		last = max(last, k.line(r, at))
		reports = append(reports, Report{Square: sq, At: int64(last)})
	}
	return reports
}

// Frequent tests find a scan in anything. A board is tested after every move of a game, and must not be believed at any
// of them, however few.
//
//	HANDS_BOARDS=10000 HANDS_LOOKS=24 go test ./detector/hands -run NoLattice -v     (the figures of docs/hands.md)
func TestArrivalsOnNoLatticeAreNeverAScan(t *testing.T) {
	boards, looks := 25, 120
	if n, err := strconv.Atoi(os.Getenv("HANDS_BOARDS")); err == nil {
		boards = n
	}
	if n, err := strconv.Atoi(os.Getenv("HANDS_LOOKS")); err == nil {
		looks = n
	}
	for _, k := range strangers() {
		for _, begun := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, openings %v", k.name, begun), func(t *testing.T) {
				t.Parallel()
				believed := 0
				for seed := range uint64(boards) {
					if got, ok := k.believed(seed, looks, begun); ok {
						believed++
						t.Logf("seed %d: %+v", seed, got)
					}
				}
				if believed > boards/10_000 {
					t.Errorf("%d of %d boards are believed", believed, boards)
				}
			})
		}
	}
}

// believed looks at a board after each of its moves: first at what a game begins with, if so, then at anything.
func (k *stranger) believed(seed uint64, looks int, begun bool) (got Sensor, ok bool) {
	const beginning = 30
	var s Scan
	r := rand.New(rand.NewPCG(seed, 9))
	for move := range looks {
		s.Add(k.move(r, begun && move < beginning, move%2 == 1), false)
		got = s.Sensor()
		if got.Order == Batch && got.Moves >= batchMoves && k.batch {
			continue
		}
		if got.Trusted() && got.PeriodUS <= PeriodMost {
			return got, true
		}
	}
	return got, false
}

// honest is a board with a scan, computed and not swept: many are needed.
func honest(r *rand.Rand, period float64, order Order, jitter float64, sq []legal.Square) (reports []Report) {
	at, last, seen := 1e6*r.Float64(), 0.0, make([]Report, len(sq))
	for i, q := range sq {
		if i > 0 {
			at += 240e3 * math.Exp(0.35*r.NormFloat64())
		}
		begun := period * float64(order.Slot(Field(q, false))) / 64
		seen[i] = Report{Square: q, At: int64(begun + math.Ceil((at-begun)/period)*period)}
	}
	slices.SortStableFunc(seen, func(a, b Report) int { return cmp.Compare(a.At, b.At) })
	for _, x := range seen {
		last = max(last+5_200, float64(x.At)+5_200+jitter*r.Float64())
		reports = append(reports, Report{Square: x.Square, At: int64(last)})
	}
	return reports
}

// A board that has a scan is not believed to have another: no wrong order, and no half, double or third of the period.
func TestNoOtherScanIsBelieved(t *testing.T) {
	boards := 6
	if n, err := strconv.Atoi(os.Getenv("HANDS_BOARDS")); err == nil {
		boards = n
	}
	for _, period := range []float64{25e3, 37e3, 50e3, 75e3, 100e3, 113e3, 150e3, 225e3, 250e3, 290e3, 450e3, 580e3} {
		t.Run(fmt.Sprint(period/1e3), func(t *testing.T) {
			t.Parallel()
			believed, wrong, first, off := 0, 0, 0, 0.0
			for seed := range uint64(boards) {
				for order := Raster; order <= Batch; order++ {
					for _, jitter := range []float64{1e3, 16e3, 40e3} {
						var s Scan
						r := rand.New(rand.NewPCG(seed, uint64(order)<<32|uint64(jitter)))
						for move := range 60 {
							s.Add(honest(r, period, order, jitter, squares(r, seed%2 == 0, move%2 == 1)), false)
							got := s.Sensor()
							if !got.Trusted() {
								continue
							}
							err := math.Abs(float64(got.PeriodUS)-period) / period
							// Batches through a line as slow as they are look like longer ones, as before; the windows
							// are only wider.
							if got.Order != order || err > 0.06 && order != Batch {
								wrong++
								t.Logf("seed %d, %v, jitter %v, after %d moves: %+v", seed, order, jitter, move+1, got)
							}
							if order != Batch {
								believed, first, off = believed+1, first+got.Moves, max(off, err)
							}
							break
						}
					}
				}
			}
			t.Logf("%d believed after %.1f moves in the mean, period wrong by %.1f %% at most", believed, float64(first)/float64(max(1, believed)), 100*off)
			if wrong > 0 {
				t.Errorf("%d of %d boards believed to be others", wrong, 15*boards)
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
