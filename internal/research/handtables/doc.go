// Package handtables makes the tables that detector/hands judges by: what one hand does, and what two do, in a capture
// and a castling.
//
// # The problem
//
// Nobody has filmed and published the hands of chess players (timing notes 2.1). What is known is how long a hand
// takes to reach, grasp, carry and let go (Fitts' law, MTM-1), and 200 moves of blitz of which only the order was
// recorded. So a hand is put together from its motions, each with a log-normal spread, and a style says in which order:
// victim first and kept in the palm, attacker first and swapped on the square, pushed, scooped, one hand for each piece.
//
// # What comes out
//
// For each style a few hundred deeds: the times of its changes in units of half a millisecond at standard tempo, not
// the counts of a histogram. The judge scales them by the player's tempo and compares them with the windows of the
// actual scan, so one table serves every period from 20 to 600 ms. The draws are a lattice in the space of the styles' own
// variables, not random numbers: a few hundred then stand for a law as well as some thousands would, and every run
// gives the same bytes.
//
// # What it does not know
//
// Its figures are textbook laws fitted to timing notes 2.2; the weights of the styles, the rates of scooped and
// knocked pieces are guesses (timing notes 5). It must therefore never be asked how
// good the judge is: internal/research/populations does that, with hands of its own.
//
//	HANDTABLES=write go test ./internal/research/handtables    writes detector/hands/tables.bin
package handtables
