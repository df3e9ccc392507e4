//go:build linux

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// simulated is the journal that simulate leaves.
func (p place) simulated(t testing.TB) (dir, name string) {
	t.Helper()
	found, err := filepath.Glob(p.path("boardwatchd/simulation-*.bwj"))
	if err != nil || len(found) != 1 {
		t.Fatalf("journals %v (%v), want one", found, err)
	}
	return filepath.Dir(found[0]), strings.TrimSuffix(filepath.Base(found[0]), ".bwj")
}

// TestSimulate: the demonstration, from nothing: a whole game is shown, its first
// move within ten seconds of the command; the journal verifies, and its PGN has
// the moves that were shown.
func TestSimulate(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	d := w.start(t, "simulate", "--speed", "16", "--games", "1", "--seed", "3")
	d.err.await(t, "simulating (seed 3, 16 times as fast as life)")
	d.out.await(t, "game 1: rnbqkbnr/")
	d.out.await(t, " 1.   ")
	took, began := time.Since(d.began), time.Now()
	w.run(t, "", "version").want(t, 0)
	if start := time.Since(began); took > 10*time.Second+20*start {
		t.Errorf("the first move is shown after %v, where a start takes %v", took, start)
	}
	if code := d.wait(t); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	dir, name := w.simulated(t)
	path := segmentPath(dir, name, 1)
	if said := d.err.String(); !strings.Contains(said, "the journal: "+path) || !strings.Contains(said, "boardwatchd verify "+path) {
		t.Errorf("at the end it says\n%s", said)
	}
	l := mustRead(t, dir, name)
	seen := l.tale(t)
	if !l.closed() || len(seen.games) != 1 || len(seen.san) < 20 || len(seen.findings) != 0 || seen.broken {
		t.Errorf("%d games, %d moves, findings %v, health %v, closed %v", len(seen.games), len(seen.san), seen.findings, seen.health, l.closed())
	}
	if r := w.run(t, "", "verify", path).want(t, 0); !strings.Contains(r.out, "closed") {
		t.Errorf("verify says %q", r.out)
	}
	pgn := w.run(t, "", "pgn", path).want(t, 0).out
	if got := movesOfPGN(pgn); strings.Join(got, " ") != strings.Join(seen.san, " ") {
		t.Errorf("moves of the PGN\n got %v\nwant %v", got, seen.san)
	}
	shown := d.out.String()
	for i, san := range seen.san {
		dots := "."
		if i%2 == 1 {
			dots = "..."
		}
		if !strings.Contains(shown, fmt.Sprintf("%3d%-3s %s", i/2+1, dots, san)) {
			t.Errorf("move %d %s was not shown", i+1, san)
		}
	}
}

// TestSimulateGivenGame: --pgn plays a game of a file, here with the board turned
// round; Ctrl-C ends it in order.
func TestSimulateGivenGame(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	d := w.start(t, "simulate", "--speed", "10", "--seed", "5", "--reversed", "--pgn", w.write(t, "opera.pgn", opera+" 1-0\n"))
	d.out.await(t, "White at the far side")
	d.out.await(t, " 3.   d4")
	if code := d.stop(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	dir, name := w.simulated(t)
	l := mustRead(t, dir, name)
	if got := strings.Join(l.tale(t).san, " "); !strings.HasPrefix(operaMoves, got) || !l.closed() {
		t.Errorf("moves %s, closed %v", got, l.closed())
	}
	w.run(t, "", "verify", segmentPath(dir, name, 1)).want(t, 0)
}

// TestEmulateLink: the link is made anew when it dangles, and never in place of a
// file or of a real port.
func TestEmulateLink(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	file := w.write(t, "file", "keep me")
	r := w.run(t, "", "emulate", "--link", file).want(t, 1)
	if strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, file) {
		t.Errorf("in place of a file it says %q", r.err)
	}
	first := w.start(t, "emulate", "--link", w.path("board"))
	path := strings.TrimSpace(first.out.await(t, "/dev/pts/"))
	_ = first.cmd.Process.Kill() // leaves the link behind
	<-first.ended
	if readlink(t, w.path("board")) != path {
		t.Fatal("the link of a killed emulator is gone")
	}
	second := w.start(t, "emulate", "--link", w.path("board"))
	if path := strings.TrimSpace(second.out.await(t, "/dev/pts/")); readlink(t, w.path("board")) != path {
		t.Errorf("the link leads to %s, the port is %s", readlink(t, w.path("board")), path)
	}
	second.stopped(t)
}
