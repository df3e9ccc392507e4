package populations

import (
	"fmt"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// An Act is a manipulation that somebody was asked for: the laboratory's cards say which pieces, which style and how fast.
type Act struct {
	Kind             hands.Kind // NoKind: a plain move
	From, To         legal.Square
	Victim           legal.Square // NoSquare where there is none
	RookFrom, RookTo legal.Square // NoSquare, except in castling
	Mover, Taken     legal.Piece
	Put, Rook        legal.Piece
	Style            Style
	Pace             Pace
	Haste            float64 // multiplies all times; 0: 1
}

// A Change is one physical change that no style accounts for: a piece that is put back, or taken off.
type Change struct {
	AtUS   int64
	Square legal.Square
	Is     legal.Piece
}

// mostTries bounds how often a person is asked for a style until he does it: the rarest is a promotion of one in four.
const mostTries = 400

// Perform does what it was asked for, at an instant on the session's time line, on a board that shows table. It fails if
// nobody can do that: a scoop that is wider than a hand (stroke and coast know no such bound), a castling in the style of a capture.
func (s *Session) Perform(a Act, table *legal.Placement, atUS int64) (Sample, error) {
	o := s.options
	o.Pace = a.Pace
	rates := Rates{Transient: o.Rates.Transient}
	who := s.who.inclined(&rates, a.Style)
	o.Rates = &rates
	who.step()
	form := shape{
		kind: a.Kind, from: a.From, to: a.To, victim: a.Victim, rookFrom: a.RookFrom, rookTo: a.RookTo,
		mover: a.Mover, taken: a.Taken, put: a.Put, rook: a.Rook,
	}
	before := s.board
	for range mostTries {
		s.board = before // what was not done was not seen
		t := o.task(s.chance, form, table)
		if a.Haste > 0 {
			t.haste = a.Haste
		}
		x := act(o, t, who, &s.board, a.Style.Two(), float64(atUS)/1e6)
		if x.Style == a.Style {
			s.now = max(s.now, float64(x.DoneUS)/1e6)
			return x, nil
		}
	}
	s.board = before
	return Sample{}, fmt.Errorf("hands: a %v from %v to %v cannot be done in the style %q", a.Kind, a.From, a.To, a.Style)
}

// bend makes somebody prefer a style as far as people can.
func (p *manners) bend(r *Rates, style Style) {
	switch style {
	case Swap, Push, HoldFirst, PutAside:
		p.one = only(len(p.one), int(style-Swap))
	case Scoop, Knock:
		r.Nuisance = 1
	case BothInOne:
		r.BothInOne = 1
	case SwapOnEighth, PawnOff:
		p.pawn = only(len(p.pawn), int(style-SwapOnEighth))
	case PreHeld:
		r.PreHeld = 1
	case Together, Ahead, First, Late, Sequential:
		p.two = only(len(p.two), int(style-Together))
	}
	if style == Together || style == Staggered {
		p.castle = map[Style]float64{Together: 1}[style]
	}
}

func only(n, i int) []float64 {
	list := make([]float64, n)
	list[i] = 1
	return list
}

// Arrange puts pieces where they are wanted, in any way, and says what the board tells of it. The times rise.
func (s *Session) Arrange(changes []Change, table *legal.Placement) []hands.Report {
	if len(changes) == 0 {
		return nil
	}
	moments := make([]moment, len(changes))
	for i, c := range changes {
		moments[i] = moment{float64(c.AtUS) / 1e6, c.Square, c.Is}
	}
	s.now = max(s.now, moments[len(moments)-1].at)
	return s.board.see(moments, table)
}

// StyleOf is the style with this name.
func StyleOf(name string) (Style, bool) {
	for i, n := range styleNames {
		if n == name {
			return Style(i), true
		}
	}
	return Plain, false
}

// StylesOf lists the styles of a kind: with one hand first.
func StylesOf(kind hands.Kind) []Style {
	switch kind {
	case hands.Capture:
		return []Style{Swap, Push, HoldFirst, PutAside, Scoop, Knock, Together, Ahead, First, Late, Sequential}
	case hands.Castling:
		return []Style{KingThenRook, BothInOne, Together, Staggered}
	case hands.Promotion:
		return []Style{SwapOnEighth, PawnOff, PreHeld, QueenReady, OtherFetches}
	}
	return []Style{Plain}
}
