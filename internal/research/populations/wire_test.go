package populations

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

// said replays a game through the whole machine and returns its moves, and all other findings about players.
func said(t *testing.T, g *Game) (moves, findings []string) {
	t.Helper()
	_, _, err := replay.Run(&tape{list: g.Records()}, replay.Options{Board: "1", Effect: func(_ record.Record, e watch.Effect) {
		var o struct{ Type, UCI, Kind, State, Proof string }
		if json.Unmarshal(e.Body, &o) != nil {
			return
		}
		switch o.Type {
		case "move":
			moves = append(moves, o.UCI)
		case "finding":
			findings = append(findings, o.Kind+" "+o.State+" "+o.Proof)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return moves, findings
}

// The whole program reads the games as they were played, for any board: bytes, clock and labels are right.
func TestAGameIsReadBack(t *testing.T) {
	for i, b := range []Board{
		{},
		{PeriodUS: 50_000, JitterUS: 1000},
		{Order: hands.RasterReverse, Reversed: true},
		{Order: hands.Column, PeriodUS: 240_000},
		{Order: hands.Batch, PeriodUS: 205_000},
		{PeriodUS: 450_000},
	} {
		for _, pace := range []Pace{Blitz, Classical} {
			t.Run(fmt.Sprintf("%d %v", i, pace), func(t *testing.T) {
				g := Play(GameOptions{
					Options:   Options{Seed: uint64(i), Family: Families()[i%4], Pace: pace, Board: b},
					TwoHanded: map[hands.Kind]float64{hands.Capture: 0.2, hands.Castling: 0.5, hands.Promotion: 0.5},
					BonusSec:  2,
				})
				var want []string
				for _, p := range g.Plies {
					want = append(want, p.UCI)
				}
				moves, findings := said(t, g)
				if got := strings.Join(moves, " "); got != strings.Join(want, " ") {
					t.Errorf("read  %s\nplayed %s", got, strings.Join(want, " "))
				}
				for _, f := range findings {
					// A hint is the tracker's remark about two pieces in the air, which is true.
					if (strings.HasPrefix(f, "illegal.") || strings.HasPrefix(f, "irreg.")) && !strings.HasSuffix(f, "hint") {
						t.Errorf("%s", f)
					}
				}
			})
		}
	}
}
