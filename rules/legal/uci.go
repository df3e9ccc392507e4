package legal

import (
	"fmt"
	"slices"
)

// UCI writes the move as the Universal Chess Interface does: e2e4, e7e8q; castling is e1g1 in
// orthodox chess and king takes rook (e1h1) in Chess960.
func (p *Position) UCI(m Move) string {
	to := m.To()
	if m.IsCastling() && p.chess960 {
		to = m.RookFrom()
	}
	b := make([]byte, 0, 5)
	b = append(b, m.From().String()...)
	b = append(b, to.String()...)
	if k := m.Promotion(); k != NoKind {
		b = append(b, k.Letter()|0x20)
	}
	return string(b)
}

// UCIError is text that is not a move in UCI notation.
type UCIError struct{ Text string }

func (e *UCIError) Error() string {
	return fmt.Sprintf("read move %q: write it as UCI, two squares and for a promotion the piece: e2e4, e7e8q", e.Text)
}

// ParseUCI reads the squares and the promotion letter, without regard to the position. A king or a pawn as promotion
// piece is accepted too, so that Explain can name the fault. 0000 is the null move, from a square to itself.
func (p *Position) ParseUCI(s string) (from, to Square, promo Kind, err error) {
	if s == "0000" {
		k := p.KingSquare(p.turn)
		return k, k, NoKind, nil
	}
	if len(s) != 4 && len(s) != 5 {
		return NoSquare, NoSquare, NoKind, uciError(s)
	}
	from, ok := ParseSquare(s[:2])
	to, ok2 := ParseSquare(s[2:4])
	if !ok || !ok2 {
		return NoSquare, NoSquare, NoKind, uciError(s)
	}
	if len(s) == 5 {
		if promo = kindOf(s[4]); promo == NoKind || s[4] < 'A' {
			return NoSquare, NoSquare, NoKind, uciError(s)
		}
	}
	return from, to, promo, nil
}

func uciError(s string) error {
	if len(s) > 20 {
		s = s[:20] + "…"
	}
	return &UCIError{s}
}

// UCIMoves returns all legal moves in UCI notation, sorted; it allocates.
func (p *Position) UCIMoves() []string {
	var l MoveList
	p.Moves(&l)
	names := make([]string, 0, l.Len())
	for _, m := range l.Slice() {
		names = append(names, p.UCI(m))
	}
	slices.Sort(names)
	return names
}

// FindUCI returns the legal move with this name. Castling has two names, e1g1 and e1h1; where e1g1 in Chess960 could
// also be a step of the king, it is the step.
func (p *Position) FindUCI(s string) (Move, bool) {
	from, to, promo, err := p.ParseUCI(s)
	if err != nil {
		return NoMove, false
	}
	var l MoveList
	p.Moves(&l)
	return p.pick(&l, from, to, promo)
}

// pick finds the move in a list of legal moves.
func (p *Position) pick(l *MoveList, from, to Square, promo Kind) (Move, bool) {
	castling := NoMove
	for _, m := range l.Slice() {
		switch {
		case m.From() != from || m.Promotion() != promo:
		case !m.IsCastling():
			if m.To() == to {
				return m, true
			}
		case m.RookFrom() == to, m.To() == to && from != to && castling == NoMove:
			castling = m
		}
	}
	return castling, castling != NoMove
}
