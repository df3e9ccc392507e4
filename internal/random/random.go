package random

// Source is SplitMix64. math/rand promises neither its algorithm nor its speed to
// a caller who wants a recording made today to be made again in five years from
// its seed. It belongs to one goroutine.
type Source struct{ state uint64 }

// New returns the source of a seed.
func New(seed uint64) Source { return Source{state: seed} }

// Fork returns an independent source and draws nothing. Each part of an emulated
// table draws from its own, so that switching a fault on does not change the game
// that is played.
func (r *Source) Fork(label uint64) Source {
	return Source{state: mix(r.state ^ label*0x9E3779B97F4A7C15)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Next draws 64 bits.
func (r *Source) Next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	return mix(r.state)
}

// Below returns a number in [0, n); 0 where n is not positive.
func (r *Source) Below(n int64) int64 {
	if n <= 0 {
		return 0
	}
	return int64(r.Next() % uint64(n)) // the bias, n/2^64, is far below anything measured here
}

// Between returns a number in [lo, hi].
func (r *Source) Between(lo, hi int64) int64 { return lo + r.Below(hi-lo+1) }

// Permille is true in p of 1,000 draws. It draws even when the answer is known,
// so that changing one rate leaves the other draws where they were.
func (r *Source) Permille(p int) bool { return r.Below(1000) < int64(p) }

// PPM is true in p of 1,000,000 draws.
func (r *Source) PPM(p int) bool { return p > 0 && r.Below(1_000_000) < int64(p) }

// Shape is the shape of a human duration: the quantiles 0/16, 1/16 … 16/16 in
// permille of the median. Log-normal shapes, cut at ±2.2 standard deviations.
type Shape [17]int64

// Around draws a duration of the given median and shape.
func (r *Source) Around(median int64, s *Shape) int64 {
	u := r.Below(16 << 12)
	i, frac := u>>12, u&(1<<12-1)
	permille := s[i] + (s[i+1]-s[i])*frac>>12
	return median * permille / 1000
}
