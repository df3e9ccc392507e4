package watch_test

import (
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/rules/legal"
)

// These tests inject faults of the equipment during games. The actual position is known; the position must be right
// again within one dump, and nothing may be invented.

const second = 1_000_000

// positionIsRight reports whether the machine's position equals the table at the end.
func positionIsRight(r *rig, truth players.Truth) bool {
	return r.m.Tracker().Live() == truth.Placement
}

// lastMovesMatch reports whether the last n plies of the last game are in the record as they were played.
func lastMovesMatch(r *rig, truth players.Truth, n int) bool {
	games := r.moves()
	if len(games) == 0 {
		return false
	}
	want := truthMoves(truth.Games[len(truth.Games)-1])
	got := games[len(games)-1]
	if len(got) < n || len(want) < n {
		return strings.Join(got, " ") == strings.Join(want, " ")
	}
	return strings.Join(got[len(got)-n:], " ") == strings.Join(want[len(want)-n:], " ")
}

// A fault is a kind of fault of the equipment.
type fault struct {
	name  string
	games int
	tweak func(seed uint64, o *players.Options)
	exact bool // at least 99 of 100 games must be reconstructed exactly: measured 99.6 and more

	traceless bool // a recording without requested dumps does not show it
}

// faultPlies makes the games long enough for a fault in the middle.
const faultPlies = 60

// when returns the instant of the n-th fault of a game.
func when(seed uint64, n int) int64 { return int64(20+(seed*37+uint64(n)*61)%120) * second }

var faults = []fault{
	{"unplugged for two seconds, three times", 60, func(s uint64, o *players.Options) {
		for i := range 3 {
			o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, i), Kind: emulator.Unplug, For: 2 * second})
		}
	}, false, false},
	{"unplugged in the middle of a frame", 60, func(s uint64, o *players.Options) {
		for i := range 3 {
			o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, i), Kind: emulator.UnplugInFrame, N: 1 + int(s)%9, For: second})
		}
	}, false, false},
	{"the board starts anew", 40, func(s uint64, o *players.Options) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, 1), Kind: emulator.PowerCycle})
	}, false, false},
	{"the board falls back into bus mode", 40, func(s uint64, o *players.Options) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, 1), Kind: emulator.DropToBus})
	}, false, false},
	{"one field update in fifty is lost", 60, func(s uint64, o *players.Options) { o.Faults.LoseField = 20_000 }, true, true},
	{"field updates come twice", 30, func(s uint64, o *players.Options) { o.Faults.DoubleField = 50_000 }, true, false},
	{"one byte in a thousand has a flipped bit", 60, func(s uint64, o *players.Options) { o.Faults.BitFlip = 1_000 }, false, true},
	{"one byte in ten thousand has a flipped bit", 60, func(s uint64, o *players.Options) { o.Faults.BitFlip = 100 }, false, true},
	{"garbage between frames", 40, func(s uint64, o *players.Options) { o.Faults.Garbage = 5_000 }, false, false},
	{"clock digits that are none", 30, func(s uint64, o *players.Options) { o.Faults.BadClock = 5_000 }, true, false},
	{"the clock is unplugged for a minute", 40, func(s uint64, o *players.Options) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, 1), Kind: emulator.ClockGone, For: 60 * second})
	}, true, false},
	{"the board is mute for five seconds", 30, func(s uint64, o *players.Options) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, 1), Kind: emulator.Mute, For: 5 * second})
	}, false, false},
	{"noise and the stream of 80", 30, func(s uint64, o *players.Options) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, 0), Kind: emulator.Noise, N: 40}, emulator.Fault{At: when(s, 1), Kind: emulator.Stream80, N: 500})
	}, false, false},
	{"a coil flickers", 20, func(s uint64, o *players.Options) {
		o.Faults.Flicker = []emulator.Flicker{{Square: legal.Square(s * 11 % 64), FromUS: when(s, 0), ToUS: when(s, 0) + 30*second}}
	}, false, false},
	{"a log that nobody asked for", 20, func(s uint64, o *players.Options) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: when(s, 1), Kind: emulator.SpuriousLog})
	}, false, false},
}

// TestFaultsInRecordingsAccuseNobody judges recordings with faults of the equipment and without requested dumps:
// unknown facts must not be reported. Two faults leave no trace in such a recording, a report that is lost entirely and
// a flipped bit that turns it into another one; live, the dump after the press finds both (TestFaults).
func TestFaultsInRecordingsAccuseNobody(t *testing.T) {
	long(t)
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			first, last := seeds(t, c.games/2)
			traceless := 0
			for seed := first; seed <= last; seed++ {
				o := players.Options{Seed: uint64(seed), Count: 1}
				o.Generator.MinPlies = faultPlies
				c.tweak(uint64(seed), &o)
				r, _ := passive(t, o)
				for _, v := range r.said {
					if !v.accuses() {
						continue
					}
					if c.traceless {
						traceless++
						continue
					}
					t.Errorf("seed %d: accused: %+v", seed, v)
				}
			}
			if c.traceless {
				t.Logf("%d accusations in %d recordings", traceless, last-first+1)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			first, last := seeds(t, c.games)
			exact, right, moves := 0, 0, 0
			n := last - first + 1
			for seed := first; seed <= last; seed++ {
				o := players.Options{Seed: uint64(seed), Count: 1}
				o.Generator.MinPlies = faultPlies
				c.tweak(uint64(seed), &o)
				r, truth := play(t, o)
				wrong := compare(r, truth)
				if len(wrong) == 0 {
					exact++
				} else if c.exact || testing.Verbose() {
					t.Logf("seed %d: %v", seed, wrong)
				}
				if positionIsRight(r, truth) {
					right++
				} else {
					t.Errorf("seed %d: the board is not known at the end", seed)
				}
				if lastMovesMatch(r, truth, 6) {
					moves++
				}
				for _, v := range r.said {
					if v.accuses() {
						t.Errorf("seed %d: accused: %+v", seed, v)
					}
				}
			}
			t.Logf("of %d games: exact %d, last moves right %d, board right %d", n, exact, moves, right)
			if c.exact && exact*100 < n*99 {
				t.Errorf("only %d of %d games exact", exact, n)
			}
		})
	}
}
