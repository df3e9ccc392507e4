package station_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// told returns the Instruct and Decide records of the journal, each with the first record after it.
func (b *bench) told() (told []string) {
	b.t.Helper()
	rd, err := journal.Open(b.path())
	if err != nil {
		b.t.Fatal(err)
	}
	defer rd.Close()
	for {
		r, err := rd.Next()
		if err != nil {
			return told
		}
		if r.Kind == record.Instruct || r.Kind == record.Decide {
			told = append(told, r.Kind.String()+" "+string(r.Body))
		}
	}
}

var names = watch.Instruction{Do: watch.DoNames, White: "Müller, Ä.", Black: "42"}.Body()

func TestWhatPeopleSayIsInTheJournalWhenItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		before := s.Durable()
		if err := s.Instruct(t.Context(), names); err != nil {
			t.Fatal(err)
		}
		if err := s.Decide(t.Context(), watch.Decision{Finding: "7:illegal.rook", Decision: "confirm"}.Body()); err != nil {
			t.Fatal(err)
		}
		if s.Durable() < before+2 { // immediately: a confirmed input survives a crash
			t.Errorf("durable is %d, was %d", s.Durable(), before)
		}
		want := "instruct " + string(names) + "\ndecide " + `{"finding":"7:illegal.rook","decision":"confirm"}`
		if have := strings.Join(b.told(), "\n"); have != want {
			t.Errorf("have %s\nwant %s", have, want)
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if err := s.Instruct(t.Context(), names); !errors.Is(err, station.ErrEnded) {
			t.Errorf("after the end: %v", err)
		}
		b.verify()
	})
}

// TestABusyLoopIsWaitedForUntilTheContextEnds: then the input is in no journal, and never will be, so that it may be
// sent again.
func TestABusyLoopIsWaitedForUntilTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open() // its loop does not run
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if err := s.Instruct(soon, names); !errors.Is(err, station.ErrBusy) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		again := make(chan error, 1)
		go func() { again <- s.Instruct(t.Context(), names) }()
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		if err := <-again; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if have := b.told(); len(have) != 1 {
			t.Errorf("sent again, and in the journal %d times", len(have))
		}
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

// TestWhatTheLoopHasBegunIsAnswered: also where the context has ended meanwhile. The record may be on the disk or not,
// but it is in the journal, and known to Entered.
func TestWhatTheLoopHasBegunIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, dir: t.TempDir(), stands: time.Minute}
		s := b.open()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		synctest.Wait()
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		err := s.Instruct(soon, names)
		if errors.Is(err, station.ErrBusy) || time.Since(start) != time.Minute || len(b.told()) != 1 {
			t.Errorf("%v after %v, and the journal has %v", err, time.Since(start), b.told())
		}
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

func TestAFullQueueIsWaitedForUntilTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open()
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var waiting sync.WaitGroup
		for range 300 {
			waiting.Go(func() {
				if err := s.Instruct(soon, names); !errors.Is(err, station.ErrBusy) {
					t.Error(err)
				}
			})
		}
		waiting.Wait()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		synctest.Wait()
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if n := len(b.told()); n != 0 {
			t.Errorf("%d are in the journal after all", n)
		}
	})
}

// TestTheAnswerIsTheJournals: for inputs sent while the station ends, nil means that the input is in the journal and
// ErrEnded that it is not.
func TestTheAnswerIsTheJournals(t *testing.T) {
	for range 20 {
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		var talking sync.WaitGroup
		var mu sync.Mutex
		taken := 0
		for range 8 {
			talking.Go(func() {
				for {
					err := s.Instruct(t.Context(), names)
					if err != nil {
						if !errors.Is(err, station.ErrEnded) {
							t.Error(err)
						}
						return
					}
					mu.Lock()
					if taken++; taken == 20 {
						stop()
					}
					mu.Unlock()
				}
			})
		}
		talking.Wait()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if have := len(b.told()); have != taken {
			t.Fatalf("%d in the journal, %d were answered", have, taken)
		}
		stop()
	}
}

func TestABadBodyNeverReachesTheLoop(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	s := b.open()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	for _, body := range []string{
		"", "-", "null", "[]", `"x"`, "{", `{"do":1`, "{\n}", ` {}`, `{} `, "{\"a\":\"\x7f\"}", "{\"a\":\"\xff\"}", `{"do":"x"}{"do":"y"}`,
		`{"note":"` + strings.Repeat("x", record.MaxLine) + `"}`,
	} {
		if err := s.Instruct(t.Context(), []byte(body)); err == nil || errors.Is(err, station.ErrEnded) {
			t.Errorf("%.40q: %v", body, err)
		}
		if err := s.Decide(t.Context(), []byte(body)); err == nil {
			t.Errorf("%.40q was taken as a decision", body)
		}
	}
	if err := s.Instruct(t.Context(), []byte(`{}`)); err != nil {
		t.Errorf("the loop is gone: %v", err)
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestRecoveryShowsWhatTheJournalHolds(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	b.run(rx(startDump), station.Input{Kind: record.Instruct, Body: names})
	var seen []string
	start := time.Now()
	s, err := station.Open(station.Options{
		Board: "1", Dir: b.dir, Journal: "1", Wall: time.Now, Mono: func() int64 { return time.Since(start).Microseconds() }, Log: zerolog.Nop(),
		Recovered: func(r record.Record) { seen = append(seen, r.Kind.String()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if have := strings.Join(seen, " "); have != "open rx say instruct close open gap" {
		t.Errorf("seen: %s", have)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

// TestListenersHearInOrder: the person's input comes first, then the state of the board, then the output of the
// machine; each of them is in the journal already.
func TestListenersHearInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, start := t.TempDir(), time.Now()
		var heard []string
		hear := func(what string) { heard = append(heard, what) }
		s, err := station.Open(station.Options{
			Board: "1", Dir: dir, Journal: "1", Wall: time.Now, Mono: func() int64 { return time.Since(start).Microseconds() }, Log: zerolog.Nop(),
			Entered: func(r record.Record) { hear("told " + r.Kind.String()) },
			Seen: func(v watch.View, touches []watch.Touch) {
				if v.Placement != "" {
					hear("seen")
				}
				if len(touches) > 0 {
					hear(touches[0].Square + touches[0].Was + touches[0].Is)
				}
			},
			Said: func(body []byte) {
				var o struct{ Type string }
				if err := json.Unmarshal(body, &o); err != nil {
					t.Error(err)
				}
				hear(o.Type)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: []byte(startDump)})
		synctest.Wait()
		heard = nil
		if err := s.Instruct(t.Context(), watch.Instruction{Do: watch.DoPosition, FEN: "nonsense"}.Body()); err != nil {
			t.Fatal(err)
		}
		if have := strings.Join(heard, ", "); have != "told instruct, seen, health" {
			t.Errorf("heard: %s", have)
		}
		heard = nil
		s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: []byte{0x8e, 0x00, 0x05, 52, 0x00}}) // e2 is lifted
		synctest.Wait()
		if have := strings.Join(heard, ", "); have != "seen, e2P" {
			t.Errorf("heard: %s", have)
		}
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}
