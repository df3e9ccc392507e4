package hands

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/rules/legal"
)

// sweeper is a board that visits its squares one after another, as the timing notes describe it, and a line behind it.
// It shares nothing with the estimate: visits are counted up one by one, and the period may change with every scan.
type sweeper struct {
	rng      *rand.Rand
	period   float64 // µs, of the present scan
	drift    float64 // of the period, relative, from scan to scan
	order    Order
	reversed bool
	jitter   float64 // µs, uniform
	start    float64 // of the present scan
	arrived  int64
}

// moment is one physical change.
type moment struct {
	at float64
	sq legal.Square
	is legal.Piece
}

// play lets the scan run over one move and returns its reports.
func (b *sweeper) play(moments []moment) []Report {
	var reports []Report
	known := map[legal.Square]legal.Piece{}
	for _, m := range moments {
		if m.is == legal.NoPiece {
			known[m.sq] = legal.WhiteRook
		}
	}
	until := moments[len(moments)-1].at + 3*b.period
	for b.start < until {
		for turn := range 64 {
			for field := range 64 {
				if b.slot(field) != turn {
					continue
				}
				visit := b.start + float64(turn)*b.period/64
				if b.order == Batch {
					visit = b.start
				}
				sq := legal.Square(field ^ 56)
				if b.reversed {
					sq = legal.Square((63 - field) ^ 56)
				}
				is := known[sq]
				for _, m := range moments {
					if m.sq == sq && m.at <= visit {
						is = m.is
					}
				}
				if is != known[sq] {
					b.arrived = max(b.arrived, int64(visit+b.rng.Float64()*b.jitter))
					reports = append(reports, Report{Square: sq, Was: known[sq], Is: is, At: b.arrived})
					known[sq] = is
				}
			}
		}
		b.start += b.period
		b.period *= 1 + b.drift
	}
	return reports
}

// slot is written out again, so that a mistake in Order.Slot shows.
func (b *sweeper) slot(field int) int {
	row, file := field/8, field%8
	switch b.order {
	case RasterReverse:
		return 63 - field
	case Column:
		return file*8 + row
	case ColumnReverse:
		return 63 - file*8 - row
	}
	return field
}

// feed plays simple moves of both sides with gaps around a median.
func (b *sweeper) feed(s *Scan, moves int, medianUS float64) {
	now := b.start
	for range moves {
		now += 2e6 + 6e6*b.rng.Float64()
		b.start += math.Floor((now-b.start)/b.period) * b.period
		from := legal.Square(b.rng.IntN(64))
		to := legal.Square(b.rng.IntN(64))
		if from == to {
			to = (to + 8) % 64
		}
		gap := medianUS * math.Exp(0.35*b.rng.NormFloat64())
		s.Add(b.play([]moment{{now, from, legal.NoPiece}, {now + gap, to, legal.WhiteRook}}), b.reversed)
	}
}

func sweep(seed uint64, period float64, order Order, jitter float64) *sweeper {
	return &sweeper{rng: rand.New(rand.NewPCG(seed, 6)), period: period, order: order, jitter: jitter}
}

func TestSixtyMovesGiveThePeriodToOneMillisecond(t *testing.T) {
	for _, order := range []Order{Raster, RasterReverse, Column, ColumnReverse, Batch} {
		for _, period := range []float64{50e3, 100e3, 200e3, 225e3, 250e3, 450e3, 590e3} {
			for _, median := range []float64{240e3, 550e3} {
				t.Run(fmt.Sprintf("%v %v ms, %v ms a move", order, period/1e3, median/1e3), func(t *testing.T) {
					var s Scan
					b := sweep(uint64(period)+uint64(order), period, order, 1000)
					b.reversed = order%2 == 0
					b.feed(&s, 60, median)
					got := s.Sensor()
					if math.Abs(float64(got.PeriodUS)-period) > 1000 || got.Order != order || got.Fit < 950 {
						t.Errorf("%+v, rivals %v", got, s.rivals(s.best().place))
					}
				})
			}
		}
	}
}

// Timing notes, 1.4: 60 moves give T to ±1 ms, R at least 0.95, with 16 ms of jitter.
func TestTheLatencyTimerCostsLittle(t *testing.T) {
	worst, off := int32(1000), 0.0
	for seed := range uint64(20) {
		var s Scan
		sweep(seed, 225e3, Raster, 16e3).feed(&s, 60, 350e3)
		got := s.Sensor()
		worst = min(worst, got.Fit)
		off += (float64(got.PeriodUS) - 225e3) * (float64(got.PeriodUS) - 225e3)
		if got.Order != Raster {
			t.Errorf("%+v, rivals %v", got, s.rivals(s.best().place))
		}
	}
	if rms := math.Sqrt(off / 20); worst < 950 || rms > 1000 {
		t.Errorf("fit %d at worst, period wrong by %.0f µs", worst, rms)
	}
}

func TestWrongOrdersStayFarBelow(t *testing.T) {
	for seed := range uint64(10) {
		for _, order := range []Order{Raster, RasterReverse, Column, ColumnReverse, Batch} {
			var s Scan
			sweep(seed, 225e3, order, 16e3).feed(&s, 60, 350e3)
			for o, fit := range s.rivals(s.best().place) {
				if Order(o) != order && fit > 600 {
					t.Errorf("%v looks like %v with %d", order, Order(o), fit)
				}
			}
		}
	}
}

func TestAPeriodThatDriftsIsFollowed(t *testing.T) {
	b := sweep(3, 214e3, Raster, 16e3)
	b.drift = 0.1 / 120 / 25 // 10 % over 120 moves of about 25 scans
	var s Scan
	for range 4 {
		b.feed(&s, 30, 350e3)
		got := s.Sensor()
		// The window looks back over 128 pairs, and so does the period.
		if got.Fit < 930 || got.Order != Raster || math.Abs(float64(got.PeriodUS)-b.period) > 0.06*b.period {
			t.Errorf("%+v, now %.0f", got, b.period)
		}
	}
}

func TestWhatIsNoScanIsRefused(t *testing.T) {
	t.Run("Bluetooth jitter of 100 ms", func(t *testing.T) {
		var s Scan
		sweep(1, 225e3, Raster, 100e3).feed(&s, 90, 350e3)
		if got := s.Sensor(); got.Trusted() {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no scan at all", func(t *testing.T) {
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, 1))
			var s Scan
			for range 30 {
				at := int64(r.IntN(1_000_000))
				s.Add([]Report{{Square: legal.Square(r.IntN(64))}, {Square: legal.Square(r.IntN(64)), At: at}}, false)
				if got := s.Sensor(); got.Trusted() {
					t.Errorf("seed %d: %+v", seed, got)
				}
			}
		}
	})
	t.Run("few moves", func(t *testing.T) {
		var s Scan
		sweep(1, 225e3, Raster, 1e3).feed(&s, minPairs-1, 350e3)
		if got := s.Sensor(); got.Fit != 0 || got.PeriodUS != 0 || got.Trusted() {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a bus that is asked every second", func(t *testing.T) {
		var s Scan
		b := sweep(1, 225e3, Raster, 0)
		for range 60 {
			at := b.rng.Float64() * 1e6
			reports := b.play([]moment{{b.start + at, legal.E2, legal.NoPiece}, {b.start + at + 400e3, legal.E4, legal.WhitePawn}})
			for i := range reports {
				reports[i].At = reports[i].At/1_000_000*1_000_000 + int64(b.rng.IntN(40_000))
			}
			s.Add(reports, false)
		}
		if got := s.Sensor(); got.Trusted() && got.PeriodUS <= PeriodMost {
			t.Errorf("%+v", got)
		}
	})
}

// The emulator is another hand's model of a board: bytes, lines, packets and all.
func TestTheEmulatedBoardIsRecognised(t *testing.T) {
	for _, c := range []struct {
		name  string
		board emulator.BoardOptions
		want  Order
	}{
		{"raster", emulator.BoardOptions{ScanUS: 218_000}, Raster},
		{"reversed raster", emulator.BoardOptions{ScanUS: 241_000, ScanReverse: true}, RasterReverse},
		{"White at the far side", emulator.BoardOptions{ScanUS: 205_000, Reversed: true}, Raster},
		{"batch", emulator.BoardOptions{ScanUS: 230_000, ScanBatch: true}, Batch},
		{"Bluetooth's half speed", emulator.BoardOptions{ScanUS: 440_000}, Raster},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Scan
			var d dgt.Decoder
			var move []Report
			tempo := players.Blitz
			o := players.Options{Seed: 4, Board: c.board, Tempo: tempo, Generator: players.GeneratorOptions{MinPlies: 80, MaxPlies: 90}}
			_, err := players.Record(o, func(at int64, dir byte, p []byte) {
				if dir != emulator.FromBoard {
					return
				}
				d.Feed(p)
				for f, ok := d.Next(); ok; f, ok = d.Next() {
					u, ok := f.Field()
					if !ok {
						continue
					}
					if len(move) > 0 && at-move[len(move)-1].At > 1_000_000 {
						s.Add(move, c.board.Reversed)
						move = nil
					}
					n := int(u.Square)
					if c.board.Reversed {
						n = 63 - n
					}
					move = append(move, Report{Square: legal.Square(n ^ 56), At: at})
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			got := s.Sensor()
			if got.Order != c.want || max(got.PeriodUS-c.board.ScanUS, c.board.ScanUS-got.PeriodUS) > 1500 || got.Fit < 900 {
				t.Errorf("%+v, rivals %v", got, s.rivals(s.best().place))
			}
		})
	}
}

func TestCosine(t *testing.T) {
	for i, c := range cosine {
		if want := cosOne * math.Cos(2*math.Pi*float64(i)/(cosMask+1)); math.Abs(float64(c)-want) > 0.51 {
			t.Errorf("%d: %d, want %f", i, c, want)
		}
	}
	for _, v := range []int64{0, 1, 2, 3, 4, 8, 9, 1<<40 - 1, 1 << 40, 1<<62 - 1} {
		r := root(v)
		if r*r > v || (r+1)*(r+1) <= v {
			t.Errorf("root of %d: %d", v, r)
		}
	}
}

// windowful is a window full of ordinary moves.
var windowful = sync.OnceValue(func() (moves [][]Report) {
	b := sweep(2, 225e3, Raster, 3e3)
	for i := range scanWindow {
		at, sq := b.start+1e6+1e4*float64(i), legal.Square(i%60)
		moves = append(moves, b.play([]moment{{at, sq, legal.NoPiece}, {at + 3e5, sq + 3, legal.WhiteRook}}))
	}
	return moves
})

// What was taken off leaves nothing behind: after a window full of moves a scan says the same as one that began then.
func FuzzScan(f *testing.F) {
	f.Add([]byte{0, 1, 9, 200, 3, 40, 7, 120}, true)
	f.Fuzz(func(t *testing.T, input []byte, reversed bool) {
		var s, fresh Scan
		for i := 0; i+3 < len(input); i += 4 {
			at := int64(input[i]) << (input[i+1] % 50)
			s.Add([]Report{
				{Square: legal.Square(input[i+2]), At: at}, {Square: legal.Square(input[i+3]), At: at + int64(input[i+1])*7001},
				{Square: legal.Square(input[i]), At: at - 5},
			}, reversed)
			if got := s.Sensor(); got.Fit < 0 || got.Fit > 1000 || got.PeriodUS < 0 || got.JitterUS < 0 {
				t.Errorf("%+v", got)
			}
		}
		for _, move := range windowful() {
			s.Add(move, false)
			fresh.Add(move, false)
		}
		if s.sums != fresh.sums {
			t.Error("an old pair is still in the sums")
		}
		got, want := s.Sensor(), fresh.Sensor()
		if got.Moves = want.Moves; got != want || got.Order != Raster {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

func BenchmarkScanAdd(b *testing.B) {
	var s Scan
	sweep(1, 225e3, Raster, 16e3).feed(&s, scanWindow, 300e3)
	move := []Report{{Square: legal.E4}, {Square: legal.D5, At: 212_000}, {Square: legal.D5, At: 437_000}}
	for b.Loop() {
		s.Add(move, false)
	}
}

func BenchmarkScanSensor(b *testing.B) {
	var s Scan
	sweep(1, 225e3, Raster, 16e3).feed(&s, scanWindow, 300e3)
	for b.Loop() {
		s.Sensor()
	}
}

// A recording whose lines have nearly the same time, or times in steps, has no scan; the search for one does not end at
// nought.
func TestTimesOfNoScan(t *testing.T) {
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		most := []int64{20, 400, 6000, 40_000, 300_000}[seed%5]
		step := []int64{1, 1, 1000, 5000, 20_000}[rng.IntN(5)]
		var s Scan
		for i := range 9 + rng.IntN(12) {
			at := int64(i) * 1_000_000
			gap := rng.Int64N(most) / step * step
			from, to := legal.Square(rng.IntN(64)), legal.Square(rng.IntN(64))
			if seed%2 == 0 {
				to = from ^ 1 // beside it: visited next
			}
			s.Add([]Report{
				{Square: from, Was: legal.WhiteRook, Is: legal.NoPiece, At: at},
				{Square: to, Was: legal.NoPiece, Is: legal.WhiteRook, At: at + gap},
			}, false)
			if x := s.Sensor(); x.Trusted() && (x.PeriodUS < PeriodLeast || x.PeriodUS > slowestUS) {
				t.Fatalf("seed %d: %+v", seed, x)
			}
		}
	}
}
