// Package rules knows the Laws of Chess as an arbiter applies them: which finding is an offence under which rule set,
// how long it can be dealt with, what follows from it, and what was decided before.
//
// # What it knows
//
// Twelve rule sets as data (type Profile): editions and articles, the unit of time, strikes, windows, who may call what.
// The game's docket (type Docket): the cases that were found, the ledger of strikes, in which only the arbiter's
// decisions count, and the rulings it proposes.
//
// # What it does not know
//
// Sensors, squares that flicker, the wire: a Case comes with its proof. What it proposes is advice; only a Decision
// changes the ledger.
//
// # The caller's loop
//
//	d := rules.NewDocket(profile)
//	for each event, in order:
//		for _, e := range d.Step(event) { tell the arbiter: e.Case with its state, alert, reason, and e.Ruling }
//
// The package has no clock, no goroutine, no floating point and ranges over no map.
//
// Sources: laws notes sections 1 to 6; FIDE Laws of Chess 2023; the scenario file's profiles.
package rules
