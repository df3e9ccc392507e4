package populations

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
)

// A hurry is the speed of hands relative to the known tempo, and whether the clock explains it.
type hurry struct {
	name  string
	haste float64 // of the judged manipulation
	plain float64 // of the last ten ordinary moves before
	short bool    // the clock is short, or not known
	moves int     // number of known moves of the player
}

var hurries = []hurry{
	{"at their usual pace", 1, 1, false, 60},
	{"living on the increment", 1, 1, true, 60},
	{"a third faster, the clock short", 0.67, 0.67, true, 60},
	{"a third faster than ever before, the clock short", 0.67, 1, true, 60},
	{"a third faster for ten moves, with time left", 0.67, 0.67, false, 60},
	{"a third faster than ever before, with time left", 0.67, 1, false, 60},
	{"known by ten moves", 1, 1, false, 10},
}

// live lists the cases in which a person is asked to look.
var live = []struct {
	kind hands.Kind
	pace Pace
}{{hands.Castling, Blitz}, {hands.Castling, Rapid}, {hands.Castling, Classical}, {hands.Capture, Blitz}}

var liveScans = []int64{50, 100, 150, 225, 250} // ms

// TestMeasureThresholds prints the effect of the shipped thresholds on each population in the cases in which a person
// is asked to look (docs/hands.md):
//
//	HANDS_THRESHOLDS=8000 go test ./internal/research/populations -run MeasureThresholds -v     (manipulations with one hand for each population, kind, pace and scan, and a quarter as many with two;
//	HANDS_SEED=7000000: other people. With those the limits were set, with the others they are reported)
//
// One-handed manipulations that look most like two hands (king and rook in one hand; scooped, knocked and misread
// captures) are drawn a quarter as often as all others, which is a hundred times too often, and get their real weight.
// So the figures do not depend on the number drawn.
func TestMeasureThresholds(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("HANDS_THRESHOLDS"))
	if n == 0 {
		t.Skip("a measurement: HANDS_THRESHOLDS=number of handlings with one hand")
	}
	seed := uint64(400_000)
	if text := os.Getenv("HANDS_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range live {
		t.Run(fmt.Sprintf("%v,%v", l.kind, l.pace), func(t *testing.T) {
			for _, h := range hurries {
				t.Logf("%v, %v, %s: %s", l.kind, l.pace, h.name, measureLive(l.kind, l.pace, h, n, seed))
			}
		})
	}
}

// measureLive returns false suspicions per 1,000, also of those that look most like two hands, and the share of two
// hands found, for each population.
func measureLive(kind hands.Kind, pace Pace, h hurry, n int, seed uint64) string {
	var mean, alike, found []string
	worst, where := 0.0, ""
	for family, name := range populations() {
		sum, sumAlike := 0.0, 0.0
		for _, ms := range liveScans {
			o := Options{Seed: seed, Family: Family(family), Pace: pace, Board: Board{PeriodUS: 1000 * ms}}
			usual := UsualRates(pace)
			rest, rare, weight := usual, usual, usual.BothInOne
			rest.BothInOne, rare.BothInOne = 0, 1
			if kind == hands.Capture {
				rest.Nuisance, rare.Nuisance, weight = 0, 1, usual.Nuisance
			}
			o.Rates = &rest
			one, two := advised(o, kind, h, n, n/4)
			if family > 0 { // the tables' own have their rates in the tables
				o.Rates = &rare
				often, _ := advised(o, kind, h, n/4, 0)
				one, sumAlike = (1-weight)*one+weight*often, sumAlike+often
			}
			if sum += one; one > worst {
				worst, where = one, fmt.Sprintf("%s, %d ms", name.name, ms)
			}
			if ms == 225 {
				found = append(found, fmt.Sprintf("%.0f", 100*two))
			}
		}
		scans := float64(len(liveScans))
		mean, alike = append(mean, fmt.Sprintf("%.2f", 1000*sum/scans)), append(alike, fmt.Sprintf("%.0f", 1000*sumAlike/scans))
	}
	return fmt.Sprintf("false per 1,000 %s, worst %.2f (%s); of 1,000 that look most like two hands %s; found at 225 ms %s %%",
		strings.Join(mean, " / "), 1000*worst, where, strings.Join(alike[1:], " / "), strings.Join(found, " / "))
}

// advised returns the parts of the manipulations with one hand, and with two, at which a person is asked to look.
func advised(o Options, kind hands.Kind, h hurry, one, two int) (alarms, found float64) {
	conf, model := detector.DefaultHands(), hands.Standard()
	var over [2]int
	for n := 0; n < one+two; {
		s := sitAmong(o)
		o.Seed++
		sensor, tempo := s.knownIn(h)
		for range min(10, one+two-n) {
			both := (n+1)*two/(one+two) > n*two/(one+two)
			x := s.Do(kind, both)
			if j := model.Judge(&x.Handling, sensor, tempo.Pace(h.short)); conf.State(&j, o.Pace).Advisory {
				over[label(both)]++
			}
			n++
		}
	}
	return float64(over[0]) / float64(one), float64(over[1]) / float64(max(two, 1))
}

// knownIn returns the knowledge of board and person after sixty ordinary moves in that hurry.
func (s *Session) knownIn(h hurry) (hands.Sensor, *hands.Tempo) {
	var scan hands.Scan
	tempo := hands.NewTempo(s.options.Pace.Tempo())
	for i := range 60 {
		if s.options.Haste = 1; i >= 50 {
			s.options.Haste = h.plain
		}
		d := s.Plain().Handling
		if i >= 60-h.moves {
			d.Teach(&scan, &tempo)
		} else {
			d.Teach(&scan, nil)
		}
	}
	s.options.Haste = h.haste
	return scan.Sensor(), &tempo
}
