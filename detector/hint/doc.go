// Package hint reads the history of a turn that ended in a legal move. Article 4 of the Laws is about fingers: which
// piece was touched, where one was released, with how many hands. A board sees only squares that become empty and full
// again, so its findings are hints, kept for a claim, and the position is never in doubt.
//
// The order of two changes is known only where their windows do not overlap (one scan of the board, 250 ms); where the
// order matters and is unknown, there is no hint.
package hint
