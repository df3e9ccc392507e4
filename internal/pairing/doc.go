// Package pairing reads the players of each board from the files of pairing programs: PGN, a list with a header, TRF.
//
// It knows the three forms and recognises them by content, not by the file's name. It does not know which boards are
// watched, and how the names are used: At finds the game of a board.
//
// # PGN
//
// The tags White, Black, Board, Round, Event, and WhiteTitle, WhiteElo, WhiteFideId, WhiteFed and the same of Black. A
// Round of the form 3.12 is board 12 of round 3. If no game of the round has a board, they are numbered in the order of
// the text. The moves are skipped: a game that has begun already, or a wrong move in it, does not matter.
//
// # A list
//
// The first line names the columns, which are separated by comma, semicolon or tab, with quotes as in RFC 4180. The
// columns white and black are required. The columns board, round, and white or black with title, fed, rating, fide id
// are read, in any order and case; others are skipped. The words for white, black, board and round may be German,
// French, Spanish or Russian.
//
// # TRF
//
// FIDE's Tournament Report File, the version of 2016 (Handbook C.04, annex 2) and the forms of 2006 and 2026, which
// have the same lines of players: fixed columns, counted from 1 and in characters (where that does not fit, in bytes of
// UTF-8): 5-8 start number, 11-13 title, 15-47 name, 49-52 rating, 54-56 federation, 58-68 FIDE number, and for round n
// from 92 + 10(n-1) on: four columns opponent, one free, colour, one free, result. 0000 or nothing is a bye or an
// absence. A line 012 is the tournament's name, a line 132 has the rounds' dates in the rounds' columns.
//
// TRF has no board numbers. They follow from the order in which FIDE has the pairings of a Swiss tournament published
// (Handbook C.04.2, D.9): by the score of the better of the two players before the round, by the sum of both scores, by
// the better player's start number; the better one has more points, or else the lower start number. Before the first
// round that is the order of the better start number. Points are those of the results, without acceleration: 1 W + F U
// are one, = D H a half. If players have fixed boards, or in a round-robin tournament, the tables may be numbered
// otherwise: Pairing.BoardsDerived marks this, so that the arbiter can be asked to compare. Team tournaments are
// refused.
//
// # Which round
//
// 0 requests the latest round in the text. A list or PGN without any round counts as the requested round.
//
// # The input it must survive
//
// Anything, up to 4 MiB, 100,000 games or 10,000 players, and 2,000 games in a round. Text is UTF-8, or UTF-16 with its
// mark, or otherwise Windows-1252. Errors are *Error with line, column and remedy. A pairing that contradicts itself (a
// repeated board or FIDE number, two players who do not name each other) is refused as a whole: a wrong name on an
// arbiter's telephone is worse than none. The worst text of 4 MiB takes a second.
package pairing
