package detector

// This file and the others named hint_ read the history of a turn that ended in a legal move. Article 4 of the Laws is
// about fingers: which piece was touched, where one was released, with how many hands. A board sees squares that become
// empty and full again, so what it has to say is a hint to be kept for a claim, and the position is never in doubt.
//
// The order of two changes is known only where their windows do not overlap (one scan of the board, 250 ms); where the
// order matters and is not known, nothing is said.
