package hands

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/detector"
	detect "boardwatchd/detector/hands"
)

// TestMeasureThresholds prints what the shipped advisory thresholds do to each population (docs/hands.md):
//
//	HANDS_THRESHOLDS=8000 go test ./internal/hands -run MeasureThresholds -v     (deeds with one hand for each population, kind, pace and scan, and half as many with two)
func TestMeasureThresholds(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("HANDS_THRESHOLDS"))
	if n == 0 {
		t.Skip("a measurement: HANDS_THRESHOLDS=number of deeds with one hand")
	}
	conf := detector.DefaultHands()
	for _, kind := range []detect.Kind{detect.Capture, detect.Castling, detect.Promotion} {
		for _, pace := range []Pace{Blitz, Rapid, Classical} {
			var mean, found []string
			worst, where := 0.0, ""
			for family, name := range populations() {
				sum := 0.0
				for _, ms := range worthScans {
					o := Options{Seed: 400_000, Family: Family(family), Pace: pace, Board: Board{PeriodUS: 1000 * ms}}
					one, two := advised(&conf, o, kind, n, n/2)
					if sum += one; one > worst {
						worst, where = one, fmt.Sprintf("%s, %d ms", name.name, ms)
					}
					if ms == 225 {
						found = append(found, fmt.Sprintf("%.0f", 100*two))
					}
				}
				mean = append(mean, fmt.Sprintf("%.1f", 1000*sum/float64(len(worthScans))))
			}
			t.Logf("%v, %v: false alarms per 1,000: %s; worst %.1f (%s); found at 225 ms: %s %%", kind, pace, strings.Join(mean, " / "), 1000*worst, where, strings.Join(found, " / "))
		}
	}
}

// advised is which part of the deeds with one hand, and with two, is at the advisory threshold.
func advised(conf *detector.Hands, o Options, kind detect.Kind, one, two int) (alarms, found float64) {
	var over [2]int
	playAmong(o, kind, one, two, func(both int, j detect.Judgement) {
		if j.Known && conf.State(kind, o.Pace.Play(), j.LLR, false).Advisory {
			over[both]++
		}
	})
	return float64(over[0]) / float64(one), float64(over[1]) / float64(two)
}
