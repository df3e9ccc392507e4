package watch_test

import (
	"fmt"
	"testing"

	"boardwatchd/internal/research/line"
	"boardwatchd/internal/research/presses"
)

// A disturbedCount is what became of a set of honest games with one square that reads wrong.
type disturbedCount struct {
	games, plies, right, wrong, missing, unknown int

	accused  int // alerts against somebody; nobody does anything wrong
	charged  int // irregularities that the record names somebody for
	silent   int // games in which more than silentPresses presses in a row are not understood and nothing is said
	chess960 int // games that go on from a position that no ordinary game has
	told     int // games in which something is said of the board: a finding, or a note on its health
}

func (n disturbedCount) String() string {
	return fmt.Sprintf("%d games, %d plies: right %d, wrong %d, missing %d, not known %d; %d accused, %d charged, %d games lost in silence, %d Chess960, %d told",
		n.games, n.plies, n.right, n.wrong, n.missing, n.unknown, n.accused, n.charged, n.silent, n.chess960, n.told)
}

// silentPresses is how many presses in a row may go by that are not understood before something is said.
const silentPresses = 6

// disturbedRows are sets of honest games of 0.5 to 1 s a ply, with one square that reads wrong, and the errors at the
// last count. The counts may not grow. After a move to a dead square the target is not known, so that the ply is not
// known.
var disturbedRows = []struct {
	name  string
	clock presses.Kind
	kind  presses.Disturbance
	lost  int // plies that are wrong, missing or not known
	named int // irregularities that the record names somebody for
}{
	{"undisturbed, event clock", presses.EventClock, presses.Undisturbed, 0, 0},
	{"undisturbed, any clock", presses.AnyClock, presses.Undisturbed, 0, 0},
	{"dead square, event clock", presses.EventClock, presses.DeadSquare, 27, 0},
	{"dead square, any clock", presses.AnyClock, presses.DeadSquare, 68, 0},
	{"king's square dead, event clock", presses.EventClock, presses.DeadKingSquare, 37, 0},
	{"king's square dead, any clock", presses.AnyClock, presses.DeadKingSquare, 39, 3},
	{"fallen piece, event clock", presses.EventClock, presses.FallenPiece, 0, 0},
	{"fallen piece, any clock", presses.AnyClock, presses.FallenPiece, 18, 0},
	{"piece laid aside, event clock", presses.EventClock, presses.LaidAside, 0, 0},
	{"piece laid aside, any clock", presses.AnyClock, presses.LaidAside, 0, 0},
}

// TestDisturbedSquare: legal moves are read through one square that reads wrong, also where nobody ever waits. More
// games, which are only reported:
//
//	BOARDWATCHD_SEEDS=100 go test ./internal/watch -run DisturbedSquare -v
func TestDisturbedSquare(t *testing.T) {
	long(t)
	for _, c := range disturbedRows {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			first, last := seeds(t, disturbedGames)
			var n disturbedCount
			for seed := first; seed <= last; seed++ {
				w := watchTable(disturbedOptions(seed, c.clock, c.kind))
				w.countDisturbed(t, seed, &n)
			}
			t.Logf("%s: %v", c.name, n)
			lost := n.wrong + n.missing + n.unknown
			if n.accused > 0 || n.silent > 0 || n.chess960 > 0 || last <= disturbedGames && (lost > c.lost || n.charged > c.named) {
				t.Errorf("got %d plies that are wrong, missing or not known and %d charged, at most %d and %d before", lost, n.charged, c.lost, c.named)
			}
		})
	}
}

// disturbedOptions are those of one table.
func disturbedOptions(seed int, clock presses.Kind, kind presses.Disturbance) presses.Options {
	return presses.Options{
		Seed: uint64(seed), Clock: clock, Pace: presses.Quick, Plies: 60, Disturbed: kind, Increment: presses.TwoSeconds,
		Habits: &presses.Habits{Slide: 500},
	}
}

// disturbedGames is how many games of each row are watched.
const disturbedGames = 10

func (w *watchedTable) countDisturbed(t *testing.T, seed int, n *disturbedCount) {
	t.Helper()
	got, want := w.record(), w.line()
	d := line.Compare(got, want)
	n.games, n.plies = n.games+1, n.plies+len(want)
	n.wrong, n.missing, n.unknown = n.wrong+d.Wrong, n.missing+d.Missing, n.unknown+d.Unknown
	n.right += len(want) - d.Missing - d.Unknown
	var a tableCount
	w.accused(t, seed, &a)
	n.accused, n.charged = n.accused+a.accused, n.charged+a.charged
	silent, told, odd := w.silentAndTold()
	n.silent, n.told, n.chess960 = n.silent+silent, n.told+told, n.chess960+odd
	if d != (line.Difference{}) || silent+odd > 0 {
		k := parting(got, want)
		t.Logf("seed %d: %+v, silent %d, Chess960 %d, %+v; from ply %d of %d: got %v want %v %v", seed, d, silent, odd, w.truth.Disturbed, k+1, len(want), tail(got, k), tail(want, k), w.around(k))
	}
}

// silentAndTold says, as 1 or 0, whether the game was lost in silence, whether something was said of the board, and
// whether the game went on from a position that no ordinary game has.
func (w *watchedTable) silentAndTold() (silent, about, odd int) {
	row, open := 0, false // open: the board is said to differ from the record
	for _, v := range w.rig.said {
		switch {
		case v.Type == "press" && v.Judged == "sensor.unknown":
			if row++; row > silentPresses && !open {
				silent = 1
			}
		case v.Type == "press":
			row = 0
		case v.Type == "finding", v.Type == "health" && (v.What == "not_known" || v.What == "board_mismatch" || v.What == "board_disturbed" || v.What == "cannot_judge"):
			row, about = 0, 1
			open = open || v.What == "board_mismatch" || v.What == "board_disturbed"
		case v.What == "board_explained":
			open = false
		}
		if v.Type == "move" && v.SAN != "" && (v.SAN == "O-O" || v.SAN == "O-O-O") {
			switch v.UCI {
			case "e1g1", "e1c1", "e8g8", "e8c8":
			default:
				odd = 1
			}
		}
	}
	return silent, about, odd
}
