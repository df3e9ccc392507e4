package daemon

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/access"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// TestAPersonsInputIsTakenOnce: a phone repeats its request until it is saved, while the board's loop stands still for
// any time at any step: before it takes the input, as where it waits for a port that another program reads, when the
// record is in the journal, when the state is shown, and when what the machine says is passed on.
func TestAPersonsInputIsTakenOnce(t *testing.T) {
	for _, step := range []string{"before", "entered", "seen", "said"} {
		for _, stands := range []time.Duration{5 * time.Second, 12 * time.Second, 41 * time.Second, 45 * time.Second, 2 * time.Minute} {
			t.Run(step+" "+stands.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { takenOnce(t, step, stands) })
			})
		}
	}
}

func takenOnce(t *testing.T, step string, stands time.Duration) {
	dir, start := t.TempDir(), time.Now()
	boards := live.New(live.Options{Epoch: "e"})
	store := access.Open(filepath.Join(dir, devicesFile), time.Now)
	d := &Daemon{stations: map[string]*station.Station{}}
	server := web.New(web.Options{
		Live: boards, Access: store, Boards: d, Log: zerolog.Nop(),
		Event: func() string { return "" }, Round: func() string { return "1" },
	})
	code, err := store.NewCode(access.Arbiter, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, cookie, err := store.Pair(access.ThisComputer, code.Link, "Ann")
	if err != nil {
		t.Fatal(err)
	}
	stand := func(at string) {
		if at == step && stands > 0 {
			now := stands
			stands = 0
			time.Sleep(now)
		}
	}
	entered := false
	b := boards.Add("1", live.Info{Journal: "1", Rate: 1})
	s, err := station.Open(station.Options{
		Board: "1", Dir: dir, Journal: "1", Software: "test", Wall: time.Now, Log: zerolog.Nop(),
		Mono:      func() int64 { return time.Since(start).Microseconds() },
		Recovered: func(r record.Record) { b.Recovered(r); server.Recovered("1", r) },
		Entered: func(r record.Record) {
			entered = true
			b.Entered(r)
			stand("entered")
			server.Entered("1", r)
		},
		Seen: func(v watch.View, touches []watch.Touch) {
			b.Seen(v, touches)
			if entered {
				stand("seen")
			}
		},
		Said: func(body []byte) {
			b.Said(body)
			if entered {
				stand("said")
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Ready("1")
	d.stations["1"] = s
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		stand("before")
		done <- s.Run(ctx)
	}()
	status := 0
	for range 100 {
		r := httptest.NewRequest("POST", "http://localhost/api/v1/boards/1/reports", strings.NewReader(`{"request":"request-1","what":"draw-offer","side":"white"}`))
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = "127.0.0.1:9"
		r.AddCookie(&http.Cookie{Name: "boardwatchd", Value: cookie})
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		if status = w.Code; status != http.StatusOK && status != http.StatusServiceUnavailable {
			t.Errorf("%d %s", status, w.Body)
		}
		if status == http.StatusOK {
			break
		}
		time.Sleep(2 * time.Second)
	}
	stop()
	if err := <-done; err != nil || status != http.StatusOK {
		t.Errorf("%v; answered %d", err, status)
	}
	text, err := os.ReadFile(filepath.Join(dir, "1.bwj"))
	if n := strings.Count(string(text), `"request":"request-1"`); n != 1 || err != nil {
		t.Errorf("it is there %d times, %v", n, err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}
