// Package evidence holds what a board and its clock have shown: the squares that changed and when that can have been,
// the placement as it reads and as it counts, the clock's readings and the moves of its lever.
//
// A board counts some pieces that it does not read: one that has fallen over is there, and a pawn beside its square
// counts on it (Reading). The package knows no record of a game and judges nothing.
package evidence
