package helpmate

// counter counts by key. What shares a slot is counted together, so it may only decide what is tried first.
type counter struct {
	slots [1 << counterBits]struct{ question, count uint16 }
	now   uint16 // the question asked: what the slots hold of others counts as empty
}

const counterBits = 13

func (t *counter) reset() {
	if t.now++; t.now == 0 {
		*t = counter{now: 1}
	}
}

// next is how often the key was counted before.
func (t *counter) next(key uint64) uint16 {
	slot := &t.slots[key*0x9E3779B97F4A7C15>>(64-counterBits)]
	if slot.question != t.now {
		slot.question, slot.count = t.now, 0
	}
	n := slot.count
	slot.count = min(n, 1<<16-2) + 1
	return n
}
