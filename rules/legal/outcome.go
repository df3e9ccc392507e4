package legal

// Outcome is the way in which the Laws end a game on the board alone.
type Outcome uint8

// The outcomes that need no clock, no claim and no analysis. Dead positions are the business of rules/helpmate.
const (
	Ongoing   Outcome = iota
	Checkmate         // FIDE Laws 5.1.1: the side to move has lost
	Stalemate         // FIDE Laws 5.2.1
	Fivefold          // FIDE Laws 9.6.1
	Move75            // FIDE Laws 9.6.2; a mate by the last move comes first
)

var outcomeNames = [...]string{"ongoing", "checkmate", "stalemate", "fivefold", "move75"}

// String returns a word: "ongoing", "checkmate", "stalemate", "fivefold", "move75".
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "unknown outcome"
}

// Outcome detects checkmate and stalemate, and seventy-five moves by the position's own counter; a repetition needs a
// History.
func (p *Position) Outcome() Outcome {
	switch {
	case p.countMoves() > 0:
		if p.half >= 150 {
			return Move75
		}
		return Ongoing
	case p.InCheck():
		return Checkmate
	}
	return Stalemate
}
