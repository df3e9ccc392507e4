package helpmate

// visits is a set of position keys that is emptied without being cleared: entries of an earlier question are recognised
// by their age.
type visits struct {
	slots []visit // a power of two of them
	age   uint32
	used  int
}

type visit struct {
	key uint64
	age uint32
}

const firstVisits = 1 << 8

func (v *visits) forget() {
	if v.slots == nil {
		v.slots = make([]visit, firstVisits)
	}
	v.used = 0
	if v.age++; v.age == 0 {
		clear(v.slots)
		v.age = 1
	}
}

// add puts a key in and reports whether it is new.
func (v *visits) add(key uint64) bool {
	at := v.slot(key)
	if at.age == v.age {
		return false
	}
	*at = visit{key, v.age}
	if v.used++; v.used*4 > len(v.slots)*3 {
		v.grow()
	}
	return true
}

// slot is the entry of the key, or the one where it would be put.
func (v *visits) slot(key uint64) *visit {
	mask := uint64(len(v.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		if at := &v.slots[i]; at.age != v.age || at.key == key {
			return at
		}
	}
}

func (v *visits) grow() {
	old := v.slots
	v.slots = make([]visit, 2*len(old))
	for _, x := range old {
		if x.age == v.age {
			*v.slot(x.key) = x
		}
	}
}
