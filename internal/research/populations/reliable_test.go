package populations

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"boardwatchd/internal/research/score"
)

// A Case is one judged manipulation with its label.
type Case struct {
	LLR    float64 // nats
	Two    bool    // both hands were used
	Silent bool    // the detector abstained: never an alert, for any threshold
}

// A Point is one threshold: alert at this score and above.
type Point struct {
	Threshold float64     // nats; +Inf: never
	Found     score.Share // of the two-handed cases, silent ones included
	False     score.Share // of the one-handed ones
}

// Over returns the result of a threshold.
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
	return Point{threshold, score.ShareOf(count[1], of[1]), score.ShareOf(count[0], of[0])}
}

// A trueBin compares stated confidence with the truth, at the requested prior.
type trueBin struct {
	Stated   float64     // the mean stated for its cases
	True     score.Share // the number of two-handed ones among them, in the data
	Observed float64     // True at the prior
	From     float64     // its 95 % interval
	To       float64
}

// Holds reports whether the stated value lies within the interval of the truth.
func (b trueBin) Holds() bool { return b.From <= b.Stated && b.Stated <= b.To }

// reliability compares stated confidence with the truth, in bins of 0.1 % to 100 % in steps of a factor of 10^(1/4).
// The confidence of a case follows from the prior and its likelihood ratio, capped. The data have another share of
// two-handed cases than the field (timing notes, 4.1: label shift), so each bin is counted unchanged, and both sides
// are converted to the prior by their odds. Silent cases state nothing. Bins without a case are left out.
func reliability(cases []Case, prior, most float64) (kept []trueBin) {
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
		i := int(math.Floor((math.Log10(sigmoid(logit(prior)+llr))+decades)*perDecade)) + 1
		i = min(max(i, 0), decades*perDecade)
		if all[i]++; c.Two {
			two[i]++
		}
		sums[i] += sigmoid(logit(prior) - shift + llr)
	}
	for i, n := range all {
		if n > 0 {
			s := score.ShareOf(two[i], n)
			kept = append(kept, trueBin{moved(sums[i]/float64(n), shift), s, moved(shareRate(s), shift), moved(s.Low, shift), moved(s.High, shift)})
		}
	}
	return kept
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }

// sigmoid returns the inverse of logit.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// moved converts a probability to other odds.
func moved(p, shift float64) float64 {
	if p <= 0 || p >= 1 {
		return p
	}
	return sigmoid(logit(p) + shift)
}

// pairs draws scores that are exact likelihood ratios of two normal distributions, d apart.
func pairs(seed uint64, one, two int, d float64) (cases []Case) {
	r := rand.New(rand.NewPCG(seed, 3))
	for i := range one + two {
		x := r.NormFloat64()
		if i >= one {
			x += d
		}
		cases = append(cases, Case{LLR: d*x - d*d/2, Two: i >= one, Silent: r.Float64() < 0.03})
	}
	return cases
}

func TestHonestRatiosComeTrue(t *testing.T) {
	held, bins := 0, 0
	for seed := range uint64(20) {
		for _, b := range reliability(pairs(seed, 20_000, 4_000, 2.5), 0.02, math.Inf(1)) {
			bins++
			if b.Holds() {
				held++
			}
		}
	}
	if bins < 200 || held < bins*93/100 {
		t.Errorf("%d of %d bins hold", held, bins)
	}
}

func TestConfidenceThatIsTooHighShows(t *testing.T) {
	cases := pairs(5, 20_000, 4_000, 2.5)
	wild, wrong := slices.Clone(cases), 0
	for i := range wild {
		wild[i].LLR = 1.6*wild[i].LLR + 0.5
	}
	for _, b := range reliability(wild, 0.02, math.Inf(1)) {
		if !b.Holds() {
			wrong++
		}
	}
	if wrong < 5 {
		t.Errorf("%d bins show it", wrong)
	}
	for _, b := range reliability(cases, 0.02, 12) {
		if b.Stated > 0.2 {
			t.Errorf("a cap of 12 lets %v be stated at a prior of 2 %%", b.Stated)
		}
	}
}

// shareRate returns the observed share.
func shareRate(s score.Share) float64 { return float64(s.Count) / float64(max(s.Of, 1)) }

func TestThresholdsCountAsOneWould(t *testing.T) {
	cases := pairs(1, 900, 300, 2)
	for i := range cases { // with ties
		cases[i].LLR = math.Round(cases[i].LLR*4) / 4
	}
	for th := -6.0; th < 8; th += 0.25 {
		hits, alarms := 0, 0
		for _, x := range cases {
			if !x.Silent && x.LLR >= th {
				if x.Two {
					hits++
				} else {
					alarms++
				}
			}
		}
		if p := Over(cases, th); p.Found.Count != hits || p.False.Count != alarms || p.Found.Of != 300 || p.False.Of != 900 {
			t.Errorf("at %v: %+v, counted %d and %d", th, p, hits, alarms)
		}
	}
}
