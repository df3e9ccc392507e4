package watch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A told is what the machine said, as far as these tests look at it.
type told struct {
	Type, UCI, SAN, Judged, What, Detail, Result, By, State, Side, FEN string
	CommittedBy                                                        string `json:"committed_by"`
	T                                                                  float64
	Ply, Game                                                          int
	Reversed, Chess960                                                 bool
}

// A rig is the machine at the other end of the emulated cable, with the same loop as a station.
type rig struct {
	m     *watch.Machine
	seq   record.Seq
	said  []told
	lines []string // every effect, for comparisons
	down  bool
	cause string
}

func newRig(src watch.Source) *rig {
	r := &rig{m: watch.New()}
	r.step(0, record.Open, watch.Opening{Format: watch.Format, Source: src, Board: "1"}.Body())
	if src == watch.Live {
		r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	}
	return r
}

func (r *rig) step(at int64, k record.Kind, body []byte) (tx []byte) {
	r.seq++
	for _, e := range r.m.Step(record.Record{Seq: r.seq, At: at, Kind: k, Body: body}) {
		r.lines = append(r.lines, e.Kind.String()+" "+string(e.Body))
		if e.Kind == record.Tx {
			tx = append(tx, e.Body...)
			continue
		}
		var v told
		if err := json.Unmarshal(e.Body, &v); err != nil {
			panic(err)
		}
		r.said = append(r.said, v)
	}
	return tx
}

func (r *rig) host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	if len(rx) > 0 {
		tx = append(tx, r.step(at, record.Rx, rx)...)
	}
	for {
		d, ok := r.m.Deadline()
		if !ok {
			return tx, emulator.Never
		}
		if d > at {
			return tx, d
		}
		tx = append(tx, r.step(at, record.Wake, nil)...)
	}
}

// play watches everything that the options say, through the whole protocol.
func play(t testing.TB, o emulator.Options) (*rig, emulator.Truth) {
	t.Helper()
	e, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(watch.Live)
	e.OnLink(func(at int64, up bool) {
		if up {
			r.step(at, record.Up, watch.Annotation{Device: "emulated"}.Body())
		} else {
			r.step(at, record.Down, watch.Annotation{Cause: "unplugged"}.Body())
		}
	})
	emulator.Run(e, r.host, 40_000_000, 1<<50)
	return r, e.Truth()
}

// moves returns the moves said in each game.
func (r *rig) moves() (games [][]string) {
	for _, v := range r.said {
		switch v.Type {
		case "game":
			games = append(games, nil)
		case "move":
			g := games[v.Game-1]
			if v.Ply <= len(g) {
				g = g[:v.Ply-1]
			}
			games[v.Game-1] = append(g, v.UCI)
		}
	}
	return games
}

func truthMoves(g emulator.GameTruth) (moves []string) {
	for _, m := range g.Moves {
		moves = append(moves, m.UCI)
	}
	return moves
}

// compare returns what is wrong with the record of the games.
func compare(r *rig, truth emulator.Truth) (wrong []string) {
	got := r.moves()
	if len(got) != len(truth.Games) {
		wrong = append(wrong, fmt.Sprintf("%d games, want %d", len(got), len(truth.Games)))
	}
	for i := range min(len(got), len(truth.Games)) {
		want := truthMoves(truth.Games[i])
		if strings.Join(got[i], " ") != strings.Join(want, " ") {
			n := 0
			for n < len(got[i]) && n < len(want) && got[i][n] == want[n] {
				n++
			}
			wrong = append(wrong, fmt.Sprintf("game %d (%d plies, end %v) differs from ply %d: got %v want %v, got %d plies", i+1, len(want), truth.Games[i].End, n+1, tail(got[i], n), tail(want, n), len(got[i])))
		}
	}
	return wrong
}

func tail(s []string, n int) []string { return s[max(0, min(n, len(s))):min(len(s), n+4)] }

func seeds(t *testing.T, n int) (first, last int) {
	if s := os.Getenv("BOARDWATCHD_SEEDS"); s != "" {
		v, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		n = v
	}
	if testing.Short() {
		n = min(n, 20)
	}
	return 1, n
}

func TestCleanGamesAreRebuiltExactly(t *testing.T) {
	habits := map[string]*emulator.Habits{"as recorded": &emulator.AsRecorded, "tidy": &emulator.Tidy, "restless": &emulator.Restless}
	for _, name := range []string{"as recorded", "tidy", "restless"} {
		t.Run(name, func(t *testing.T) {
			first, last := seeds(t, 60)
			bad := 0
			for seed := first; seed <= last; seed++ {
				r, truth := play(t, emulator.Options{Seed: uint64(seed), Count: 1, Habits: habits[name]})
				wrong := compare(r, truth)
				judged := map[string]int{}
				for _, v := range r.said {
					if v.Type == "press" {
						judged[v.Judged]++
					}
					if v.Type == "health" {
						judged["health "+v.What]++
					}
				}
				if len(wrong) > 0 {
					bad++
					t.Errorf("seed %d: %v\n  %v", seed, strings.Join(wrong, "\n  "), judged)
				} else {
					t.Logf("seed %d: %v", seed, judged)
				}
			}
			t.Logf("%d of %d games wrong", bad, last-first+1)
		})
	}
}

// A circumstance is a way in which tables differ. None of them may cost a move.
type circumstance struct {
	name  string
	games int
	tweak func(seed uint64, o *emulator.Options)
}

var circumstances = []circumstance{
	{"white at the far side", 40, func(_ uint64, o *emulator.Options) { o.Board.Reversed = true }},
	{"white's clock on the right", 40, func(_ uint64, o *emulator.Options) { o.Clock.White = clockproto.Right }},
	{"scanned from the other end", 40, func(_ uint64, o *emulator.Options) { o.Board.ScanReverse = true }},
	{"chess960", 60, func(_ uint64, o *emulator.Options) { o.Generator.Chess960 = true }},
	{"classical", 20, func(_ uint64, o *emulator.Options) {
		o.Tempo, o.Clock.BaseSec, o.Clock.BonusSec = emulator.Classical, 5400, 30
	}},
	{"several games on one board", 15, func(_ uint64, o *emulator.Options) { o.Count = 4 }},
	{"event lag", 30, func(_ uint64, o *emulator.Options) { o.Clock.Lag = emulator.LagNone }},
	{"uniform lag", 30, func(_ uint64, o *emulator.Options) { o.Clock.Lag = emulator.LagUniform }},
	{"polled clock", 30, func(_ uint64, o *emulator.Options) { o.Clock.Lag = emulator.LagPolled }},
}

func TestEveryCircumstance(t *testing.T) {
	for _, c := range circumstances {
		t.Run(c.name, func(t *testing.T) {
			first, last := seeds(t, c.games)
			for seed := first; seed <= last; seed++ {
				o := emulator.Options{Seed: uint64(seed), Count: 1, Habits: &emulator.Restless}
				c.tweak(uint64(seed), &o)
				r, truth := play(t, o)
				for _, w := range compare(r, truth) {
					t.Errorf("seed %d: %s", seed, w)
				}
			}
		})
	}
}
