package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/research/line"
	"boardwatchd/internal/research/presses"
)

// TestDisturbedAndKilled: honest games in which the program is killed again and again, with one square that reads wrong
// and with none. After each start it has nothing but a board that may lack a piece, or have one too many: nobody is
// accused, no game ends that goes on, and where nobody ever waits the game is followed again. More games:
//
//	BOARDWATCHD_SEEDS=40 go test ./internal/watch -run DisturbedAndKilled -v
func TestDisturbedAndKilled(t *testing.T) {
	long(t)
	for _, kind := range []presses.Disturbance{presses.Undisturbed, presses.DeadSquare, presses.FallenPiece, presses.LaidAside} {
		for _, away := range []int64{second / 2, 4 * second, 12 * second} {
			t.Run(fmt.Sprintf("%v, away for %d ms", kind, away/1000), func(t *testing.T) {
				t.Parallel()
				first, last := seeds(t, 8)
				var n tableCount
				var sum line.Difference
				plies, lost := 0, 0
				for seed := first; seed <= last; seed++ {
					for _, pace := range []presses.Pace{presses.Quick, presses.Blitz} {
						o := disturbedOptions(seed, presses.AnyClock, kind)
						o.Pace, o.Plies = pace, 0
						w := watchTable(o, killsOf(o, away)...)
						d := line.Compare(w.record(), w.line())
						sum = line.Difference{Wrong: sum.Wrong + d.Wrong, Missing: sum.Missing + d.Missing, Unknown: sum.Unknown + d.Unknown}
						plies += len(w.line())
						if d.Missing+d.Wrong > maxLost {
							lost++
							t.Logf("seed %d, %v: %+v of %d", seed, pace, d, len(w.line()))
						}
						w.accused(t, seed, &n)
						w.endsInTime(t, seed)
					}
				}
				t.Logf("of %d plies %d wrong, %d missing, %d not known; %d games lost; %d accused, %d charged", plies, sum.Wrong, sum.Missing, sum.Unknown, lost, n.accused, n.charged)
				if n.accused > 0 || lost > 0 && last <= 8 && kind != presses.DeadSquare {
					t.Errorf("%d accused, %d games lost", n.accused, lost)
				}
			})
		}
	}
}

// maxLost is how many plies of a game may be wrong or missing.
const maxLost = 8

// endsInTime: a game is over when its last ply is made, and not before.
func (w *watchedTable) endsInTime(t *testing.T, seed int) {
	t.Helper()
	last := w.truth.Plies[len(w.truth.Plies)-1].Placed
	for _, v := range w.rig.findings() {
		if strings.HasPrefix(v.Kind, "end.") && v.State != "withdrawn" && int64(v.T*second) < last {
			t.Errorf("seed %d: %s at %.1f s, and a ply is made at %.1f s", seed, v.Kind, v.T, float64(last)/second)
		}
	}
}
