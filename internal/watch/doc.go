// Package watch is the whole core for one board as a function from records to effects.
//
// # What it knows
//
// Machine combines the wire (dgt, clockproto), the tracker (detector) and the link's protocol: switching the board to
// its update mode, identifying it, probing it while it is silent, requesting a dump after a connect, after noise and at
// each press. It knows nothing of ports, files, goroutines, wall clocks or people.
//
// # The caller's loop
//
//	for each input record, in order of sequence and time:
//		1 append the record to the journal
//		2 effects := m.Step(record)      // handles every deadline up to the record's time first, in order
//		3 append the effects to the journal
//		4 carry them out: Tx are bytes for the port, Say are objects for people (JSON, contract section 3)
//		5 at, ok := m.Deadline(): when that time comes, append a Wake record and Step it
//
// A replay makes the same calls with the records of a journal and gets the same effects, byte for byte: the machine
// reads no clock, ranges over no map and uses no floating point. A late Wake changes latency and nothing else.
//
// # What it must survive
//
// It survives any bytes in any chunks, any order of records, a journal that begins in the middle. It never panics on
// input.
//
// # A decision's life
//
// A Decide record names a finding. The docket of package rules applies it, and reports the finding and its ruling again
// with the decision. Findings depend on the revision of the core, decisions do not: after a change of revision every
// decision, strike and result of the journal holds, even if the new core finds nothing or uses another name.
//
// The opening record of a segment names the revision that wrote it. In a segment of another revision Step reads that
// revision's Say records too. A decided finding that this core does not have is carried: the docket opens it with the
// recorded case, ruling and decision, under the same id, so that it can be undone and decided again like any other. A
// decided finding that both revisions have keeps the outcome of that time. A finding of this core about the same
// incident (same first evidence, or same side, ply and family with older evidence than the decision) is only logged,
// and is no second strike. At the first opening record of this revision the ledger is set to that of the other
// revision.
//
// The journal needs no record for this: the Say records of the other revision are in it before this core reads them,
// and a replay reads the same ones. An undecided finding can be decided after the change as well. All of this ends with
// the game, like the ledger. A what-if replay under other rules carries nothing, because those rulings followed other
// rules.
//
// # Limits
//
// Memory is bounded: one decoder (8 KiB), one turn's history (256 changes), the positions of one game. A step that
// commits a move takes some microseconds, one that searches for lost plies at most some tens of milliseconds.
//
// # Compatibility
//
// Revision names the behaviour: two builds with the same Revision give the same output for the same journal. Any change
// of an effect's bytes is a new Revision; older journals stay readable for ever and verify reports the difference.
//
// Sources: protocol notes, sections 2, 3, 6.6, 9 and 14; docs/architecture.md.
package watch
