package populations

import (
	"fmt"
	"math"
	"strings"

	"boardwatchd/detector/hands"
)

// corners are the places where a fitted line may bend, by the model's value. Beyond the last there are too few
// look-alikes to count.
var corners = []float64{-5, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7}

// bent is a fitted line: its values at the corners.
type bent []float64

func (l bent) at(raw float64) float64 {
	i := 0
	for i+2 < len(corners) && corners[i+1] < raw {
		i++
	}
	part := (raw - corners[i]) / (corners[i+1] - corners[i])
	return l[i] + part*(l[i+1]-l[i])
}

// literal returns the line in the syntax of worth.go.
func (l bent) literal() string {
	var b strings.Builder
	for i, says := range corners {
		fmt.Fprintf(&b, ", {%.0f, %.0f}", 1000*says, 50*math.Round(20*l[i]))
	}
	return "{" + b.String()[2:] + "}"
}

// fit returns the line nearest to the truth in the half-nat bins, by least squares: a bin weighs by its cases, but
// never more than if it were known to a tenth of a nat. The line never falls. False if almost nothing is known.
func (w worths) fit(want func(cell) bool) (bent, bool) {
	n := len(corners)
	matrix := make([][]float64, n)
	for i := range matrix {
		matrix[i] = make([]float64, n+1)
	}
	bins, rising := w.rising(want)
	for at, s := range bins {
		weight := 1 / (0.01 + 1/s.count[0] + 1/s.count[1])
		share := hat(s.raw())
		for i := range n {
			for j := range n {
				matrix[i][j] += weight * share[i] * share[j]
			}
			matrix[i][n] += weight * share[i] * rising[at]
		}
	}
	// Without data the line continues as before.
	for i := 1; i+1 < n; i++ {
		a, b := corners[i]-corners[i-1], corners[i+1]-corners[i]
		bend := map[int]float64{i - 1: 1 / a, i: -1/a - 1/b, i + 1: 1 / b}
		for j, x := range bend {
			for k, y := range bend {
				matrix[j][k] += 0.3 * x * y
			}
		}
	}
	if len(bins) < 4 {
		return nil, false
	}
	l := solve(matrix)
	for i := 1; i < n; i++ {
		l[i] = max(l[i], l[i-1])
	}
	return l, true
}

// rising returns the bins of half a nat with data, and the true ratios in them: where those fall, neighbours are pooled
// until they do not.
func (w worths) rising(want func(cell) bool) (bins []span, ratios []float64) {
	type pool struct {
		span
		bins int
	}
	var pools []pool
	for lo := -10; lo < 16; lo++ {
		s := w.over(lo, lo+1, want)
		if !s.enough(5) {
			continue
		}
		bins = append(bins, s)
		pools = append(pools, pool{s, 1})
		for n := len(pools); n > 1 && pools[n-2].ratio() > pools[n-1].ratio(); n-- {
			a, b := &pools[n-2], pools[n-1]
			for two := range 2 {
				a.count[two] += b.count[two]
			}
			a.bins += b.bins
			pools = pools[:n-1]
		}
	}
	for _, p := range pools {
		for range p.bins {
			ratios = append(ratios, p.ratio())
		}
	}
	return bins, ratios
}

// hat returns the weight of each corner at a place of the line.
func hat(raw float64) []float64 {
	share := make([]float64, len(corners))
	for i := range share {
		one := make(bent, len(corners))
		one[i] = 1
		share[i] = one.at(raw)
	}
	return share
}

// solve solves the equations by Gauss and Jordan; the matrix is positive definite.
func solve(m [][]float64) bent {
	n := len(m)
	for i := range n {
		for j := range n {
			if f := m[j][i] / m[i][i]; j != i {
				for k := i; k <= n; k++ {
					m[j][k] -= f * m[i][k]
				}
			}
		}
	}
	l := make(bent, n)
	for i := range n {
		l[i] = m[i][n] / m[i][i]
	}
	return l
}

// fits returns the lines fitted to the populations together: for all, for each pace and for each scan.
func (w worths) fits(kind hands.Kind) string {
	list := []column{{"all", func(cell) bool { return true }}}
	for _, p := range []Pace{Blitz, Rapid, Classical} {
		list = append(list, column{p.String(), func(c cell) bool { return c.pace == p }})
	}
	for i, ms := range worthScans {
		list = append(list, column{fmt.Sprintf("T = %d", ms), func(c cell) bool { return c.scan == i }})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v, fitted corners", kind)
	for _, c := range list {
		if l, ok := w.fit(c.of); ok {
			fmt.Fprintf(&b, "\n%-10s %s", c.name, l.literal())
		}
	}
	return b.String()
}

// leftOut returns the excess of confidence on each population of a line fitted to the others.
func (w worths) leftOut(kind hands.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, each population left out: what a line would state that is fitted to the others, less what comes true on it (+: too sure)\n%-14s", kind, "model says")
	list := populations()
	lines := make([]bent, len(list))
	for i, c := range list {
		fmt.Fprintf(&b, " %9s", c.name)
		lines[i], _ = w.fit(func(x cell) bool { return !c.of(x) })
	}
	weight, off := make([]float64, len(list)), make([]float64, len(list))
	for lo := -10; lo < 16; lo++ {
		row, full := "", false
		for i, c := range list {
			mine := w.over(lo, lo+1, c.of)
			if lines[i] == nil || !mine.enough(worthLeast) {
				row += fmt.Sprintf(" %9s", "-")
				continue
			}
			full = true
			d := lines[i].at(mine.raw()) - mine.ratio()
			row += fmt.Sprintf(" %+9.2f", d)
			n := mine.rate(0) + mine.rate(1)
			weight[i], off[i] = weight[i]+n, off[i]+n*math.Abs(d)
		}
		if full {
			fmt.Fprintf(&b, "\n%5.1f to %5.1f%s", float64(lo)/2, float64(lo+1)/2, row)
		}
	}
	fmt.Fprintf(&b, "\n%-14s", "mean distance")
	for i := range list {
		fmt.Fprintf(&b, " %9.2f", off[i]/weight[i])
	}
	return b.String()
}
