// Package report makes the report of a round: one HTML file to be printed on A4 and signed, and the same as JSON.
//
// # What it knows
//
// It knows the data of a journal that matter after a round: games with results and clocks, findings and the decisions
// about them, strikes, times without watching, versions and rules, and the end of the journal (its head). It reports
// what the program recorded at the time; it judges nothing.
//
// # What it does not know
//
// It does not know which files are requested, where the output goes, or who may read it.
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
// It survives any recording: damaged journals up to their damage, journals of other revisions, captures, which are
// judged first. Names and notes are text in any script and of any length: markup in them is shown, not obeyed. The HTML
// has no script and loads nothing, and a policy of its own says so.
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
