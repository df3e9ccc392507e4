package populations

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/config"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/research/score"
	"boardwatchd/internal/watch"
)

// This file tests the whole program, not the model: labelled games as bytes are replayed, and the `hands` objects and
// the findings are compared with the labels.
//
//	HANDS_GAMES=500 HANDS_SCAN=225 go test ./internal/research/populations -run TheWholeProgram -v     (the figures of docs/hands.md)

// tape is a recording in memory.
type tape struct {
	list []record.Record
	n    int
}

func (t *tape) Journal() bool { return false }

func (t *tape) Next() (recording.Item, error) {
	if t.n == len(t.list) {
		return recording.Item{}, io.EOF
	}
	r := t.list[t.n]
	t.n++
	r.Seq = record.Seq(t.n + 1)
	return recording.Item{Record: r}, nil
}

// A line holds the fields of the program's output that these tests use.
type line struct {
	Type, Kind, State, Proof, Alert, Abstained string
	Ply                                        int
	LLR, Confidence                            *float64
	Suspected, Later                           bool
}

// judged replays a game.
func judged(t *testing.T, g *Game) (told, found []line) {
	t.Helper()
	_, _, err := replay.Run(&tape{list: g.Records()}, replay.Options{Board: "1", Config: ruled(g.Options.Pace), Effect: func(_ record.Record, e watch.Effect) {
		var l line
		if err := json.Unmarshal(e.Body, &l); err != nil {
			t.Error(err)
		}
		switch {
		case l.Type == "hands":
			told = append(told, l)
		case l.Type == "finding" && (strings.HasPrefix(l.Kind, "suspect.") || l.Kind == "illegal.two_hands"):
			found = append(found, l)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return told, found
}

// ruled returns the configuration of a daemon with a configured time control.
func ruled(p Pace) []byte {
	c := config.Default()
	base, bonus := control(p)
	c.TimeControl, _ = config.ParseTimeControl(fmt.Sprintf("%d+%d", base/60, bonus))
	return c.Core(config.NewBoard("1", "")).Canonical()
}

// control returns a usual time control of the pace.
func control(p Pace) (base, bonus int) {
	return [...]int{480, 900, 5400}[p], [...]int{2, 10, 30}[p]
}

// A tally counts the results of all games of one sort.
type tally struct {
	cases    map[string][]Case
	advised  map[string][2]int // findings by label
	asked    map[string][2]int // judged in time for a finding
	unjudged map[string]int
	double   int
}

func (y *tally) take(t *testing.T, g *Game) {
	lines, found := judged(t, g)
	told := map[int]string{}
	for _, f := range found {
		if told[f.Ply] != "" && told[f.Ply] != f.Kind {
			y.double++
		}
		told[f.Ply] = f.Kind
		if strings.HasPrefix(f.Kind, "suspect.") && (f.Alert != "advise" || f.State != "confirmed") {
			t.Errorf("seed %d ply %d: a suspicion is %s, alert %s", g.Options.Seed, f.Ply, f.State, f.Alert)
		}
		if f.Proof != "hint" && strings.HasPrefix(f.Kind, "suspect.") {
			t.Errorf("seed %d ply %d: no labelled data have earned a proof of %s", g.Options.Seed, f.Ply, f.Proof)
		}
	}
	for _, l := range lines {
		if l.Ply > len(g.Plies) {
			t.Errorf("seed %d: ply %d was never played", g.Options.Seed, l.Ply)
			continue
		}
		p := g.Plies[l.Ply-1]
		if p.Handling.Kind.String() != l.Kind {
			t.Errorf("seed %d ply %d: %s is judged as %s", g.Options.Seed, l.Ply, p.Handling.Kind, l.Kind)
		}
		if !l.Later && l.Suspected != strings.HasPrefix(told[l.Ply], "suspect.") {
			t.Errorf("seed %d ply %d: suspected %v, told %q", g.Options.Seed, l.Ply, l.Suspected, told[l.Ply])
		}
		if l.LLR == nil {
			y.unjudged[l.Abstained]++
		}
		if l.Abstained == "no sensor" {
			continue
		}
		c := Case{Two: p.Two, Silent: l.LLR == nil}
		if l.LLR != nil {
			c.LLR = *l.LLR
		}
		y.cases[l.Kind] = append(y.cases[l.Kind], c)
		if n := y.asked[l.Kind]; !l.Later {
			n[label(p.Two)]++
			y.asked[l.Kind] = n
		}
		if l.Suspected {
			a := y.advised[l.Kind]
			a[label(p.Two)]++
			y.advised[l.Kind] = a
		}
	}
}

// label returns the index of a label.
func label(two bool) int {
	if two {
		return 1
	}
	return 0
}

// TestTheWholeProgram measures detection and false alarms as in a tournament, with sensor and tempo learned during the
// games.
func TestTheWholeProgram(t *testing.T) {
	games, _ := strconv.Atoi(os.Getenv("HANDS_GAMES"))
	measure := games > 0
	scan, _ := strconv.ParseInt(os.Getenv("HANDS_SCAN"), 10, 64) // ms; 0: 225
	if !measure {
		games = 3
	}
	for _, family := range Families() {
		for _, pace := range []Pace{Blitz, Rapid, Classical} {
			t.Run(fmt.Sprintf("%v %v", family, pace), func(t *testing.T) {
				y := tally{cases: map[string][]Case{}, advised: map[string][2]int{}, asked: map[string][2]int{}, unjudged: map[string]int{}}
				for seed := range uint64(games) {
					base, bonus := control(pace)
					y.take(t, Play(GameOptions{
						Options: Options{Seed: 900 + seed, Family: family, Pace: pace, Board: Board{PeriodUS: scan * 1000}}, BaseSec: base, BonusSec: bonus, Plies: 120,
						TwoHanded: map[hands.Kind]float64{hands.Capture: 0.2, hands.Castling: 0.4, hands.Promotion: 0.4},
					}))
				}
				for kind, list := range y.cases {
					at, a := foundAt(list, 0.001), y.advised[kind]
					asked := y.asked[kind]
					alarms := score.ShareOf(a[0], asked[0])
					if alarms.Low > 0.003 {
						t.Errorf("%s: %d of %d with one hand are suspected", kind, a[0], asked[0])
					}
					// Confidence stated beyond twice the prior must not exceed the truth, beyond chance and a half (the
					// line of worth.go is that of the mean population; timing notes 4.1: 1.5 to 5 in odds). A scan of
					// more than 300 ms states nothing.
					for _, b := range reliability(list, 0.01, 500) {
						if scan <= 300 && b.True.Of >= 100 && b.Stated > 1.5*b.To && b.Stated > 0.02 {
							t.Errorf("%s: states %.3f, and %.3f (at most %.3f) comes true in %d cases", kind, b.Stated, b.Observed, b.To, b.True.Of)
						}
					}
					if measure {
						t.Logf("%-9s one hand %5d, two %4d: found at 1 per 1,000 %.3f (from %.2f nats); suspected %.2f per 1,000 (%.2f to %.2f), found %.3f; judged at the press %.3f",
							kind, at.False.Of, at.Found.Of, shareRate(at.Found), at.Threshold, 1000*shareRate(alarms), 1000*alarms.Low, 1000*alarms.High, float64(a[1])/float64(max(asked[1], 1)),
							float64(asked[0]+asked[1])/float64(len(list)))
					}
				}
				if y.double > 0 {
					t.Errorf("%d moves are both a suspicion and a hint", y.double)
				}
				if measure {
					t.Log(y.unjudged)
				}
			})
		}
	}
}
