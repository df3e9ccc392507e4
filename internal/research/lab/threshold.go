package lab

import (
	"math"
	"sort"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/research/score"
)

// A threshold of the configuration, on the scale of the stated ratio. The figures of all classes of play agree in it.
type threshold struct {
	name string
	at   int32
}

// thresholds that are in use.
func thresholds(conf *detector.HandsKind) []threshold {
	if at := conf.Play[detector.BlitzPlay].Advisory; at > 0 {
		return []threshold{{"advisory", at}}
	}
	return nil
}

// over is what live play would say at a threshold. A slow scan is judged for the record only.
func (t threshold) over(list []Verdict) score.Point {
	cases := casesOf(list)
	for i, v := range list {
		cases[i].Silent = !v.Judgement.Known
	}
	return score.NewCurve(cases).Over(float64(t.at) / 1000)
}

// earn takes the largest ratio that one of the configured thresholds can claim. They were set beforehand: a threshold that was
// looked for in the data would earn more than it is worth.
func (g *Group) earn(list, alike []Verdict) {
	g.Earned = 1
	for _, t := range thresholds(g.conf) {
		p := t.over(list)
		g.Over = append(g.Over, pointOf(t.name, p))
		v := score.Earned(p)
		if len(alike) > 0 {
			w := lookalikes[g.kind].weight
			v = score.EarnedMixed(p.Found, score.Part{Weight: 1 - w, False: p.False}, score.Part{Weight: w, False: t.over(alike).False})
		}
		if v > g.Earned {
			g.Earned, g.EarnedAt = v, t.name
		}
	}
}

// state says, of one class of play, what live play states and how much of it comes true.
func (g *Group) state(c *detector.HandsClass, list []Verdict) {
	list = chosen(list)
	g.Prior, g.Cap = float64(c.PriorPPM)/hands.Million, capRatio(c)
	cases := make([]score.Case, len(list))
	for i, v := range list {
		cases[i] = v.stated(g.Prior)
	}
	g.FieldBins = binsOf(score.Reliability(cases, g.Prior, math.Inf(1)))
	for _, family := range populations.Families() {
		name := family.String()
		mine := filter(list, func(v Verdict) bool { return v.Family == name })
		if t := thresholds(g.conf); len(mine) > 0 && len(t) > 0 {
			p := t[0].over(mine)
			g.Families = append(g.Families, FamilyLine{name, shareOf(p.Found), shareOf(p.False)})
		}
	}
}

// styleLines: adversarial one-handed styles have lines of their own (timing notes, 4.3).
func styleLines(conf *detector.HandsKind, list []Verdict) (lines []StyleLine) {
	by := map[string][]Verdict{}
	for _, v := range list {
		by[v.Style] = append(by[v.Style], v)
	}
	for style, mine := range by {
		line := StyleLine{Style: style, Two: mine[0].Two}
		for _, t := range thresholds(conf) {
			p := t.over(mine)
			share := shareOf(p.False)
			if line.Two {
				share = shareOf(p.Found)
			}
			line.Advisory = &share
		}
		for _, v := range mine {
			if v.Judgement.Silent() {
				line.Silent++
			}
		}
		line.Cases = len(mine)
		lines = append(lines, line)
	}
	rank := func(l StyleLine) int {
		s, _ := populations.StyleOf(l.Style)
		return int(s)
	}
	sort.Slice(lines, func(i, j int) bool { return rank(lines[i]) < rank(lines[j]) })
	return lines
}

// capRatio is the configured cap.
func capRatio(c *detector.HandsClass) float64 { return math.Exp(float64(c.Cap) / 1000) }
