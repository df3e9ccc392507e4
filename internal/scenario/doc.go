// Package scenario plays arbiter cases: a position, what two players, an arbiter, a clock and the equipment do, and
// what the watcher must say about it. The cases are YAML files of the form of the arbiters' case file; the program's
// own are in configs/cases.
//
// # What it knows
//
// The file (Read), the act lines (ParseAct), how an act looks to a board and a clock (Case.Plan), how the daemon is fed
// (Play: emulator, cable, watch.Machine and the journal's records in virtual time, nothing else), which of the things
// said is the answer to the case (Principal), and how the answer is compared with the file's expectation (Compare).
//
// It does not know the Laws: what is an offence and what follows from it is said by the machine alone. The one thing it
// works out by itself is which position an arbiter puts back: the last one that legal moves lead to.
//
// # An act line
//
//	[+seconds] ACTOR[/HAND] VERB args
//
// ACTOR is W or B, the players; A, the arbiter; N, somebody else; C, the clock; X, the equipment. HAND is R or L and is
// known to people only. A line begins one second, or the seconds given, after the one before it has ended. Vocabulary
// lists the verbs.
//
// # Equipment
//
// The board scans every 20 ms and the clock tells every change at once, so that what the board shows is what the case
// says, to within 30 ms: a case that puts a piece down 0.2 s after the press must look so. Clock and cable are otherwise
// as in life; White's clock is on the left, and configured so. A case may name another scan: what the timing says about
// two hands depends on it, and a scan of 20 ms behind a real cable is not believed.
//
// # What people tell the program
//
// Reports, claims, results and signatures are Instruct records; `A restore` is the arbiter's Decide of the open finding,
// the pieces put back, and an Instruct that says so. Other words that are spoken are told to nobody.
//
// # The input it must survive
//
// Any file. What is wrong with one case is that case's problem, with file, line and column: the others are played. Files
// are at most 4 MiB; anchors and aliases are refused.
//
// # Limits
//
// A case is played in some milliseconds. It ends at the latest 40 s after its last line.
package scenario
