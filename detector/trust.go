package detector

// trust holds the reasons to doubt that the players play from the last position of the record, each with what clears
// it. It decides what may be reported against a player; package play weighs the moves themselves by cost. A new game is
// trusted.
type trust struct {
	bytesDamaged        bool // bytes were damaged; cleared by a dump that agrees
	boardUnexplained    bool // the board was changed while nothing was judged; cleared by the next move
	movesUntilTrusted   int  // moves that must be pressed in order until the record is trusted again
	movesUntilAccusable int  // moves that must be pressed in order until an accusation may rest on the record
	// A king or a rook moved in plies that were not seen, so that a castling right may be lost in the record only. It
	// holds for the rest of the game.
	castlingRightsDoubtful bool
}

// movesUntilSound is the number of moves in order after which the record is trusted again, where no dump confirms the
// board and something unexplained has happened.
const movesUntilSound = 4

// guessMoves is the number of moves that must be pressed in order, after plies that were not seen, before an accusation
// may rest on the record: the unseen plies may have been others.
const guessMoves = 2

// trusted reports whether the board's model can support an accusation: nothing was lost since the last commit, or a
// dump has corrected it after the press.
//
// In a recording without requested dumps, damage that was seen suggests damage that was not: nothing is reported
// against a player until a dump has agreed.
func (t *Tracker) trusted(at int64) bool {
	if t.b.Verified >= at {
		return true
	}
	return !t.b.HistoryIncomplete && !t.sync.reportsLost && !(t.p.Passive && (t.trust.bytesDamaged || t.trust.movesUntilTrusted > 0))
}

// doubtful reports whether the players may be playing from another position than the last of the record.
func (t *Tracker) doubtful() bool {
	return t.trust.boardUnexplained || t.trust.movesUntilAccusable > 0 && !t.begunInCalm() && !t.restsSincePress()
}

// outOfStep reports whether each press may complete another ply than the board shows: there was a gap, or damage that
// was seen, and no move has been made in order since.
func (t *Tracker) outOfStep() bool {
	return t.gapLately() && (t.trust.bytesDamaged || t.trust.movesUntilAccusable >= guessMoves)
}

// gapLately reports whether a press or a ply may have been missed recently.
func (t *Tracker) gapLately() bool {
	return t.trust.bytesDamaged || t.g.last().ply < t.sync.gapPastFromPly
}

// noteGuessedPlies notes that the last plies of the record were not seen.
func (t *Tracker) noteGuessedPlies() {
	if t.phase == playing {
		t.trust.movesUntilAccusable = max(t.trust.movesUntilAccusable, guessMoves)
	}
}
