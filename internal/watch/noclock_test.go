package watch_test

import (
	"fmt"
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/random"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// Games without a clock: there are no presses, and the board alone shows the moves. This file counts the moves found in
// such games.

// A dumped board is the recording of a program that only requests the whole board.
type dumped struct {
	at    []int64
	codes [][64]byte
}

// dumps requests dumps of a board in intervals between the two given ones.
func dumps(e *emulator.Emulator, shortest, longest int64, seed uint64) (d dumped) {
	var dec dgt.Decoder
	var live [64]byte
	known := false
	rng := random.New(seed)
	next := shortest
	emulator.Record(e, func(at int64, dir byte, p []byte) {
		if dir != emulator.FromBoard {
			return
		}
		for known && next < at {
			d.at, d.codes = append(d.at, next), append(d.codes, live)
			next += shortest + rng.Below(longest-shortest+1)
		}
		dec.Feed(p)
		for f, ok := dec.Next(); ok; f, ok = dec.Next() {
			if codes, ok := f.Board(); ok {
				for i, c := range codes {
					live[i] = byte(c)
				}
				if !known {
					d.at, d.codes = append(d.at, at), append(d.codes, live) // the recording begins with it
				}
				known = true
			}
			if u, ok := f.Field(); ok {
				live[u.Square] = byte(u.Piece)
			}
		}
	})
	if known {
		for range 3 {
			d.at, d.codes = append(d.at, next), append(d.codes, live)
			next += longest
		}
	}
	return d
}

func dumpFrame(codes *[64]byte) []byte { return append([]byte{0x86, 0, 67}, codes[:]...) }

// judged passes the dumps to the machine as a recording; timed: the recording has times.
func (d *dumped) judged(timed bool) *rig {
	r := newRig(watch.Capture)
	at := int64(0)
	for i := range d.at {
		if timed {
			at = d.at[i]
		}
		r.step(at, record.Rx, dumpFrame(&d.codes[i]))
	}
	r.step(at, record.Instruct, watch.Instruction{Do: watch.DoFinish}.Body())
	return r
}

// updates passes the differences between the dumps to the machine as field updates.
func (d *dumped) updates() *rig {
	r := newRig(watch.Capture)
	at := int64(0)
	for i := range d.at {
		at = d.at[i]
		if i == 0 {
			r.step(at, record.Rx, dumpFrame(&d.codes[i]))
			continue
		}
		for _, lift := range [...]bool{true, false} {
			for sq, c := range d.codes[i] {
				if c != d.codes[i-1][sq] && (c == 0) == lift {
					r.step(at, record.Rx, []byte{0x8e, 0, 5, byte(sq), c})
				}
			}
		}
	}
	r.step(at, record.Instruct, watch.Instruction{Do: watch.DoFinish}.Body())
	return r
}

// A foundTally counts the plies found in games.
type foundTally struct {
	games, exact, plies, right, order, wrong, invented int
}

func (n foundTally) String() string {
	return fmt.Sprintf("%3d of %3d games exact; %5d of %5d plies right, %3d more in another order, %3d wrong, in %2d games", n.exact, n.games, n.right, n.plies, n.order, n.wrong, n.invented)
}

// count compares the plies found with those played. A ply is wrong if it is not one of those played, in their order.
func (n *foundTally) count(t testing.TB, name string, r *rig, truth players.Truth) {
	got := r.moves()
	for i, g := range truth.Games {
		n.games++
		want := truthMoves(g)
		n.plies += len(want)
		var line []string
		if i < len(got) {
			line = got[i]
		}
		right := common(line, want)
		order := alikeIn(line, want) - right
		wrong, missing := len(line)-right-order, len(want)-right
		n.right, n.order, n.wrong = n.right+right, n.order+order, n.wrong+wrong
		if unanswered(g) && missing == 1 && len(line) == len(want)-1 {
			missing = 0
		}
		if wrong+order+missing == 0 {
			n.exact++
			continue
		}
		if wrong > 0 {
			n.invented++
		}
		k := parting(line, want)
		t.Logf("%s: right %d of %d, wrong %d, end %v; from ply %d: got %v want %v", name, right, len(want), wrong, g.End, k+1, tail(line, k), tail(want, k))
	}
}

// alikeIn returns the number of plies that two lines have in common, in any order.
func alikeIn(a, b []string) (n int) {
	left := map[string]int{}
	for _, y := range b {
		left[y]++
	}
	for _, x := range a {
		if left[x] > 0 {
			left[x]--
			n++
		}
	}
	return n
}

// common returns the number of plies that two lines have in common, in their order.
func common(a, b []string) int {
	best := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			old := best[j+1]
			if x == y {
				best[j+1] = before + 1
			} else {
				best[j+1] = max(old, best[j])
			}
			before = old
		}
	}
	return best[len(b)]
}

func noClock(seed int, habits *players.Habits, tempo players.Tempo) players.Options {
	o := players.Options{Seed: uint64(seed), Count: 1, Habits: habits, Tempo: tempo}
	o.Clock.None = true
	return o
}

func tableOf(t testing.TB, o players.Options) *players.Table {
	t.Helper()
	table, err := players.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// A noClockRow is a way of watching games without a clock. Exact is the number of games, of the given count, that must
// be found to the last ply: plies that no dump shows cannot be reported, but reported ones must have been played, in
// that order.
type noClockRow struct {
	name    string
	tempo   players.Tempo
	exact   int
	watched func(t *testing.T, seed int, tempo players.Tempo) (*rig, players.Truth)
	guesses bool // counted only
}

const noClockGames = 4

// dumpedAs watches games by dumps in intervals.
func dumpedAs(form string, shortest, longest int64) func(*testing.T, int, players.Tempo) (*rig, players.Truth) {
	return func(t *testing.T, seed int, tempo players.Tempo) (*rig, players.Truth) {
		table := tableOf(t, noClock(seed, &players.AsRecorded, tempo))
		d := dumps(table.Emulator, shortest*second, longest*second, uint64(seed))
		if form == "as updates" {
			return d.updates(), table.Truth()
		}
		return d.judged(form == "timed"), table.Truth()
	}
}

// noClockRows returns the rows. The rarer the dumps compared with the plies, the more stays unknown.
func noClockRows() (rows []noClockRow) {
	for _, hab := range []struct {
		name string
		is   *players.Habits
	}{{"tidy", &players.Tidy}, {"as recorded", &players.AsRecorded}, {"restless", &players.Restless}} {
		rows = append(rows,
			noClockRow{name: "updates live " + hab.name, tempo: players.Blitz, exact: noClockGames, watched: func(t *testing.T, seed int, tempo players.Tempo) (*rig, players.Truth) {
				return play(t, noClock(seed, hab.is, tempo))
			}},
			noClockRow{name: "updates recorded " + hab.name, tempo: players.Blitz, exact: noClockGames, watched: func(t *testing.T, seed int, tempo players.Tempo) (*rig, players.Truth) {
				return passive(t, noClock(seed, hab.is, tempo))
			}})
	}
	for _, c := range []struct {
		tempo             string
		is                players.Tempo
		shortest, longest int64
		exact             int
		counted           bool
	}{
		{"blitz", players.Blitz, 1, 1, 4, false},
		{"blitz", players.Blitz, 2, 2, 4, false},
		{"blitz", players.Blitz, 3, 3, 4, false},
		{"blitz", players.Blitz, 5, 5, 0, true},
		{"blitz", players.Blitz, 10, 10, 0, true},
		{"blitz", players.Blitz, 1, 10, 0, true},
		{"rapid", players.Rapid, 1, 1, 4, false},
		{"rapid", players.Rapid, 2, 2, 4, false},
		{"rapid", players.Rapid, 3, 3, 4, false},
		{"rapid", players.Rapid, 5, 5, 3, false},
		{"rapid", players.Rapid, 10, 10, 2, false},
		{"rapid", players.Rapid, 1, 10, 2, false},
	} {
		for _, form := range []string{"timed", "untimed", "as updates"} {
			row := noClockRow{
				name: fmt.Sprintf("dumps %s every %d to %d s %s", c.tempo, c.shortest, c.longest, form), tempo: c.is, exact: c.exact,
				watched: dumpedAs(form, c.shortest, c.longest), guesses: c.counted,
			}
			if form == "as updates" && c.longest > 2 {
				row.exact, row.guesses = 0, true // several plies at one moment, which no board reports in this way
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// BOARDWATCHD_SEEDS=20 go test ./internal/watch -run NoClock -v
func TestNoClock(t *testing.T) {
	long(t)
	for _, c := range noClockRows() {
		t.Run(c.name, func(t *testing.T) {
			var n foundTally
			_, last := seeds(t, noClockGames)
			for seed := 1; seed <= last; seed++ {
				r, truth := c.watched(t, seed, c.tempo)
				n.count(t, fmt.Sprint("seed ", seed), r, truth)
			}
			t.Log(n)
			if !c.guesses && n.wrong+n.order > 0 {
				t.Errorf("%d plies were told that were not played so", n.wrong+n.order)
			}
			if last == noClockGames && n.exact < c.exact {
				t.Errorf("%d games exact, %d before", n.exact, c.exact)
			}
		})
	}
}
