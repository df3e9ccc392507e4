package populations

import (
	"cmp"
	"slices"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/score"
)

// stepped delivers the reports of a game in steps, like a bridge or a coarse recording.
func (g *Game) stepped(us int64) {
	last := map[int]int64{}
	for i := range g.Changes {
		c := &g.Changes[i]
		at := (c.At + us - 1) / us * us
		if before, ok := last[int(c.Square)]; ok && at <= before {
			at = before + 1
		}
		c.At, last[int(c.Square)] = at, at
	}
	slices.SortStableFunc(g.Changes, func(a, b hands.Report) int { return cmp.Compare(a.At, b.At) })
}

// Steps of a line make one hand look like two if they are mistaken for a scan.
func TestALineThatDeliversInStepsAccusesNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, us := range []int64{20_000, 50_000, 100_000} {
		spoken, suspected := 0, 0
		for seed := range uint64(50) {
			base, bonus := control(Blitz)
			g := Play(GameOptions{Options: Options{Seed: 5000 + seed, Family: TwoPhase, Pace: Blitz}, BaseSec: base, BonusSec: bonus, Plies: 120})
			g.stepped(us)
			lines, _ := judged(t, g)
			for _, l := range lines {
				if l.LLR != nil {
					spoken++
				}
				if l.Suspected {
					suspected++
				}
			}
		}
		if s := score.ShareOf(suspected, spoken); suspected > 0 && s.Low > 0.001 || suspected > 2 {
			t.Errorf("steps of %d µs: %d of %d are suspected", us, suspected, spoken)
		}
		if us == 20_000 && spoken < 500 {
			t.Errorf("after steps of 20 ms the scan is not found: %d judged", spoken)
		}
	}
}
