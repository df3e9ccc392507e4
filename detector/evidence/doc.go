// Package evidence is what a board and its clock have shown: the squares that changed and when that can have been, the
// placement as it reads and as it counts, the clock's readings and what its lever did.
//
// A board counts what it does not read: a piece that has fallen over is there, a pawn beside its square stands on it
// (Reading). The package knows no record of a game and judges nothing.
package evidence
