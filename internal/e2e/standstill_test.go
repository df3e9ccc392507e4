//go:build linux

package e2e

import (
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"
)

// standstills is how often the daemon stands still in a game. Each lasts one to four seconds of this computer, three to
// twelve of the game; the daemon takes two for the silence of a dead board.
const standstills = 5

// TestStandstill: the daemon stands still again and again while the game goes on, as on a computer that is suspended or
// has no time for it. What the board sent meanwhile waits in the port. The board is not declared lost, and no ply is
// lost.
func TestStandstill(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	b := serveBoard(t, operaBoard(t, 7), operaSpeed, "")
	d := w.daemon(t, w.configure(t, b.plugged(t), hurried))
	d.out.await(t, "game 1")
	rng := rand.New(rand.NewPCG(7, 11))
	for range standstills {
		<-time.After(time.Duration(rng.IntN(1_500)) * time.Millisecond) // any moment of a turn
		d.signal(t, syscall.SIGSTOP)
		<-time.After(time.Duration(1_000+rng.IntN(3_000)) * time.Millisecond)
		d.signal(t, syscall.SIGCONT)
	}
	d.out.await(t, proposed)
	d.stopped(t)
	seen := w.judged(t)
	checkOpera(t, seen)
	if said := d.err.String(); strings.Contains(said, "board lost") {
		t.Error("the port was given up")
	}
	for _, what := range seen.health {
		if what == "no_answer" || what == "link_down" {
			t.Errorf("health %s", what)
		}
	}
}

// signal sends a signal to the process.
func (pr *process) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := pr.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}
