// Package detector rebuilds what happened at one board: which moves were played, in which order, and which readings
// of the clock completed them.
//
// # What it knows
//
// It knows the physical board (what each square last reported and when), the clock as two unnamed sides with a lever,
// the Laws' distinction between a move that is made and a move that is completed by the press (FIDE Laws 6.2.1), and
// the legality core. It knows nothing of bytes, serial ports, penalties or people. Its inputs are squares, pieces and
// readings of the clock; its outputs are committed moves, presses, results that the players signalled, and notes about
// doubt.
//
// # Its rooms
//
// A Tracker holds one game and asks, in this order of trust: evidence (what board and clock have shown), play (which
// legal play explains it, by cost), offence (what a press shows that no legal play explains), hint (what the history of
// a legal move suggests), hands (what timing suggests), array (set-ups). Each of them is a function of its arguments;
// this package decides what is remembered, awaited and believed. Every duration is in patience.go, every doubt about
// the record in trust.go, and the state that each move resets in turn.go.
//
// # How it decides
//
// Between presses the board is mostly "illegal": 53 % of the field updates of the recorded games leave it so, and a
// program that commits the first legal placement is wrong on one move in twenty. At the press it equalled exactly one
// legal successor in 198 of 198 recorded presses. Therefore the press is the commit, and the program compares
// placements, not orders of events: a square is reported up to 250 ms late, out of order, or never. The history of
// placements since the last commit only breaks ties and shows the move beneath a reply that has already begun.
//
// A press is reported up to two seconds late, so that the board may already show the reply, whole or at any stage
// (play/reply.go), and in a scramble several plies more (the row "later" of play/arcs.go). A press completes one move;
// the plies after it wait for their own presses.
//
// Where the presses do not show enough (forgotten, swallowed by the clock, merged, or not explained), the board alone
// shows which plies have been answered (unpressed.go). A press never completes an earlier ply than the last ply of its
// player that the board shows.
//
// An illegal move among such plies is found on the board alone as well (between.go): where the board rests or the clock
// is stopped after the last press (behind.go), where the board shows its answer, and where plies would otherwise be
// reported as not known.
//
// The program reads through one or two squares that read wrong for the rest of the game (a bad coil, a fallen piece, a
// captured piece laid aside). Where the players take time to think, a press is enough to show them; in fast play they
// show when two plies in a row match the board except for the same squares (difference.go).
//
// Without a clock one inference decides (follow.go, play.Follower). It keeps a few courses of play that could explain
// the placements seen so far, and commits a ply once its reply is on the board in every course that is near the best;
// mate and stalemate commit after two quiet seconds. After a gap (unplugged, restarted, corrupted) the next dump is the
// truth, and the program searches for the plies that lead to it, the shortest row first; where it finds none, the
// record says so and goes on from the board as it is. A dump also corrects the move just committed, where lost reports
// had made it look like another one. A board that could have been reached in more than one way is reported as
// ambiguous, and one that nothing explains as sensor.unknown: never as an offence.
//
// The stories in testdata show this by example, one or more for each of the 84 sequences of the reconstruction notes.
//
// # The caller's loop
//
//	t := detector.New(params)
//	for each input, in order of time:
//		t.Wake(now)                     // every deadline that has passed, first
//		t.Field / t.Dump / t.Clock / t.Gap / t.Finish
//		for _, o := range t.Take() { ... }
//		if t.DumpWanted() { ask the board for a dump }
//		at, ok := t.Deadline()          // call Wake no later than this
//
// Time is an argument, in microseconds of the journal's own line. The package reads no clock, holds no goroutine,
// uses no floating point and ranges over no map, so that a replay says the same, byte for byte, on any machine.
//
// # Limits
//
// At most 256 changes are remembered since the last commit; older ones are folded into their result. The search for
// lost plies looks 5 plies deep and visits at most 50,000 positions for each length (about 10 ms).
//
// Sources: reconstruction notes, sections 1 and 7; protocol notes, sections 6.7, 11 and 13; FIDE Laws 2023, articles
// 5.1.1, 5.2.1, 6.2.1, 6.2.2, 9.2.
package detector
