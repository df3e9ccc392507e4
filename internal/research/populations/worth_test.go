package populations

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
)

// This file measures how often the model is right: the values of detector/hands/worth.go come from these figures. Five
// populations: the tables' own family (worth_own_test.go) and the four of this package; three paces; four scans.
//
//	HANDS_WORTH=10000 go test ./internal/research/populations -run Worth -v     (manipulations with one hand for each population, kind, pace and scan, and half as many with two)

var worthScans = []int64{50, 100, 225, 290} // ms

// A cell identifies cases that are counted together.
type cell struct {
	kind   hands.Kind
	family int // 0: the tables' own
	pace   Pace
	scan   int
}

// A heap holds the model's answers about manipulations, by hands. Silence counts among the manipulations: it is not
// evidence, but it occurs.
type heap struct {
	kind      hands.Kind
	tempo     int32 // of the class of play
	handlings [2]int
	bins      map[int]*[2]bin // by half a nat
}

type bin struct {
	count int
	sum   float64 // of the model's values, nats
	worth float64 // … and of the stated values
}

func (h *heap) add(two int, j hands.Judgement) {
	h.handlings[two]++
	if j.Silent() {
		return
	}
	raw := float64(j.LLR) / 1000
	i := int(math.Floor(2 * raw))
	if h.bins[i] == nil {
		h.bins[i] = &[2]bin{}
	}
	h.bins[i][two].count++
	h.bins[i][two].sum += raw
	h.bins[i][two].worth += float64(hands.Worth(h.kind, h.tempo, j.LLR)) / 1000
}

// worths are the heaps of all cells.
type worths map[cell]*heap

// gather runs all populations.
func gather(kinds []hands.Kind, oneHanded, twoHanded int, seed uint64) worths {
	w := worths{}
	for _, kind := range kinds {
		for family := range len(Families()) + 1 {
			if kind == hands.Promotion && Family(family) == NoFamily {
				continue // there are no promotions in the tables
			}
			for _, pace := range []Pace{Blitz, Rapid, Classical} {
				for scan, ms := range worthScans {
					h := &heap{kind: kind, tempo: pace.Tempo(), bins: map[int]*[2]bin{}}
					w[cell{kind, family, pace, scan}] = h
					o := Options{Seed: seed, Family: Family(family), Pace: pace, Board: Board{PeriodUS: 1000 * ms}}
					playAmong(o, kind, oneHanded, twoHanded, h.add)
				}
			}
		}
	}
	return w
}

// playAmong lets many people, forty manipulations each, make the given numbers with one hand and with two, and reports
// the model's answer about each.
func playAmong(o Options, kind hands.Kind, oneHanded, twoHanded int, tell func(two int, j hands.Judgement)) {
	model := hands.Standard()
	for n := 0; n < oneHanded+twoHanded; {
		s := sitAmong(o)
		o.Seed++
		sensor, known := s.knownIn(hurries[0])
		tempo := known.Pace(false)
		for range min(40, oneHanded+twoHanded-n) {
			both := (n+1)*twoHanded/(oneHanded+twoHanded) > n*twoHanded/(oneHanded+twoHanded)
			x := s.Do(kind, both)
			tell(label(both), model.Judge(&x.Handling, sensor, tempo))
			n++
		}
	}
}

// sitAmong is Sit that also knows the tables' own family.
func sitAmong(o Options) *Session {
	if o.Family != NoFamily {
		return Sit(o)
	}
	s := Sit(o)
	s.who = meetOwn(s.chance, o.Pace)
	return s
}

// A span holds the data of several bins together.
type span struct {
	handlings, count, sum, worth [2]float64
}

func (s span) rate(two int) float64 { return s.count[two] / s.handlings[two] }

func (s span) ratio() float64 { return math.Log(s.rate(1) / s.rate(0)) }

// raw returns the mean of the model's values. It weighs both hands equally, as the ratio does.
func (s span) raw() float64 {
	return (s.sum[0]/s.handlings[0] + s.sum[1]/s.handlings[1]) / (s.rate(0) + s.rate(1))
}

// states returns the mean of the values stated by worth.go, weighed in the same way.
func (s span) states() float64 {
	return (s.worth[0]/s.handlings[0] + s.worth[1]/s.handlings[1]) / (s.rate(0) + s.rate(1))
}

// enough reports whether there are enough cases of each hand.
func (s span) enough(least float64) bool { return min(s.count[0], s.count[1]) >= least }

// over pools the wanted cells in the bins from lo up to hi, in half nats. Each cell has the same number of
// manipulations, so the rates of the pool are the means of the rates.
func (w worths) over(lo, hi int, want func(cell) bool) (s span) {
	for c, h := range w {
		if !want(c) {
			continue
		}
		for two := range 2 {
			s.handlings[two] += float64(h.handlings[two])
			for i := lo; i < hi; i++ {
				if b := h.bins[i]; b != nil {
					s.count[two] += float64(b[two].count)
					s.sum[two] += b[two].sum
					s.worth[two] += b[two].worth
				}
			}
		}
	}
	return s
}

// TestWorthIsWhatComesTrue checks the line of worth.go over all populations together.
func TestWorthIsWhatComesTrue(t *testing.T) {
	kinds := []hands.Kind{hands.Capture, hands.Castling}
	w := gather(kinds, 700, 100, 60_000)
	for _, kind := range kinds {
		checked := 0
		for lo := -4; lo < 10; lo += 2 {
			s := w.over(lo, lo+2, func(c cell) bool { return c.kind == kind })
			if !s.enough(30) {
				continue
			}
			checked++
			if states := s.states(); states > s.ratio()+0.6 || states < s.ratio()-0.9 { // too low is better
				t.Errorf("%v: where the model says %.2f in the mean, worth.go states %.2f, and %.2f comes true (%.0f cases with one hand, %.0f with two)",
					kind, s.raw(), states, s.ratio(), s.count[0], s.count[1])
			}
		}
		if checked < 5 {
			t.Errorf("%v: %d bins are full enough", kind, checked)
		}
	}
}

// TestMeasureWorth prints the tables.
func TestMeasureWorth(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("HANDS_WORTH"))
	if n == 0 {
		t.Skip("a measurement: HANDS_WORTH=number of handlings with one hand")
	}
	for _, kind := range []hands.Kind{hands.Castling, hands.Capture, hands.Promotion} {
		w := gather([]hands.Kind{kind}, n, n/2, 1)
		all := func(cell) bool { return true }
		t.Log(w.table(kind, "all classes, by population", populations(), all))
		t.Log(w.fits(kind))
		t.Log(w.leftOut(kind))
		for _, pace := range []Pace{Blitz, Rapid, Classical} {
			t.Log(w.table(kind, pace.String()+", by population", populations(), func(c cell) bool { return c.pace == pace }))
		}
		var paces, scans []column
		for _, p := range []Pace{Blitz, Rapid, Classical} {
			paces = append(paces, column{p.String(), func(c cell) bool { return c.pace == p }})
		}
		for i, ms := range worthScans {
			scans = append(scans, column{fmt.Sprintf("T = %d", ms), func(c cell) bool { return c.scan == i }})
		}
		t.Log(w.table(kind, "all populations, by class", paces, all))
		t.Log(w.table(kind, "all populations, by scan", scans, all))
	}
}

// A column is some of the cells.
type column struct {
	name string
	of   func(cell) bool
}

func populations() []column {
	list := []column{{"tables", func(c cell) bool { return c.family == 0 }}}
	for _, f := range Families() {
		list = append(list, column{f.String(), func(c cell) bool { return Family(c.family) == f }})
	}
	return list
}

const worthLeast = 10 // cases of each hand behind a figure

// table returns the empirical logarithm of the ratio by the model's value, beside Worth.
func (w worths) table(kind hands.Kind, title string, columns []column, want func(cell) bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, %s: ln(rate with two hands / rate with one)\n%-14s %6s %6s %6s %6s %13s", kind, title, "model says", "mean", "Worth", "true", "off", "one/two")
	for _, c := range columns {
		fmt.Fprintf(&b, " %9s", c.name)
	}
	for lo := -10; lo < 16; lo++ {
		s := w.over(lo, lo+1, want)
		if !s.enough(1) {
			continue
		}
		states := s.states()
		fmt.Fprintf(&b, "\n%5.1f to %5.1f %6.2f %6.2f %6.2f %+6.2f %7.0f/%5.0f", float64(lo)/2, float64(lo+1)/2, s.raw(), states, s.ratio(), states-s.ratio(), s.count[0], s.count[1])
		for _, c := range columns {
			b.WriteString(figure(w.over(lo, lo+1, func(x cell) bool { return want(x) && c.of(x) })))
		}
	}
	return b.String()
}

func figure(s span) string {
	if !s.enough(worthLeast) {
		return fmt.Sprintf(" %9s", "-")
	}
	return fmt.Sprintf(" %9.2f", s.ratio())
}
