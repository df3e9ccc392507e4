// Package view reads a mirrored journal through the same machine that wrote it, and tells what listens to a board.
//
// # What it knows
//
// The order in which a station tells its listeners (internal/station), and that a journal of a board that was started again
// is read anew. It does not know files beyond a journal's, connections, or who listens.
//
// # The caller's loop
//
//	v, err := view.Read(path, listener, log) // all that is there; behind it listener.Ready
//	for each piece that was appended:
//		if !v.Feed(segment, piece) { v, err = view.Read(path, …) }
//
// # A check, and no judgement
//
// What listeners hear as said is what the journal holds. The machine steps the same inputs, which gives the placement, the
// clocks and the state of the link; what it would have said is compared. A difference is logged once for a journal, as an
// error where the journal is of this revision of the core.
//
// # Input it must survive
//
// Any bytes. Whatever is out of the ordinary (a damaged line, a chain that does not go on, a number that comes again, a
// segment that ends in half a line) makes Feed give up, and Read, which is journal.Reader's, says what it is.
package view
