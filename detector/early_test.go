package detector

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/detector/offence"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// pressedEarly plays a story on a table of its own and returns the first report of an early press.
func pressedEarly(t *testing.T, prepare func(*Tracker), story string) *Found {
	t.Helper()
	tb := newTable()
	if err := tb.do("start"); err != nil {
		t.Fatal(err)
	}
	prepare(tb.t)
	for _, act := range strings.Split(story, ",") {
		if err := tb.do(strings.TrimSpace(act)); err != nil {
			t.Fatal(err)
		}
	}
	tb.pass(tb.now + 3*secondUS)
	for i := range tb.finds {
		if tb.finds[i].Kind == kinds.PressBeforeDone {
			return &tb.finds[i]
		}
	}
	return nil
}

func scanning(us, jitter int64, o hands.Order) func(*Tracker) {
	return func(t *Tracker) {
		t.hands.sensor = hands.Sensor{PeriodUS: us, Order: o, Fit: 950, Lead: 500, JitterUS: jitter, Moves: 60}
	}
}

func TestTheBoundIsThatOfTheBoard(t *testing.T) {
	untimed := func(t *Tracker) { t.hands.timed = false }
	slower := func(t *Tracker) { t.p.ScanUS = 900_000 }
	poor := func(t *Tracker) { scanning(225_000, 5_000, hands.Raster)(t); t.hands.sensor.Fit = 700 }
	for _, row := range []struct {
		name    string
		prepare func(*Tracker)
		want    int64
	}{
		{"a scan of 225 ms", scanning(225_000, 5_000, hands.Raster), 255_000},
		{"of 450 ms", scanning(450_000, 5_000, hands.ColumnReverse), 480_000},
		{"of 50 ms", scanning(50_000, 5_000, hands.Raster), 80_000},
		{"450 ms by a radio with 100 ms of jitter", scanning(450_000, 29_000, hands.Raster), 566_000},
		{"told at the end of a scan", scanning(225_000, 5_000, hands.Batch), 480_000},
		{"a scan that is not believed", poor, offence.SlowestUS},
		{"nothing is known", func(*Tracker) {}, offence.SlowestUS},
		{"nothing is known, and the operator knows it slower", slower, 900_000},
		{"a recording without times", untimed, offence.SecondsUS},
	} {
		tr := New(DefaultParams())
		tr.hands.timed = true
		row.prepare(tr)
		if got := tr.bound().US; got != row.want {
			t.Errorf("%s: %d µs, want %d", row.name, got, row.want)
		}
	}
}

func TestTheReasonNamesTheBound(t *testing.T) {
	f := pressedEarly(t, scanning(225_000, 5_000, hands.Raster), "+1 e2 -, +0.5 press white, +0.3 e4 P")
	if f == nil {
		t.Fatal("nothing is told")
	}
	const want = "White's clock was pressed before the move was finished: the pawn came to e4 0.30 s after the press was reported, and this board reads every square within 0.26 s."
	if f.Reason.String() != want {
		t.Errorf("%s\nwant %s", f.Reason, want)
	}
	if !strings.Contains(f.Note.String(), "off the centre") {
		t.Errorf("the other reading is missing: %q", f.Note)
	}
	// The lift, the press and the placement that proves it, oldest first.
	if len(f.Evidence) != 3 || !slices.IsSorted(f.Evidence) {
		t.Errorf("evidence %v", f.Evidence)
	}
	f = pressedEarly(t, func(*Tracker) {}, "+1 e2 -, +0.5 press white, +0.7 e4 P")
	if f == nil || !strings.Contains(f.Reason.String(), "0.70 s after the press was reported, and the slowest board reads every square within 0.58 s.") {
		t.Errorf("%+v", f)
	}
}

// TestWithoutTimesTwoSecondsProve: in a recording without times a report can follow the press at once and still come
// after the next second of the clock.
func TestWithoutTimesTwoSecondsProve(t *testing.T) {
	for seconds, early := range map[int64]bool{0: false, 1: false, 2: true} {
		base := legal.StartSetup(518).Placement
		pos := legal.StartPosition()
		m, _ := pos.FindUCI("e2e4")
		e2, e4 := m.From(), m.To()
		changes := []evidence.Change{
			{Square: e2, Was: base[e2], Window: evidence.Window{Hi: 4_000_000}},
			{Square: e4, Is: base[e2], Window: evidence.Window{Hi: 5_000_000 + seconds*1_000_000}},
		}
		b := offence.Bound{US: offence.SecondsUS, How: offence.BySeconds}
		if got := b.Unfinished(&base, m, changes, 5_000_000) != nil; got != early {
			t.Errorf("%d seconds later: early %v", seconds, got)
		}
	}
}

// TestAHostThatStalls: bytes that wait are delivered together and in order, so that no time lies between press and
// piece.
func TestAHostThatStalls(t *testing.T) {
	known := scanning(225_000, 5_000, hands.Raster)
	if f := pressedEarly(t, known, "+2 e2 -, +0 press white, +0 e4 P"); f != nil {
		t.Errorf("all at once: %s", f.Reason)
	}
	if f := pressedEarly(t, known, "+1 e2 -, +2 press white, +0 e4 P"); f != nil {
		t.Errorf("press and piece at once: %s", f.Reason)
	}
}
