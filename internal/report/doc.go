// Package report makes the report of a round: one HTML file to be printed on A4 and signed, and the same as JSON.
//
// # What it knows
//
// What is of interest after a round in a journal: games with results and clocks, what was found and what was decided
// about it, strikes, what was not watched, versions and rules, and how far the journal goes (its head). It says what
// the program said at the time; it judges nothing.
//
// # What it does not know
//
// Which files are asked for, where the output goes, who may read it.
//
// # The caller's loop
//
//	c := report.Collector{Options: report.Options{Lang: "de"}}
//	for _, file := range files {
//		err := c.Add(file, source, book) // one journal at a time; the error concerns this file
//	}
//	for _, r := range c.Reports() {          // one of each round
//		err = r.HTML(w)
//		err = r.JSON(w)
//	}
//
// # Input it must survive
//
// Any recording: damaged journals up to their damage, journals of other revisions, captures, which are judged first.
// Names and notes are text in any script and of any length: markup in them is shown, not obeyed. The HTML has no
// script, loads nothing and says so in a policy of its own.
//
// # Limits
//
// A board shows at most 512 findings and 64 health lines, a finding 80 moments of its time line (package live).
// Measured, 100 journals of one round with 8 offences in 100 moves: see docs/report.md.
//
// # Promise
//
// Fields of the JSON have the names of the contract, section 3, and are changed only by adding.
package report
