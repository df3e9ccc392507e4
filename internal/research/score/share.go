package score

import "math"

// A Share is a part of a count with its 95 % interval.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// ShareOf returns a share with Clopper and Pearson's two-sided 95 % interval.
func ShareOf(count, of int) Share {
	return Share{Count: count, Of: of, Low: lower(count, of, 0.025), High: 1 - lower(of-count, of, 0.025)}
}

// lower returns the rate at which this count or more has the probability alpha.
func lower(count, of int, alpha float64) float64 {
	if count <= 0 {
		return 0
	}
	lo, hi := 0.0, 1.0
	for range 60 {
		if p := (lo + hi) / 2; tail(count, of, p) < alpha {
			lo = p
		} else {
			hi = p
		}
	}
	return lo
}

// tail returns the probability of this count or more at a rate.
func tail(count, of int, p float64) (sum float64) {
	a, _ := math.Lgamma(float64(of + 1))
	for i := count; i <= of; i++ {
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(of - i + 1))
		term := math.Exp(a - b - c + float64(i)*math.Log(p) + float64(of-i)*math.Log1p(-p))
		if sum += term; float64(i) > float64(of)*p && term < sum*1e-12 {
			break
		}
	}
	return sum
}

// A Part is a part of the one-handed cases that was counted separately, because its share differs between the data and
// the field.
type Part struct {
	Weight float64 // its share in the field; the weights of all parts add up to 1
	False  Share
}

// Earned returns the largest likelihood ratio that a threshold can support: the lower bound of its detections over the
// upper bound of its false alarms, each with 95 % on its side; each part of the latter counts by its weight. Without a
// false alarm in n cases the bound is 3/n, and the ratio is TPR·n/3 (timing notes, 4.2). 1: nothing is earned.
func Earned(found Share, parts ...Part) float64 {
	alarms := 0.0
	for _, p := range parts {
		alarms += p.Weight * (1 - lower(p.False.Of-p.False.Count, p.False.Of, 0.05))
	}
	return max(1, lower(found.Count, found.Of, 0.05)/alarms)
}
