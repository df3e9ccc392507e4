package play

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

// Difference compares eight squares at once; here each is compared alone, with every value of a byte.
func TestDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 20_000 {
		var a, b legal.Placement
		for i := range a {
			a[i] = legal.Piece(r.Uint32())
			if b[i] = a[i]; r.IntN(1+n%9) == 0 {
				b[i] ^= 1 << r.IntN(8)
			}
		}
		want := uint64(0)
		for i := range a {
			if a[i] != b[i] {
				want |= 1 << i
			}
		}
		if got := Difference(&a, &b); got != want {
			t.Fatalf("%x, want %x, of\n%v\n%v", got, want, a, b)
		}
	}
}
