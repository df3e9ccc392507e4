// Package pgn reads and writes games as PGN text, with the clock times of the
// moves.
//
// It knows the text: tags, moves in standard notation, comments, variations, %clk, %emt, results, and the start
// positions of tags. It does not know where the text comes from and what happened at the board.
//
// # Who decides
//
// Package legal decides about legality and notation; this package reads and writes the text around the moves.
// github.com/notnil/chess, whose PGN reader was the starting point of this package, is the witness: it decodes every
// move of an orthodox game too, and a move that the two understand differently is an error. Its own reader of whole
// texts is not used, because (all measured with v1.10.0) it panics on a comment before the first move, silently drops
// everything after an unclosed variation, reads ; comments and %-lines as moves, merges two games when the first has no
// moves, ends at lines beyond 64 KiB, and has no Chess960. It reads correctly what this package writes for an orthodox
// game of at least one move: tests check that.
//
// # The caller's loop
//
//	r := pgn.NewReader(text)
//	for {
//		g, err := r.Next()
//		if err == io.EOF { break }
//		var e *pgn.Error // line, column and remedy; Next goes on with the next game
//		…
//	}
//
// # The input it must survive
//
// It survives any text. Text that is not UTF-8 is read as Latin-1, which is PGN's own character set. Variations and
// NAGs are skipped, at any depth and without recursion. A game has at most MaxPlies half-moves. The time is linear in
// the text plus about 41 µs for each orthodox move, nearly all of it the witness's.
//
// # What is written
//
// It writes the seven tags in their order, then the others; SetUp, FEN and Variant as the start position needs them;
// {[%clk H:MM:SS] [%emt H:MM:SS]} after each move whose times are known, with the clock after the move and the time it
// took; lines of at most 79 characters; ASCII marks of checks and results. Reading it back gives the same game, but
// comments lose braces, and text loses control characters.
//
// Sources: Portable Game Notation Specification and Implementation Guide of
// 1994, sections 3 (tags), 4 to 8 (lexis and movetext) and 8.2.4 (results); the
// PGN extension of 2001 for %clk and %emt.
package pgn
