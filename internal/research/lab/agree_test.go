package lab

import (
	"encoding/json"
	"math"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/config"
	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/watch"
)

// said is a line `hands` of a replay.
type said struct {
	Later           bool `json:"later"`
	Type, UCI, Play string
	Ply             int
	Raw, LLR        *float64
	Confidence      *float64
	Abstained       *string
	Suspected       bool
}

// replayed are the lines `hands` by half-move.
func replayed(t *testing.T, path string) map[int]said {
	t.Helper()
	out := map[int]said{}
	_, _, err := replay.Run(open(t, path), replay.Options{
		Board: "1", Config: config.Default().Core(config.NewBoard("1", "")).Canonical(),
		Effect: func(_ record.Record, e watch.Effect) {
			var l said
			if err := json.Unmarshal(e.Body, &l); err != nil {
				t.Error(err)
			}
			if l.Type == "hands" && !l.Later { // the lab judges once, with what was known at the time
				out[l.Ply] = l
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A recorded game is judged by the laboratory as it is live and in a replay: the same deeds, the same ratio, the same reason to say nothing,
// the same confidence.
func TestTheLaboratoryAgreesWithTheGame(t *testing.T) {
	for _, o := range []populations.GameOptions{
		{Options: populations.Options{Seed: 3, Family: populations.Jerk, Pace: populations.Blitz}, BaseSec: 540, BonusSec: 1},
		{Options: populations.Options{Seed: 4, Family: populations.TwoPhase, Pace: populations.Classical, Board: populations.Board{Reversed: true}}, BaseSec: 5400, BonusSec: 30},
	} {
		o.TwoHanded = map[hands.Kind]float64{hands.Capture: 0.3, hands.Castling: 0.5, hands.Promotion: 0.5}
		path := captured(t, populations.Play(o))
		lines := replayed(t, path)
		rec, err := Read(open(t, path))
		if err != nil {
			t.Fatal(err)
		}
		list, _ := rec.judge(hands.Standard())
		conf := detector.DefaultHands()
		judged := 0
		for i := range list {
			v := &list[i]
			l, ok := lines[v.Ply]
			if !ok || l.UCI != v.Card || l.Play != o.Pace.String() {
				t.Errorf("%v, ply %d, %s: in the replay %+v", o.Family, v.Ply, v.Card, l)
				continue
			}
			why := ""
			if l.Abstained != nil {
				why = *l.Abstained
			}
			if got := v.Judgement.Abstain; (got == hands.Spoke) != (why == "") || got != hands.Spoke && got.String() != why {
				t.Errorf("%v, ply %d, %s: %q, in the replay %q", o.Family, v.Ply, v.Card, got, why)
			}
			if l.Raw == nil || v.Judgement.Silent() {
				continue
			}
			judged++
			s := conf.State(v.Deed.Kind, v.Class.Play(), v.Judgement.LLR)
			for name, pair := range map[string][2]float64{
				"raw":        {*l.Raw, float64(v.Judgement.LLR) / 1000},
				"llr":        {*l.LLR, float64(s.Ratio) / 1000},
				"confidence": {*l.Confidence, float64(s.PPM) / hands.Million},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-9 {
					t.Errorf("%v, ply %d, %s: %s %g, in the replay %g", o.Family, v.Ply, v.Card, name, pair[1], pair[0])
				}
			}
			if castling := v.Deed.Kind == hands.Castling; castling && l.Suspected && !s.Advisory || !castling && l.Suspected { // captures are told in blitz only, and the time control is not configured
				t.Errorf("%v, ply %d, %s: suspected %v in the replay", o.Family, v.Ply, v.Card, l.Suspected)
			}
		}
		if judged < 10 || len(list) != len(lines) {
			t.Errorf("%v: %d judged, %d deeds, %d in the replay", o.Family, judged, len(list), len(lines))
		}
	}
}

// An evening of cards is no game: the pieces stand anyhow, and the core is held from the first label to the last. Nothing is said
// of it but by the laboratory.
func TestAnEveningIsNoGame(t *testing.T) {
	if lines := replayed(t, rehearsed(t, Rehearsal{Protocol: Short(), Seed: 2})); len(lines) > 0 {
		t.Errorf("%+v", lines)
	}
}
