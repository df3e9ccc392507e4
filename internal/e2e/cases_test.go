//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// TestSimulateCases: two of the program's own cases, one after the other, each with its rules and a journal that
// verifies. Neither depends on times of less than a second, of which a machine that stands still leaves nothing.
func TestSimulateCases(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	d := w.start(t, "simulate", "--speed", "6", "--case", "knight-diagonal", "--case", "mate")
	d.out.await(t, "knight-diagonal: ")
	d.out.await(t, "press by White: illegal.knight")
	d.out.await(t, "mate: ")
	d.out.await(t, "end.checkmate by White")
	if code := d.wait(t); code != 0 {
		t.Fatalf("exit status %d\n%s", code, d.err.String())
	}
	journals := 0
	for line := range strings.Lines(d.err.String()) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "the journal: "); ok {
			journals++
			w.run(t, "", "verify", path).want(t, 0)
		}
	}
	if journals != 2 {
		t.Errorf("%d journals are named", journals)
	}
}
