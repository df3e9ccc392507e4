package broadcast_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/broadcast"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// TestTheTimeOfAStation: what a real station writes at its starts lets a tape know the time that has passed, whatever
// the wall clock says, as long as the computer was not started again; and never more than has passed.
func TestTheTimeOfAStation(t *testing.T) {
	for claim, c := range map[string]struct {
		step   time.Duration // of the wall clock, while the program is away
		reboot bool
	}{
		"a wall clock that is right": {}, "set forward": {step: 5 * time.Hour}, "set back": {step: -5 * time.Hour}, "set forward by days": {step: 100 * time.Hour},
		"a computer that was started again": {reboot: true}, "started again, the wall clock set forward": {reboot: true, step: 20 * time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			dir, began, wrong := t.TempDir(), time.Now(), time.Duration(0)
			boot, booted := "one", began.Add(-time.Hour)
			life := func(lasts time.Duration) *broadcast.Tape {
				tape, start := broadcast.NewTape(1), time.Now()
				hears := func(body []byte) { tape.Said(body) }
				s, err := station.Open(station.Options{
					Board: "1", Dir: dir, Journal: "1", Software: "test", Log: zerolog.Nop(), Boot: boot, Segment: 4096,
					Wall:      func() time.Time { return time.Now().Add(wrong) },
					Uptime:    func() int64 { return time.Since(booted).Microseconds() },
					Mono:      func() int64 { return time.Since(start).Microseconds() },
					Recovered: tape.Record, Entered: tape.Record, Said: hears,
					Seen: func(v watch.View, _ []watch.Touch) { tape.Reached(v.At) },
				})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- s.Run(ctx) }()
				s.Put(station.Input{At: s.Now(), Kind: record.Up, Body: watch.Annotation{Device: "x"}.Body()})
				for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(time.Minute) {
					s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: make([]byte, 100)})
				}
				s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: []byte{0}})
				cancel()
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				return tape
			}
			watched := time.Duration(0) // what nobody can doubt
			for range 4 {
				begun := time.Now()
				passed := time.Duration(life(3*time.Minute).Passed()) * time.Microsecond
				watched += time.Since(begun)
				truth, least := time.Since(began), time.Since(began)
				if c.reboot {
					least = watched
				}
				if passed > truth || passed < least-time.Second {
					t.Errorf("%s: the tape says %v; %v have passed, %v of them for certain", claim, passed, truth, least)
				}
				time.Sleep(7 * time.Minute)
				wrong += c.step
				if c.reboot {
					boot, booted = boot+"x", time.Now().Add(-3*time.Minute)
				}
			}
		})
	}
}
