package live

import (
	"slices"

	"boardwatchd/internal/watch"
)

// spans are the spans of all games that can still be filled in. Readers get copies of the list.
type spans []Span

// maxSpans equals the machine's limit.
const maxSpans = 64

// hear handles a health object: a new span, or plies filled in.
func (l *spans) hear(o *heard) {
	switch o.What {
	case "not_known":
		of, ok := watch.ParseSpan(o.raw)
		if !ok {
			return
		}
		l.drop(of.Game, of.From)
		if len(*l) == maxSpans {
			*l = (*l)[1:]
		}
		s := Span{
			Game: of.Game, PlyFrom: of.From, FENBefore: of.Before.FEN(), Rows: of.Rows(), Moves: []Filled{}, of: of, reported: o.remark(),
		}
		if !of.Ends() {
			s.SideToMove, s.FEN = of.After.Turn().String(), of.After.FEN()
		}
		if of.To > 0 {
			s.PlyTo = &of.To
		}
		if s.Rows == nil {
			s.Rows = [][]string{}
		}
		*l = append(*l, s)
	case "filled":
		for i := range *l {
			if s := &(*l)[i]; s.Game == o.Game && s.PlyFrom == o.PlyFrom {
				s.Moves, s.By = o.Plies(), o.By
			}
		}
	}
}

// drop removes the spans of a game that begin at a ply or later, because the players went back before them.
func (l *spans) drop(game, ply int) {
	*l = slices.DeleteFunc(*l, func(s Span) bool { return s.Game == game && s.PlyFrom >= ply })
}
