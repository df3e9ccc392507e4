// Package pairing reads who sits at which board, from what pairing programs write: PGN, a list with a header, TRF.
//
// It knows the three forms and finds out by content which one a text is; a file's name says nothing. It does not know
// which boards are watched, and what is done with the names: At finds the game of a board.
//
// # PGN
//
// The tags White, Black, Board, Round, Event, and WhiteTitle, WhiteElo, WhiteFideId, WhiteFed and the same of Black. A
// Round of the form 3.12 is board 12 of round 3. Where no game of the round has a board, they are numbered as they
// stand. The moves are passed over: a game that has begun already, or a wrong move in it, does not matter.
//
// # A list
//
// The first line names the columns; comma, semicolon or tab stands between them, quotes as in RFC 4180. There must be
// white and black; board, round, and white or black with title, fed, rating, fide id are taken, in any order and case;
// others are passed over. The words for white, black, board and round may be German, French, Spanish or Russian.
//
// # TRF
//
// FIDE's Tournament Report File, the version of 2016 (Handbook C.04, annex 2) and the forms of 2006 and 2026, which
// have the same lines of players: fixed columns, counted from 1 and in characters (where that does not fit, in bytes of
// UTF-8): 5-8 start number, 11-13 title, 15-47 name, 49-52 rating, 54-56 federation, 58-68 FIDE number, and for round n
// from 92 + 10(n-1) on: four columns opponent, one free, colour, one free, result. 0000 or nothing is a bye or an
// absence. A line 012 is the tournament's name, a line 132 has the rounds' dates in the rounds' columns.
//
// TRF has no board numbers. They are worked out as FIDE has the pairings of a Swiss tournament sorted before they are
// made public (Handbook C.04.2, D.9): by the score of the better of the two players before the round, by the sum of
// both scores, by the better player's start number; the better one has more points, or else the lower start number.
// Before the first round that is the order of the better start number. Points are those of the results, without
// acceleration: 1 W + F U are one, = D H a half. Where players have fixed boards, and where all play all, the tables
// may be numbered otherwise: Pairing.WorkedOut says so, and whoever uses it tells the arbiter to compare. Team
// tournaments are refused.
//
// # Which round
//
// 0 asks for the latest round in the text. A list or PGN without any round is the round that is asked for.
//
// # The input it must survive
//
// Anything, up to 4 MiB, 100,000 games or 10,000 players, and 2,000 games in a round. Text is UTF-8, or UTF-16 with its
// mark, or otherwise Windows-1252. Errors are *Error with line, column and remedy. A pairing that contradicts itself (a
// board or a FIDE number twice, two players who do not name each other) is refused as a whole: a wrong name on an
// arbiter's telephone is worse than none. The worst text of 4 MiB takes a second.
package pairing
