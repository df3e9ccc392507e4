// Package lab is the laboratory of the two hands: a protocol of cards that people play at a board, a journal in which every card is
// labelled, and what such journals are worth.
//
// A Protocol is blocks of cards (timing notes, 4.5): which pieces on which squares, in which style, how fast. A Session is the
// state of one evening as a function: the operator's keys go in, labels for the journal and words come out. It has no clock, no
// terminal and no port: cmd/boardwatchd has them, and a Rehearsal puts generated people (internal/research/populations) in
// their place. Read takes labelled deeds out of a journal, and Evaluate judges them with the shipped model as live play would:
// sensor and tempo come from what was played before in the same recording.
//
// It does not know whether the performer did what the card says. The model judges no deed whose pieces did not go where the card
// wants them; the style, the hands and the speed are the operator's word, and the film's.
//
// A labelled capture is a journal as every other: the labels are instructions that the core does not know ({"do":"label",…}, see
// Label), and the judgement of the game is paused by an instruction at the beginning. So verify and replay take it, and nothing is
// lost when the program or the power goes: the session goes on where its journal ends.
//
// Compatibility promise: labels stay readable; keys may be added, none is given another meaning, and a seed deals the same cards.
package lab
