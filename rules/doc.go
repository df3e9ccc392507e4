// Package rules knows the Laws of Chess as an arbiter applies them: the findings that are offences under a rule set,
// the time in which they can be dealt with, their consequences, and earlier decisions.
//
// # What it knows
//
// Twelve rule sets as data (type Profile; the files are in configs/profiles): editions and articles, the unit of time,
// strikes, windows, and which person may call a flag or a fault. Every reading that the sources dispute is a key of its
// own. The docket of a game (type Docket) holds the cases that were found, the ledger of strikes, in which only the
// arbiter's decisions count, and the rulings it proposes. Within it, the displayed times and the time added by presses
// are the type clock, the period in which an offence can be dealt with is the type windows, and the count of strikes is
// the type ledger.
//
// # What it does not know
//
// It does not know sensors, flickering squares or the wire: a Case comes with its proof. A proposal is advice; only a
// Decision changes the ledger.
//
// # The caller's loop
//
//	d := rules.NewDocket(profile)
//	for each event, in order:
//		for _, e := range d.Step(event) { tell the arbiter: e.Case with its state, alert, reason, and e.Ruling }
//
// Step returns the entries that are new or have changed; Principal chooses the one to show first.
//
// # Promises
//
//   - No strike without a Decision to confirm it; undo takes it back. A case that is withdrawn never counted.
//   - A decision outlives the revision of the core: a case that only another revision found is carried over when
//     somebody has decided it or decides it (events OtherCore and OtherSaid; internal/watch, A decision's life).
//   - A suspected case never raises an immediate alert, and a hint never becomes a strike.
//   - The same events give the same entries. The package has no clock, no goroutine, no floating point and ranges over
//     no map.
//   - At most 256 matters of a game are kept; the oldest that are only in the record are dropped first.
//
// # Figures
//
// A move costs 0.3 µs with nothing on the docket and some 8 µs with an open illegal move (one core of an AMD EPYC, go
// test -bench Step ./rules). A losing strike or a flag asks rules/helpmate once for each position, within MatingBudget
// moves tried: a few thousand for a game that people play, 0.2 s for all of a million.
//
// Sources: laws notes sections 1 to 6; FIDE Laws of Chess 2023; the scenario file's profiles.
package rules
