//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	hallhub "boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
)

// TestTheStartOfAHall measures how long a hall takes that has the mirrored journals of BOARDWATCHD_MIRRORS computers
// (0: not run), of BOARDWATCHD_PLAYED (default 20m) each, until its page is there, the boards are that had an alert
// which nobody had seen, and all boards.
//
//	BOARDWATCHD_MIRRORS=500 BOARDWATCHD_PLAYED=5h go test -v -timeout 30m -run TestTheStartOfAHall ./internal/e2e
func TestTheStartOfAHall(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_MIRRORS"))
	if n == 0 {
		t.Skip("BOARDWATCHD_MIRRORS is not set")
	}
	played := 20 * time.Minute
	if d, err := time.ParseDuration(os.Getenv("BOARDWATCHD_PLAYED")); err == nil {
		played = d
	}
	text := playedJournal(t, played, 3)
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	h.configure(t, "hall: {listen: '"+h.listen+"'}\n")
	dir := filepath.Join(h.state(), "hall")
	for i := range n {
		mirror := filepath.Join(dir, "mirror", fmt.Sprintf("t%d", i))
		if err := os.MkdirAll(mirror, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(mirror, "sim-r1.bwj"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := hallhub.FilesIn(dir).Members().Change(func(r *members.Roll) error {
		for i := range n {
			r.Computers = append(r.Computers, members.Computer{Name: fmt.Sprintf("t%d", i), Key: fmt.Sprintf("no key %d", i)})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	urgent := []string{fmt.Sprintf("simulated@t%d", n-1), fmt.Sprintf("simulated@t%d", n/2)}
	if err := os.WriteFile(filepath.Join(dir, "urgent.json"), fmt.Appendf(nil, "[%q, %q]", urgent[0], urgent[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	h.begin(t)
	t.Logf("%d boards, %d bytes each; the page is there %.1f s after the start", n, len(text), time.Since(begun).Seconds())
	phone := h.pair(t, "Ann")
	first := 0
	eventually(t, "all boards", func() bool {
		boards := phone.boards(t).read()
		if first == 0 && !slices.ContainsFunc(urgent, func(name string) bool {
			return !slices.ContainsFunc(boards, func(b apiSummary) bool { return b.Board == name })
		}) {
			first = len(boards)
			t.Logf("the urgent ones are among the first %d, %.1f s after the start", first, time.Since(begun).Seconds())
		}
		return len(boards) == n
	}, func() string { return fmt.Sprint(len(phone.boards(t).read())) })
	t.Logf("all boards are there %.1f s after the start; %d MiB, %.1f s of a core", time.Since(begun).Seconds(), h.memory(t)>>20, h.cpu(t).Seconds())
}
