package score

import "math"

// A Share is a part of a count with its 95 % interval.
type Share struct {
	Count, Of int
	Low, High float64
}

// Rate is the observed share, 0 of nothing.
func (s Share) Rate() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Count) / float64(s.Of)
}

// Holds tells whether a rate lies within the interval.
func (s Share) Holds(rate float64) bool { return s.Low <= rate && rate <= s.High }

// ShareOf is a share with Clopper and Pearson's two-sided 95 % interval.
func ShareOf(count, of int) Share {
	return Share{Count: count, Of: of, Low: lower(count, of, 0.025), High: upper(count, of, 0.025)}
}

// lower is the rate at which so many or more have the probability alpha.
func lower(count, of int, alpha float64) float64 {
	if count <= 0 || of <= 0 {
		return 0
	}
	return betaQuantile(alpha, float64(count), float64(of-count+1))
}

// upper is the rate at which so many or fewer have the probability alpha.
func upper(count, of int, alpha float64) float64 {
	if of <= 0 || count >= of {
		return 1
	}
	return betaQuantile(1-alpha, float64(count+1), float64(of-count))
}

// betaQuantile inverts the distribution function of Beta(a, b) by halving, in the logarithm for small values.
func betaQuantile(p, a, b float64) float64 {
	lo, hi := 0.0, 1.0
	for range 200 {
		mid := (lo + hi) / 2
		if lo > 0 && hi < 0.1 {
			mid = math.Sqrt(lo * hi)
		}
		if mid == lo || mid == hi {
			break
		}
		if beta(mid, a, b) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// beta is the regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22).
func beta(x, a, b float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) { // the fraction converges fast below
		return 1 - beta(1-x, b, a)
	}
	lab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	return front * betaFraction(x, a, b)
}

// betaFraction evaluates the continued fraction from its front (Lentz's method).
func betaFraction(x, a, b float64) float64 {
	const tiny = 1e-300
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < 5000; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / away(1+even*d)
		c = away(1 + even/c)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / away(1+odd*d)
		c = away(1 + odd/c)
		h *= d * c
		if math.Abs(d*c-1) < 1e-14 {
			break
		}
	}
	return h
}
