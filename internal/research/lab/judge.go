package lab

import (
	"math"
	"slices"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/research/score"
)

// A Verdict is what the model says to one labelled deed.
type Verdict struct {
	Case
	Judgement hands.Judgement
	Said      detector.Statement // with the figures of the configuration
}

// score is the ratio as it is stated, before the cap: the thresholds of the configuration are on that scale.
func (v Verdict) score() score.Case {
	return score.Case{LLR: float64(v.Said.Ratio) / 1000, Two: v.Two, Silent: v.Judgement.Silent()}
}

// stated is the confidence as live play states it, as the logarithm that makes it of the prior.
func (v Verdict) stated(prior float64) score.Case {
	c := v.score()
	c.LLR = logit(float64(v.Said.PPM)/hands.Million) - logit(prior)
	return c
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// SensorLine is what a recording told of its board.
type SensorLine struct {
	Recording string  `json:"recording"`
	Made      string  `json:"made,omitempty"`
	Cards     int     `json:"cards"`
	Void      int     `json:"void"`
	People    int     `json:"people"`
	PeriodMS  float64 `json:"period_ms"`
	Order     string  `json:"order"`
	Fit       float64 `json:"fit"` // R, timing notes 1.4
	JitterMS  float64 `json:"jitter_ms"`
	Trusted   bool    `json:"trusted"`
	Lever     *Lever  `json:"lever,omitempty"`
}

// A Lever is how late the board told of a press, over the cards on which the piece was put down at the same moment (timing
// notes, 1.3).
type Lever struct {
	Cards    int     `json:"cards"`
	MiddleMS float64 `json:"middle_ms"`
	LeastMS  float64 `json:"least_ms"`
	MostMS   float64 `json:"most_ms"`
}

func leverOf(us []int64) *Lever {
	if len(us) == 0 {
		return nil
	}
	us = slices.Clone(us)
	slices.Sort(us)
	ms := func(i int) float64 { return float64(us[i] / 1000) }
	return &Lever{len(us), ms(len(us) / 2), ms(0), ms(len(us) - 1)}
}

// judge judges a recording as live play would: scan and tempo are those of the moves before.
func (r Recording) judge(model populations.Judge) (list []Verdict, line SensorLine) {
	var scan hands.Scan
	type hand struct {
		person string
		class  populations.Pace
	}
	tempo := map[hand]*hands.Tempo{}
	people := map[string]bool{}
	for i := range r.Cases {
		c := &r.Cases[i]
		people[c.Person] = true
		key := hand{c.Person, c.Class}
		if tempo[key] == nil {
			t := hands.NewTempo(c.Class.Play().Tempo())
			tempo[key] = &t
		}
		if c.Deed.Kind != hands.NoKind {
			list = append(list, Verdict{Case: *c, Judgement: model.Judge(&c.Deed, scan.Sensor(), tempo[key].Pace(false))})
		}
		pupil := tempo[key]
		if c.What != Plain && c.What != Press {
			pupil = nil // a piece that is dropped or slid on purpose says nothing about how he moves
		}
		c.Deed.Teach(&scan, pupil)
	}
	s := scan.Sensor()
	line = SensorLine{
		Recording: r.Name, Made: r.Made, Cards: len(r.Cases), Void: r.Void, People: len(people),
		PeriodMS: float64(s.PeriodUS) / 1000, Order: s.Order.String(), Fit: float64(s.Fit) / 1000,
		JitterMS: float64(s.JitterUS) / 1000, Trusted: s.Trusted(), Lever: leverOf(r.LeverUS),
	}
	return list, line
}

// Generated are verdicts on people of all families of internal/research/populations, one evening each for so many deeds with one hand per
// kind, class and family, and a third as many with two.
func Generated(n int, seed uint64, board populations.Board, model populations.Judge) (list []Verdict) {
	const perPerson = 20
	for _, family := range populations.Families() {
		for _, class := range []populations.Pace{populations.Blitz, populations.Classical} {
			for _, kind := range []hands.Kind{hands.Capture, hands.Castling, hands.Promotion} {
				t := populations.Trial{
					Options: populations.Options{Seed: seed, Family: family, Pace: class, Board: board},
					Kind:    kind, One: n, Two: max(n/3, 1), Person: perPerson,
				}
				for i, v := range t.Run(model) {
					list = append(list, Verdict{Judgement: v.Judgement, Case: Case{
						Family: family.String(),
						Person: family.String() + " " + class.String() + " " + kind.String() + " " + itoa(i/perPerson), What: What(kind.String()),
						Style: v.Style.String(), Two: v.Two, Class: class, Deed: v.Deed,
					}})
				}
			}
		}
	}
	return list
}
