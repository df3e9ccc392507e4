package score

import (
	"math"
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

// The bounds are the rates at which the tail of the binomial distribution has 2.5 %, summed term by term.
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

func TestNothingIsEarnedFromNothing(t *testing.T) {
	for _, c := range [][4]int{{0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}} {
		if got := Earned(ShareOf(c[0], c[1]), Part{1, ShareOf(c[2], c[3])}); got != 1 {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// Timing notes, 0.6 and 4.2: 300 clean one-hand captures support a ratio of about 12 if an eighth is found, 3,000 ten
// times that.
func TestTheCapIsAThirdOfTheCleanCases(t *testing.T) {
	for _, n := range []int{300, 3000} {
		if got, rule := Earned(ShareOf(2000, 16000), Part{1, ShareOf(0, n)}), 0.125*float64(n)/3; got > rule || got < 0.93*rule {
			t.Errorf("%d clean cases earn %.1f, the rule says %.1f", n, got, rule)
		}
	}
	clean := Earned(ShareOf(50, 400), Part{1, ShareOf(0, 3000)})
	stained := Earned(ShareOf(50, 400), Part{1, ShareOf(3, 3000)})
	if stained > clean/2 {
		t.Errorf("three false alarms take off too little: %.1f, then %.1f", clean, stained)
	}
}

func TestEarnedByParts(t *testing.T) {
	found, clean := ShareOf(40, 100), ShareOf(0, 300)
	bound := 1 - lower(300, 300, 0.05)
	for _, c := range []struct {
		name  string
		parts []Part
		want  float64
	}{
		{"two parts without an alarm, as large as each other", []Part{{0.5, clean}, {0.5, clean}}, Earned(found, Part{1, clean})},
		{"a rare part of which nothing is known", []Part{{0.999, clean}, {0.001, ShareOf(0, 0)}}, lower(40, 100, 0.05) / (0.999*bound + 0.001)},
		{"a rare part that alarms every time costs its weight", []Part{{0.99, clean}, {0.01, ShareOf(20, 20)}}, lower(40, 100, 0.05) / (0.99*bound + 0.01)},
		{"nothing earned", []Part{{0.5, clean}, {0.5, ShareOf(20, 20)}}, 1},
	} {
		if got := Earned(found, c.parts...); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}
