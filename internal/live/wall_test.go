package live_test

import (
	"testing"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// opening returns the opening record of a segment that was begun the given time after noon.
func opening(seq record.Seq, at int64, wall time.Duration) record.Record {
	o := watch.Opening{Format: watch.Format, Wall: noon.Add(wall).Format(time.RFC3339Nano)}
	return record.Record{Seq: seq, At: at, Kind: record.Open, Body: o.Body()}
}

func TestGapsMoveTheWallTime(t *testing.T) {
	d := newDesk(live.Options{})
	b := d.Add("1", live.Info{})
	decide := func(seq record.Seq, at int64) {
		b.Recovered(record.Record{Seq: seq, At: at, Kind: record.Decide, Body: watch.Decision{Finding: "a", Decision: "later"}.Body()})
	}
	b.Recovered(opening(1, 0, 0))
	b.Recovered(record.Record{Seq: 2, At: 1e6, Kind: record.Say, Body: []byte(`{"type":"finding","id":"a","state":"confirmed","alert":"now","window":{"lo":0,"hi":1}}`)})
	decide(3, 10e6)
	b.Recovered(opening(4, 10e6, time.Hour)) // the daemon did not run for an hour less ten seconds
	b.Recovered(record.Record{Seq: 5, At: 10e6, Kind: record.Gap, Body: watch.Annotation{Away: 3590e6}.Body()})
	decide(6, 3605e6)
	it, _ := d.Finding("1", "a")
	got := [3]int64{it.WallMS - noon.UnixMilli(), it.Decisions[0].WallMS - noon.UnixMilli(), it.Decisions[1].WallMS - noon.UnixMilli()}
	if want := [3]int64{1_000, 10_000, 3_605_000}; got != want {
		t.Errorf("wall times %v, want %v", got, want)
	}
	// The first records of a start have the time of the last record; only then does time advance.
	d.now = noon.Add(2 * time.Hour)
	b.Seen(watch.View{At: 3605e6}, nil)
	b.Seen(watch.View{At: 3605e6}, nil)
	if s := summary(t, d.Boards); s.WallMS != noon.UnixMilli()+3_605_000 {
		t.Errorf("wall time %v after the start's own records", s.WallMS-noon.UnixMilli())
	}
	d.now = noon.Add(3 * time.Hour) // the clock was set, or the time of absence was not trusted
	b.Seen(watch.View{At: 3606e6}, nil)
	if s := summary(t, d.Boards); s.WallMS != d.now.UnixMilli() {
		t.Errorf("wall time %v, want three hours", s.WallMS-noon.UnixMilli())
	}
}

func TestALoopThatIsLateDoesNotMoveTheWallTime(t *testing.T) {
	d := newDesk(live.Options{})
	b := d.Add("1", live.Info{})
	at := func(line, wall time.Duration) int64 {
		d.now = noon.Add(wall)
		b.Seen(watch.View{At: line.Microseconds()}, nil)
		s := summary(t, d.Boards)
		return s.WallMS - noon.UnixMilli() - line.Milliseconds()
	}
	at(0, 0)
	at(time.Second, time.Second)
	if off := at(2*time.Second, 7*time.Second); off != 0 {
		t.Errorf("five seconds at the disk moved the wall time by %d ms", off)
	}
	at(8*time.Second, 8*time.Second)
	at(10*time.Second, 70*time.Second) // the computer slept for a minute
	if off := at(21*time.Second, 81*time.Second); off != 60_000 {
		t.Errorf("off by %d ms, want a minute", off)
	}
	if off := at(22*time.Second, 22*time.Second); off != 0 {
		t.Errorf("off by %d ms after the clock was set back", off)
	}
}

func TestASimulationsTimeRunsFaster(t *testing.T) {
	d := newDesk(live.Options{})
	b := d.Add("1", live.Info{Rate: 10})
	b.Seen(watch.View{At: 0}, nil)
	d.now = noon.Add(time.Second)
	b.Seen(watch.View{At: 10e6}, nil)
	if s := summary(t, d.Boards); s.WallMS != noon.UnixMilli()+1000 || s.T != 10 || s.Rate != 10 {
		t.Errorf("t %v is %d ms after noon", s.T, s.WallMS-noon.UnixMilli())
	}
}

// A journal of somebody else may have any number.
func TestARateThatIsNone(t *testing.T) {
	for _, rate := range []int64{-1, 1 << 61, 1 << 62} {
		boards := live.New(live.Options{})
		b := boards.Add("1", live.Info{})
		o := watch.Opening{Format: watch.Format, Wall: noon.Format(time.RFC3339Nano), Rate: rate}
		b.Recovered(record.Record{Seq: 1, At: 1, Kind: record.Open, Body: o.Body()})
		if s := b.Summary(); s.WallMS != noon.UnixMilli() {
			t.Errorf("rate %d: %d ms", rate, s.WallMS)
		}
	}
}
