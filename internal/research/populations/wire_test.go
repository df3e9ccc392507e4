package populations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

// said replays a capture through the whole machine and returns its moves, and what else it said against anybody.
func said(t *testing.T, path string) (moves, findings []string) {
	t.Helper()
	src, err := recording.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}()
	_, _, err = replay.Run(src, replay.Options{Board: "1", Effect: func(_ record.Record, e watch.Effect) {
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

// The whole program reads the games as they were played, whatever the board: bytes, clock and labels are right.
func TestAGameIsReadBack(t *testing.T) {
	for i, b := range []Board{
		{},
		{PeriodUS: 50_000, JitterUS: 1000},
		{Order: hands.RasterReverse, Reversed: true},
		{Order: hands.Column, PeriodUS: 240_000, Drift: 0.05, Wander: 0.002},
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
				path := filepath.Join(t.TempDir(), "game.jsonl")
				var out bytes.Buffer
				if err := g.WriteCapture(&out); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, p := range g.Plies {
					want = append(want, p.UCI)
				}
				moves, findings := said(t, path)
				if got := strings.Join(moves, " "); got != strings.Join(want, " ") {
					t.Errorf("read  %s\nplayed %s", got, strings.Join(want, " "))
				}
				for _, f := range findings {
					// A hint is what the tracker says of two pieces in the air. It is right about the air.
					if (strings.HasPrefix(f, "illegal.") || strings.HasPrefix(f, "irreg.")) && !strings.HasSuffix(f, "hint") {
						t.Errorf("%s", f)
					}
				}
			})
		}
	}
}

func TestTheHeaderIsTheTruth(t *testing.T) {
	g := Play(GameOptions{Options: Options{Seed: 9}, Plies: 30, TwoHanded: map[hands.Kind]float64{hands.Capture: 1}})
	var out bytes.Buffer
	if err := g.WriteCapture(&out); err != nil {
		t.Fatal(err)
	}
	line, err := out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var h Header
	if err := json.Unmarshal(line, &h); err != nil {
		t.Fatal(err)
	}
	if len(h.Labels) != 30 || h.PeriodUS != 225_000 || h.Order != "raster" || h.Family != "jerk" {
		t.Errorf("%+v", h)
	}
	two := 0
	for i, l := range h.Labels {
		if l.Lift > l.Done || l.Done > l.Press || i > 0 && l.Lift < h.Labels[i-1].Press {
			t.Errorf("%+v: out of order", l)
		}
		if l.Two != (l.Kind == "capture") {
			t.Errorf("%+v: labelled wrongly", l)
		}
		if l.Two {
			two++
		}
	}
	if two == 0 {
		t.Error("no capture in thirty half-moves: the test shows nothing")
	}
	if err := g.WriteCapture(broken{}); err == nil {
		t.Error("a full disk goes unnoticed")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
