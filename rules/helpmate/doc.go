// Package helpmate decides whether a side can still be helped to give checkmate. By FIDE Laws 5.2.2, 6.9 and 7.5.5 it
// depends on this whether a fallen flag or a losing illegal move loses the game or draws it.
//
// # What it knows
//
// The position, the legal moves (rules/legal) and the 75-move rule (9.6.2). An answer is one of three:
//
//	Never     proved: by the end of the game, by material, by walls, or by having visited every position from which that
//	          is not known
//	Possible  with a line of legal moves, played once more to the mate before it is returned
//	Unknown   the budget ended; a person has to look. It must not be turned into a loss or a draw
//
// # What it does not know
//
// It does not know the game before the position. A draw by fivefold repetition (9.6.1) cannot be foreseen: no line
// repeats a position, but a position of the line may have been on the board four times before. Claims (9.2, 9.3) need
// not be made and do not count, nor does touch-move. Castling rights of a board set up by hand are often unknown and
// should be given generously: a wrong Never is worse than a Possible.
//
// # How it asks, in this order
//
//	verdict.go    mate, stalemate and 75 moves on the board (over)
//	material.go   pieces that cannot mate wherever they stand (material)
//	forced.go     all play, as long as it hardly branches: mate of the side, stalemate, dead positions (forced), 75 moves (counted)
//	quick.go      a walk towards the nearest picture of a mate (sketch.go): finds the line of nearly every possible one (played)
//	never.go      what the board alone proves (walls):
//	  mobility.go   where each piece can ever get to, at most; pawns, checks, castle and stalemate.go are its rules
//	  walled.go     ... and whether the enemy king can then ever be mated
//	  tempo.go      a side that has only pawn moves left, which are counted
//	  split.go      cases: which piece that never moved is captured first
//	pipeline.go   where there is only one move, and it captures or is a pawn's: the question after it (onlyMove)
//	forced.go     once more, further, and with walls after captures, pawn moves and answers to a check
//	minormate.go  the beginning of the big search, where a mate by minor pieces or behind a wall is sought (played, or visited)
//	loose.go      the same with loose pieces that may be anywhere: walls that hold only because a side runs out of moves (walls)
//	clock.go      where the half-move counter is 100 or more: every position at its smallest count (counted)
//	  quiet.go      less those that are too far from a mate, where no capture or pawn move helps
//	  layers.go     the same with few pieces, and no mate after a capture: all positions of one count at once
//	plan.go       the big search: distinct positions, each visited once (played, or visited)
//	clock.go      if what the big search found comes too late for 9.6.2
//
// pipeline.go is that order. If the side's pawns are all locked and its only other pieces are bishops, the proofs come
// before the quick walk.
//
// The big search has one tree (frontier.go), one table of the positions met (table.go) and seven guides (guide.go),
// which take turns. Five are compasses, each towards another picture of a mate (compass.go, goals.go). One is for
// smothered mates (smother.go) or, where minor pieces need blockers, for the pieces of such a mate alone
// (minormate.go). One prefers positions that were seldom met (novelty.go). When a guide has nothing left, every
// position that can be reached was visited, and that is the proof as well. Only positions that are proved dead are left
// out: barren material, and those proved by never.go after captures and pawn moves (prover.go). Estimates decide the
// order and nothing else. The quick walk leaves positions out freely: it proves nothing.
//
// The reasons come with details. Walls has the proof (Wall). Forced has the ends, the number of positions and the
// longest line. Visited has the number of positions, and whether dead ones were left out. Counted means that without
// 9.6.2 there might be a mate; it is also given where forced play runs into that rule. The line of Played is checked
// against the lists of legal moves from the first move to the mate, whichever search found it.
//
// Solver.Forced follows play for both sides at once. Solver.Dead asks about both sides (5.2.2), but not where a queen
// or a rook has room, or will have it, and play is free, at once or after a move: dead.go says what that may miss.
//
// # Input it must survive
//
// Any legal.Position, Standing ones included (A.5.2: the side not to move in check, a pawn on the last rank, which
// counts as a piece without moves); where a king is in check out of turn, the question is put after each move
// (standing.go). Any limit, also 0 or less.
//
// # Limits and figures
//
// The budget counts moves tried; weighing eight moves counts as one more, a question to never.go inside a search as 25.
// There is no clock, and the same question has the same answer everywhere.
//
// A Solver keeps some 0.25 MB for the quick walk and forced play, so that such a question allocates its line and
// nothing else. The big search needs 56 bytes for each position from which play goes on, and a key for each that was
// met. It holds 1.2 million of the former and 3.1 million of the latter, 100 MiB whatever the limit, and then it ends
// with OutOfMemory. Layers need 6 MB, and up to 40 more. Positions are identified by 64-bit keys: the chance that any
// two of them share one, so that a position is overlooked, is below 1 in 3 million.
//
// Measured on one core of a shared AMD EPYC (Zen 3) whose speed varied by a factor of 2 (go test -run xxx -bench . -cpu
// 1 ./rules/helpmate), Go 1.26: 35 nodes and a line of 22 half-moves in the mean for a question about a real game,
// 10,400 nodes for one made to be hard, 0.25 to 0.4 µs a node where the whole budget is used, which is 0.7 to 1.2 s;
// Dead 12 µs over real games. Test material (chasolver's files, beside the project): none of 4,748 questions about real
// games and none of 2,276 hard ones is wrong or open.
//
// # Weaknesses
//
// Two kinds of positions are hard: crowds of bishops behind a wall with a late half-move counter, because the first
// capture is hardly guided, and searches for minor pieces without a mate, which cost 30,000 nodes at the start. A wall
// is judged with one of the winner's pieces on the square from which it gives check and the others anywhere at once. So
// it is not proved if two of them are shut in with the loser's king and could attack every square there, but never
// enough of them at a time; the proof with loose pieces, or the visit of all positions, must prove it then. No board
// that can arise in a game is known to be open.
//
// Sources: FIDE Laws of Chess 2023; unwinnability notes. The idea of an upper bound on mobility is M. Ambrona's (A
// Practical Algorithm for Chess Unwinnability, FUN 2022); rules and proofs here are our own.
package helpmate
