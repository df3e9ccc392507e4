package populations

import (
	"sync"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// The geometry of the samples comes from random legal games, in which captures are liked: so distances and directions
// are those of chess.

// likes are the weights of the draw; without them random play seldom castles or promotes.
func likes(m legal.Move) float64 {
	switch {
	case m.IsCastling():
		return 400
	case m.Promotion() == legal.Queen:
		return 150
	case m.Promotion() != legal.NoKind:
		return 3
	case m.IsEnPassant():
		return 30
	case m.Captured() != legal.NoKind:
		return 3
	}
	return 1
}

// wander draws a legal move, false where there is none.
func (c chance) wander(p *legal.Position) (legal.Move, bool) {
	var list legal.MoveList
	p.Moves(&list)
	if list.Len() == 0 {
		return legal.NoMove, false
	}
	weights := make([]float64, list.Len())
	for i, m := range list.Slice() {
		weights[i] = likes(m)
	}
	return list.At(c.pick(weights)), true
}

// shapeOf is what a move is for the hands.
func shapeOf(p *legal.Position, m legal.Move) shape {
	none := legal.NoSquare
	s := shape{from: m.From(), to: m.To(), victim: none, rookFrom: none, rookTo: none, mover: p.PieceAt(m.From())}
	s.put = s.mover
	side := p.Turn()
	switch {
	case m.IsCastling():
		s.kind, s.rookFrom, s.rookTo = hands.Castling, m.RookFrom(), m.RookTo()
		s.rook = p.PieceAt(s.rookFrom)
	case m.Captured() != legal.NoKind:
		s.kind, s.victim = hands.Capture, m.Victim()
		s.taken = p.PieceAt(s.victim)
	}
	if m.Promotion() != legal.NoKind {
		s.kind, s.put = hands.Promotion, legal.PieceOf(side, m.Promotion())
	}
	return s
}

// drawer holds the shapes of one kind.
type drawer map[hands.Kind][]shape

// shapes are drawn once.
var shapes = sync.OnceValue(func() drawer {
	const games, plies = 150, 120
	c := chanceOf(20, 11)
	d := drawer{}
	for range games {
		p := legal.StartPosition()
		for range plies {
			m, ok := c.wander(&p)
			if !ok {
				break
			}
			s := shapeOf(&p, m)
			d[s.kind] = append(d[s.kind], s)
			p = p.After(m)
		}
	}
	return d
})
