package watch_test

import (
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// liveRig is a rig whose opening record has the given configuration.
func liveRig(config string) *rig {
	r := &rig{m: watch.New()}
	o := watch.Opening{Format: watch.Format, Source: watch.Live, Board: "1", Config: []byte(config)}
	r.step(0, record.Open, o.Body())
	r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	return r
}

func (r *rig) count(kind, what string) (n int) {
	for _, v := range r.said {
		if v.Type == kind && (what == "" || v.What == what) {
			n++
		}
	}
	return n
}

func TestOnlyTheConfiguredBoardIsWatched(t *testing.T) {
	for _, c := range []struct {
		name, config string
		serial       uint16
		watched      bool
	}{
		{"its short number", `{"serial":"02718"}`, 2718, true},
		{"its number without zeros", `{"serial":"2718"}`, 2718, true},
		{"its long number", `{"serial":"0000002718"}`, 2718, true},
		{"another board", `{"serial":"01025"}`, 2718, false},
		{"any board", `{}`, 2718, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := emulator.New(emulator.Options{Seed: 1, Count: 1, Board: emulator.BoardOptions{Serial: c.serial}})
			if err != nil {
				t.Fatal(err)
			}
			r := liveRig(c.config)
			emulator.Run(e, r.host, 12_000_000, 1<<50)
			truth := e.Truth()
			if got := r.count("move", "") == truth.Moves(); got != c.watched {
				t.Errorf("%d of %d moves recorded", r.count("move", ""), truth.Moves())
			}
			if told := r.count("health", "wrong_board") > 0; told == c.watched {
				t.Errorf("wrong board told: %v", told)
			}
		})
	}
}

// sent returns the bytes that were sent, with their times.
func (r *rig) sent() (tx string) {
	for _, l := range r.lines {
		if s, ok := strings.CutPrefix(l, "tx "); ok {
			tx += s
		}
	}
	return tx
}

func TestTheDumpIsAskedForWithin600MillisecondsOfTheOpening(t *testing.T) {
	r := newRig(watch.Live)
	at := int64(0)
	for !strings.Contains(r.sent(), "B") {
		d, ok := r.m.Deadline()
		if !ok {
			t.Fatal("nothing is asked")
		}
		at = d
		r.step(at, record.Wake, nil)
	}
	if at > 600_000 {
		t.Errorf("the dump is asked for after %d µs", at)
	}
	if got := r.sent(); got != "KB" {
		t.Errorf("sent %q, want the update mode and then the dump", got)
	}
}

func TestACaptureIsNeverTalkedTo(t *testing.T) {
	r := newRig(watch.Capture)
	_, err := emulator.Record(emulator.Options{Seed: 2, Count: 1}, func(at int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			r.step(at, record.Rx, p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if tx := r.sent(); tx != "" {
		t.Errorf("sent %q", tx)
	}
	if r.count("move", "") == 0 {
		t.Error("no moves")
	}
}

func TestASilentBoardIsProbedAndTold(t *testing.T) {
	r := newRig(watch.Live)
	for at := int64(0); at <= 9_000_000; at += 50_000 {
		r.host(at, nil)
	}
	if r.count("health", "no_answer") != 1 {
		t.Errorf("no answer told %d times, want once", r.count("health", "no_answer"))
	}
	if tx := r.sent(); !strings.Contains(tx, "E") {
		t.Errorf("never probed: %q", tx)
	}
}
