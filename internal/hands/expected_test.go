package hands

import (
	"fmt"
	"testing"

	"boardwatchd/detector"
	detect "boardwatchd/detector/hands"
	"boardwatchd/internal/hands/score"
)

// What share of one-handed and two-handed deeds reaches the level of the record (detector.HandsUnusual) on the families here is what
// the watch over the suspicions expects: a model that is right must not be called wrong by it.
//
//	go test ./internal/hands -run TheExpected -v     (the figures of docs/hands.md)
func TestTheExpectedShareIsThatOfTheFamilies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	conf := detector.DefaultHands()
	prior := func(k detect.Kind, p detector.Play, ppm int32) *detector.Hands {
		h := conf
		h.Of(k).Play[p].PriorPPM = ppm
		return &h
	}
	for _, kind := range []detect.Kind{detect.Capture, detect.Castling, detect.Promotion} {
		for _, pace := range []Pace{Blitz, Rapid, Classical} {
			for _, family := range []Family{Jerk, TwoPhase} {
				t.Run(fmt.Sprintf("%v %v %v", kind, pace, family), func(t *testing.T) {
					var one, two score.Share
					for _, period := range []int64{50, 100, 160, 225, 290} {
						trial := Trial{Options: Options{Seed: 5000, Family: family, Pace: pace, Board: Board{PeriodUS: period * 1000}}, Kind: kind, One: 4000, Two: 1000}
						for _, v := range trial.Run(detect.Standard()) {
							s := &one
							if v.Two {
								s = &two
							}
							s.Of++
							if v.Judgement.Known && conf.State(kind, pace.Play(), v.Judgement.LLR, false).Ratio >= detector.HandsUnusual {
								s.Count++
							}
						}
					}
					one, two = score.ShareOf(one.Count, one.Of), score.ShareOf(two.Count, two.Of)
					play := pace.Play()
					never := float64(prior(kind, play, 0).Expected(kind, play, false)) / 1e6
					always := float64(prior(kind, play, 1e6).Expected(kind, play, false)) / 1e6
					t.Logf("one hand %.2f per 1,000 (expected %.2f), two hands %.0f %% (%.0f %%)", 1000*one.Rate(), 1000*never, 100*two.Rate(), 100*always)
					if one.Low > never {
						t.Errorf("with one hand %.4f (at least %.4f) look like two, expected %.4f", one.Rate(), one.Low, never)
					}
					if two.Rate() > 1.5*always || two.Rate() < always/2 {
						t.Errorf("with two hands %.3f look like it, expected %.3f", two.Rate(), always)
					}
				})
			}
		}
	}
}
