// Package populations is people who move pieces with one hand and with two, and the board that sees a little of it: labelled
// manipulations for judging the model of detector/hands, and whole games as the bytes that a host would have received.
//
// It knows how hands move (four families of people: a table of laws, family.go), what people do with them (styles, deed.go), and how
// a board samples its squares (timing notes, sections 1 and 2). It does not know the model: the tables of detector/hands come from another
// family of hands, with another law of motion, other dwells and another mixture of styles, and nothing here may be tuned to what the
// model says, nor the model to what is here. One test lets the tables' own hands play beside the others (worth_own_test.go).
//
// The families are scaled to what was measured (timing notes, 1.2 and 2.2; families_test.go): a simple move in blitz takes 0.24 s from coil
// to coil. The laws of stroke and coast were written by an examiner who had not seen the model.
//
//	s := populations.Sit(options)                                 // one person at one board
//	x := s.Perform(deed, style, pace, haste, &placement, atUS)    // what a card of the laboratory asks for
//
// In the tests they do what occurs in games (Plain, Do), and play whole games (Play, game_test.go).
//
// The same options give the same samples. Floating point is used freely: this is no part of the core. Not modelled: chess960
// castling, two hands on one piece, and what no board can see: which hand it was.
package populations
