package live_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/scenario"
	"boardwatchd/internal/watch"
)

// These tests play the program's own cases through the emulated board and the machine, and check the data of package
// live: during the game, and restored from the journal.

// noon is the wall time at the beginning of every journal here.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// journal plays a case and returns its records, with a wall time in the opening record.
func journal(t testing.TB, c *scenario.Case) (records []record.Record) {
	t.Helper()
	_, _, err := c.Play(scenario.Options{Record: func(r record.Record) error {
		r.Body = bytes.Clone(r.Body)
		if o, err := watch.ParseOpening(r.Body); r.Kind == record.Open && err == nil {
			o.Wall = noon.Format(time.RFC3339Nano)
			r.Body = o.Body()
		}
		records = append(records, r)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func ownCase(t testing.TB, id string) *scenario.Case {
	t.Helper()
	for i := range scenario.Own() {
		if c := &scenario.Own()[i]; c.ID == id {
			return c
		}
	}
	t.Fatalf("no case %s among the program's own", id)
	return nil
}

// A desk is Boards with a wall clock controlled by the test.
type desk struct {
	*live.Boards
	now time.Time
}

func newDesk(o live.Options) *desk {
	d := &desk{now: noon}
	o.Wall = func() time.Time { return d.now }
	d.Boards = live.New(o)
	return d
}

// station treats a board as a station does at each step of the live loop.
type station struct {
	desk  *desk
	board *live.Board
	m     *watch.Machine
}

func (d *desk) station(name string) *station {
	s := &station{desk: d, board: d.Add(name, live.Info{Journal: name}), m: watch.New()}
	s.m.Trace()
	return s
}

// live steps an input as the live loop does.
func (s *station) live(r record.Record) {
	if !r.Kind.Input() {
		return
	}
	s.desk.now = noon.Add(time.Duration(r.At) * time.Microsecond)
	effects := s.m.Step(r)
	if r.Kind == record.Instruct || r.Kind == record.Decide {
		s.board.Entered(r)
	}
	s.board.Seen(s.m.View(), s.m.Touches())
	for _, e := range effects {
		if e.Kind == record.Say {
			s.board.Said(e.Body)
		}
	}
}

// recover reads a record as a station's recovery does; touched says that views are passed between the records.
func (s *station) recover(r record.Record, touched bool) {
	if r.Kind == record.Tx {
		return
	}
	s.board.Recovered(r)
	if r.Kind.Input() {
		s.m.Step(r)
		if touched {
			s.board.Seen(s.m.View(), s.m.Touches())
		}
	}
}

// text returns a state as JSON, without the parts that differ between starts.
func text(t testing.TB, s live.State, timelines bool) string {
	t.Helper()
	s.Epoch, s.Last = "", ""
	s.Findings = slices.Clone(s.Findings)
	for i := range s.Findings {
		if !timelines {
			s.Findings[i].Timeline, s.Findings[i].TimelineComplete, s.Findings[i].ClockAt = nil, false, nil
		}
	}
	out, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func (d *desk) state(t testing.TB, board string) live.State {
	t.Helper()
	s, ok := d.State(board)
	if !ok {
		t.Fatalf("no board %s", board)
	}
	return s
}

func TestAJournalAloneBringsEverythingBack(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every case, in one goroutine")
	}
	items, decisions := 0, 0
	for i := range scenario.Own() {
		c := &scenario.Own()[i]
		t.Run(c.ID, func(t *testing.T) {
			records := journal(t, c)
			lived, plain, traced := newDesk(live.Options{}), newDesk(live.Options{}), newDesk(live.Options{})
			a, b, x := lived.station("1"), plain.station("1"), traced.station("1")
			for _, r := range records {
				a.live(r)
				b.recover(r, false)
				x.recover(r, true)
			}
			b.board.Seen(b.m.View(), nil)
			want := lived.state(t, "1")
			got := plain.state(t, "1")
			if got.Board.StoodMS != got.Board.WallMS {
				t.Errorf("the clock has run since %d, and nobody has seen it before %d", got.Board.StoodMS, got.Board.WallMS)
			}
			got.Board.StoodMS = want.Board.StoodMS // from here on
			if g, w := text(t, got, false), text(t, want, false); g != w {
				t.Errorf("from the journal, not live: %s", different(g, w))
			}
			got = traced.state(t, "1")
			if g, w := text(t, got, true), text(t, want, true); g != w {
				t.Errorf("from the journal and the machine, not live: %s", different(g, w))
			}
			items += len(want.Findings)
			for _, it := range want.Findings {
				decisions += len(it.Decisions)
			}
		})
	}
	if items < 40 || decisions < 1 {
		t.Errorf("only %d findings and %d decisions were compared", items, decisions)
	}
}

func TestWallTimesComeFromTheOpeningRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every case, in one goroutine")
	}
	for i := range scenario.Own() {
		d := newDesk(live.Options{})
		s := d.station("1")
		for _, r := range journal(t, &scenario.Own()[i]) {
			s.recover(r, false)
		}
		state := d.state(t, "1")
		if want := noon.UnixMilli() + int64(state.Board.T*1000); state.Board.WallMS != want {
			t.Fatalf("wall_ms %d at %v s, want %d", state.Board.WallMS, state.Board.T, want)
		}
		for _, it := range state.Findings {
			for _, dec := range it.Decisions {
				if want := noon.UnixMilli() + int64(dec.T*1000); dec.WallMS != want {
					t.Errorf("decision at %v s has wall_ms %d, want %d", dec.T, dec.WallMS, want)
				}
			}
		}
	}
}

// shown holds the fields of a finding that these tests compare.
type shown struct {
	Kind, State, Side, Proof string
	Window                   struct{ Lo, Hi float64 }
}

func read(t testing.TB, it live.Item) (f shown) {
	t.Helper()
	if err := json.Unmarshal(it.Finding, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestATimeLineTellsWhatHappenedFromThePressBefore(t *testing.T) {
	d := newDesk(live.Options{})
	s := d.station("1")
	for _, r := range journal(t, ownCase(t, "second-thoughts")) {
		s.live(r)
	}
	state := d.state(t, "1")
	if len(state.Findings) != 1 {
		t.Fatalf("%d findings", len(state.Findings))
	}
	var told []string
	for _, m := range state.Findings[0].Timeline {
		told = append(told, strings.TrimSpace(m.What+" "+m.Square+m.Was+m.Is+m.Side+" "+m.Judged))
	}
	want := []string{"lift c7P", "place c8Q", "lift c8Q", "place c8R", "press white ok"}
	if !slices.Equal(told, want) {
		t.Errorf("time line %q, want %q", told, want)
	}
	if at := state.Findings[0].ClockAt; at == nil || at.White != 5452 {
		t.Errorf("clock at the press %v", at)
	}
}

// TestTimeLinesHoldForEveryCase: if a press completed an offence, the time line ends with that press (or with events up
// to three seconds later), contains the events before it, and has no gaps.
func TestTimeLinesHoldForEveryCase(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every case, in one goroutine")
	}
	seen := 0
	for i := range scenario.Own() {
		c := &scenario.Own()[i]
		d := newDesk(live.Options{})
		s := d.station("1")
		for _, r := range journal(t, c) {
			s.live(r)
		}
		for _, it := range d.state(t, "1").Findings {
			f := read(t, it)
			if !it.TimelineComplete || it.ClockAt == nil {
				t.Errorf("%s: %s: complete %v, clock %v", c.ID, f.Kind, it.TimelineComplete, it.ClockAt)
			}
			own, touched, last := false, false, 0.0
			for _, m := range it.Timeline {
				own = own || m.What == "press" && m.T == f.Window.Hi && m.Side == f.Side
				touched = touched || m.What != "press"
				if m.T < last || m.Lo > m.T || m.T > f.Window.Hi+3 {
					t.Errorf("%s: %s: %+v is out of order", c.ID, f.Kind, m)
				}
				last = m.T
			}
			if !strings.HasPrefix(f.Kind, "illegal.") || f.Proof == "report" || strings.Contains(c.ID, "claimed-before-the-press") {
				continue // the clock was not pressed
			}
			seen++
			if !own || !touched && f.Kind != "illegal.no_move" {
				t.Errorf("%s: %s: own press %v, touches %v: %+v", c.ID, f.Kind, own, touched, it.Timeline)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d offences were looked at", seen)
	}
}

// different returns the first line in which two texts differ.
func different(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + " <> " + y[i]
		}
	}
	return "one is longer"
}
