package emulator

// rng is SplitMix64: eight lines, the same numbers on every machine and for
// ever. math/rand promises neither its algorithm nor its speed to a caller who
// wants a recording made today to be made again in five years from its seed.
type rng struct{ state uint64 }

func newRNG(seed uint64) rng { return rng{state: seed} }

// fork returns an independent generator. Each part of the emulator draws from
// its own, so that switching a fault on does not change the game that is played.
func (r *rng) fork(label uint64) rng {
	return rng{state: mix(r.state ^ label*0x9E3779B97F4A7C15)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (r *rng) next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	return mix(r.state)
}

// below returns a number in [0, n); 0 where n is not positive.
func (r *rng) below(n int64) int64 {
	if n <= 0 {
		return 0
	}
	return int64(r.next() % uint64(n)) // the bias, n/2^64, is far below anything measured here
}

// between returns a number in [lo, hi].
func (r *rng) between(lo, hi int64) int64 { return lo + r.below(hi-lo+1) }

// permille is true in p of 1,000 draws. It draws even when the answer is known,
// so that changing one rate leaves the other draws where they were.
func (r *rng) permille(p int) bool { return r.below(1000) < int64(p) }

// ppm is true in p of 1,000,000 draws.
func (r *rng) ppm(p int) bool { return p > 0 && r.below(1_000_000) < int64(p) }

// spread is the shape of a human duration: the quantiles 0/16, 1/16 … 16/16 in
// permille of the median. Log-normal shapes, cut at ±2.2 standard deviations.
type spread [17]int64

var (
	spreadTight = spread{644, 736, 795, 837, 874, 907, 938, 969, 1000, 1032, 1066, 1103, 1144, 1194, 1259, 1359, 1553} // sigma 0.2
	spreadHand  = spread{463, 585, 669, 733, 790, 843, 894, 947, 1000, 1056, 1118, 1187, 1266, 1364, 1496, 1711, 2160} // sigma 0.35
	spreadSlow  = spread{267, 398, 502, 587, 667, 746, 826, 910, 1000, 1099, 1211, 1341, 1498, 1703, 1994, 2510, 3743} // sigma 0.6
	spreadThink = spread{138, 251, 355, 450, 545, 644, 750, 868, 1000, 1152, 1333, 1553, 1834, 2222, 2815, 3977, 7243} // sigma 0.9
)

// around draws a duration of the given median and shape.
func (r *rng) around(median int64, s *spread) int64 {
	u := r.below(16 << 12)
	i, frac := u>>12, u&(1<<12-1)
	permille := s[i] + (s[i+1]-s[i])*frac>>12
	return median * permille / 1000
}
