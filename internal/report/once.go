package report

import (
	"cmp"
	"slices"

	"boardwatchd/internal/record"
)

// once leaves out games that were read in another journal too: a card was copied while a game was in progress, and both
// computers have gone on in its journal. The chain at a game's beginning covers all records before it, so that it tells
// the same game from another one of the same board and players. The game counts where it was played on.
func (c *Collector) once() {
	counts := map[record.Chain]*Journal{}
	game := func(j *Journal, of record.Chain) *Game {
		return &j.Games[slices.IndexFunc(j.Games, func(g Game) bool { return g.began == of })]
	}
	for _, j := range c.journals {
		for i := range j.Games {
			g := &j.Games[i]
			if g.began == (record.Chain{}) {
				continue
			}
			if of := counts[g.began]; of == nil || further(j, g, of, game(of, g.began)) > 0 {
				counts[g.began] = j
			}
		}
	}
	c.journals = slices.DeleteFunc(c.journals, func(j *Journal) bool {
		twice := false
		for _, g := range slices.Clone(j.Games) {
			if g.began != (record.Chain{}) && counts[g.began] != j {
				j.drop(g.Game)
				twice = true
			}
		}
		return twice && len(j.Games) == 0
	})
}

// further compares how far a game has come in two journals.
func further(j *Journal, g *Game, of *Journal, known *Game) int {
	ended := cmp.Compare(min(len(g.Result), 1), min(len(known.Result), 1))
	return cmp.Or(cmp.Compare(g.Plies, known.Plies), ended, cmp.Compare(j.last, of.last))
}

// drop leaves out a game.
func (j *Journal) drop(n int) {
	j.Games = slices.DeleteFunc(j.Games, func(g Game) bool { return g.Game == n })
	j.Findings = slices.DeleteFunc(j.Findings, func(f Finding) bool { return f.Game == n })
	j.Entered = slices.DeleteFunc(j.Entered, func(e Entry) bool { return e.of(n) })
	j.Spans = slices.DeleteFunc(j.Spans, func(s Span) bool { return s.Game == n })
}

// Counting returns a function that reports whether a game of an added file counts there, and not in another journal
// that has it too.
func (c *Collector) Counting() func(file string, game int) bool {
	c.once()
	return func(file string, game int) bool {
		return slices.ContainsFunc(c.journals, func(j *Journal) bool {
			return j.path == file && slices.ContainsFunc(j.Games, func(g Game) bool { return g.Game == game })
		})
	}
}
