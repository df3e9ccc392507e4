package watch_test

import (
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
)

// TestCutsWithoutAMark: a foreign recording has no record of the cable that was out for five seconds; several plies are
// missing, and a dump comes next. The position is right from then on, and most of the unseen moves are found again.
func TestCutsWithoutAMark(t *testing.T) {
	first, last := seeds(t, 40)
	exact, right, n := 0, 0, last-first+1
	for seed := first; seed <= last; seed++ {
		o := players.Options{Seed: uint64(seed), Count: 1}
		o.Generator.MinPlies = 60
		for i := range 3 {
			at := int64(20 + (seed*37+i*61)%120)
			o.Faults.At = append(o.Faults.At, emulator.Fault{At: at * second, Kind: emulator.Unplug, For: 5 * second})
		}
		r, truth := passive(t, o)
		if len(compare(r, truth)) == 0 {
			exact++
		}
		if !positionIsRight(r, truth) {
			t.Errorf("seed %d: the board is not right at the end", seed)
		}
		if lastMovesMatch(r, truth, 6) {
			right++ // otherwise the cable was out during the last moves
		}
	}
	t.Logf("of %d games %d exact, the last moves of %d right", n, exact, right)
	if exact*100 < n*75 || right*100 < n*98 {
		t.Errorf("only %d of %d games exact, the last moves of %d right", exact, n, right)
	}
}
