package lab

import (
	"fmt"
	"math"

	"boardwatchd/detector"
	detect "boardwatchd/detector/hands"
	"boardwatchd/internal/hands/score"
)

// This file asks up to which confidence what is stated comes true: two_hands.most bounds all of it (timing notes, section 0, point 6).

// mostLevels are the confidences that are tried. They were written down beforehand: one that was looked for in the data would flatter.
var mostLevels = [...]float64{
	0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95,
}

// A Proof is what the data say to one level: of what is stated at it or above, so much comes true.
type Proof struct {
	Level float64 `json:"level"`
	True  Bin     `json:"came_true"`
}

// holds: at least so much comes true. fails: less does. Both beyond chance.
func (p Proof) holds() bool { return p.True.Low >= p.Level }
func (p Proof) fails() bool { return p.True.High < p.Level }

// prove looks at what a class of play states, at its prior, with the calibration that has not seen the person, and with the cap that the
// lines for the configuration have.
func (g *Group) prove(cases []score.Case) {
	limit := g.Cap
	if g.Earned > 1 {
		limit = min(g.Earned, mostCap)
	}
	for _, level := range mostLevels {
		if b := score.Above(cases, g.Prior, limit, level); b.True.Of > 0 {
			g.proofs = append(g.proofs, Proof{level, binsOf([]score.Bin{b})[0]})
		}
	}
	for _, p := range g.proofs {
		if p.fails() {
			break // what is stated above it is among what does not come true here
		}
		if p.holds() {
			g.Held = &p
		}
	}
}

// most is the highest level that some class of play bears out, below the first that another one contradicts; 0: none is. Where
// only the contradiction is known it is the level below that.
func (r *Report) most() (level float64, from string) {
	for i, m := range mostLevels {
		for _, g := range r.Groups {
			for _, p := range g.proofs {
				switch {
				case p.Level != m:
				case p.fails() && level == 0:
					return mostLevels[max(i-1, 0)], fmt.Sprintf("of what %s, %s, states at %s or more %s comes true at most", g.Kind, g.Class, percent(m), percent(p.True.High))
				case p.fails():
					return level, from
				}
			}
		}
		for _, g := range r.Groups {
			for _, p := range g.proofs {
				if p.Level == m && p.holds() {
					level, from = m, fmt.Sprintf("of what %s, %s, states so high %s comes true at least (%d cases)", g.Kind, g.Class, percent(p.True.Low), p.True.Cases)
				}
			}
		}
	}
	return level, from
}

// mostLine is the line for the configuration.
func (r *Report) mostLine() string {
	level, from := r.most()
	if level == 0 {
		return fmt.Sprintf("  # most: no stated confidence is borne out; as configured, %g\n", float64(r.conf.MostPPM)/detect.Million)
	}
	return fmt.Sprintf("  most: %g # %s\n", level, from)
}

func (g Group) printHeld() string {
	switch {
	case len(g.proofs) == 0:
		return ""
	case g.Held == nil && g.proofs[0].fails():
		return fmt.Sprintf("    stated and held: nothing; of what is stated at %s or more %s comes true at most\n", percent(g.proofs[0].Level), percent(g.proofs[0].True.High))
	case g.Held == nil:
		return "    stated and held: nothing; there are too few cases to know\n"
	}
	t := g.Held.True
	return fmt.Sprintf("    stated and held: up to %s; of what is stated at that or more %s came true (at least %s) in %d cases\n",
		percent(g.Held.Level), percent(t.Observed), percent(t.Low), t.Cases)
}

// heldOut are the cases of one class of play, with the calibration of the kind that has not seen the person.
func (g *Group) heldOut(class detector.Play) (out []score.Case) {
	for i, c := range g.held {
		if g.plays[i] == class {
			out = append(out, c)
		}
	}
	return out
}

// capRatio is the configured cap.
func capRatio(c *detector.HandsClass) float64 { return math.Exp(float64(c.Cap) / 1000) }
