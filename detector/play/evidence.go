package play

import "boardwatchd/rules/legal"

// evidence is what was seen since the last completed ply, up to a press. It contains no conclusions.
type evidence struct {
	images       []Image
	merged, lost bool // a reading held two presses; reports may have been lost
}

// end returns the index after the last image.
func (e *evidence) end() int { return len(e.images) }

// at returns the image of an index; an index before the first image counts as the first.
func (e *evidence) at(i int) *Image { return &e.images[max(i, 0)] }

// restedAt returns the index at which a square came to read as it reads now.
func (e *evidence) restedAt(sq legal.Square) int {
	i := len(e.images) - 1
	for i > 0 && e.images[i-1].Place[sq] == e.images[i].Place[sq] {
		i--
	}
	return i
}
