package score

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntervalsAreThoseOfTheTables(t *testing.T) {
	for _, c := range []struct {
		count, of int
		low, high float64
	}{
		{0, 10, 0, 0.308497},
		{5, 10, 0.187086, 0.812914},
		{10, 10, 0.691503, 1},
		{1, 100, 0.000253, 0.054459},
		{0, 3000, 0, 0.001229},
		{0, 0, 0, 1},
	} {
		if s := ShareOf(c.count, c.of); math.Abs(s.Low-c.low) > 2e-6 || math.Abs(s.High-c.high) > 2e-6 {
			t.Errorf("%d of %d: %.6f to %.6f, want %.6f to %.6f", c.count, c.of, s.Low, s.High, c.low, c.high)
		}
	}
}

// The bounds are where the tail of the binomial distribution has 2.5 %, summed up term by term.
func TestIntervalsLeaveTheirTails(t *testing.T) {
	for _, c := range [][2]int{{1, 7}, {3, 50}, {40, 41}, {120, 900}} {
		k, n := c[0], c[1]
		s := ShareOf(k, n)
		below, above := 0.0, 0.0
		for i := range n + 1 {
			term := func(p float64) float64 {
				a, _ := math.Lgamma(float64(n + 1))
				b, _ := math.Lgamma(float64(i + 1))
				d, _ := math.Lgamma(float64(n - i + 1))
				return math.Exp(a - b - d + float64(i)*math.Log(p) + float64(n-i)*math.Log(1-p))
			}
			if i >= k {
				above += term(s.Low)
			}
			if i <= k {
				below += term(s.High)
			}
		}
		if math.Abs(above-0.025) > 1e-6 || math.Abs(below-0.025) > 1e-6 {
			t.Errorf("%d of %d: tails %.6f and %.6f", k, n, above, below)
		}
	}
}

// sample draws scores that are honest likelihood ratios of two normal distributions, d apart.
func sample(seed uint64, one, two int, d float64) (cases []Case) {
	r := rand.New(rand.NewPCG(seed, 3))
	for i := range one + two {
		x := r.NormFloat64()
		if i >= one {
			x += d
		}
		cases = append(cases, Case{LLR: d*x - d*d/2, Two: i >= one, Silent: r.Float64() < 0.03})
	}
	return cases
}

func TestCurveCountsAsOneWould(t *testing.T) {
	cases := sample(1, 900, 300, 2)
	for i := range cases { // with ties
		cases[i].LLR = math.Round(cases[i].LLR*4) / 4
	}
	c := NewCurve(cases)
	if c.One != 900 || c.Two != 300 || c.Silent == 0 {
		t.Errorf("%d one-handed, %d two-handed, %d silent", c.One, c.Two, c.Silent)
	}
	for th := -6.0; th < 8; th += 0.25 {
		hits, alarms := 0, 0
		for _, x := range cases {
			if !x.Silent && x.LLR >= th {
				if x.Two {
					hits++
				} else {
					alarms++
				}
			}
		}
		if p := c.Over(th); p.Found.Count != hits || p.False.Count != alarms || p.Found.Of != 300 || p.False.Of != 900 {
			t.Errorf("at %v: %+v, counted %d and %d", th, p, hits, alarms)
		}
	}
	for _, rate := range []float64{0, 0.001, 0.01, 0.1, 1} {
		p := c.At(rate)
		if p.False.Rate() > rate {
			t.Errorf("%v false alarms where %v were allowed", p.False.Rate(), rate)
		}
		if q := c.Over(p.Threshold - 0.25); rate < 0.5 && q.False.Rate() <= rate && q.Found.Count > p.Found.Count {
			t.Errorf("a lower threshold than %v would do for %v", p.Threshold, rate)
		}
	}
	pairs, above := 0.0, 0.0
	for _, a := range cases {
		for _, b := range cases {
			if a.Two && !b.Two {
				pairs++
				switch x, y := a.score(), b.score(); {
				case x > y:
					above++
				case x == y:
					above += 0.5
				}
			}
		}
	}
	if got := c.Area(); math.Abs(got-above/pairs) > 1e-9 {
		t.Errorf("area %v, counted %v", got, above/pairs)
	}
}

func TestNothingIsEarnedFromNothing(t *testing.T) {
	for _, cases := range [][]Case{nil, {{LLR: 9, Two: true}}, {{LLR: 9}}, {{LLR: math.NaN(), Two: true}, {Silent: true}}} {
		c := NewCurve(cases)
		if got := Earned(c.Over(5)); got != 1 {
			t.Errorf("%v: %v", cases, got)
		}
		if p := c.At(0.001); p.Found.Count+p.False.Count > len(cases) || c.Area() < 0 {
			t.Errorf("%v: %+v", cases, p)
		}
	}
}

// Timing notes, 0.6 and 4.2: 300 clean one-hand captures bear a ratio of about 12 where an eighth is found, 3,000 ten times that.
func TestTheCapIsAThirdOfTheCleanCases(t *testing.T) {
	for _, n := range []int{300, 3000} {
		p := Point{Found: ShareOf(2000, 16000), False: ShareOf(0, n)}
		if got, rule := Earned(p), 0.125*float64(n)/3; got > rule || got < 0.93*rule {
			t.Errorf("%d clean cases earn %.1f, the rule says %.1f", n, got, rule)
		}
	}
	clean := Earned(Point{Found: ShareOf(50, 400), False: ShareOf(0, 3000)})
	stained := Earned(Point{Found: ShareOf(50, 400), False: ShareOf(3, 3000)})
	if stained > clean/2 {
		t.Errorf("three false alarms take off too little: %.1f, then %.1f", clean, stained)
	}
}

func TestHonestRatiosComeTrue(t *testing.T) {
	held, bins := 0, 0
	for seed := range uint64(20) {
		for _, b := range Reliability(sample(seed, 20_000, 4_000, 2.5), 0.02, math.Inf(1)) {
			bins++
			if b.Holds() {
				held++
			}
			if b.Stated < b.Low-1e-9 || b.Stated > b.High+1e-9 {
				t.Errorf("stated %v in the bin from %v to %v", b.Stated, b.Low, b.High)
			}
		}
	}
	if bins < 200 || held < bins*93/100 {
		t.Errorf("%d of %d bins hold", held, bins)
	}
}

// applied calibrates all cases.
func applied(k Calibration, cases []Case) []Case {
	out := make([]Case, len(cases))
	for i, c := range cases {
		c.LLR = k.Of(c.LLR)
		out[i] = c
	}
	return out
}

func TestConfidenceThatIsTooHighShows(t *testing.T) {
	cases := sample(5, 20_000, 4_000, 2.5)
	wild := applied(Calibration{A: 1.6, B: 0.5}, cases)
	wrong := 0
	for _, b := range Reliability(wild, 0.02, math.Inf(1)) {
		if !b.Holds() {
			wrong++
		}
	}
	if wrong < 5 {
		t.Errorf("%d bins show it", wrong)
	}
	k := Calibrate(wild, 1)
	if math.Abs(k.A*1.6-1) > 0.05 || math.Abs(k.Of(0.5)) > 0.15 {
		t.Errorf("%+v does not undo it", k)
	}
	raw, base := Loss(wild)
	better, _ := Loss(applied(k, wild))
	if better >= raw || better >= base {
		t.Errorf("loss %v, calibrated %v, base %v", raw, better, base)
	}
	for _, b := range Reliability(cases, 0.02, 12) {
		if b.Stated > 0.2 {
			t.Errorf("a cap of 12 lets %v be stated at a prior of 2 %%", b.Stated)
		}
	}
}

func TestFewLabelsChangeLittle(t *testing.T) {
	cases := []Case{{LLR: 1, Two: true}, {LLR: 2}, {LLR: -1}, {LLR: 3, Two: true}}
	if k := Calibrate(cases, 50); math.Abs(k.A-1) > 0.1 || math.Abs(k.B) > 0.1 {
		t.Errorf("%+v", k)
	}
	if k := Calibrate(nil, 1); k != Plain {
		t.Errorf("%+v", k)
	}
	backwards := []Case{{LLR: -9, Two: true}, {LLR: 9}, {LLR: -8, Two: true}, {LLR: 8}}
	if k := Calibrate(backwards, 0.01); k.A < 0 {
		t.Errorf("%+v turns the score round", k)
	}
}
