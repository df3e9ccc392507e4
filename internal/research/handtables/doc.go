// Package handtables makes the tables of detector/hands: the timing of one hand, and of two, in a capture and a
// castling.
//
// There is no published film of the hands of chess players (timing notes 2.1). So a hand is composed of motions (Fitts'
// law, MTM-1), each with a log-normal spread, and a style gives their order. The result is a few hundred manipulations
// for each style: the times of its changes in half milliseconds at standard tempo. The judge scales them by the
// player's tempo and compares them with the windows of the actual scan, so one table serves every period. The draws are
// a lattice in the space of the styles' own variables, not random numbers: a few hundred then represent a distribution
// as well as some thousands would, and every run gives the same bytes.
//
// The weights of the styles and the rates of scooped and knocked pieces are guesses (timing notes 5). It must therefore
// never be used to measure the judge: internal/research/populations does that, with hands of its own.
//
//	HANDTABLES=write go test ./internal/research/handtables    writes detector/hands/tables.bin
package handtables
