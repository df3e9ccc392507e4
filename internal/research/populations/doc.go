// Package populations is people who move pieces with one hand and with two, and the board that sees a little of it: labelled
// manipulations for judging the model of detector/hands, and whole games as timed captures for judging the program.
//
// # What it knows, and what it must not know
//
// It knows how hands move (four laws, below), what people do with them (styles), and how a board samples its squares
// (timing notes, sections 1 and 2). It does not know the model: the tables of detector/hands come from another family
// of hands, with another law of motion, other dwells and another mixture of styles, and nothing here may be tuned to
// what the model says, nor the model to what is here. It takes only the types from there, so that a sample can be judged.
// One test lets the tables' own hands play beside the others, to measure how often the model comes true (worth_test.go).
//
// # The four families
//
// Jerk: every movement is one minimum-jerk stroke, with an acceleration that the person likes; its duration grows with
// the root of the distance. Dwells are log-normal. Two hands that mean to act together differ by a normal lag.
//
// TwoPhase: a reach of nearly the same duration whatever the distance, then homing; dwells and homing are gamma. Two
// hands are guided by one gaze, so the second of them is late (timing notes, 2.1: Jeannerod, Bingham).
//
// Stroke: speed has a log-normal course, dwells are normal with an exponential tail; the tempo wanders around the person's own.
//
// Coast: a movement speeds up, coasts and brakes; all times are gamma. Three sorts of people, who swap, take first or push; the
// tempo walks at random, and in the second half of a fast game it rises.
//
// The first two share the way in which a deed is drawn (take.go, deed.go). The other two were written by an examiner who had seen neither
// those files nor the model, and have a way of their own (guest.go): other sums of the same movements, other look-alikes (a castling
// may be scooped, and a scoop may be wider than a hand), other promotions.
//
// All are scaled to what was measured (timing notes, 1.2 and 2.2; families_test.go): a simple move in blitz takes 0.24 s from coil to coil;
// Box and Block, 0.67 s for grasp, carry, release and return at an ordinary pace, bounds how fast one hand goes twice. How
// often which style is chosen differs between the families and, within them, between persons.
//
// # The caller's loop
//
//	s := hands.Sit(options)            // one person at one board
//	for range 60 { feed(s.Plain()) }   // ordinary moves: scan and tempo can be measured
//	x := s.Do(hands.Capture, two)      // a deed with its label
//
//	g := hands.Play(options)           // or a whole game of two persons
//	g.WriteCapture(w)                  // as a timed capture (contract, section 2), labels in its header
//
// The same options give the same samples. Floating point is used freely: this is no part of the core, and on another
// processor the last digit may differ.
//
// # Limits
//
// One manipulation takes 3 to 10 µs (BenchmarkDo). Not modelled: chess960 castling, en passant's third square pushed by the pawn, two
// hands on one piece, and what no board can see: which hand it was.
package populations
