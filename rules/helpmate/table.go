package helpmate

// seen is a set of position keys: open addressing with linear probing. The keys are Zobrist keys of 64 bits. With the
// most positions that one question may hold, the chance that two of them share a key, so that one would be overlooked,
// is below 1 in 3 million.
type seen struct {
	slots []uint64 // a power of two of them; 0 is an empty slot
	spare []uint64 // the slots before the set grew, to be used again
	first []uint64 // the largest table, full before slots was begun; else nil
	used  int
}

const (
	firstSlots = 1 << 10
	// maxSlots is 16 MiB. A set that needs more begins a second table of that size instead of growing once more, which
	// would take both sizes at once; it is full when the second is.
	maxSlots = 1 << 21
	maxKeys  = 2 * (maxSlots / 4 * 3)
)

// full reports whether no more keys may be added. Dead positions are in this set and not in the tree, so it has a bound
// of its own.
func (t *seen) full() bool { return t.used >= maxKeys }

// reset empties the set. It begins small again, so that a small question does not pay for a big one before it.
func (t *seen) reset() {
	t.slots, t.first, t.used = room(t.slots, firstSlots), nil, 0
}

// room is n empty slots, in the memory given if that is large enough.
func room[T ~uint64](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	memory = memory[:n]
	clear(memory)
	return memory
}

// add puts a key in and reports whether it is new.
func (t *seen) add(key uint64) bool {
	if key == 0 {
		key = 1 // the empty mark; the chance of confusing this one pair of keys is that of any other
	}
	if t.first != nil && t.first[slotOf(t.first, key)] == key {
		return false
	}
	i := slotOf(t.slots, key)
	if t.slots[i] == key {
		return false
	}
	t.slots[i] = key
	if t.used++; t.first == nil && t.used*4 > len(t.slots)*3 {
		t.grow()
	}
	return true
}

// slotOf is the index of the key, or the one where it would be put.
func slotOf(slots []uint64, key uint64) uint64 {
	mask := uint64(len(slots) - 1)
	i := key & mask
	for slots[i] != 0 && slots[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (t *seen) grow() {
	old := t.slots
	if len(old) == maxSlots {
		t.first, t.slots, t.spare = old, make([]uint64, maxSlots), nil
		return
	}
	t.slots, t.spare = room(t.spare, 2*len(old)), old
	for _, key := range old {
		if key != 0 {
			t.slots[slotOf(t.slots, key)] = key
		}
	}
}
