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

// A hurry is how fast hands are against what is known of them, and whether the clock says that they may be.
type hurry struct {
	name  string
	haste float64 // of what is judged
	plain float64 // of the last ten ordinary moves before
	short bool    // the clock is short, or not known
	moves int     // that are known of the player
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

// live are what somebody is asked to look at.
var live = []struct {
	kind hands.Kind
	pace Pace
}{{hands.Castling, Blitz}, {hands.Castling, Rapid}, {hands.Castling, Classical}, {hands.Capture, Blitz}}

var liveScans = []int64{50, 100, 150, 225, 250} // ms

// TestMeasureThresholds prints what the shipped thresholds do to each population where somebody is asked to look (docs/hands.md):
//
//	HANDS_THRESHOLDS=8000 go test ./internal/research/populations -run MeasureThresholds -v     (deeds with one hand for each population, kind, pace and scan, and a quarter as many with two)
func TestMeasureThresholds(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("HANDS_THRESHOLDS"))
	if n == 0 {
		t.Skip("a measurement: HANDS_THRESHOLDS=number of deeds with one hand")
	}
	for _, l := range live {
		for _, h := range hurries {
			t.Logf("%v, %v, %s: %s", l.kind, l.pace, h.name, measureLive(l.kind, l.pace, h, nil, n))
		}
	}
	for _, often := range []float64{0.001, 0.003, 0.01, 0.03} {
		for _, l := range live {
			r := UsualRates(l.pace)
			r.BothInOne, r.Nuisance = often, often/10
			t.Logf("%v, %v, of castlings %.1f %% with king and rook in one hand, of captures %.2f %% scooped, knocked or misread: %s", l.kind, l.pace, 100*often, 10*often,
				measureLive(l.kind, l.pace, hurries[0], &r, n))
		}
	}
}

// measureLive is false suspicions per 1,000 and what is found of two hands, for each population.
func measureLive(kind hands.Kind, pace Pace, h hurry, r *Rates, n int) string {
	var mean, found []string
	worst, where := 0.0, ""
	for family, name := range populations() {
		sum := 0.0
		for _, ms := range liveScans {
			o := Options{Seed: 400_000, Family: Family(family), Pace: pace, Rates: r, Board: Board{PeriodUS: 1000 * ms}}
			one, two := advised(o, kind, h, n, n/4)
			if sum += one; one > worst {
				worst, where = one, fmt.Sprintf("%s, %d ms", name.name, ms)
			}
			if ms == 225 {
				found = append(found, fmt.Sprintf("%.0f", 100*two))
			}
		}
		mean = append(mean, fmt.Sprintf("%.2f", 1000*sum/float64(len(liveScans))))
	}
	return fmt.Sprintf("false per 1,000 %s, worst %.2f (%s); found at 225 ms %s %%", strings.Join(mean, " / "), 1000*worst, where, strings.Join(found, " / "))
}

// advised is which part of the deeds with one hand, and with two, somebody is asked to look at.
func advised(o Options, kind hands.Kind, h hurry, one, two int) (alarms, found float64) {
	conf, model := detector.DefaultHands(), hands.Standard()
	var over [2]int
	for n := 0; n < one+two; {
		s := sitAmong(o)
		o.Seed++
		sensor, tempo := s.knownIn(h)
		for range min(40, one+two-n) {
			both := (n+1)*two/(one+two) > n*two/(one+two)
			x := s.Do(kind, both)
			if j := model.Judge(&x.Deed, sensor, tempo.Pace(h.short)); j.Known && conf.State(kind, o.Pace, j.LLR).Advisory {
				over[label(both)]++
			}
			n++
		}
	}
	return float64(over[0]) / float64(one), float64(over[1]) / float64(two)
}

// knownIn is what sixty ordinary moves tell of board and person, who goes on in that hurry.
func (s *Session) knownIn(h hurry) (hands.Sensor, *hands.Tempo) {
	var scan hands.Scan
	tempo := hands.NewTempo(s.options.Pace.Tempo())
	for i := range 60 {
		if s.options.Haste = 1; i >= 50 {
			s.options.Haste = h.plain
		}
		d := s.Plain().Deed
		if i >= 60-h.moves {
			d.Teach(&scan, &tempo)
		} else {
			d.Teach(&scan, nil)
		}
	}
	s.options.Haste = h.haste
	return scan.Sensor(), &tempo
}
