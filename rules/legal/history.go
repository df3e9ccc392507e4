package legal

// History is the sequence of positions of a game, for facts that a single position does not show: repetition, and the
// piece that lost a castling right. It belongs to one caller; memory grows by about 220 bytes a half-move.
type History struct {
	positions []Position
	moves     []Move
}

// NewHistory starts a history at a position, which counts as its own first appearance.
func NewHistory(start Position) *History {
	return &History{positions: []Position{start}}
}

// Push plays a legal move.
func (h *History) Push(m Move) {
	h.positions = append(h.positions, h.Position().After(m))
	h.moves = append(h.moves, m)
}

// Position returns the present position, valid until the next Push.
func (h *History) Position() *Position { return &h.positions[len(h.positions)-1] }

// Repetition returns the number of times that the present position has appeared, this time included, by FIDE Laws
// 9.2.3: same side to move, same pieces on the same squares, same possible moves. A double step that cannot legally be
// answered en passant, for instance because of a pin, makes no difference; a lost castling right does, also when
// castling was never possible at the moment (9.2.3.1, 9.2.3.2).
func (h *History) Repetition() int {
	now := h.Position()
	count := 1
	// No position before the last capture or pawn move can be the same.
	oldest := max(0, len(h.positions)-1-int(now.half))
	for i := len(h.positions) - 3; i >= oldest; i -= 2 {
		if h.positions[i].Same(now) {
			count++
		}
	}
	return count
}

// Outcome returns the position's outcome, or the end by FIDE Laws 9.6.1 or 9.6.2.
func (h *History) Outcome() Outcome {
	o := h.Position().Outcome()
	if o == Ongoing && h.Repetition() >= 5 {
		return Fivefold
	}
	return o
}
