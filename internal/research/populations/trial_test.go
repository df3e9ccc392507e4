package populations

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/score"
)

// The floors are timing notes, 3.3, times 0.8 for captures and 0.9 for castlings: T = 225 ms. They hold for all
// families, none of which is in the tables. False alarms over the shipped advisory threshold may be 1 per 1,000, beyond
// chance.
func TestTheModelOnStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	conf := detector.DefaultHands()
	for _, c := range []struct {
		kind  hands.Kind
		pace  Pace
		floor float64
	}{
		{hands.Capture, Blitz, 0.8 * 0.11},
		{hands.Capture, Classical, 0.8 * 0.42},
		{hands.Castling, Blitz, 0.9 * 0.52},
		{hands.Castling, Classical, 0.9 * 0.84},
	} {
		for _, family := range Families() {
			t.Run(fmt.Sprintf("%v %v %v", c.kind, c.pace, family), func(t *testing.T) {
				var cases []Case
				var handlings, told [2]int
				playAmong(Options{Seed: 77, Family: family, Pace: c.pace}, c.kind, 6000, 1000, func(two int, j hands.Judgement) {
					said := conf.State(&j, c.pace)
					cases = append(cases, Case{LLR: float64(said.Ratio) / 1000, Two: two == 1, Silent: j.Silent()})
					if handlings[two]++; said.Advisory {
						told[two]++
					}
				})
				// A rate of one per 1,000 gives up to ten false alarms in 6,000, nineteen times of twenty; two or three
				// of them are scoops and knocks, which determine the threshold of a small set.
				if at := foundAt(cases, 10./6000); at.Found.High < c.floor {
					t.Errorf("finds %.3f (at most %.3f) at one false alarm per 1,000, want %.3f", shareRate(at.Found), at.Found.High, c.floor)
				}
				if alarms := score.ShareOf(told[0], handlings[0]); alarms.Low > 0.001 {
					t.Errorf("%.4f false alarms over the advisory threshold", shareRate(alarms))
				}
				// Up to two and a half times the prior nothing is stated against a player. The ratio earned by 3,000
				// clean one-handed manipulations bounds the stated value, at a prior that is high on purpose. The line
				// of worth.go is the mean over the populations, so each of them may be off, and an unseen one more
				// (timing notes 4.1: by a factor of 1.5 to 5 in odds): 2 is needed by stroke and coast, which give the
				// least evidence about captures of 1 to 3 nats.
				for _, b := range reliability(cases, 0.02, 40) {
					if b.Stated > 0.05 && odds(b.Stated) > 2*odds(b.To) {
						t.Errorf("states %.3f, and %.3f (at most %.3f) comes true in %d cases", b.Stated, b.Observed, b.To, b.True.Of)
					}
				}
			})
		}
	}
}

func odds(p float64) float64 { return p / (1 - p) }

// judgements judges a game in progress: scan and tempo come from the moves so far. Moves of another kind, and those of
// the first half minute, in which nothing is known, have none.
func (g *Game) judgements(kind hands.Kind) (list []hands.Judgement) {
	var scan hands.Scan
	tempo := [2]hands.Tempo{hands.NewTempo(g.Options.Pace.Tempo()), hands.NewTempo(g.Options.Pace.Tempo())}
	for i, p := range g.Plies {
		if s := scan.Sensor(); p.Handling.Kind == kind && s.Trusted() {
			hurried := g.Options.HurryAfter > 0 && i >= g.Options.HurryAfter
			list = append(list, hands.Standard().Judge(&p.Handling, s, tempo[i%2].Pace(hurried)))
		}
		p.Handling.Teach(&scan, &tempo[i%2])
	}
	return list
}

// Whole games, the last third of them in a hurry: the tempo must not be taken from the slow part, and no honest player
// is suspected more often than once in 1,000 in the cases with an alert.
func TestHonestGamesAreLeftAlone(t *testing.T) {
	for _, l := range live {
		for _, family := range Families() {
			handlings, advised, spoken := 0, 0, 0
			conf := detector.DefaultHands()
			for seed := range uint64(150) {
				g := Play(GameOptions{Options: Options{Seed: seed, Family: family, Pace: l.pace}, HurryAfter: 80})
				for _, j := range g.judgements(l.kind) {
					if handlings++; j.Known {
						spoken++
						if conf.State(&j, l.pace).Advisory {
							advised++
						}
					}
				}
			}
			if s := score.ShareOf(advised, handlings); handlings < 60 || spoken < handlings*8/10 || s.Low > 0.001 {
				t.Errorf("%v %v %v: %d, %d judged, %d above the advisory threshold", l.kind, l.pace, family, handlings, spoken, advised)
			}
		}
	}
}

// foundAt returns the detections at the lowest relevant threshold at which no more than this part of the one-handed
// cases gives a false alarm. The threshold is taken from the same data, so with few one-handed cases the result is too
// good.
func foundAt(cases []Case, rate float64) Point {
	sorted := slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return c.Silent })
	slices.SortFunc(sorted, func(a, b Case) int { return cmp.Compare(b.LLR, a.LLR) })
	most := int(rate*float64(Over(cases, 0).False.Of) + 1e-9)
	threshold := math.Inf(1)
	for i, c := range sorted {
		if !c.Two {
			most--
		}
		if most < 0 {
			break
		}
		if i+1 == len(sorted) || sorted[i+1].LLR < c.LLR {
			threshold = c.LLR
		}
	}
	return Over(cases, threshold)
}
