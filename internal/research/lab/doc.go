// Package lab is the laboratory of the two hands: a protocol of cards that people play at a board, a capture in which every
// card is labelled, and the evaluation of such captures.
//
// # What it knows
//
// A Protocol is blocks of cards (timing notes, 4.5): which pieces on which squares, in which style, how fast. A Session is
// the state of one evening as a function: keys, what the board shows and the time go in, labels for the journal and words for
// the operator come out. It has no clock, no terminal and no port: cmd/boardwatchd has them, and Rehearsal puts generated
// people (internal/research/populations) in their place. Read takes labelled deeds out of a journal, or out of a timed capture with labels in
// its header, and Evaluate judges them with the shipped model as live play would: sensor and tempo come from what was
// played before in the same recording. Whatever is fitted is fitted without the person who is scored (timing notes, 4.3).
//
// # What it does not know
//
// Whether the performer did what the card says. The board shows that the right pieces went to the right squares, and a card
// done otherwise is offered again; the style, the hands and the speed are the operator's word, and the film's. It
// fits no tables: the model is the shipped one.
//
// # The capture
//
// A labelled capture is a journal as every other: all bytes, and the labels are instructions that the core does not
// know ({"do":"label",…}, see Label). The boards' judgement is paused by an instruction at the beginning. So verify and
// replay take it, and nothing is lost when the program or the power goes: the session goes on where its journal ends.
//
// # The caller's loop
//
//	s, err := lab.NewSession(protocol, options, now)
//	for !s.Over() {
//		for _, l := range s.Take() { journal an Instruct record with l.Body() }
//		show(s.Screen(now))
//		s.Key(now, key) | s.Board(now, placement) | s.Tick(now)
//	}
//
// # Limits
//
// A protocol has at most 60 blocks and 1,000 cards. A session costs microseconds per event; the evaluation of a capture
// some 20 µs per deed.
//
// # Compatibility promise
//
// Labels stay readable: keys may be added, none is removed or given another meaning.
package lab
