package main

import (
	"bytes"
	"strings"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A comparison works under any rules. If they are not for games with such a time control, standard error says so once.
func TestMisfitIsNotedOnce(t *testing.T) {
	open := func(time string) record.Record {
		conf := config.Default()
		var err error
		if conf.TimeControl, err = config.ParseTimeControl(time); err != nil {
			t.Fatal(err)
		}
		o := watch.Opening{Format: watch.Format, Config: conf.Core(config.NewBoard("1", "")).Canonical()}
		return record.Record{Kind: record.Open, Body: o.Body()}
	}
	for _, c := range []struct {
		name, time, word string
		quiet            bool
		want             int
	}{
		{"rules for another time", "90+30", "fide-blitz", false, 1},
		{"the same, asked to be quiet", "90+30", "fide-blitz", true, 0},
		{"rules for this time", "3+2", "fide-blitz", false, 0},
		{"a time that nobody told", "", "fide-blitz", false, 0},
		{"auto fits every time", "90+30", "auto", false, 0},
		{"the journal's own rules", "90+30", "", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			r := replaying{}
			if c.word != "" {
				var err error
				if r.profile, r.rules, err = config.Rules(c.word); err != nil {
					t.Fatal(err)
				}
			}
			note := r.warnMisfit(&env{err: &out, quiet: c.quiet}, "x.bwj")
			for range 3 { // segments
				note(open(c.time))
				note(record.Record{Kind: record.Rx})
			}
			note(record.Record{Kind: record.Open, Body: []byte(`{"format":"other"}`)})
			got := out.String()
			if strings.Count(got, "\n") != c.want || c.want > 0 && !strings.HasPrefix(got, "boardwatchd: x.bwj: note: fide-blitz is for blitz play, and time_control 90+30 is standard play") {
				t.Errorf("%q, want %d lines", got, c.want)
			}
		})
	}
}

// A capture is judged under auto, with a configuration that a later program can read.
func TestACaptureIsJudgedUnderAuto(t *testing.T) {
	c, err := config.ParseCanonical(captureConfig("game1"))
	if err != nil || c.Board != "game1" || c.Profile != config.Auto || len(c.Rules) != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}
