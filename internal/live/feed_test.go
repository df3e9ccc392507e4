package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

func names(batch []live.Event) (list []string) {
	for _, e := range batch {
		list = append(list, e.Name+e.ID)
	}
	return list
}

func next(t *testing.T, f *live.Follower) []live.Event {
	t.Helper()
	batch, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func TestEventsComeInOrderWithDenseIdentifiers(t *testing.T) {
	bs := live.New(live.Options{Epoch: "e"})
	f := bs.Follow("")
	defer f.Close()
	bs.Publish("alert", "1", []byte(`{"n":1}`))
	bs.Publish("devices", "", []byte(`{"n":2}`))
	if got := names(next(t, f)); !slices.Equal(got, []string{"alerte-1", "devicese-2"}) {
		t.Errorf("got %v", got)
	}
	if bs.Last() != "e-2" {
		t.Errorf("last %s", bs.Last())
	}
}

func TestResumption(t *testing.T) {
	bs := live.New(live.Options{Epoch: "e-9", Keep: 4})
	for range 10 {
		bs.Publish("notice", "", []byte(`{}`))
	}
	tests := map[string]struct {
		after   string
		resumed bool
		missed  int
	}{
		"the latest event":               {"e-9-10", true, 0},
		"one that is still kept":         {"e-9-7", true, 3},
		"the one before the oldest kept": {"e-9-6", true, 4},
		"one that is gone":               {"e-9-5", false, 0},
		"the beginning":                  {"e-9-0", false, 0},
		"one that has not happened":      {"e-9-11", false, 0},
		"another start's":                {"e-8-10", false, 0},
		"no number":                      {"e-9-", false, 0},
		"a leading zero":                 {"e-9-010", false, 0},
		"a sign":                         {"e-9-+10", false, 0},
		"more than a number holds":       {"e-9-99999999999999999999999", false, 0},
		"nothing":                        {"", false, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := bs.Follow(tt.after)
			defer f.Close()
			if f.Resumed() != tt.resumed {
				t.Fatalf("resumed: %v", f.Resumed())
			}
			bs.Publish("notice", "", []byte(`{}`))
			defer func() { bs = renew(4, 10) }()
			batch, err := f.Next(t.Context())
			if tt.missed == 4 {
				if !errors.Is(err, live.ErrFellBehind) { // the eleventh event has overwritten the oldest
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || len(batch) != tt.missed+1 {
				t.Errorf("%d events, error %v, want %d", len(batch), err, tt.missed+1)
			}
		})
	}
}

func renew(keep, events int) *live.Boards {
	bs := live.New(live.Options{Epoch: "e-9", Keep: keep})
	for range events {
		bs.Publish("notice", "", []byte(`{}`))
	}
	return bs
}

func FuzzFollow(f *testing.F) {
	for _, s := range []string{"", "e-1", "e-0", "e-", "-", "e-18446744073709551616", "e-1\n", "e--1", "E-1", "e-１"} {
		f.Add(s)
	}
	bs := live.New(live.Options{Epoch: "e", Keep: 4})
	for range 6 {
		bs.Publish("notice", "", []byte(`{}`))
	}
	good := map[string]int{"e-2": 4, "e-3": 3, "e-4": 2, "e-5": 1, "e-6": 0}
	f.Fuzz(func(t *testing.T, after string) {
		w := bs.Follow(after)
		defer w.Close()
		missed, ok := good[after]
		if w.Resumed() != ok {
			t.Fatalf("%q: resumed %v", after, w.Resumed())
		}
		if missed > 0 {
			if batch := next(t, w); len(batch) != missed {
				t.Fatalf("%q: %d events, want %d", after, len(batch), missed)
			}
		}
	})
}

func TestASlowFollowerGetsErrFellBehind(t *testing.T) {
	bs := live.New(live.Options{Keep: 8})
	f := bs.Follow("")
	defer f.Close()
	for range 9 {
		bs.Publish("notice", "", []byte(`{}`))
	}
	if _, err := f.Next(t.Context()); !errors.Is(err, live.ErrFellBehind) {
		t.Errorf("error %v", err)
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bs := live.New(live.Options{})
		f := bs.Follow("")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if n := bs.Stats().Followers; n != 1 {
			t.Errorf("%d followers", n)
		}
		f.Close()
		f.Close()
		if n := bs.Stats().Followers; n != 0 {
			t.Errorf("%d followers after the end", n)
		}
	})
}

// tick simulates a board whose clock runs faster than a reader expects.
func tick(b *live.Board, n int) {
	b.Seen(watch.View{
		At: int64(n) * 100_000, Link: "up", Playing: true,
		Clock: watch.ClockView{Known: true, White: 5400 - 3*n, Black: 5400, Running: "white", At: int64(n) * 100_000},
	}, nil)
}

func TestSummariesComeAtMostFourTimesASecondAndTheLatestWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		f := bs.Follow("")
		defer f.Close()
		ctx, cancel := context.WithCancel(t.Context())
		var got []live.Event
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				batch, err := f.Next(ctx)
				if err != nil {
					return
				}
				got = append(got, batch...)
			}
		}()
		for n := range 100 { // ten a second
			tick(b, n)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Second)
		cancel()
		<-done
		if len(got) < 30 || len(got) > 41 {
			t.Errorf("%d summaries in ten seconds", len(got))
		}
		var last live.Summary
		if err := json.Unmarshal(got[len(got)-1].Data, &last); err != nil {
			t.Fatal(err)
		}
		if last.Clock == nil || last.Clock.White != 5103 || got[0].ID != "" || got[0].Name != "board" {
			t.Errorf("the last one: %+v", last.Clock)
		}
	})
}

// A reader of hundreds of boards gets their summaries once a second, and an alert at once.
func TestACalmFollowerOfManyBoardsRestsForASecond(t *testing.T) {
	for many, want := range map[int]time.Duration{99: 250 * time.Millisecond, 100: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			bs := live.New(live.Options{})
			var b *live.Board
			for n := range many {
				b = bs.Add(fmt.Sprint(n), live.Info{})
			}
			f := bs.Follow(bs.Last())
			defer f.Close()
			f.Calm()
			if n := len(next(t, f)); n != many {
				t.Fatalf("%d summaries of %d boards", n, many)
			}
			tick(b, 2)
			start := time.Now()
			bs.Publish("alert", "1", []byte(`{}`))
			if got := names(next(t, f)); len(got) != 1 || !strings.HasPrefix(got[0], "alert") || time.Since(start) != 0 {
				t.Errorf("got %v after %v", got, time.Since(start))
			}
			if got := names(next(t, f)); len(got) != 1 || got[0] != "board" || time.Since(start) != want {
				t.Errorf("%d boards: got %v after %v, want the summary after %v", many, got, time.Since(start), want)
			}
		})
	}
}

func TestADurableEventDoesNotWaitForTheSummariesRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		f := bs.Follow("")
		defer f.Close()
		tick(b, 1)
		next(t, f) // the clock stands now
		tick(b, 2)
		start := time.Now()
		bs.Publish("alert", "1", []byte(`{}`))
		if got := names(next(t, f)); len(got) != 1 || !strings.HasPrefix(got[0], "alert") {
			t.Errorf("got %v", got)
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("after %v", d)
		}
		if got := names(next(t, f)); len(got) != 1 || got[0] != "board" || time.Since(start) != 250*time.Millisecond {
			t.Errorf("got %v after %v", got, time.Since(start))
		}
	})
}

// A reader lets a clock run on by itself, so a reading with the expected time is not sent: in a hall it would be
// hundreds a second.
func TestAClockThatGoesOnAsForeseenIsNotSent(t *testing.T) {
	for _, c := range []struct {
		name   string
		second func(n int) watch.ClockView // the reading n seconds after the first
		want   int                         // number of summaries sent, the first one included
	}{
		{"it runs", func(n int) watch.ClockView { return watch.ClockView{White: 600 - n, Black: 500, Running: "white"} }, 1},
		{"its seconds are rounded", func(n int) watch.ClockView {
			return watch.ClockView{White: 600 - n + n%2, Black: 500, Running: "white"}
		}, 1},
		{"two seconds are gone at once, and come back", func(n int) watch.ClockView {
			return watch.ClockView{White: 600 - n - 2*(n/5%2), Black: 500, Running: "white"}
		}, 4},
		{"the other side is given time", func(n int) watch.ClockView {
			return watch.ClockView{White: 600 - n, Black: 500 + 60*(n/10), Running: "white"}
		}, 2},
		{"it stands", func(int) watch.ClockView { return watch.ClockView{White: 600, Black: 500} }, 1},
		{"it was stopped", func(n int) watch.ClockView {
			return watch.ClockView{White: 600 - min(n, 5), Black: 500, Running: map[bool]string{true: "white"}[n < 5]}
		}, 2},
		{"every second counts in the last minute", func(n int) watch.ClockView { return watch.ClockView{White: 500, Black: 65 - n, Running: "black"} }, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bs := live.New(live.Options{})
				b := bs.Add("1", live.Info{})
				f := bs.Follow("")
				defer f.Close()
				ctx, cancel := context.WithCancel(t.Context())
				var sent []string
				done := make(chan struct{})
				go func() {
					defer close(done)
					for {
						batch, err := f.Next(ctx)
						if err != nil {
							return
						}
						sent = append(sent, names(batch)...)
					}
				}()
				for n := range 20 {
					clock := c.second(n)
					clock.Known, clock.At = true, int64(n)*1e6
					b.Seen(watch.View{At: clock.At, Link: "up", Playing: true, Clock: clock}, nil)
					time.Sleep(time.Second)
				}
				cancel()
				<-done
				if len(sent) != c.want {
					t.Errorf("%d of 20 readings are sent, want %d", len(sent), c.want)
				}
			})
		})
	}
}

// A reader that comes minutes after the last summary was sent gets the present clock, not the one that was sent then.
func TestALateFollowerGetsTheClockOfNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		for n := range 240 {
			b.Seen(watch.View{
				At: int64(n) * 1e6, Link: "up", Playing: true,
				Clock: watch.ClockView{Known: true, White: 600 - n, Black: 500, Running: "white", At: int64(n) * 1e6},
			}, nil)
			time.Sleep(time.Second)
			if n != 10 && n != 239 {
				continue
			}
			f := bs.Follow("x-1") // an event that is not stored: everything is sent
			batch, err := f.Next(t.Context())
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			var s live.Summary
			if err := json.Unmarshal(batch[len(batch)-1].Data, &s); err != nil || s.Clock == nil || s.Clock.White != 600-n || s.T != float64(n) {
				t.Errorf("after %d s: %s", n, batch[len(batch)-1].Data)
			}
		}
	})
}

func TestAnUnchangedSummaryIsNotSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		b.Seen(watch.View{At: 1, Link: "up"}, nil)
		f := bs.Follow("")
		defer f.Close()
		for n := range 100 {
			b.Seen(watch.View{At: int64(n) * 1e4, Link: "up", Frames: int64(n)}, nil)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if batch, err := f.Next(ctx); err == nil {
			t.Errorf("sent: %s", batch[0].Data)
		}
	})
}

func TestFiftyFollowersGetTheSameAndShareTheBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const followers, boards, events = 50, 8, 200
		bs := live.New(live.Options{Epoch: "e"})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		got := make([][]live.Event, followers)
		latest := make([]map[string][]byte, followers)
		var wg sync.WaitGroup
		for i := range followers {
			latest[i] = map[string][]byte{}
			f := bs.Follow("")
			wg.Go(func() {
				defer f.Close()
				for {
					batch, err := f.Next(ctx)
					if err != nil {
						return
					}
					for _, e := range batch {
						if e.ID == "" {
							latest[i][e.Board] = e.Data
							continue
						}
						got[i] = append(got[i], e)
					}
				}
			})
		}
		var writers sync.WaitGroup
		for n := range boards {
			b := bs.Add(fmt.Sprint(n), live.Info{})
			writers.Go(func() {
				for k := range events {
					tick(b, k)
					b.Said([]byte(fmt.Sprintf(`{"type":"move","ply":%d,"t":1,"san":"e4"}`, k+1)))
					time.Sleep(time.Duration(n+1) * time.Millisecond)
				}
			})
		}
		writers.Wait()
		time.Sleep(time.Second)
		cancel()
		wg.Wait()
		for i := range followers {
			if len(got[i]) != boards*events {
				t.Fatalf("follower %d got %d events", i, len(got[i]))
			}
			for k, e := range got[i] {
				if e.ID != fmt.Sprintf("e-%d", k+1) {
					t.Fatalf("follower %d: event %d is %s", i, k, e.ID)
				}
			}
			for name, data := range latest[i] {
				if &data[0] != &latest[0][name][0] {
					t.Errorf("board %s was encoded for follower %d alone", name, i)
				}
			}
		}
	})
}

func TestAStateHoldsEveryEventUpToLastAndNoneAfter(t *testing.T) {
	bs := live.New(live.Options{Epoch: "e"})
	b := bs.Add("1", live.Info{})
	done := make(chan struct{})
	const moves = 600
	go func() {
		defer close(done)
		for k := range moves {
			b.Said([]byte(fmt.Sprintf(`{"type":"move","ply":%d,"san":"e4"}`, k+1)))
		}
	}()
	for finished := false; !finished; {
		select {
		case <-done:
			finished = true
		default:
		}
		s, _ := bs.State("1")
		if want := fmt.Sprintf("e-%d", len(s.Moves)); s.Last != want {
			t.Fatalf("%d moves at %s", len(s.Moves), s.Last)
		}
	}
}
