// Package detector rebuilds what happened at one board: which moves were played, in which order, and which readings
// of the clock completed them.
//
// # What it knows
//
// It knows the physical board (what each square last reported and when), the clock as two unnamed sides with a lever,
// the Laws' notion of a move that is made and a move that is completed by the press (FIDE Laws 6.2.1), and the
// legality core. It knows nothing of bytes, serial ports, penalties or people: squares and pieces come in, committed
// moves, presses, results that the players signalled and notes about doubt go out.
//
// # Its rooms
//
// A Tracker holds one game and asks, in this order of trust: evidence (what board and clock have shown), play (which
// legal play explains it, by cost), offence (what a press shows that none explains), hint (what the history of a legal
// move suggests), hands (what timing says), array (set-ups). Each of them is a function of what it is given; what is
// remembered, waited for and believed is decided here. Every duration is in patience.go, every doubt about the record in
// trust.go, and what a move makes anew in turn.go.
//
// # How it decides
//
// Between presses the board is mostly "illegal": 53 % of the field updates of the recorded games leave it so, and a
// program that commits the first legal placement is wrong on one move in twenty. At the press it equalled exactly one
// legal successor in 198 of 198 recorded presses. Therefore the press is the commit, and placements are compared, not
// event orders: a square is seen up to 250 ms late, out of order, or never. The history of placements since the last
// commit is kept only to break ties and to see through an opponent who has already begun to reply.
//
// The report of a press is up to two seconds late, so that the board of a press may show the reply, whole or at any
// stage (play/reply.go), and in a scramble several plies more (the row later of play/arcs.go). A press completes one
// move; the others wait for theirs.
//
// Where the presses do not tell enough, because they were forgotten, swallowed, merged, or are not explained, the board
// alone tells which plies have been answered (unpressed.go): no press completes an earlier ply than the last of its
// player's that stands there.
//
// An illegal move among such plies is found on the board alone as well (between.go): where the board rests or the clock
// is stopped after the last press (behind.go), where its answer stands there, and where plies would be reported as not
// known.
//
// One or two squares that read wrong for the rest of the game (a bad coil, a fallen piece, a captured piece laid aside)
// are read through: where the players think, the press shows them by itself; in fast play two plies do that stood on
// the board but for the same squares (difference.go).
//
// Without a clock one inference decides (follow.go, play.Follower): a few courses of play are kept that could explain
// what has stood on the board, and a ply is committed once its reply stands there in every course that is near the
// best; mate and stalemate commit after two quiet seconds. After a gap (unplugged, restarted, corrupted) the next dump
// is the truth, and the plies that lead to it are searched for, the shortest row first; where none are found the record
// says so and goes on from the board as it stands. A dump also corrects the move just committed, where lost reports had
// made it look like another one. What could have been played in more than one way is reported as ambiguous, and what
// nothing explains as sensor.unknown: never as an offence.
//
// The stories in testdata, one or more for each of the 84 sequences of the reconstruction notes, say it by example.
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
