package helpmate

// seen is a set of position keys: open addressing with linear probing. The keys are Zobrist keys of 64 bits; that two
// of the most positions one question may hold share a key, so that one of them would be overlooked, has a chance
// below 1 in 3 million.
type seen struct {
	slots []uint64 // a power of two of them; 0 is an empty slot
	spare []uint64 // the slots of before it grew, for the next time
	first []uint64 // the largest table, filled before slots was begun; else nil
	used  int
}

const (
	firstSlots = 1 << 10
	// maxSlots is 16 MiB. A set that needs more begins a second table of that size instead of growing once more, which
	// would take both sizes at once; it is full when the second is.
	maxSlots = 1 << 21
	maxKeys  = 2 * (maxSlots / 4 * 3)
)

// full: no key may be added any more. Positions that are dead lie here and not in the tree, so this is a bound of its
// own.
func (t *seen) full() bool { return t.used >= maxKeys }

// reset empties the set. It begins small again, so that a small question does not pay for the big one before it.
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

// add puts a key in and tells whether it is new.
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

// slotOf is where the key is, or would be.
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
