package score

import "math"

// A Bin of stated confidence, and what came true. All of it at the prior that was asked for.
type Bin struct {
	Low, High float64 // limits of the stated confidence
	Stated    float64 // what the cases in it should have in the mean
	True      Share   // how many of them were two-handed, in the data
	Observed  float64 // True at the prior
	From, To  float64 // its 95 % interval
}

// Holds tells whether what was stated lies within the interval of what came true.
func (b Bin) Holds() bool { return b.From <= b.Stated && b.Stated <= b.To }

// Bold tells whether more was stated than came true, beyond chance: the side on which people are accused.
func (b Bin) Bold() bool { return b.Stated > b.To }

// binsPerDecade: 0.1 % to 100 % in steps of a factor of 10^(1/4).
const (
	binsPerDecade = 4
	lowestDecade  = -3
)

// Reliability compares stated confidence with the truth. The confidence of a case is what its likelihood ratio, capped,
// makes of the prior. The data have another share of two-handed cases than the field (timing notes, 4.1: label shift), so
// each bin is counted as it is, and both sides are carried over to the prior by their odds. Silent cases state nothing.
// Bins without a case are left out.
func Reliability(cases []Case, prior, cap float64) []Bin {
	one, two := spoken(cases)
	if one == 0 || two == 0 {
		return nil
	}
	shift := logit(prior) - math.Log(float64(two)/float64(one)) // from the data's odds to the prior's
	bins := make([]Bin, -lowestDecade*binsPerDecade+1)
	sums := make([]float64, len(bins))
	for _, c := range cases {
		if c.Silent || math.IsNaN(c.LLR) {
			continue
		}
		llr := min(c.LLR, math.Log(cap))
		i := binOf(chance(logit(prior) + llr))
		bins[i].True.Of++
		if c.Two {
			bins[i].True.Count++
		}
		sums[i] += chance(logit(prior) - shift + llr)
	}
	kept := bins[:0]
	for i, b := range bins {
		if b.True.Of == 0 {
			continue
		}
		b.Low, b.High = binLimit(i), binLimit(i+1)
		b.Stated = moved(sums[i]/float64(b.True.Of), shift)
		kept = append(kept, b.at(shift))
	}
	return kept
}

// at fills in what came true, carried over to other odds.
func (b Bin) at(shift float64) Bin {
	b.True = ShareOf(b.True.Count, b.True.Of)
	b.Observed = moved(b.True.Rate(), shift)
	b.From, b.To = moved(b.True.Low, shift), moved(b.True.High, shift)
	return b
}

// spoken counts the cases that are judged.
func spoken(cases []Case) (one, two int) {
	for _, c := range cases {
		switch {
		case c.Silent:
		case c.Two:
			two++
		default:
			one++
		}
	}
	return one, two
}

// binOf: bin 0 is everything below 0.1 %.
func binOf(p float64) int {
	i := int(math.Floor((math.Log10(p)-lowestDecade)*binsPerDecade)) + 1
	return min(max(i, 0), -lowestDecade*binsPerDecade)
}

func binLimit(i int) float64 {
	if i == 0 {
		return 0
	}
	return min(1, math.Pow(10, lowestDecade+float64(i-1)/binsPerDecade))
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

// A Calibration turns a raw score into a likelihood ratio that comes true: A·LLR + B nats (Platt). With few labelled
// cases it is the most that can be fitted (timing notes, 4.1).
type Calibration struct{ A, B float64 }

// Plain leaves the score as it is.
var Plain = Calibration{A: 1}

// Of is the calibrated score.
func (k Calibration) Of(llr float64) float64 { return k.A*llr + k.B }

// Calibrate fits the two numbers by maximum likelihood, towards Plain as if by so many further cases (prior, in cases): with few
// labels little is changed. Silent cases do not count.
func Calibrate(cases []Case, weight float64) Calibration {
	one, two := 0.0, 0.0
	for _, c := range cases {
		if !c.Silent && c.Two {
			two++
		} else if !c.Silent {
			one++
		}
	}
	k := Plain
	if one == 0 || two == 0 {
		return k
	}
	base := math.Log(two / one)
	for range 50 {
		// Newton's step on the penalised log likelihood.
		ga, gb := -weight*(k.A-1), -weight*k.B
		haa, hab, hbb := weight, 0.0, weight
		for _, c := range cases {
			if c.Silent {
				continue
			}
			p := chance(base + k.Of(c.LLR))
			y := 0.0
			if c.Two {
				y = 1
			}
			ga, gb = ga+(y-p)*c.LLR, gb+(y-p)
			w := p * (1 - p)
			haa, hab, hbb = haa+w*c.LLR*c.LLR, hab+w*c.LLR, hbb+w
		}
		det := haa*hbb - hab*hab
		if det < 1e-12 {
			break
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		k.A, k.B = max(k.A+da, 0), k.B+db // a score that speaks the wrong way round is worth nothing, not the opposite
		if math.Abs(da)+math.Abs(db) < 1e-9 {
			break
		}
	}
	return k
}

// Loss is the mean log loss in nats at the data's own share, beside that of always stating the share: below it, the
// score is worth something (timing notes, 4.1).
func Loss(cases []Case) (score, base float64) {
	one, two := 0.0, 0.0
	for _, c := range cases {
		if c.Two {
			two++
		} else {
			one++
		}
	}
	n := one + two
	if one == 0 || two == 0 {
		return 0, 0
	}
	for _, c := range cases {
		x := math.Log(two / one)
		if !c.Silent {
			x += c.LLR
		}
		p := min(max(chance(x), 1e-4), 1-1e-4)
		if !c.Two {
			p = 1 - p
		}
		score -= math.Log(p) / n
	}
	return score, -(two*math.Log(two/n) + one*math.Log(one/n)) / n
}
