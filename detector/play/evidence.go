package play

import "boardwatchd/rules/legal"

// evidence is what was seen since the last completed ply, up to a press. It holds no conclusion.
type evidence struct {
	images       []Image
	merged, lost bool // a reading held two presses; reports may have been lost
}

// end is the index after the last image.
func (e *evidence) end() int { return len(e.images) }

// at is the image of an index; one before the first is the first.
func (e *evidence) at(i int) *Image { return &e.images[max(i, 0)] }

// restedAt is the index at which a square came to read as it reads now.
func (e *evidence) restedAt(sq legal.Square) int {
	i := len(e.images) - 1
	for i > 0 && e.images[i-1].Place[sq] == e.images[i].Place[sq] {
		i--
	}
	return i
}
