package score

import (
	"math"
	"slices"
	"sort"
)

// A Case is one judged manipulation with its label.
type Case struct {
	LLR    float64 // nats
	Two    bool    // both hands were used
	Silent bool    // the detector abstained: never an alert, whatever the threshold
}

// score of a case: a silent one is below every threshold.
func (c Case) score() float64 {
	if c.Silent || math.IsNaN(c.LLR) {
		return math.Inf(-1)
	}
	return c.LLR
}

// A Curve is what can be had at every threshold.
type Curve struct {
	scores   []float64 // distinct and spoken, falling
	hits     []int     // two-handed cases with at least this score
	alarms   []int     // one-handed ones
	One, Two int       // cases, silent ones included
	Silent   int
}

// NewCurve sorts the cases.
func NewCurve(cases []Case) Curve {
	var c Curve
	order := slices.Clone(cases)
	sort.SliceStable(order, func(i, j int) bool { return order[i].score() > order[j].score() })
	for _, x := range order {
		s := x.score()
		if math.IsInf(s, -1) {
			c.Silent++
		} else if len(c.scores) == 0 || c.scores[len(c.scores)-1] != s {
			c.scores, c.hits, c.alarms = append(c.scores, s), append(c.hits, c.Two), append(c.alarms, c.One)
		}
		if x.Two {
			c.Two++
		} else {
			c.One++
		}
		if !math.IsInf(s, -1) {
			c.hits[len(c.hits)-1], c.alarms[len(c.alarms)-1] = c.Two, c.One
		}
	}
	return c
}

// A Point is one threshold: alert at this score and above.
type Point struct {
	Threshold float64 // nats; +Inf: never
	Found     Share   // of the two-handed cases
	False     Share   // of the one-handed ones
}

func (c Curve) point(i int) Point {
	if i < 0 {
		return Point{Threshold: math.Inf(1), Found: ShareOf(0, c.Two), False: ShareOf(0, c.One)}
	}
	return Point{Threshold: c.scores[i], Found: ShareOf(c.hits[i], c.Two), False: ShareOf(c.alarms[i], c.One)}
}

// At is the lowest threshold at which no more than this part of the one-handed cases gives a false alarm. The threshold is
// taken from the data that is then counted, so with few one-handed cases it flatters; Found's interval does not know.
func (c Curve) At(rate float64) Point {
	most := int(rate*float64(c.One) + 1e-9)
	return c.point(sort.Search(len(c.alarms), func(i int) bool { return c.alarms[i] > most }) - 1)
}

// Over is what a threshold that was set beforehand gives.
func (c Curve) Over(threshold float64) Point {
	p := c.point(sort.Search(len(c.scores), func(i int) bool { return c.scores[i] < threshold }) - 1)
	p.Threshold = threshold
	return p
}

// Area under the curve: how often a two-handed case scores above a one-handed one, ties counting half.
func (c Curve) Area() float64 {
	if c.One == 0 || c.Two == 0 {
		return 0
	}
	area, hits, alarms := 0.0, 0, 0
	for i := range c.scores {
		area += float64(c.alarms[i]-alarms) * float64(hits+c.hits[i]) / 2
		hits, alarms = c.hits[i], c.alarms[i]
	}
	area += float64(c.One-alarms) * float64(hits+c.Two) / 2
	return area / float64(c.One) / float64(c.Two)
}

// Earned is the largest likelihood ratio that a point can support: the lower bound of what it finds over the upper
// bound of its false alarms, each with 95 % on its side. Without a false alarm in n cases the latter is 3/n, and the
// ratio is TPR·n/3 (timing notes, 4.2). Below 1 nothing is earned.
func Earned(p Point) float64 {
	return EarnedMixed(p.Found, Part{Weight: 1, False: p.False})
}
