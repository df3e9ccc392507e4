package scenario

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestEveryVerbIsReadAndWrittenBack(t *testing.T) {
	lines := map[Verb][]string{
		Lift:     {"W lift e2", "+0.4 B/L lift h8"},
		Put:      {"W put e4", "W/R put d5 P", "W put a8 R inverted", "B put a1 q nochip", "+0 W put a8 inverted"},
		Drop:     {"W drop", "W/R drop p"},
		Hold:     {"W/L hold Q"},
		Transfer: {"W transfer Q L-R", "B transfer n R-L"},
		Move:     {"W move e2e4", "B move c2c1n", "W move e1h1"},
		Slide:    {"W slide a1-a8"},
		Knock:    {"N knock d7"},
		Stand:    {"W stand d7"},
		Nudge:    {"X nudge d2-d3"},
		Press:    {"W press", "B press B", "N press W", "W/L press"},
		Pause:    {"A pause", "W pause"},
		Resume:   {"A resume W", "B resume"},
		Lever:    {"N lever"},
		SetTime:  {"A settime W+120", "A settime W-30 B+120", "A settime W=11:52", "A settime W=1:11:52 B=0:09", "A settime B=0:00 W-1"},
		Flag:     {"C flag W", "C flag B"},
		Restore:  {"A restore"},
		Wait:     {"W wait 3", "+0.25 W wait 0.000001"},
		Say:      {"W say adjust", "B say claim-draw3", "A say board shows the white pieces on the a- and b-files"},
		Report: {"A report two-hands W", "A report displaced d2-d3 move=3", "A report clock-setting-wrong move=12",
			"N report foreign-press B", "A report displaced e4"},
		ResultOf: {"B result 1-0", "A result 1/2-1/2"},
		Resign:   {"W resign", "B resign"},
		Sign:     {"W sign"},
		Leave:    {"W leave"},
		Return:   {"W return"},
	}
	for v := Lift; int(v) < len(vocabulary); v++ {
		if len(lines[v]) == 0 {
			t.Errorf("%s has no line in this test", v)
		}
		for _, line := range lines[v] {
			a, err := ParseAct(line)
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if a.Verb != v || a.String() != line {
				t.Errorf("%q is read as %s: %q", line, a.Verb, a)
			}
		}
	}
}

func TestAGapThatIsNotGivenIsOneSecond(t *testing.T) {
	for line, want := range map[string]int64{"W press": 1_000_000, "+0.4 W press": 400_000, "+1.0 W press": 1_000_000, "+2.5 W press": 2_500_000, "+0 W press": 0} {
		if a, err := ParseAct(line); err != nil || a.Gap != want {
			t.Errorf("%q: gap %d µs (%v), want %d", line, a.Gap, err, want)
		}
	}
}

func TestAWrongLineSaysWhereAndWhatIsRight(t *testing.T) {
	for _, row := range []struct {
		line   string
		offset int
		says   string
	}{
		{"", 0, "an actor"},
		{"W", 1, "a verb"},
		{"Q press", 0, "W, B, A"},
		{"W/X press", 0, "R or L"},
		{"W lfit e2", 2, "did you mean lift"},
		{"W lift", 6, "a square"},
		{"A resign", 0, "W resign or B resign"},
		{"A settime W=11", 10, "W=11:52"},
		{"A settime W=11:60", 10, "W=11:52"},
		{"A settime W=+1:00", 10, "W=11:52"},
		{"A settime W=", 10, "W=11:52"},
		{"A settime W=99:00:00", 10, "W=11:52"},
		{"W lift e9", 7, "a1 to h8"},
		{"W lift e2 now", 10, "too many"},
		{"W put e4 X", 9, "KQRBNP"},
		{"W put e4 Q R", 11, "inverted"},
		{"W hold", 6, "a piece"},
		{"W transfer Q L-L", 13, "L-R"},
		{"W move e2e2", 7, "e2e4"},
		{"W move e2-e4", 7, "e2e4"},
		{"W move e7e8x", 7, "e2e4"},
		{"W slide a1a2", 8, "d2-d3"},
		{"W nudge d2-d2", 8, "goes nowhere"},
		{"A press", 7, "press W"},
		{"A resume", 8, "press W"},
		{"A settime W120", 10, "W+120"},
		{"A settime", 9, "W+120"},
		{"A settime W+999999", 10, "seconds"},
		{"C flag", 6, "a side"},
		{"C flag A", 7, "W or B"},
		{"W wait soon", 7, "0.4"},
		{"+x W press", 0, "0.4"},
		{"+1. W press", 0, "0.4"},
		{"+99999 W press", 0, "hour"},
		{"B say", 5, "a word"},
		{"B say claim-ilegal", 6, "did you mean illegal"},
		{"A report two-hand W", 9, "did you mean two-hands"},
		{"A report found move=0", 15, "move=12"},
		{"A report found ply=3", 15, "move=NUMBER"},
		{"A report found Z", 15, "says nothing"},
		{"A result 2-0", 9, "1-0"},
		{"A restore W", 10, "too many"},
	} {
		_, err := ParseAct(row.line)
		var e *ActError
		if !errors.As(err, &e) {
			t.Errorf("%q is accepted", row.line)
			continue
		}
		if e.Offset != row.offset || !strings.Contains(e.Problem, row.says) {
			t.Errorf("%q: at %d: %s; want at %d: …%s…", row.line, e.Offset, e.Problem, row.offset, row.says)
		}
	}
}

// FuzzParseAct: a line is refused with a place inside it, or its written form has the same meaning.
func FuzzParseAct(f *testing.F) {
	for _, line := range []string{"W press", "+0.4 B/L put e4 q nochip", "A settime W-30 B+120", "A report displaced d2-d3 move=3", "W say a  b", "+1.000001 C flag W", "A report found W B e4 move=2 move=3"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		a, err := ParseAct(line)
		if err != nil {
			var e *ActError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(line) || e.Problem == "" {
				t.Fatalf("%q: %#v", line, err)
			}
			return
		}
		again, err := ParseAct(a.String())
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("%q is written %q and read as %+v (%v), was %+v", line, a, again, err, a)
		}
	})
}
