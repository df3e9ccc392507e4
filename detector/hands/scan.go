package hands

import (
	"slices"
	"sort"
)

// This file measures how a board scans, from ordinary play (timing notes, 1.4). A square with turn i in the order of
// the scan is visited at phase + i·T/64 + k·T. So two reports of one move, Δt apart, satisfy
//
//	Δt/T − Δi/64 = a whole number, give or take the jitter of the line,
//
// and the mean of cos 2π(Δt/T − Δi/64) over many pairs is near 1 at the true period under the true order, and near 0
// elsewhere. The cosine and not the absolute value of the complex mean: the phase of a difference is known, it is 0,
// and a period twice too long gives −1 for every odd number of scans where the absolute value would see a perfect fit.
//
// The sums are kept for a fixed grid of periods and all orders. A pair is added when it comes and removed when it is
// the oldest of the window, exactly, because the sums are integers; so a period that drifts is followed. The period
// that the grid finds is refined by least squares over the window: Δt = T·(k + Δi/64).

const (
	scanWindow = 128 // pairs: about 60 to 100 moves
	// A pair further apart shows the drift of the period rather than the period.
	maxGapUS = 1_500_000
	// A move with more pairs is a slide over many squares, or an adjustment of pieces. The bound limits the cost.
	maxPairs = 6

	// The grid holds frequencies in steps of 0.15 Hz, so that for a gap of half a second the nearest one is wrong by at
	// most 0.04 of a turn. They are in units of 2⁻⁴⁴ turns per µs.
	turnBits   = 44
	lowest     = 29_320_310 // 1/600 ms
	step       = 2_638_828  // 0.15 Hz
	periods    = 324        // up to 1/20 ms
	minPeriod  = 19_800
	maxPeriod  = 605_000
	orderCount = int(Batch)
)

// pair is two successive reports of one move.
type pair struct {
	gap         int64 // µs
	rows, files int64 // difference of turns under Raster and under Column
}

// lead returns the difference of turns under an order.
func (p pair) lead(o Order) int64 {
	switch o {
	case Raster:
		return p.rows
	case RasterReverse:
		return -p.rows
	case Column:
		return p.files
	case ColumnReverse:
		return -p.files
	}
	return 0
}

// A Scan accumulates the reports of ordinary moves. The zero value is ready. It takes 10 KiB, a pair 1.2 µs and an
// answer 2 µs (BenchmarkScanAdd, BenchmarkScanSensor).
type Scan struct {
	sums  [periods][orderCount]int32 // Σ cos over the window, ±cosOne each
	ring  [scanWindow]pair
	next  int // where the next pair goes
	full  int // pairs in the ring
	moves int
}

// Add adds the reports of one move in the order of their arrival. Moves of every kind are suitable, as long as the
// reports came over a line that shows their time: not in bus mode, and not from a board that was read again. Reversed
// means that White sits at the far side.
func (s *Scan) Add(reports []Report, reversed bool) {
	used := false
	for i := 1; i < len(reports) && i <= maxPairs; i++ {
		a, b := reports[i-1], reports[i]
		gap := b.At - a.At
		if gap < 0 || gap > maxGapUS || a.Square > 63 || b.Square > 63 {
			continue
		}
		from, to := Field(a.Square, reversed), Field(b.Square, reversed)
		s.push(pair{
			gap:   gap,
			rows:  Raster.Slot(to) - Raster.Slot(from),
			files: Column.Slot(to) - Column.Slot(from),
		})
		used = true
	}
	if used {
		s.moves++
	}
}

// push adds a pair to the sums of all periods and orders, and removes the one that it replaces.
func (s *Scan) push(in pair) {
	out, leaves := s.ring[s.next], int32(-1)
	if s.full < scanWindow {
		s.full++
		leaves = 0
	}
	s.ring[s.next] = in
	s.next = (s.next + 1) % scanWindow
	rows, files, turn := in.rows<<(cosBits-6), in.files<<(cosBits-6), in.gap*lowest
	rowsOut, filesOut, turnOut := out.rows<<(cosBits-6), out.files<<(cosBits-6), out.gap*lowest
	for i := range s.sums {
		sum, at, was := &s.sums[i], turn>>(turnBits-cosBits), turnOut>>(turnBits-cosBits)
		sum[Raster-1] += cosine[(at-rows)&cosMask] - cosine[(was-rowsOut)&cosMask]&leaves
		sum[RasterReverse-1] += cosine[(at+rows)&cosMask] - cosine[(was+rowsOut)&cosMask]&leaves
		sum[Column-1] += cosine[(at-files)&cosMask] - cosine[(was-filesOut)&cosMask]&leaves
		sum[ColumnReverse-1] += cosine[(at+files)&cosMask] - cosine[(was+filesOut)&cosMask]&leaves
		sum[Batch-1] += cosine[at&cosMask] - cosine[was&cosMask]&leaves
		turn += in.gap * step
		turnOut += out.gap * step
	}
}

// Sensor returns the scan that the window shows.
func (s *Scan) Sensor() Sensor {
	out := Sensor{Moves: s.moves}
	if s.full < minPairs {
		return out
	}
	p := s.best()
	order, place := p.order, p.place
	out.PeriodUS, out.Fit, out.JitterUS = p.period, p.fit, p.jitter
	out.Lead = out.Fit
	for o, fit := range s.rivals(place) {
		if Order(o) != order {
			out.Lead = min(out.Lead, out.Fit-fit)
		}
	}
	// Where another order fits as well, the period may be right, but the order is unknown.
	if out.Lead < leadPermille {
		return out
	}
	out.Order = order
	return out
}

// rivals compares the orders at periods from half of the chosen one. Below that, one order mimics another: row by row
// in 224 ms and file by file in 28 ms differ by a 64th of a turn for each row that a piece moves.
func (s *Scan) rivals(place int) (fit [Batch + 1]int32) {
	half, others := periodAt(place)/2, periods-place-1
	end := periods - others + sort.Search(others, func(i int) bool { return periodAt(place+1+i) < half })
	for j, sum := range s.crests(end) {
		fit[j+1] = s.permille(sum)
	}
	return fit
}

// crests returns, for each order, the highest sum of the longest periods.
func (s *Scan) crests(end int) [orderCount]int32 {
	x := s.sums[0]
	a, b, c, d, e := x[0], x[1], x[2], x[3], x[4]
	for i := range s.sums[:end] {
		x := &s.sums[i]
		a, b, c, d, e = max(a, x[0]), max(b, x[1]), max(c, x[2]), max(d, x[3]), max(e, x[4])
	}
	return [...]int32{a, b, c, d, e}
}

func (s *Scan) permille(sum int32) int32 {
	return max(0, int32(int64(sum)*1000/cosOne/int64(s.full)))
}

const (
	// minPairs is the number of pairs below which nothing shows. The number of moves that make a proof: trusted.go.
	minPairs = 8
	// leadPermille is how much better the chosen order must fit. With 60 moves wrong ones stay below 0.6
	// (scan_test.go).
	leadPermille = 100
	// fitsWell is more than a wrong period or order reaches beside the right one.
	fitsWell = 850
)

// A peak is an order with a period that fits, and how well.
type peak struct {
	order          Order
	place          int // on the grid
	period, jitter int64
	fit            int32
}

// peakAt refines a place of the grid.
func (s *Scan) peakAt(o Order, place int) peak {
	p := peak{order: o, place: place, period: s.refine(o, periodAt(place))}
	p.fit, p.jitter = s.fit(o, p.period)
	return p
}

// best returns the order and the period that fit best. A board that reports in batches also fits at every whole
// fraction of its period, and the orders mimic each other at an eighth: of all peaks within 3 % of the best, the one
// with the longest period counts (timing notes, 1.4). Behind a batch any longer period that fits well counts: a line
// that delivers in steps, every 20 ms, fits the steps perfectly and the scan behind them well. The grid alone cannot
// resolve 3 %, so the candidates are refined, longest first.
func (s *Scan) best() peak {
	crests := s.crests(periods)
	most := slices.Max(crests[:])
	place := slices.IndexFunc(s.sums[:], func(sums [orderCount]int32) bool { return slices.Contains(sums[:], most) })
	o := Order(slices.Index(s.sums[place][:], most) + 1)
	top := s.peakAt(o, place)
	level, enough, tries := most*7/8, top.fit-top.fit/32, 4
	if top.order == Batch {
		level, enough, tries = min(level, int32(s.full)*cosOne*3/4), min(enough, fitsWell), 8
	}
	for i := range s.sums[:place] {
		for j, sum := range &s.sums[i] {
			if o := Order(j + 1); sum >= level && tries > 0 && s.summit(i, o) {
				tries--
				if p := s.peakAt(o, i); p.fit >= enough {
					return p
				}
			}
		}
	}
	return top
}

// summit reports whether a place is a local maximum.
func (s *Scan) summit(i int, o Order) bool {
	here := s.sums[i][o-1]
	return (i == 0 || here > s.sums[i-1][o-1]) && (i+1 == periods || here >= s.sums[i+1][o-1])
}

// periodAt returns the period at a place on the grid, in µs.
func periodAt(place int) int64 { return int64(1) << turnBits / (lowest + int64(place)*step) }

// refine returns the least-squares period near a first guess, over the pairs that fit it.
func (s *Scan) refine(o Order, guess int64) int64 {
	period := guess
	for range 4 {
		var xx, xt int64
		for _, p := range s.ring[:s.full] {
			lead := p.lead(o)
			x, rest := lattice(p.gap, lead, period)
			if 4*max(rest, -rest) <= period {
				xx += x * x
				xt += x * p.gap
			}
		}
		if xx == 0 {
			return guess
		}
		better := (64*xt + xx/2) / xx
		if better == period {
			break
		}
		if period = better; period < minPeriod || period > maxPeriod {
			return guess
		}
	}
	// The grid is right to within one step: a period further away has been misled by outliers.
	if far := guess * guess / 5_000_000; period < guess-far || period > guess+far {
		return guess
	}
	return period
}

// lattice returns the gap that the pair should have, in 64ths of a scan, and the rest in µs.
func lattice(gap, lead, period int64) (x, rest int64) {
	away := gap - lead*period/64
	scans := nearest(away, period)
	return scans*64 + lead, away - scans*period
}

// Agrees reports whether the pairs so far follow a scan that is known from elsewhere: of six random pairs fewer than
// one in a hundred would.
func (s *Scan) Agrees(known Sensor) bool {
	const pairs, least = 6, 850 // permille
	if s.full < pairs || known.PeriodUS < minPeriod {
		return false
	}
	sum := int64(0)
	for _, p := range s.ring[:s.full] {
		_, rest := lattice(p.gap, p.lead(known.Order), known.PeriodUS)
		sum += int64(cosine[rest*(cosMask+1)/known.PeriodUS&cosMask])
	}
	return sum*1000 >= least*cosOne*int64(s.full)
}

// fit returns 1000·R, where R is the length of the mean vector over the window, and the scatter of a single report.
func (s *Scan) fit(o Order, period int64) (fit int32, jitterUS int64) {
	var c, q, square int64
	for _, p := range s.ring[:s.full] {
		_, rest := lattice(p.gap, p.lead(o), period)
		angle := rest * (cosMask + 1) / period
		c += int64(cosine[angle&cosMask])
		q += int64(cosine[(angle-(cosMask+1)/4)&cosMask])
		square += rest * rest
	}
	n := int64(s.full)
	r := root(c*c+q*q) * 1000 / (n * cosOne)
	return int32(r), root(square / n / 2) // the difference of two has twice the variance of one
}
