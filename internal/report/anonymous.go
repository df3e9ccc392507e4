package report

import (
	"slices"

	"boardwatchd/internal/said"
)

// leftOutAnonymous are health lines that an anonymous report omits: they concern suspicions, or an arbiter's attempts.
var leftOutAnonymous = map[string]bool{"hands_held": true, "instruction_refused": true}

// wordless are health lines of which an anonymous report has only the number, and not the words: the words name a side
// at a press.
var wordless = map[string]bool{"cannot_judge": true, "record_broken": true}

// anonymize removes names and everything that accuses somebody.
func (j *Journal) anonymize() {
	j.Findings, j.Entered = []Finding{}, []Entry{}
	if j.LeftOut != nil {
		j.LeftOut.Findings, j.LeftOut.Entered = 0, 0
	}
	for i := range j.Games {
		g := &j.Games[i]
		g.White, g.Black, g.Strikes, g.PGN = "", "", said.Sides{}, ""
	}
	j.Health = slices.DeleteFunc(j.Health, func(h Health) bool { return leftOutAnonymous[h.What] })
	for i := range j.Health {
		if h := &j.Health[i]; wordless[h.What] {
			h.Detail, h.any = "", said.Any{}
		}
	}
}
