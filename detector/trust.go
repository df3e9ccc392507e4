package detector

// trust is what makes it doubtful that the record ends with what is played from, each doubt with what clears it. It says
// what may be reported against somebody; what is played is weighed by costs (package play). A new game is trusted.
type trust struct {
	noisy     bool // bytes were damaged: cleared by a dump that agrees
	unsure    bool // the board was changed while nobody judged: cleared by the next move
	moves     int  // the number of moves that must be pressed in order until the record is trusted again
	guessed   int  // the number of moves that must be pressed in order until what is reported against somebody may rest on it
	movedHome bool // a king or a rook moved in plies that nobody saw, and a right to castle may be lost in the record only: for the game
}

// movesUntilSound is how many moves in order it takes, where nobody reads the board again, to trust the record after
// something that nothing explained.
const movesUntilSound = 4

// guessMoves is how many moves must be pressed in order, after plies that nobody saw, until somebody may be accused on
// the ground of the record: the row may have been another one.
const guessMoves = 2

// trusted says that the board's model is worth an accusation: nothing was lost since the last commit, or a dump has put
// it right after the press.
//
// In a recording where nobody asks for a dump, damage that was seen is a sign of damage that was not: until a dump has
// agreed nothing is said against anybody.
func (t *Tracker) trusted(at int64) bool {
	if t.b.Verified >= at {
		return true
	}
	return !t.b.Folded && !t.sync.lost && !(t.p.Passive && (t.trust.noisy || t.trust.moves > 0))
}

// doubtful says that the record may not be what is played from.
func (t *Tracker) doubtful() bool {
	return t.trust.unsure || t.trust.guessed > 0 && !t.begunInCalm() && !t.restsSincePress()
}

// outOfStep says that since a gap, or damage that was seen, each press may complete another ply than stands there: no
// move has been made in order since.
func (t *Tracker) outOfStep() bool {
	return t.gapLately() && (t.trust.noisy || t.trust.guessed >= guessMoves)
}

// gapLately says that the lever may have been touched unheard, or a ply have been made, not long ago.
func (t *Tracker) gapLately() bool { return t.trust.noisy || t.g.last().ply < t.sync.surePly }

// guess says that the last plies of the record were seen by nobody.
func (t *Tracker) guess() {
	if t.phase == playing {
		t.trust.guessed = max(t.trust.guessed, guessMoves)
	}
}
