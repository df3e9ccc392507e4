package hands

// Million is a probability of one.
const Million = 1_000_000

// Confidence returns the posterior probability for a prior probability and a likelihood ratio in milli-nats. Both
// probabilities are in parts per million; the result is never 0 and never Million.
func Confidence(priorPPM, llr int32) int32 {
	want := logit(int64(min(max(priorPPM, 1), Million-1))) + int64(llr)
	lo, hi := int64(1), int64(Million-1)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if logit(mid) <= want {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return int32(lo)
}

// logit returns 1000·ln(p/(1−p)).
func logit(ppm int64) int64 { return lnMilli(uint64(ppm)<<20) - lnMilli(uint64(Million-ppm)<<20) }

// Reclass changes the class of play, which is certain only once the clock has shown its increment.
func (t *Tempo) Reclass(class int32) { t.class = max(class, 100) }
