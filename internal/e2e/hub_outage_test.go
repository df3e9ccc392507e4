//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAnOutageOfAHall measures the end of an outage: BOARDWATCHD_OUTAGE computers (0: not run) of which each has
// written an hour of play while the hall was away. It says when the alerts of the outage are on the page, and when the
// mirrors are the boards' journals.
//
//	BOARDWATCHD_OUTAGE=500 go test -v -timeout 30m -run TestAnOutageOfAHall ./internal/e2e
func TestAnOutageOfAHall(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_OUTAGE"))
	if n == 0 {
		t.Skip("BOARDWATCHD_OUTAGE is not set")
	}
	text := playedJournal(t, 80*time.Minute, 3)
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	h.configure(t, "hall: {listen: '"+h.listen+"'}\n")
	h.open(t)
	tables := h.loadTables(t, n, text, time.Hour)
	var running sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); running.Wait() })
	for _, tb := range tables {
		running.Go(func() { _ = tb.up.Run(ctx, tb.member) })
		tb.up.Watch(tb.board, tb.journal)
	}
	phone := h.pair(t, "Ann")
	eventually(t, "all boards", func() bool { return len(phone.boards(t).Boards) == n }, func() string { return fmt.Sprint(len(phone.boards(t).Boards)) })
	awaitConfirmedAll(t, tables)

	h.kill()
	alerted := map[string]bool{} // board and finding
	for _, tb := range tables {
		end := len(tb.at)
		for end > 0 && tb.at[end-1] > tb.at[0]+time.Hour.Microseconds() {
			end--
		}
		for _, line := range tb.lines[:end] {
			if id := alertOf(line); id != "" && !tb.before[id] {
				tb.urgent.Store(true)
				alerted[tb.shown+" "+id] = true
			}
		}
		if err := tb.write(tb.lines[:end]); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(6 * time.Second) // less is no outage
	begun := time.Now()
	h.begin(t)
	t.Logf("the page is there %.1f s after the start", time.Since(begun).Seconds())
	// The feed has only some of them: after each journal that was read a phone fetches the state. Not all are there at
	// any time: of an hour of 500 boards they are thousands, of which most are older than an alert can be.
	first, boards := map[string]time.Duration{}, map[string]bool{} // by board and finding; that had some
	look := func() {
		for _, a := range phone.boards(t).Alerts {
			key := a.Board + " " + a.Finding
			if !alerted[key] || first[key] != 0 {
				continue
			}
			first[key], boards[a.Board] = time.Since(begun), true
			if !a.Late {
				t.Errorf("%s: an alert of the outage is not marked late: %+v", a.Board, a)
			}
		}
	}
	mirror := func(tb *loadTable) string {
		return filepath.Join(h.state(), "hall", "mirror", tb.member.Computer, tb.journal+".bwj")
	}
	behind := func() (behind int) {
		for _, tb := range tables {
			want, err := os.Stat(filepath.Join(tb.dir, tb.journal+".bwj"))
			got, herr := os.Stat(mirror(tb))
			if err != nil || herr != nil || want.Size() != got.Size() {
				behind++
			}
		}
		return behind
	}
	eventually(t, "caught up", func() bool { look(); return behind() == 0 }, func() string { return fmt.Sprint(behind()) })
	t.Logf("%d mirrors are as long as the boards' journals %.1f s after the start, %.1f s of a core", n, time.Since(begun).Seconds(), h.cpu(t).Seconds())
	for _, tb := range tables {
		want, err := os.ReadFile(filepath.Join(tb.dir, tb.journal+".bwj"))
		got, herr := os.ReadFile(mirror(tb))
		if err != nil || herr != nil || !bytes.Equal(want, got) {
			t.Errorf("%s: the mirror differs (%v, %v)", tb.shown, err, herr)
		}
	}
	awaitConfirmedAll(t, tables)
	if strings.Contains(h.err.String(), "stands still") {
		t.Error("a board that caught up was said to stand still")
	}
	look()
	took := slices.Sorted(maps.Values(first))
	if len(took) == 0 {
		t.Fatalf("no late alert came of %d", len(alerted))
	}
	t.Logf("%d late alerts of %d boards were on the page: half of them after %.1f s, the last after %.1f s; the hall alerts for all after %.1f s; %d MiB", len(took), len(boards),
		took[len(took)/2].Seconds(), took[len(took)-1].Seconds(), time.Since(begun).Seconds(), h.memory(t)>>20)
}
