// Package legal is the legality core: what a chess position is, which moves are legal in it, and why a
// given transfer of a piece is not.
//
// # What it knows
//
// Articles 1 to 5 and 9.2, 9.3, 9.6 of the FIDE Laws of Chess (edition 2023) as far as they concern the board:
// placement, moves, castling (also Chess960, Guidelines II), en passant, promotion, check, checkmate, stalemate,
// repetition, the move counters; and the notations FEN (also X-FEN and Shredder-FEN), UCI and standard algebraic.
//
// # What it does not know
//
// It does not know sensors, hands, clocks, presses and penalties: other packages decide whether an illegal move was
// completed (7.5.1), what follows from it, and which player may claim it. It does not search: whether a position is
// dead (5.2.2) is the business of rules/helpmate.
//
// # Three types, and how to get from one to the next
//
//	Placement   the piece on each square, without any condition.
//	Setup       a placement with turn, castling rights, en passant and counters: what a FEN says.
//	Position    a set-up that was checked. Only a Position has moves.
//
//	setup, err := legal.ParseFEN(text)      // err: *FENError, names the field and the remedy
//	position, err := setup.Position()       // err: Refusal, the set of all reasons
//	var list legal.MoveList
//	position.Moves(&list)                   // no allocation
//	verdict := position.Explain("e2e5")     // kind, articles, a sentence
//
// A position in which an illegal move was left standing (A.5.2) is no Position; Setup.Standing continues from it.
//
// # Three opinions
//
// The three are the generator (bitboards, pins and checks once per node), the direct predicate IsLegal (square by
// square, shares nothing with the generator) and, for orthodox chess, github.com/notnil/chess. Explain calls a move
// illegal only if all of them do: a false accusation is worse than a miss. If they differ, the verdict is Doubt and has
// no kind. The fuzz targets hold the three against each other.
//
// # Input it must survive
//
// ParseFEN, ParseUCI, ParseSAN, FindUCI and Explain take any text; Setup.Position and Setup.Standing take
// any values. None of them panics. Make, After, SAN and Push want a legal move of that very position.
//
// # Limits and figures
//
// At most 17 pieces a side, so at most 392 moves in a list. Counters up to 20,000. A Position has about 200 bytes, a
// History the same for every half-move. Tables take 0.9 MiB and are filled once, at init, within some 4 ms. Measured on
// one core of an AMD EPYC (Zen 3), Go 1.26: perft 5 over the six standard positions at 150 to 410 million nodes per
// second, the last half-move counted and not made; making a move, listing the replies and taking it back about 180 ns;
// no allocation (go test -bench . ./rules/legal). The perft files beside the project are run up to 200,000 nodes a
// count, further with BOARDWATCHD_PERFT_NODES.
//
// Integers only, no clock, no map iteration, no mutable package state: the same input gives the
// same output on every machine. Keys are stable too: they are part of the compatibility promise, as
// are the names of reasons for refusal (refusal.go).
package legal
