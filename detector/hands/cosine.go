package hands

import "math/bits"

// The cosine is computed in integers: a replay on another processor must give the same result.

const (
	cosBits = 10
	cosMask = 1<<cosBits - 1
	cosOne  = 1 << 12
)

// cosine is cosOne·cos 2πi/1024, computed by turning a vector of 2³⁰ by 1/1024 of a turn at a time. The error of 1024
// turns is below 10⁻⁵ (cosine_test.go).
var cosine = func() (table [cosMask + 1]int32) {
	const (
		bits = 30
		c    = 1_073_721_611 // 2³⁰·cos 2π/1024
		s    = 6_588_356     // 2³⁰·sin 2π/1024
		half = int64(1) << (bits - 1)
	)
	x, y := int64(1)<<bits, int64(0)
	for i := range table {
		table[i] = int32((x + 1<<17) >> (bits - 12))
		x, y = (c*x-s*y+half)>>bits, (s*x+c*y+half)>>bits
	}
	return table
}()

// root returns the whole part of a square root.
func root(v int64) int64 {
	if v <= 0 {
		return 0
	}
	for r := int64(1) << ((bits.Len64(uint64(v)) + 1) / 2); ; { // not below it
		next := (r + v/r) / 2
		if next >= r {
			return r
		}
		r = next
	}
}
