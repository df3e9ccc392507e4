package watch_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// away returns games of which some plies are repeatedly not watched: the cable is out, or the daemon does not run.
func away(seed int) players.Options {
	o := players.Options{Seed: uint64(seed), Count: 1, Tempo: players.Rapid}
	o.Clock = emulator.ClockOptions{BaseSec: 5400, BonusSec: 30}
	o.Tempo.Think = 20 * second
	rng := rand.New(rand.NewPCG(uint64(seed), 17))
	for at := int64(60 * second); at < 3600*second; at += 180*second + rng.Int64N(120*second) {
		o.Faults.At = append(o.Faults.At, emulator.Fault{At: at, Kind: emulator.Unplug, For: 30*second + rng.Int64N(90*second)})
	}
	return o
}

// A reckoned is the count of some games.
type reckoned struct{ games, exact, invented, plies, unknown, read, filled int }

func reckonAway(t *testing.T, games int, tweak func(*players.Options)) (sum reckoned) {
	t.Helper()
	first, last := seeds(t, games)
	for seed := first; seed <= last; seed++ {
		o := away(seed)
		tweak(&o)
		r, truth := play(t, o)
		for _, v := range r.accusations() {
			t.Errorf("seed %d: accused: %+v", seed, v)
		}
		whole := true
		for _, k := range reckonings(r, truth) {
			sum.plies, sum.unknown = sum.plies+k.plies, sum.unknown+k.notKnown
			if k.invented != "" {
				sum.invented++
				t.Logf("seed %d: %s", seed, k.invented)
			}
			whole = whole && k.invented == "" && k.notKnown == 0
		}
		if sum.games++; whole {
			sum.exact++
		}
		for _, v := range r.said {
			if v.What == "filled" || v.What == "log_corrected" {
				sum.filled++
			}
		}
		for _, l := range r.lines {
			if l == "tx "+string(rune(dgt.RequestLog)) {
				sum.read++
			}
		}
	}
	t.Logf("%d of %d games exact, %d with a ply that is none of the game; %d of %d plies not known; the log was read %d times, and told %d",
		sum.exact, sum.games, sum.invented, sum.unknown, sum.plies, sum.read, sum.filled)
	return sum
}

// TestTheBoardsLogFillsGaps: of games with repeated gaps of some minutes, hardly any is exact without the log.
//
//	BOARDWATCHD_SEEDS=100 go test ./internal/watch -run TheBoardsLog -v
func TestTheBoardsLogFillsGaps(t *testing.T) {
	without := reckonAway(t, 10, func(o *players.Options) { o.Board.Log = emulator.LogNone })
	for _, c := range []struct {
		name  string
		tweak func(*players.Options)
	}{
		{"as usual", func(*players.Options) {}},
		{"White at the far side", func(o *players.Options) { o.Board.Reversed = true }},
		{"restless hands", func(o *players.Options) {
			h := players.Restless
			h.RookFirst = 0 // FIDE Laws 4.4.2: rook first is an irregularity
			o.Habits = &h
		}},
		{"a clock that is polled", func(o *players.Options) { o.Clock.Lag = emulator.LagUniform }},
		{"moves soon after each other", func(o *players.Options) { o.Tempo.Think = 9 * second }},
	} {
		t.Run(c.name, func(t *testing.T) {
			with := reckonAway(t, 10, c.tweak)
			if with.exact*10 < with.games*8 || with.invented > without.invented {
				t.Errorf("%+v; without the log %+v", with, without)
			}
		})
	}
}

// TestALogThatDoesNotFitChangesNothing: the board's log is of another game, old, damaged, or does not come.
func TestALogThatDoesNotFitChangesNothing(t *testing.T) {
	without := reckonAway(t, 5, func(o *players.Options) { o.Board.Log = emulator.LogNone })
	for name, answer := range map[string]emulator.LogAnswer{"another game's": emulator.LogOther, "old": emulator.LogOld, "damaged": emulator.LogDamaged} {
		t.Run(name, func(t *testing.T) {
			with := reckonAway(t, 5, func(o *players.Options) { o.Board.Log = answer })
			if with.filled > 0 || with.exact != without.exact || with.unknown != without.unknown {
				t.Errorf("%+v; without the log %+v", with, without)
			}
		})
	}
}

// A filler fills in plies at once as a person could, perhaps wrongly.
type filler struct {
	*rig
	seen   int
	filled map[int]bool // by the first ply
}

func (f *filler) host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	tx, wakeAt = f.rig.host(at, rx)
	for ; f.seen < len(f.lines); f.seen++ {
		_, body, _ := strings.Cut(f.lines[f.seen], " ")
		s, ok := watch.ParseSpan([]byte(body))
		if rows := s.Rows(); ok && len(rows) > 0 {
			f.filled[s.From] = true
			f.step(at, record.Instruct, watch.Instruction{Do: watch.DoFill, Game: s.Game, Ply: s.From, Moves: strings.Join(rows[0], " ")}.Body())
		}
	}
	return tx, wakeAt
}

// TestTheBoardsLogLeavesWhatAPersonFilledIn: the log fills in nothing where a person has filled in plies.
func TestTheBoardsLogLeavesWhatAPersonFilledIn(t *testing.T) {
	first, last := seeds(t, 10)
	persons := 0
	for seed := first; seed <= last; seed++ {
		table, err := players.New(away(seed))
		if err != nil {
			t.Fatal(err)
		}
		f := &filler{rig: newRig(watch.Live), filled: map[int]bool{}}
		table.OnLink(f.link)
		emulator.Run(table.Emulator, f.host, 40*second, 1<<50)
		for _, v := range f.said {
			switch {
			case v.What != "filled":
			case strings.HasPrefix(v.Detail, "filled in by a person"):
				persons++
			case f.filled[v.PlyFrom]:
				t.Errorf("seed %d: %s", seed, v.Detail)
			}
		}
	}
	if persons == 0 {
		t.Error("nobody has filled anything in")
	}
}
