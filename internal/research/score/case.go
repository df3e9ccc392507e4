package score

import "math"

// A Case is one judged manipulation with its label.
type Case struct {
	LLR    float64 // nats
	Two    bool    // both hands were used
	Silent bool    // the detector abstained: never an alert, whatever the threshold
}

// A Point is one threshold: alert at this score and above.
type Point struct {
	Threshold float64 // nats; +Inf: never
	Found     Share   // of the two-handed cases, silent ones included
	False     Share   // of the one-handed ones
}

// Over is what a threshold gives.
func Over(cases []Case, threshold float64) Point {
	var count, of [2]int
	for _, c := range cases {
		i := 0
		if c.Two {
			i = 1
		}
		if of[i]++; !c.Silent && c.LLR >= threshold {
			count[i]++
		}
	}
	return Point{threshold, ShareOf(count[1], of[1]), ShareOf(count[0], of[0])}
}

// A Bin of stated confidence, and what came true. All of it at the prior that was asked for.
type Bin struct {
	Stated   float64 `json:"stated"`   // what the cases in it should have in the mean
	True     Share   `json:"true"`     // how many of them were two-handed, in the data
	Observed float64 `json:"observed"` // True at the prior
	From     float64 `json:"from"`     // its 95 % interval
	To       float64 `json:"to"`
}

// Holds tells whether what was stated lies within the interval of what came true.
func (b Bin) Holds() bool { return b.From <= b.Stated && b.Stated <= b.To }

// Reliability compares stated confidence with the truth, in bins of 0.1 % to 100 % in steps of a factor of 10^(1/4). The confidence of
// a case is what its likelihood ratio, capped, makes of the prior. The data have another share of two-handed cases than the field
// (timing notes, 4.1: label shift), so each bin is counted as it is, and both sides are carried over to the prior by their odds. Silent cases
// state nothing. Bins without a case are left out.
func Reliability(cases []Case, prior, most float64) (kept []Bin) {
	const perDecade, decades = 4, 3
	spoken := Over(cases, math.Inf(-1))
	if spoken.Found.Count == 0 || spoken.False.Count == 0 {
		return nil
	}
	shift := logit(prior) - math.Log(float64(spoken.Found.Count)/float64(spoken.False.Count)) // from the data's odds to the prior's
	var two, all [decades*perDecade + 1]int
	var sums [decades*perDecade + 1]float64
	for _, c := range cases {
		if c.Silent {
			continue
		}
		llr := min(c.LLR, math.Log(most))
		i := int(math.Floor((math.Log10(chance(logit(prior)+llr))+decades)*perDecade)) + 1
		i = min(max(i, 0), decades*perDecade)
		if all[i]++; c.Two {
			two[i]++
		}
		sums[i] += chance(logit(prior) - shift + llr)
	}
	for i, n := range all {
		if n > 0 {
			s := ShareOf(two[i], n)
			kept = append(kept, Bin{moved(sums[i]/float64(n), shift), s, moved(s.Rate(), shift), moved(s.Low, shift), moved(s.High, shift)})
		}
	}
	return kept
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }

// chance is the inverse of logit.
func chance(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// moved carries a probability over to other odds.
func moved(p, shift float64) float64 {
	if p <= 0 || p >= 1 {
		return p
	}
	return chance(logit(p) + shift)
}
