package legal

// History is a game's row of positions, for what a single position does not know: repetition, and
// which piece lost a castling right. Owned by one caller; memory grows by about 220 bytes a half-move.
type History struct {
	positions []Position
	moves     []Move
}

// NewHistory begins at a position, which counts as its own first appearance.
func NewHistory(start Position) *History {
	return &History{positions: []Position{start}}
}

// Push plays a legal move.
func (h *History) Push(m Move) {
	h.positions = append(h.positions, h.Position().After(m))
	h.moves = append(h.moves, m)
}

// Position is the present one, valid until the next Push.
func (h *History) Position() *Position { return &h.positions[len(h.positions)-1] }

// Repetition is how many times the present position has appeared, now included, by FIDE Laws 9.2.3:
// same side to move, same pieces on the same squares, same possible moves. A double step that
// nobody can legally answer en passant, be it for a pin, changes nothing; a lost castling right does,
// also when castling was never possible at the moment (9.2.3.1, 9.2.3.2).
func (h *History) Repetition() int {
	now := h.Position()
	count := 1
	// Nothing before the last capture or pawn move can be the same.
	oldest := max(0, len(h.positions)-1-int(now.half))
	for i := len(h.positions) - 3; i >= oldest; i -= 2 {
		if h.positions[i].Same(now) {
			count++
		}
	}
	return count
}

// Outcome is the position's outcome, or the end by FIDE Laws 9.6.1 or 9.6.2.
func (h *History) Outcome() Outcome {
	o := h.Position().Outcome()
	if o == Ongoing && h.Repetition() >= 5 {
		return Fivefold
	}
	return o
}
