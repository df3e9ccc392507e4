package watch_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/show"
)

// TestShowTable is no test but a reader of one table from outside: it prints what was really done, what the board sent
// and what the machine said, about a ply: an index from 0, as a missed offence is logged.
//
//	BOARDWATCHD_SHOW=23 BOARDWATCHD_PLY=33 BOARDWATCHD_AS='calm event offences' go test ./internal/watch -run ShowTable -v
func TestShowTable(t *testing.T) {
	var seed, ply int
	if _, err := fmt.Sscan(os.Getenv("BOARDWATCHD_SHOW"), &seed); err != nil {
		t.Skip("set BOARDWATCHD_SHOW to a seed")
	}
	fmt.Sscan(os.Getenv("BOARDWATCHD_PLY"), &ply) // none is 0
	for _, c := range disturbedRows {
		if c.name == os.Getenv("BOARDWATCHD_AS") {
			w := watchTable(disturbedOptions(seed, c.clock, c.kind))
			w.show(t, ply)
		}
	}
	for _, c := range tableRows {
		if c.name == os.Getenv("BOARDWATCHD_AS") {
			w := watchTable(c.options(seed))
			w.show(t, ply)
		}
	}
}

// show prints truth, frames and sayings by time, from three plies before the given one to three after it.
func (w *watchedTable) show(t *testing.T, ply int) {
	plies := w.truth.Plies
	first, last := max(0, min(ply-3, len(plies)-1)), min(len(plies)-1, ply+3)
	from, to := plies[first].FirstTouch-3*second, max(plies[last].Placed, plies[last].PressAt)+8*second
	type line struct {
		at   int64
		text string
	}
	var lines []line
	note := func(at int64, format string, args ...any) {
		if at >= from && at <= to {
			lines = append(lines, line{at, fmt.Sprintf(format, args...)})
		}
	}
	for i := range plies {
		p := &plies[i]
		note(p.FirstTouch, "TRUTH ply %d %v %s touched", i, p.Side, p.UCI)
		note(p.Placed, "TRUTH ply %d %v %s placed, scanned %.3f, %v", i, p.Side, p.UCI, float64(p.Scanned)/second, p.Class)
	}
	for i := range w.truth.Presses {
		p := &w.truth.Presses[i]
		note(p.At, "TRUTH press of ply %d %v, %v, moved %v, seen %.3f merged %v swallowed %v", p.Ply, p.Side, p.Kind, p.Moved, float64(p.SeenAt)/second, p.Merged, p.Swallowed)
	}
	for i := range w.truth.Offences {
		o := &w.truth.Offences[i]
		note(o.PressAt, "TRUTH OFFENCE ply %d %v %s %v stop %.3f done %.3f", o.Ply, o.Side, o.Kind, o.Outcome, float64(o.StopAt)/second, float64(o.DoneAt)/second)
	}
	for _, s := range w.truth.Stops {
		note(s.At, "TRUTH clock stopped: %s, until %.3f, lever moved %v", s.Reason, float64(s.ResumeAt)/second, s.LeverMoved)
	}
	var dec dgt.Decoder
	for _, in := range w.rig.inputs {
		if in.Kind != record.Rx {
			if in.Kind != record.Wake {
				note(in.At, "record %v %s", in.Kind, in.Body)
			}
			continue
		}
		dec.Feed(in.Body)
		for f, ok := dec.Next(); ok; f, ok = dec.Next() {
			note(in.At, "%v %s", f.ID, show.Frame(f))
		}
	}
	for _, s := range w.rig.lines {
		if at := strings.Index(s, `"t":`); at >= 0 {
			var sec float64
			fmt.Sscanf(s[at+4:], "%g", &sec)
			note(int64(sec*second), "      %s", s)
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.at - b.at) })
	for _, l := range lines {
		t.Logf("%9.3f %s", float64(l.at)/second, l.text)
	}
}
