package helpmate

import (
	"math/rand/v2"
	"testing"
)

func TestSlidesWithoutALoopAreTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 20000 {
		from, open := squares(r.Uint64()&r.Uint64()&r.Uint64()), squares(r.Uint64()|r.Uint64())
		if diagonals(from, open) != slides(from, open, &diagonal) || straights(from, open) != slides(from, open, &straight) {
			t.Fatalf("from %x, open %x", from, open)
		}
	}
}
