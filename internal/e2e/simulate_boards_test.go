//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// TestSimulateBoards: several tables at once, at which people err: each has a name, players and a journal of its own,
// and every journal verifies.
func TestSimulateBoards(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	d := w.start(t, "simulate", "--boards", "3", "--offences", "20", "--speed", "10", "--seed", "11")
	d.err.await(t, "simulating 3 boards (seed 11, 10 times as fast as life)")
	for n := 1; n <= 3; n++ {
		d.out.await(t, fmt.Sprintf("  %-8d ! illegal.", n))
	}
	if code := d.stop(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if shown := d.out.String(); strings.Contains(shown, "link_down") {
		t.Errorf("a board was lost:\n%s", shown)
	}
	for n := 1; n <= 3; n++ {
		found, err := filepath.Glob(w.path(fmt.Sprintf("boardwatchd/simulation-*-seed11-table%d.bwj", n)))
		if err != nil || len(found) != 1 {
			t.Fatalf("journals of table %d: %v (%v), want one", n, found, err)
		}
		if r := w.run(t, "", "verify", found[0]).want(t, 0); !strings.Contains(r.out, "closed") {
			t.Errorf("verify says %q", r.out)
		}
		pgn := w.run(t, "", "pgn", found[0]).want(t, 0).out
		if !strings.Contains(pgn, fmt.Sprintf("[Board \"%d\"]", n)) || strings.Contains(pgn, `"?"]`+"\n[Black ") {
			t.Errorf("the PGN of table %d:\n%s", n, pgn)
		}
	}
}

// TestSimulateAHall: two computers as processes, with a board each, and the hall's page; at the end the hall has their
// journals.
func TestSimulateAHall(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	cmd := w.command(context.Background(), "simulate", "--hall", "2", "--offences", "20", "--speed", "10", "--seed", "11")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	d := start(t, cmd)
	d.err.await(t, "simulating a hall of 2 computers with 1 boards each")
	here, there := w.path("boardwatchd/simulation-hall-*/table-%d/simulation-*-seed11-table%[1]d.bwj"), w.path("boardwatchd/simulation-hall-*/hall/hall/mirror/table-%d/*.bwj")
	size := func(pattern string, n int) (file string, size int64) {
		t.Helper()
		found, err := filepath.Glob(fmt.Sprintf(pattern, n))
		if err != nil || len(found) > 1 {
			t.Fatalf("%v (%v)", found, err)
		}
		if len(found) == 0 {
			return "", 0
		}
		info, err := os.Stat(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return found[0], info.Size()
	}
	for n := 1; n <= 2; n++ {
		sharedtest.Until(t, "a mirrored journal", func() bool { _, s := size(there, n); return s > 20_000 })
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil { // Ctrl-C in a terminal: all of the group hear it
		t.Fatal(err)
	}
	select {
	case <-d.ended:
	case <-time.After(sharedtest.Patience(t)):
		t.Fatal("it does not end")
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if text := d.err.String(); strings.Contains(text, "cannot be reached; its boards") {
		t.Errorf("the end is told as a fault: %s", text)
	}
	for n := 1; n <= 2; n++ {
		one, s := size(here, n)
		mirror, m := size(there, n)
		if s != m {
			t.Errorf("table %d: %d bytes there, %d mirrored", n, s, m)
		}
		if text, err := os.ReadFile(mirror); err != nil || !bytes.Contains(text, []byte(` close {"reason":"stop"}`)) {
			t.Errorf("table %d: the hall ended before the board's end came (%v)", n, err)
		}
		w.run(t, "", "verify", one, mirror).want(t, 0)
	}
}

// TestSimulateStay: when the case is over, its board is still watched, until somebody ends it.
func TestSimulateStay(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	d := w.start(t, "simulate", "--case", "knight-diagonal", "--speed", "8", "--stay")
	d.err.await(t, "the boards stay as they are")
	if code := d.stop(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if !strings.Contains(d.out.String(), "illegal.knight by White") {
		t.Errorf("the case was not played:\n%s", d.out.String())
	}
	dir, name := w.simulated(t)
	w.run(t, "", "verify", segmentPath(dir, name, 1)).want(t, 0)
}
