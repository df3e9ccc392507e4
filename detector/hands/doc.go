// Package hands measures how strongly the timing of a board's reports suggests two hands in one capture, castling or
// promotion (FIDE Laws 7.5.4), and nothing else.
//
// # The problem
//
// A board visits each square once in 50 to 450 ms, and one hand lifts a piece in 150. In 71 of 100 recorded captures
// the captured piece is never seen to leave; no order of reports is impossible for one hand. The result is a likelihood
// ratio, mostly near 1, and often there is none (timing notes, sections 0 and 3).
//
// # What it knows
//
// It knows the scan of the board in use (Scan, Sensor), measured from ordinary moves: the period, the order of the
// squares, how well the reports follow it. It knows the player's tempo (Tempo). And it knows what one hand does, and
// what two do: some thousands of handlings in tables.bin, made by internal/research/handtables. It knows no prior, no
// threshold, no cap and no recipient: a Judgement is a logarithm before any of that, and it must be capped by what
// labelled data support (timing notes 4.2).
//
// # How it judges
//
// Each change of the handling must have happened in the period before the visit that saw it; a change that was never
// seen happened before the same visit as the next change of that square. A handling of the tables, scaled by the
// player's tempo, agrees with all of them for some part of the possible phases of the scan: that part is one minus the
// spread of (visit − time) over the changes, in units of a kernel a little wider than the period. Its mean over the
// handlings of a hypothesis, each style with its weight, is the likelihood. No bins of period, tempo or order are
// needed, and the period's own jitter drops out, because on the lattice the visits of two squares differ by whole scans
// and by their distance in the order (windows.go).
//
// It abstains from everything that is not clean: see Abstention. Its silence does not prove innocence.
//
// # The caller's loop
//
//	for each ordinary move:  scan.Add(reports, reversed); tempo.Add(from, to, lift, place)
//	for each capture, castling, promotion that was pressed:
//		j := hands.Standard().Judge(&handling, scan.Sensor(), tempo.Pace(own clock < 60 s))
//		if j.Known { cap, prior, threshold … }    // j.Abstain == SlowScan: LLR is set, for the record only
//
// The package reads no clock and uses integers only, so that every machine and every replay says the same.
//
// # Limits
//
// A judgement takes 40 to 80 µs and one allocation; the tables 0.4 MiB. Detection is that of timing notes 3.3: at one
// false alarm per 1,000 at the usual pace and T = 225 ms about one two-handed capture in six in blitz, and two in five
// in classical chess; castling three in five and four in five. What Apart adds, so that hurry does not look like two
// hands: docs/hands.md. It never recognises the other hand clearing the square after an ordinary pause, or after the
// attacker has landed, or whose hand it was, and nothing in bus mode. Of a promotion it only judges the duration. The
// weights of styles and accidents are guesses (timing notes 5).
//
// Sources: timing notes, sections 1.4, 2, 3.1 to 3.4, 3.6; protocol notes, section 11.
package hands
