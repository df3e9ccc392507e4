// Package helpmate tells whether a side can still be helped to give checkmate: the question of FIDE Laws 5.2.2, 6.9 and 7.5.5, on
// which it depends whether a fallen flag or a losing illegal move loses the game or draws it.
//
// # What it knows
//
// The position, the legal moves (rules/legal) and the 75-move rule (9.6.2). An answer is one of three:
//
//	Never     proved: by the end of the game, by material, by walls, or by having visited every position that can be reached
//	Possible  with a line of legal moves, played once more to the mate before it is returned
//	Unknown   the budget ended; a person has to look. It must not be turned into a loss or a draw
//
// # What it does not know
//
// The game before the position. A draw by fivefold repetition (9.6.1) cannot be foreseen: no line repeats a position, but a position of
// the line may have been on the board four times before. Claims (9.2, 9.3) need not be made and do not count, nor does touch-move. Rights that
// nobody knows, on a board set up by hand, should be given generously: a wrong Never is worse than a Possible.
//
// # How it asks, in this order
//
//	verdict.go    mate, stalemate and 75 moves on the board
//	material.go   men that cannot mate wherever they stand
//	mobility.go   where each man can ever get to, at most; stalemate.go is one of its rules
//	walled.go     ... and whether the enemy king can then ever be mated: one file of proofs
//	plan.go       several searches, each towards another picture of a mate (goals.go)
//	search.go     one search: best first over distinct positions (frontier.go, table.go), guided by compass.go
//
// A search visits each position once and ends by itself when nothing is left, so it is the proof as well. Only what is proved
// dead is left out: barren material, and walls after captures and pawn moves. The estimates decide the order and nothing else.
//
// # Input it must survive
//
// Any legal.Position, Standing ones included (A.5.2: the side not to move in check, a pawn on the last rank); where a king is in
// check out of turn, material and walls are not asked before a move has been made. Any limit, also 0 or less.
//
// # Limits and figures
//
// The budget counts moves tried; weighing eight moves counts as one more, a question about walls inside a search as 50. There is no clock, and the
// same question has the same answer everywhere. Measured on one core of an AMD EPYC (Zen 3) that was busy with other work, Go
// 1.26: 0.2 µs per node on open and crowded boards alike, so that DefaultLimit is 40 ms at most; a question about a real game takes 0.1
// to 0.25 ms in the mean.
//
// A call allocates some 25 KB, and per position 16 bytes, which grow in steps, and 8 to 16 bytes of keys. It holds 1.2 million
// positions at most, below 64 MiB, and then the search counts as spent. Positions are told apart by 64-bit keys: the chance that among so
// many any two share one, so that a position is overlooked, is below 1 in 20 million.
//
// Test material (chasolver's files, beside the project), no answer wrong: of 4,748 questions about real games none is left open, 472 nodes in
// the mean and 27,303 at most. Of 2,276 questions made to be hard, DefaultLimit leaves open 90 that can and 58 that cannot; 2 million
// nodes 35 and 29; 20 million 5 and 15. Random games, 3,000 questions: 2 open, both within ten half-moves of a draw by 9.6.2. Random locked
// boards, 4,000 at 20,000 nodes each: 9 open, 321 never, of which a complete enumeration could confirm 78 and contradicted none.
//
// # Weaknesses
//
// Crowds of bishops behind one lock; lines in which one side has a counted number of spare moves; walls that open only at the price of a man (no case splits);
// a side that must lose a man at once and then cannot mate, when the board is otherwise free; a half-move counter near 150.
//
// Sources: FIDE Laws of Chess 2023; the notes on unwinnability beside the project. The idea of an upper bound on mobility is M. Ambrona's (A Practical
// Algorithm for Chess Unwinnability, FUN 2022); rules and proofs here are our own.
package helpmate
