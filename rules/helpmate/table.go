package helpmate

// seen is a set of position keys: open addressing with linear probing. The keys are Zobrist keys of 64 bits; that two
// of the most positions one question may hold share a key, so that one of them would be overlooked, has a chance
// below 1 in 10 million.
type seen struct {
	slots []uint64 // a power of two of them; 0 is an empty slot
	spare []uint64 // the slots of before it grew, for the next time
	used  int
}

const firstSlots = 1 << 10

// reset empties the set. It begins small again, so that a small question does not pay for the big one before it.
func (t *seen) reset() {
	t.slots, t.used = room(t.slots, firstSlots), 0
}

// room is n empty slots, in the memory given if that is large enough.
func room(memory []uint64, n int) []uint64 {
	if cap(memory) < n {
		return make([]uint64, n)
	}
	memory = memory[:n]
	clear(memory)
	return memory
}

// add puts a key in and tells whether it is new.
func (t *seen) add(key uint64) bool {
	if key == 0 {
		key = 1 // the empty mark; the chance of confusing this one pair of keys is that of any other
	}
	mask := uint64(len(t.slots) - 1)
	i := key & mask
	for t.slots[i] != 0 {
		if t.slots[i] == key {
			return false
		}
		i = (i + 1) & mask
	}
	t.slots[i] = key
	t.used++
	if t.used*4 > len(t.slots)*3 {
		t.grow()
	}
	return true
}

func (t *seen) grow() {
	old := t.slots
	t.slots, t.spare = room(t.spare, 2*len(old)), old
	mask := uint64(len(t.slots) - 1)
	for _, key := range old {
		if key == 0 {
			continue
		}
		i := key & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = key
	}
}
