package random

import "testing"

// The published first numbers of SplitMix64 from seed 0.
func TestASeedIsForEver(t *testing.T) {
	r := New(0)
	for i, want := range []uint64{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F} {
		if got := r.Next(); got != want {
			t.Errorf("number %d is %#x, want %#x", i+1, got, want)
		}
	}
}

func TestAForkDrawsNothing(t *testing.T) {
	a, b := New(7), New(7)
	one, two := a.Fork(1), a.Fork(2)
	if one == two || a.Next() != b.Next() {
		t.Error("forks are one source, or took a number from theirs")
	}
}
