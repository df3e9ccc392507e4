package legal

import (
	"strings"

	"github.com/notnil/chess"
)

// Opinion is another program's answer about a move.
type Opinion uint8

// The opinions. NoOpinion: it was not asked, or cannot answer.
const (
	NoOpinion Opinion = iota
	SaysLegal
	SaysIllegal
)

// String returns "no opinion", "legal" or "illegal".
func (o Opinion) String() string {
	switch o {
	case SaysLegal:
		return "legal"
	case SaysIllegal:
		return "illegal"
	}
	return "no opinion"
}

// SecondOpinion asks github.com/notnil/chess v1.10.0, an independent program on other principles. It takes about 15 µs
// and allocates: it is asked before an accusation, not in searches.
//
// It is not asked where it has known gaps. It has no Chess960. It accepts set-ups that are no positions and then plays
// on with them, even capturing kings, so it is not asked about Standing positions. Its FEN reader does not know whether
// the king is in check, which forbids castling, but its text unmarshaller does. En passant must be given after every
// double step, because it decides itself whether the capture is legal.
func SecondOpinion(p *Position, from, to Square, promo Kind) (opinion Opinion) {
	if p.chess960 || p.checkFaults() != 0 || p.kinds[Pawn]&(rank1BB|rank8BB) != 0 {
		return NoOpinion
	}
	// This is foreign code on unusual positions: a panic there must not stop the program during a game.
	defer func() {
		if recover() != nil {
			opinion = NoOpinion
		}
	}()
	other, ok := foreign(p)
	if !ok {
		return NoOpinion
	}
	name := newMoveName(from, to, promo)
	for _, m := range other.ValidMoves() {
		if m.String() == name {
			return SaysLegal
		}
	}
	return SaysIllegal
}

// foreign converts the position for the other program.
func foreign(p *Position) (*chess.Position, bool) {
	s := p.Setup()
	s.EnPassant = p.step
	other := new(chess.Position)
	if err := other.UnmarshalText([]byte(s.FEN())); err != nil {
		return nil, false
	}
	return other, true
}

func newMoveName(from, to Square, promo Kind) string {
	name := from.String() + to.String()
	if promo != NoKind {
		name += strings.ToLower(string(promo.Letter()))
	}
	return name
}
