// Package handtables makes the tables that detector/hands judges by: what one hand does, and what two do, in a capture and a castling.
//
// Nobody has filmed and published the hands of chess players (timing notes 2.1). So a hand is put together from its motions (Fitts' law,
// MTM-1), each with a log-normal spread, and a style says in which order. What comes out is a few hundred deeds for each style: the times of its
// changes in half milliseconds at standard tempo. The judge scales them by the player's tempo and compares them with the windows of the
// actual scan, so one table serves every period. The draws are a lattice in the space of the styles' own variables, not random numbers: a few
// hundred then stand for a law as well as some thousands would, and every run gives the same bytes.
//
// The weights of the styles and the rates of scooped and knocked pieces are guesses (timing notes 5). It must therefore never be asked how
// good the judge is: internal/research/populations does that, with hands of its own.
//
//	HANDTABLES=write go test ./internal/research/handtables    writes detector/hands/tables.bin
package handtables
