package report

import (
	"slices"

	"boardwatchd/internal/said"
)

// unnamed are health lines that an anonymous report has not: they tell of suspicions, or of what an arbiter has tried.
var unnamed = map[string]bool{"hands_held": true, "instruction_refused": true}

// bare are health lines of which it has no words, only how often they were said: their words tell what a side did at a
// press.
var bare = map[string]bool{"cannot_judge": true, "record_broken": true}

// anonymize leaves neither names nor anything that accuses somebody.
func (j *Journal) anonymize() {
	j.Findings, j.Entered = []Finding{}, []Entry{}
	for i := range j.Games {
		g := &j.Games[i]
		g.White, g.Black, g.Strikes, g.PGN = "", "", said.Sides{}, ""
	}
	j.Health = slices.DeleteFunc(j.Health, func(h Health) bool { return unnamed[h.What] })
	for i := range j.Health {
		if h := &j.Health[i]; bare[h.What] {
			h.Detail, h.any = "", said.Any{}
		}
	}
}
