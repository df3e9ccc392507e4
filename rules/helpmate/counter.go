package helpmate

// counter counts by key. Keys that share a slot are counted together, so it may only decide the order of tries.
type counter struct {
	slots [1 << counterBits]struct{ question, count uint16 }
	now   uint16 // the current question: slots of other questions count as empty
}

const counterBits = 13

func (t *counter) reset() {
	if t.now++; t.now == 0 {
		*t = counter{now: 1}
	}
}

// next returns the number of earlier calls with the key, and counts this one.
func (t *counter) next(key uint64) uint16 {
	slot := &t.slots[key*0x9E3779B97F4A7C15>>(64-counterBits)]
	if slot.question != t.now {
		slot.question, slot.count = t.now, 0
	}
	n := slot.count
	slot.count = min(n, 1<<16-2) + 1
	return n
}
