// Package lab is the laboratory for two hands: a protocol of cards that people play at a board, a journal in which
// every card is labelled, and the evaluation of such journals.
//
// A Protocol consists of blocks of cards (timing notes, 4.5): the pieces, squares, style and speed. A Session is the
// state of one evening as a function from the operator's keys to labels for the journal and texts. It has no clock, no
// terminal and no port: cmd/boardwatchd has them, and a Rehearsal replaces them by generated people
// (internal/research/populations). Read extracts labelled manipulations from a journal, and Evaluate judges them with
// the shipped model as in live play: sensor and tempo come from earlier moves of the same recording.
//
// It does not know whether the performer followed the card. The model does not judge a manipulation whose pieces did
// not go to the card's squares; for the style, the hands and the speed it relies on the operator and the film.
//
// A labelled capture is an ordinary journal: the labels are instructions that the core does not know ({"do":"label",…},
// see Label), and the judgement of the game is paused by an instruction at the beginning. So verify and replay accept
// it, and nothing is lost in a crash or power cut: the session continues where its journal ends.
//
// Compatibility promise: labels stay readable; keys may be added, none is given another meaning, and a seed deals the
// same cards.
package lab
