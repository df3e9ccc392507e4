package watch_test

import (
	"testing"

	"boardwatchd/internal/research/line"
	"boardwatchd/internal/research/presses"
)

// offendingTable are the options of a blitz game in which illegal moves are made and played on, or put right.
func offendingTable(seed int, clock presses.Kind) presses.Options {
	h := presses.DefaultHabits()
	h.Scramble = 0
	return presses.Options{Seed: uint64(seed), Clock: clock, Habits: &h, Pace: presses.Blitz, Offences: 50}
}

// onceWrong are single kills around an offence, in seconds, after which the record had a ply that was not played, or
// lacked one and did not say so; in the last two White was charged with Black's press without a move.
var onceWrong = []struct {
	claim    string
	seed     int
	clock    presses.Kind
	at, away float64
}{
	{"a queen's move that is read together with a displaced knight", 35, presses.SlowClock, 139.78, 2.5},
	{"a press without a move behind two plies that were seen", 20, presses.SlowClock, 181.44, 4},
	{"an illegal move between legal ones", 27, presses.EventClock, 238.11, 4},
	{"the same, and the move before it was seen", 27, presses.PolledClock, 239.36, 2.5},
	{"a castling without the right", 32, presses.EventClock, 158.29, 0.25},
	{"a press without a move between two moves of the opponent", 20, presses.PolledClock, 179.69, 2.5},
	{"the same while the first of them was on the board", 20, presses.EventClock, 180.44, 2.5},
	{"the same, with a clock that is read once a second", 20, presses.PolledClock, 180.44, 2.5},
}

// TestKilledOnceAroundAnOffence: the record is exact, or says what is not known, and nobody innocent is accused. Each
// game is killed once, at any moment from three seconds before the press of an illegal move to eight seconds after the
// case is over. More games, and all moments, which are only reported:
//
//	BOARDWATCHD_SEEDS=40 go test ./internal/watch -run KilledOnceAroundAnOffence -v
func TestKilledOnceAroundAnOffence(t *testing.T) {
	long(t)
	for _, c := range onceWrong {
		w := watchTable(offendingTable(c.seed, c.clock), kill{at: int64(c.at * second), away: int64(c.away * second)})
		var n tableCount
		d := line.Compare(w.record(), w.line())
		if w.accused(t, c.seed, &n); d.Wrong+d.Missing > 0 || n.accused+n.charged > 0 {
			t.Errorf("%s: %+v, %d accused, %d charged", c.claim, d, n.accused, n.charged)
		}
	}
	var n tableCount
	var sum line.Difference
	kills, wrong := 0, 0
	_, last := seeds(t, 2)
	for seed := 1; seed <= last; seed++ {
		for _, clock := range []presses.Kind{presses.EventClock, presses.PolledClock, presses.SlowClock} {
			o := offendingTable(seed, clock)
			for i, k := range killsAroundOffences(o) {
				if last == 2 && i%9 > 0 {
					continue
				}
				w := watchTable(o, k)
				d := line.Compare(w.record(), w.line())
				w.accused(t, seed, &n)
				kills++
				sum.Unknown += d.Unknown
				if d.Wrong+d.Missing > 0 {
					wrong++
					t.Logf("seed %d, clock %v, killed at %.2f for %.2f s: %+v", seed, clock, float64(k.at)/second, float64(k.away)/second, d)
				}
			}
		}
	}
	t.Logf("%d kills: the record is wrong in %d of them, %d plies are not known in all; %d accused, %d charged", kills, wrong, sum.Unknown, n.accused, n.charged)
	if n.accused > 0 || last == 2 && wrong > 0 {
		t.Errorf("wrong after %d kills, %d accused", wrong, n.accused)
	}
}

// killsAroundOffences are the single kills around the illegal moves of a game.
func killsAroundOffences(o presses.Options) (kills []kill) {
	truth := presses.New(o).Truth()
	for i := range truth.Offences {
		f := &truth.Offences[i]
		if !f.Kind.Illegal() {
			continue
		}
		for at := f.PressAt - 3*second; at < max(f.DoneAt, f.PressAt)+8*second; at += second / 4 {
			for _, away := range []int64{second / 4, 5 * second / 2, 4 * second} {
				kills = append(kills, kill{at: at, away: away})
			}
		}
	}
	return kills
}
