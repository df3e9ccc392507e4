package live

import (
	"slices"

	"boardwatchd/internal/watch"
)

// spans are the spans of all games that can still be filled in.
type spans struct {
	list    []Span // readers get copies
	dropped int    // number of spans that were above the limit
}

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
		if len(l.list) == maxSpans {
			l.list = l.list[1:]
			l.dropped++
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
		l.list = append(l.list, s)
	case "filled":
		for i := range l.list {
			if s := &l.list[i]; s.Game == o.Game && s.PlyFrom == o.PlyFrom {
				s.Moves, s.By = o.Plies(), o.By
			}
		}
	}
}

// drop removes the spans of a game that begin at a ply or later, because the players went back before them.
func (l *spans) drop(game, ply int) {
	l.list = slices.DeleteFunc(l.list, func(s Span) bool { return s.Game == game && s.PlyFrom >= ply })
}
