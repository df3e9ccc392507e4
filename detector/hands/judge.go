package hands

const (
	kernelLeastUS = 120_000 // timing notes 3.1: W = max(1.33·T, 120 ms)
	// Beyond a scan of 225 ms W = T + 75 ms: the uncertainty about hands does not grow with the scan.
	kernelMoreUS = 75_000
	// At standard tempo: slow hands vary more, and their handlings lie farther apart in the tables.
	kernelPaceUS = 110_000
	kernelShare  = 24      // 1/24 of the time since the handling began is added to W
	batchLeastUS = 225_000 // a batch may be the packet of a bridge, with any usual scan behind it
	oddPPM       = 1000    // handlings that no style explains, under either hypothesis
	oddUS        = 3_000_000
	longestUS    = 60_000_000 // beyond any handling of the tables
	paceLeast    = 200        // permille
	paceMost     = 6000
)

// Judge returns how strongly the reports of one handling suggest two hands.
func (m Model) Judge(d *Handling, s Sensor, p Pace) Judgement {
	j := Judgement{Kind: d.Kind}
	if j.Abstain = s.unfit(); j.Abstain != Spoke {
		return j
	}
	var st stages
	if st, j.Abstain = d.read(s.PeriodUS); j.Abstain != Spoke {
		return j
	}
	onLattice := st.place(d, s)
	j.Windows = st.windows(s)
	first, last := st.list[0].scan, st.list[0].scan
	for _, e := range st.list[:st.n] {
		first, last = min(first, e.scan), max(last, e.scan)
	}
	j.TotalUS = last - first
	j.Apart = st.apart(d.Kind, j.TotalUS, s.PeriodUS)
	way := wayMM(d.From, d.To)
	if d.Kind == Castling {
		way = wayMM(d.RookFrom, d.RookTo)
		j.InAir, j.SameLanding = st.air(s, onLattice), st.sameLanding(s)
		j.Follows, j.Uneven = st.follows(s.PeriodUS), st.uneven(s.PeriodUS)
	}
	if d.Kind == Promotion {
		j.LLR, j.Most = quickness(j.TotalUS, s, p.Fastest), quickness(j.TotalUS, s, p.Usual)
	} else if sc := m.scene(d.Kind, way); sc != nil {
		j.LLR, j.Most = sc.span(&st, s, p)
	} else {
		j.Abstain = NotThisKind
		return j
	}
	if s.PeriodUS > PeriodMost {
		j.Abstain = SlowScan
	}
	j.Known = j.Abstain == Spoke
	return j
}

// quickness is the whole judgement of a promotion: the logarithm of how much faster than usual it was. A model of the
// hands found no more (docs/blind-alleys.md).
func quickness(tookUS int64, s Sensor, pace int32) int32 {
	const usualUS = 1_300_000 // what a capture with one hand takes at standard tempo
	return int32(lnMilli(uint64(usualUS/1000*int64(bounded(pace)))) - lnMilli(uint64(tookUS+s.PeriodUS/2)))
}

// span returns the smallest and the largest ratio over the paces that the hands may have had. Each pace applies to one
// hand and to two: with the hurried pace for one hand only, a slow capture would look like two hands at the usual pace
// (timing notes, section 7).
func (sc *scene) span(st *stages, s Sensor, p Pace) (least, most int32) {
	usual, fastest := int64(bounded(p.Usual)), int64(bounded(p.Fastest))
	a, b, c := sc.ratio(st, s, usual), sc.ratio(st, s, root(usual*fastest)), sc.ratio(st, s, fastest)
	return min(a, b, c), max(a, b, c)
}

// ratio returns the logarithm of p(reports | two hands) / p(reports | one) at a pace.
func (sc *scene) ratio(st *stages, s Sensor, pace int64) int32 {
	o := st.look(s, pace)
	odd := st.odd(&o, pace)
	return int32(lnMilli(sc.likelihood(&o, true)+odd) - lnMilli(sc.likelihood(&o, false)+odd))
}

func bounded(pace int32) int32 { return min(max(pace, paceLeast), paceMost) }

// A sighting is what the handlings of the tables are compared with: the visits of one handling's reports after the
// first, each divided by the width of its kernel.
type sighting struct {
	seen  [3]int64 // visit, in kernel widths << fine
	pace  [3]int64 // half a millisecond of the tables, likewise
	width [3]int64 // µs
	n     int
}

const fine = 20 // binary digits after the point

// look sets the kernel, which is wider than physics requires: timing notes 3.1, and the constants above.
func (st *stages) look(s Sensor, pace int64) sighting {
	period := s.PeriodUS
	if s.Order == Batch {
		period = max(period, batchLeastUS)
	}
	w := max(min(period*4/3, period+kernelMoreUS), kernelLeastUS, kernelPaceUS*pace/1000)
	o := sighting{n: st.n - 1}
	for i := range o.n {
		seen := min(max(st.list[i+1].scan-st.list[0].scan, -longestUS), longestUS)
		o.width[i] = w + max(seen, -seen)/kernelShare
		o.seen[i] = seen << fine / o.width[i]
		o.pace[i] = pace << (fine + 8) / 2 / o.width[i]
	}
	return o
}

// likelihood returns p(reports | one or two hands), scaled by 2^30 · 1,000,000.
//
// A physical time x_j is seen at the visit v_j of its square, not later than one period after it. If the handling may
// start anywhere in the scan, a handling of the table makes exactly these reports with the probability (T − spread of
// v_j − x_j)/T. The kernel is that with W for T, wider than physics requires on purpose (timing notes 3.1).
func (sc *scene) likelihood(o *sighting, two bool) uint64 {
	var p uint64
	for i := range sc.styles {
		y := &sc.styles[i]
		if y.two != two {
			continue
		}
		var sum uint64
		if sc.width == 2 {
			sum = y.overlap2(o)
		} else {
			sum = y.overlap3(o)
		}
		p += sum << (30 - fine) / uint64(y.handlings) * y.ppm
	}
	return p
}

// odd returns the probability reserved for handlings that no style explains: spread evenly over three seconds for each
// change.
func (st *stages) odd(o *sighting, pace int64) uint64 {
	p := uint64(oddPPM) << 30
	for i := 1; i < st.n; i++ {
		if !st.list[i].hidden {
			room := uint64(oddUS * pace / 1000)
			p = p * min(uint64(o.width[i-1]), room) / room
		}
	}
	return p
}

// near returns the range of handlings whose first value lies less than a width from the observed one.
func (y *style) near(width int, o *sighting) (from, to int) {
	const one = 1 << fine
	return y.search(width, (o.seen[0]-one)<<8/o.pace[0]), y.search(width, (o.seen[0]+one)<<8/o.pace[0]+1)
}

// search returns the first handling whose first value is not below v.
func (y *style) search(width int, v int64) int {
	lo, hi := 0, y.handlings
	for lo < hi {
		mid := (lo + hi) / 2
		if int64(y.values[mid*width]) < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// overlap2 sums 1 − spread over the handlings with two values. Most of the time is spent here: nothing in it branches.
func (y *style) overlap2(o *sighting) (sum uint64) {
	const one = 1 << fine
	from, to := y.near(2, o)
	s0, s1, p0, p1 := o.seen[0], o.seen[1], o.pace[0], o.pace[1]
	list := y.values[from*2 : to*2]
	for i := 1; i < len(list); i += 2 {
		a, b := s0-int64(list[i-1])*p0>>8, s1-int64(list[i])*p1>>8
		sum += uint64(max(one-max(a, b, 0)+min(a, b, 0), 0))
	}
	return sum
}

// overlap3 is overlap2 for three values.
func (y *style) overlap3(o *sighting) (sum uint64) {
	const one = 1 << fine
	from, to := y.near(3, o)
	s0, s1, s2, p0, p1, p2 := o.seen[0], o.seen[1], o.seen[2], o.pace[0], o.pace[1], o.pace[2]
	list := y.values[from*3 : to*3]
	for i := 2; i < len(list); i += 3 {
		a, b, c := s0-int64(list[i-2])*p0>>8, s1-int64(list[i-1])*p1>>8, s2-int64(list[i])*p2>>8
		sum += uint64(max(one-max(a, b, c, 0)+min(a, b, c, 0), 0))
	}
	return sum
}
