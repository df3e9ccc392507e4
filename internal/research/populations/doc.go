// Package populations simulates people who move pieces with one hand and with two, and a board that samples the
// movements: labelled manipulations to test the model of detector/hands, and whole games as the bytes that a host would
// have received.
//
// It knows how hands move (four families of people: a table of laws, family.go), the styles of manipulations
// (handling.go), and how a board samples its squares (timing notes, sections 1 and 2). It does not know the model: the
// tables of detector/hands come from another family of hands, with another law of motion, other dwells and another
// mixture of styles, and nothing here may be tuned to the model's answers, nor the model to this package. One test also
// uses the tables' own hands (worth_own_test.go).
//
// The families are scaled to measurements (timing notes, 1.2 and 2.2; families_test.go): a simple move in blitz takes
// 0.24 s from coil to coil. The laws of stroke and coast were written independently, without knowledge of the model.
//
//	s := populations.Sit(options)                                 // one person at one board
//	x := s.Perform(handling, style, pace, haste, &placement, atUS)    // the task of a card of the laboratory
//
// In the tests they make the manipulations that occur in games (Plain, Do), and play whole games (Play, game_test.go).
//
// The same options give the same samples. Floating point is used freely: this package is not part of the core. Not
// modelled: chess960 castling, two hands on one piece, and which hand it was, because a board cannot detect that.
package populations
