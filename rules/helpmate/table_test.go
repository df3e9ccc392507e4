package helpmate

import "testing"

func TestASetHoldsWhatWasPutInUntilItIsFull(t *testing.T) {
	var s seen
	key := func(i int) uint64 { return uint64(i+1) * 0x9E3779B97F4A7C15 }
	for range 2 { // the second time in the memory of the first
		s.reset()
		n := 0
		for ; !s.full(); n++ {
			if !s.add(key(n)) {
				t.Fatalf("key %d is taken for another", n)
			}
		}
		for i := range n {
			if s.add(key(i)) {
				t.Fatalf("key %d of %d is lost", i, n)
			}
		}
		if n < DefaultLimit || len(s.slots)+len(s.first)+len(s.spare) > 2*maxSlots {
			t.Errorf("%d keys in %d slots: a question with the default limit must find room, in 32 MiB", n, len(s.slots)+len(s.first)+len(s.spare))
		}
	}
}
