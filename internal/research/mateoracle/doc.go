// Package mateoracle is the third opinion on who can still give mate: slow, plain, and written without a line of rules/helpmate or
// rules/legal. It is for tests and for tools of the project.
//
// # What it knows
//
// A board of 64 squares with its own FEN reader and its own generator of legal moves (FIDE Laws 3.1 to 3.9), and three ways to ask:
//
//	Closure  visits every position that can be reached, told apart square by square and not by a hash: who mates in any of them
//	Clocked  the same with the half-move counter, for positions near a draw by 9.6.2
//	Table    every position of one kind with three or four men, computed backwards from the mates
//
// # What it does not know
//
// Chess960, repetition, and anything clever: no rule about material, walls or order. What it says is true if its move generator
// is right, and that is held against rules/legal, notnil/chess and perft figures in the tests.
//
// # Limits and figures
//
// Closure takes 24 bytes for a position and 8 to 16 for its place in the index: 40 million positions fit into 1.6 GB. It visits
// 0.5 to 1 million positions a second. A Table with four men takes some 100 MB while it is made and 8 MB afterwards.
package mateoracle
