package station_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// A computer's clocks: what it shows as the time of day, which somebody or a network may set, and how long it has been
// running.
type clocks struct {
	wall time.Time
	up   time.Duration
	boot string
}

func (c *clocks) pass(d time.Duration) { c.wall, c.up = c.wall.Add(d), c.up+d }

// sit runs a station for a while; in between the clock may be set.
func (c *clocks) sit(t *testing.T, dir string, ran time.Duration, set func()) {
	t.Helper()
	s, err := station.Open(station.Options{
		Board: "1", Dir: dir, Journal: "1", Software: "test", Boot: c.boot, Log: zerolog.Nop(),
		Wall: func() time.Time { return c.wall }, Mono: func() int64 { return c.up.Microseconds() }, Uptime: func() int64 { return c.up.Microseconds() },
	})
	if err != nil {
		t.Fatal(err)
	}
	c.pass(ran)
	set()
	ctx, stop := context.WithCancel(t.Context())
	stop() // what Run does with a context that has ended: the end of the journal, at the time that it is now
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

// absences are the times of absence in a journal, and whether its time line ever goes back.
func absences(t *testing.T, dir string) (list []time.Duration) {
	t.Helper()
	rd, err := journal.Open(dir + "/1" + journal.Extension)
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	for last := int64(0); ; {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.At < last {
			t.Errorf("record %d is at %d µs, after one at %d", r.Seq, r.At, last)
		}
		last = r.At
		var gap watch.Annotation
		if r.Kind == record.Gap {
			if err := json.Unmarshal(r.Body, &gap); err != nil {
				t.Fatal(err)
			}
			list = append(list, time.Duration(gap.Away)*time.Microsecond)
		}
	}
}

// TestTheWallClockIsSet: the length of an absence comes from the uptime, if the computer has been running since then;
// otherwise from the wall clock, if its result is possible. An unknown absence counts as a second, and never as hours
// that have not passed.
func TestTheWallClockIsSet(t *testing.T) {
	const ran, away = 20 * time.Minute, 7 * time.Minute
	noon := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	none := time.Unix(0, 0).UTC() // a computer without a clock of its own begins here
	for name, c := range map[string]struct {
		begin   time.Time
		during  time.Duration // that the clock is set forward while the program runs
		between time.Duration // and while it does not
		other   bool          // the computer was started again between
		boot    string
		want    time.Duration
	}{
		"a clock that is right":                             {begin: noon, boot: "a", want: away},
		"a clock that is right, another start":              {begin: noon, boot: "a", other: true, want: away},
		"no identity of the start":                          {begin: noon, want: away},
		"set forward by an hour while it runs":              {begin: noon, boot: "a", during: time.Hour, want: away},
		"set forward by an hour while it is away":           {begin: noon, boot: "a", between: time.Hour, want: away},
		"set back by an hour while it runs":                 {begin: noon, boot: "a", during: -time.Hour, want: away},
		"set back by an hour while it is away":              {begin: noon, boot: "a", between: -time.Hour, want: away},
		"set back by a minute while it is away":             {begin: noon, boot: "a", between: -time.Minute, want: away},
		"no clock at the start, set while it runs":          {begin: none, boot: "a", during: noon.Sub(none), want: away},
		"no clock at the start, set while it is away":       {begin: none, boot: "a", between: noon.Sub(none), want: away},
		"no clock, another start with one":                  {begin: none, boot: "a", other: true, between: noon.Sub(none), want: time.Second},
		"another start without a clock":                     {begin: noon, boot: "a", other: true, between: none.Sub(noon), want: time.Second},
		"another start, set back by an hour":                {begin: noon, boot: "a", other: true, between: -time.Hour, want: time.Second},
		"another start, more than a day ahead":              {begin: noon, boot: "a", other: true, between: 25 * time.Hour, want: time.Second},
		"no identity of the start, set back":                {begin: noon, between: -time.Hour, want: time.Second},
		"no identity of the start, set forward by 50 years": {begin: none, between: noon.Sub(none), want: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clock := &clocks{wall: c.begin, up: 90 * time.Second, boot: c.boot}
			clock.sit(t, dir, ran, func() { clock.wall = clock.wall.Add(c.during) })
			clock.pass(away)
			clock.wall = clock.wall.Add(c.between)
			if c.other {
				clock.boot, clock.up = "b", 40*time.Second
			}
			clock.sit(t, dir, ran, func() {})
			clock.pass(away) // a third start counts from the second one, whatever the first one believed
			clock.sit(t, dir, ran, func() {})
			got := absences(t, dir)
			if len(got) != 2 || got[0] != c.want || got[1] != away {
				t.Errorf("away for %v, want %v and %v", got, c.want, away)
			}
		})
	}
}
