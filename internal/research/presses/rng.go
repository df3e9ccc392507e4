package presses

const (
	ms  int64 = 1000
	sec int64 = 1000 * ms
)

// rng is SplitMix64 (Steele, Lea and Flood 2014): one word of state, the same numbers on every machine.
type rng struct{ state uint64 }

// stream gives each part of the table its own random numbers, so that a change in one part does not affect the others.
// The seed is mixed first: SplitMix64 advances its state by a constant, and the streams of states that differ by a
// multiple of it are the same numbers, shifted.
func stream(seed, part uint64) *rng {
	r := &rng{seed}
	r.state = r.next() ^ part*0xd1342543de82ef95
	return &rng{r.next()}
}

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// between returns at least lo and less than hi; lo if the range is empty.
func (r *rng) between(lo, hi int64) int64 {
	if hi <= lo {
		return lo
	}
	return lo + int64(r.next()>>1)%(hi-lo)
}

// chance returns true in n of the given number of cases.
func (r *rng) chance(n, of int) bool { return r.between(0, int64(of)) < int64(n) }

// skewed returns a value in the span, in the shorter half about three times out of four: people are mostly quick.
func (r *rng) skewed(s span) int64 {
	x := r.between(0, 1000)
	return s.lo + (s.hi-s.lo)*x*x/1_000_000
}

// span is a range of durations in microseconds.
type span struct{ lo, hi int64 }
