package handtables

import "math"

// A Source returns the numbers in [0, 1) from which a manipulation is made, one for each of its variables in a fixed
// order.
type Source interface{ Next() float64 }

// hand makes the motions of one manipulation. Times are seconds at standard tempo.
type hand struct {
	src  Source
	pace float64 // of this manipulation relative to the player's usual pace
}

// Spreads, as standard deviations of the logarithm. Timing notes 2.2: 116 / 242 / 399 ms (1, 50, 95 %) for a simple
// move is 0.31 in all, of which somewhat less than half the variance belongs to the manipulation as a whole.
const (
	handlingSpread = 0.20
	motionSpread   = 0.25
)

func newHand(src Source) *hand {
	h := &hand{src: src, pace: 1}
	h.pace = h.about(1, handlingSpread)
	return h
}

// about returns a log-normal time with this median and heavier tails: a tenth of the draws is spread twice as far,
// since future players differ from those of the textbook.
func (h *hand) about(median, spread float64) float64 {
	u := h.src.Next()
	z := tailed(u)
	return median * math.Exp(spread*z) * h.pace
}

// normal returns a time that may be negative: the lead of one of two hands.
func (h *hand) normal(sd float64) float64 { return sd * tailed(h.src.Next()) * h.pace }

// between returns a uniform value.
func (h *hand) between(lo, hi float64) float64 { return (lo + (hi-lo)*h.src.Next()) * h.pace }

// chance returns true with this probability.
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

// moveTime returns the time of a carried move by Fitts' law with a target of 3 cm: timing notes 3.6.
func moveTime(cm float64) float64 {
	return 0.05 + 0.095*math.Log2(2*max(cm, 2.2)/3)
}

// The motions. Carrying takes the time of a simple move; an empty hand reaches a sixth faster (MTM R-B against M-C).
func (h *hand) carry(cm float64) float64 { return h.about(moveTime(cm), motionSpread) }
func (h *hand) reach(cm float64) float64 { return h.about(0.85*moveTime(cm), motionSpread) }
func (h *hand) grasp() float64           { return h.about(0.095, 0.40) }
func (h *hand) release() float64         { return h.about(0.065, 0.40) }

// pause returns an unplanned delay: mostly a tenth of a second, sometimes a second.
func (h *hand) pause() float64 {
	p := h.about(0.09, 0.85)
	if h.chance(0.06) {
		p += h.about(0.7, 0.6)
	}
	return p
}

// besideCM is the distance to which captured pieces are carried.
const besideCM = 25
