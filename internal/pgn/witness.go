package pgn

import (
	"github.com/notnil/chess"

	"boardwatchd/rules/legal"
)

// witness follows an orthodox game with github.com/notnil/chess. The zero witness has no position and agrees with
// everything.
type witness struct{ pos *chess.Position }

// newWitness returns the zero witness for Chess960, which notnil does not know.
func newWitness(start *legal.Position) witness {
	if start.Chess960() {
		return witness{}
	}
	fen, err := chess.FEN(start.FEN())
	if err != nil {
		return witness{}
	}
	return witness{chess.NewGame(fen).Position()}
}

// agrees reports whether notnil reads the text as the same move. It knows only the strict notation, so for 0-0, e2-e4
// and the like it gets our strict form of the move, which it must know.
func (w *witness) agrees(p *legal.Position, m legal.Move, text string) (ok bool) {
	if w.pos == nil {
		return true
	}
	// This is foreign code on text from outside: if it panics, it has not read the move.
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	their, err := chess.AlgebraicNotation{}.Decode(w.pos, text)
	if err != nil {
		their, err = chess.AlgebraicNotation{}.Decode(w.pos, p.SAN(m))
	}
	if err != nil || their.String() != p.UCI(m) {
		return false
	}
	w.pos = w.pos.Update(their)
	return true
}
