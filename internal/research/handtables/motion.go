package handtables

import "math"

// A Source gives the numbers in [0, 1) that a deed is made of, one for each of its variables in a fixed order.
type Source interface{ Next() float64 }

// hand makes the motions of one deed. Times are seconds at standard tempo.
type hand struct {
	src  Source
	pace float64 // this deed against the player's usual pace
}

// Spreads, as standard deviations of the logarithm. Timing notes 2.2: 116 / 242 / 399 ms (1, 50, 95 %) for a simple move is
// 0.31 in all, of which somewhat less than half the variance belongs to the deed as a whole.
const (
	deedSpread   = 0.20
	motionSpread = 0.25
)

func newHand(src Source) *hand {
	h := &hand{src: src, pace: 1}
	h.pace = h.about(1, deedSpread)
	return h
}

// about is a log-normal time with this median, with tails heavier than that: a tenth of the draws is spread twice as
// far, since the players of tomorrow are not those of the textbook.
func (h *hand) about(median, spread float64) float64 {
	u := h.src.Next()
	z := tailed(u)
	return median * math.Exp(spread*z) * h.pace
}

// normal is a time that may be negative: who of two hands is first.
func (h *hand) normal(sd float64) float64 { return sd * tailed(h.src.Next()) * h.pace }

// between is spread evenly.
func (h *hand) between(lo, hi float64) float64 { return (lo + (hi-lo)*h.src.Next()) * h.pace }

// chance is true with this probability.
func (h *hand) chance(p float64) bool { return h.src.Next() < p }

// tailed turns u into a normal deviate whose last fifth on each side is stretched.
func tailed(u float64) float64 {
	u = min(max(u, 1e-5), 1-1e-5)
	z := math.Sqrt2 * math.Erfinv(2*u-1)
	if a := math.Abs(z); a > 1.28 { // 10 % on each side
		z *= 1 + 0.15*(a-1.28)
	}
	return z
}

// moveTime is a carried move by Fitts' law with a target of 3 cm: timing notes 3.6.
func moveTime(cm float64) float64 {
	return 0.05 + 0.095*math.Log2(2*max(cm, 2.2)/3)
}

// The motions. Carrying takes what a simple move takes; an empty hand reaches a sixth faster (MTM R-B against M-C).
func (h *hand) carry(cm float64) float64 { return h.about(moveTime(cm), motionSpread) }
func (h *hand) reach(cm float64) float64 { return h.about(0.85*moveTime(cm), motionSpread) }
func (h *hand) grasp() float64           { return h.about(0.095, 0.40) }
func (h *hand) release() float64         { return h.about(0.065, 0.40) }

// pause is what nobody plans: mostly a tenth of a second, now and then a second.
func (h *hand) pause() float64 {
	p := h.about(0.09, 0.85)
	if h.chance(0.06) {
		p += h.about(0.7, 0.6)
	}
	return p
}

// besideCM is where captured pieces are put.
const besideCM = 25
