// Package view reads a mirrored journal and tells what listens to a board, as a station tells it.
//
// # What it knows
//
// The order in which a station tells its listeners (internal/station), and that a journal of a board that was started
// again is read anew. It does not know files beyond a journal's, connections, or who listens.
//
// # The caller's loop
//
//	v, err := view.Read(path, listener, counted, log) // all that is there; after it listener.Ready
//	for each piece that was appended:
//		if !v.Feed(segment, piece) { v, err = view.Read(path, …) }
//
// # A check, and no judgement
//
// What listeners hear as said is what the journal holds, and what they see is a watch.Observer's, which judges nothing.
// Check reads a journal through the machine and compares what it would have said: a difference changes nothing that is
// shown. It takes many times as long as Read does for the same bytes, so the caller lets it rest.
//
// # Input it must survive
//
// Any bytes. Whatever is out of the ordinary (a damaged line, a chain that does not go on, a number that comes again, a
// segment that ends in half a line) makes Feed give up, and Read, which is journal.Reader's, says what it is.
package view
