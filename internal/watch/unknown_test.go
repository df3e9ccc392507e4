package watch_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/research/presses"
	"boardwatchd/rules/legal"
)

// unknowns counts the presses reported as unexplained, and the moves.
type unknowns struct{ told, upheld, presses, moves int }

func (u *unknowns) add(t *testing.T, name string, seed int, r *rig, moves int) {
	u.moves += moves
	state := map[string]string{}
	for _, v := range r.said {
		switch {
		case v.Type == "press" && v.Judged == "sensor.unknown":
			u.presses++
		case v.Type == "finding" && v.Kind == "sensor.unknown":
			if state[v.ID] == "" {
				u.told++
				t.Logf("%s seed %d: %+v", name, seed, v)
			}
			state[v.ID] = v.State
		}
	}
	for _, s := range state {
		if s == "confirmed" {
			u.upheld++
		}
	}
}

func plies(games [][]string) (n int) {
	for _, g := range games {
		n += len(g)
	}
	return n
}

// For honest players an unexplained press is reported in at most one move of 2,000 (laws notes 1.4).
func TestUnknownIsRare(t *testing.T) {
	var all unknowns
	for _, kind := range []struct {
		name  string
		games int
		play  func(seed int) (*rig, int)
	}{
		{"classical", 12, func(seed int) (*rig, int) { return honestly(t, rooms[0], seed) }},
		{"rapid", 12, func(seed int) (*rig, int) { return honestly(t, rooms[1], seed) }},
		{"blitz", 12, func(seed int) (*rig, int) { return honestly(t, rooms[2], seed) }},
		{"circumstances", len(circumstances), func(seed int) (*rig, int) {
			o := players.Options{Seed: uint64(seed), Count: 1, Habits: &players.Restless}
			circumstances[seed%len(circumstances)].tweak(uint64(seed), &o)
			r, _ := play(t, o)
			return r, plies(r.moves())
		}},
		{"faults", len(faults), func(seed int) (*rig, int) {
			o := players.Options{Seed: uint64(seed), Count: 1}
			o.Generator.MinPlies = faultPlies
			faults[seed%len(faults)].tweak(uint64(seed), &o)
			r, _ := play(t, o)
			return r, plies(r.moves())
		}},
		{"rushed", 10, func(seed int) (*rig, int) { return rushedOnce(seed, rush{early: 350_000}) }},
		{"scramble", 10, func(seed int) (*rig, int) { return rushedOnce(seed, rush{early: 100_000, rally: true}) }},
		{"tables, event clock", 6, func(seed int) (*rig, int) { return table(presses.Options{Clock: presses.EventClock}, seed) }},
		{"tables, polled clock", 6, func(seed int) (*rig, int) { return table(presses.Options{Clock: presses.PolledClock}, seed) }},
		{"tables, slow clock", 6, func(seed int) (*rig, int) { return table(presses.Options{Clock: presses.SlowClock}, seed) }},
		{"tables, gaps", 6, func(seed int) (*rig, int) { return table(presses.Options{Gaps: 30}, seed) }},
		{"tables, noise", 6, func(seed int) (*rig, int) { return table(presses.Options{LostBytes: 50, FlippedBits: 50}, seed) }},
	} {
		first, last := seeds(t, kind.games)
		var u unknowns
		for seed := first; seed <= last; seed++ {
			r, moves := kind.play(seed)
			u.add(t, kind.name, seed, r, moves)
		}
		t.Logf("%-22s %3d told, %3d upheld, %4d presses judged so, of %d moves", kind.name, u.told, u.upheld, u.presses, u.moves)
		all.told, all.upheld, all.presses, all.moves = all.told+u.told, all.upheld+u.upheld, all.presses+u.presses, all.moves+u.moves
	}
	t.Logf("%-22s %3d told, %3d upheld, %4d presses judged so, of %d moves", "all", all.told, all.upheld, all.presses, all.moves)
	if all.told*2000 > all.moves {
		t.Errorf("told %d times in %d moves, at most one in 2,000 wanted", all.told, all.moves)
	}
}

func honestly(t *testing.T, where room, seed int) (*rig, int) {
	tr := try(t, live, rulesConfig(t, where.rules), where.honest(seed))
	return tr.rig, plies(tr.rig.moves())
}

func rushedOnce(seed int, k rush) (*rig, int) {
	w := &rusher{Rand: rand.New(rand.NewPCG(uint64(seed), 7))}
	lag := w.between(300_000, 2_200_000)
	w.game(k, lag, 90)
	o := emulator.Options{Seed: uint64(seed), Script: w.acts, Table: legal.StartSetup(518).Placement}
	o.Clock = emulator.ClockOptions{BaseSec: 3600, BonusSec: 2, Lag: emulator.LagFixed, LagUS: lag}
	return watched(emulator.New(o)), len(strings.Fields(strings.Join(w.moves, " ")))
}

func table(o presses.Options, seed int) (*rig, int) {
	o.Seed = uint64(seed)
	w := watchTable(o)
	return w.rig, len(w.truth.Plies)
}
