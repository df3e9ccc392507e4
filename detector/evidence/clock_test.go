package evidence_test

import (
	"fmt"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/rules/legal"
)

// shown is a running clock whose lever is up at the given side.
func shown(left, right int, up evidence.ClockSide) evidence.ClockReading {
	return evidence.ClockReading{Left: left, Right: right, Running: true, Up: up}
}

func TestLever(t *testing.T) {
	left, right := evidence.LeftSide, evidence.RightSide
	for _, c := range []struct {
		name         string
		before, then evidence.ClockReading
		want         string
	}{
		{"a second is counted", shown(60, 60, left), shown(59, 60, left), "ticked"},
		{"left has pressed, and gained two seconds", shown(58, 60, left), shown(60, 60, right), "pressed left gained 2"},
		{"right has pressed without an increment", shown(58, 60, right), shown(58, 60, left), "pressed right gained 0"},
		{"both have pressed between two readings", shown(58, 58, left), shown(60, 57, left), "ticked merged twice"},
		{"the clock is started, and right has pressed since", evidence.ClockReading{Left: 60, Right: 60, Up: left}, shown(60, 62, left), "begun"},
		{"the times are set while it stands", evidence.ClockReading{Left: 60, Right: 60, Up: left}, evidence.ClockReading{Left: 90, Right: 60, Up: left}, "edited"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var clock evidence.Clock
			if l := clock.Take(c.before, 1_000_000); l.Flipped || l.Known {
				t.Errorf("the first reading says %+v", l)
			}
			if got := said(clock.Take(c.then, 2_000_000)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func said(l evidence.Lever) string {
	s := ""
	add := func(is bool, word string) {
		if is {
			s += " " + word
		}
	}
	add(l.Ticked, "ticked")
	add(l.Flipped, fmt.Sprintf("pressed %v gained %d", l.Pressed, l.Gained))
	add(l.Merged, "merged")
	add(l.TwoPresses, "twice")
	add(l.Begun, "begun")
	add(l.Edited, "edited")
	return s[min(1, len(s)):]
}

func TestWhoseSideIsIt(t *testing.T) {
	var c evidence.Clock
	c.Take(shown(60, 50, evidence.LeftSide), 0)
	if c.Turn() != legal.NoSide || c.Times().Known {
		t.Error("nobody knows yet which side is White's")
	}
	c.Assume(evidence.RightSide)
	if c.Turn() != legal.Black || c.Times() != (evidence.Times{White: 50, Black: 60, Known: true}) {
		t.Errorf("%v, %+v", c.Turn(), c.Times())
	}
	c.Settle(evidence.LeftSide)
	c.Assume(evidence.RightSide)
	if c.Turn() != legal.White || !c.Running() || c.Absent() || c.Flagged() {
		t.Error("what is settled is assumed otherwise")
	}
	c.Take(evidence.ClockReading{Missing: true}, 1_000_000)
	if !c.Absent() || c.Running() || c.Turn() != legal.NoSide {
		t.Error("a clock that is not there runs")
	}
}

// A clock that was read every second and is suddenly silent has left a hole, unless the program stood still.
func TestHole(t *testing.T) {
	var c evidence.Clock
	for s := range 3 {
		c.Take(shown(60-s, 60, evidence.LeftSide), int64(s)*1_000_000)
	}
	next := shown(53, 60, evidence.LeftSide)
	if !c.Hole(evidence.Stamp{At: 7_000_000}, &next) || c.Hole(evidence.Stamp{At: 3_000_000}, &next) {
		t.Error("five seconds without a reading, or one")
	}
	if !c.Silent(evidence.Stamp{At: 7_000_000}) || c.Silent(evidence.Stamp{At: 7_000_000, Waited: true}) {
		t.Error("it is silent where the program was not there to hear it, or the other way round")
	}
	soon := shown(57, 60, evidence.LeftSide)
	if c.Hole(evidence.Stamp{At: 60_000_000, Waited: true}, &soon) {
		t.Error("the clock has counted one second")
	}
}
