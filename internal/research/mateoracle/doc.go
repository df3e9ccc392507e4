// Package mateoracle is the third opinion on which side can still give mate: slow, plain, and written without a line of
// rules/helpmate or rules/legal. It is for tests and for tools of the project.
//
// # What it knows
//
// It knows a board of 64 squares with its own FEN reader and its own generator of legal moves (FIDE Laws 3.1 to 3.9),
// and three methods:
//
//	Closure  visits every reachable position, compared square by square and not by a hash: which side mates in any of them
//	Clocked  the same with the half-move counter, for positions near a draw by 9.6.2
//	Table    every position of one kind with three or four pieces, computed backwards from the mates
//
// # What it does not know
//
// It does not know Chess960, repetition, or any shortcut: no rule about material, walls or order. Its answers are true
// if its move generator is right, which the tests compare with rules/legal, notnil/chess and perft figures.
//
// # Limits and figures
//
// Closure takes 24 bytes for a position and 8 to 16 for its place in the index: 40 million positions fit into 1.6 GB.
// It visits 0.5 to 1 million positions a second. A Table with four pieces takes some 100 MB while it is made and 8 MB
// afterwards.
package mateoracle
