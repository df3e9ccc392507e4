// Package view reads a mirrored journal and calls the listeners of a board as its station would.
//
// # What it knows
//
// The order in which a station calls its listeners (internal/station), and that the journal of a board that was started
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
// Listeners receive what the journal holds and what a watch.Observer derives from it, which judges nothing. Check
// replays a journal through the machine and compares: a difference changes nothing that is shown. It takes many times
// as long as Read for the same bytes, so the caller lets it rest.
//
// # Input it must survive
//
// Any bytes. Feed gives up on everything irregular (a damaged line, a break in the hash chain, a repeated number, a
// segment that ends in half a line). Read, which uses journal.Reader, then reports what it is.
package view
