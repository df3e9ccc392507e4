// Package scenario plays arbiter cases: a position, the actions of two players, an arbiter, a clock and the equipment,
// and the expected output of the watcher. The cases are YAML files of the form of the arbiters' case file; the
// program's own are in configs/cases.
//
// # What it knows
//
// It knows the file (Read), the act lines (ParseAct), the effect of an act on a board and a clock (Case.Plan), the
// inputs of the daemon (Play: emulator, cable, watch.Machine and the journal's records in virtual time, nothing else),
// the finding that answers the case (Principal), and the comparison with the file's expectation (Compare).
//
// It does not know the Laws: only the machine decides about offences and their consequences. It determines by itself
// only the position that an arbiter puts back: the last one that legal moves lead to.
//
// # An act line
//
//	[+seconds] ACTOR[/HAND] VERB args
//
// ACTOR is W or B, the players; A, the arbiter; N, somebody else; C, the clock; X, the equipment. HAND is R or L and is
// known to people only. A line begins one second, or the given seconds, after the end of the line before it. Vocabulary
// lists the verbs.
//
// # Equipment
//
// The board scans every 20 ms and the clock reports every change at once, so that the board shows the case to within 30
// ms: a piece put down 0.2 s after the press must be reported at that time. Clock and cable are otherwise realistic;
// White's clock is on the left, and configured so. A case may name another scan: conclusions from timing about two
// hands depend on it, and a scan of 20 ms with a real cable is not believed.
//
// # Inputs of people
//
// Reports, claims, results and signatures are Instruct records; `A restore` is the arbiter's Decide of the open
// finding, the pieces put back, and an Instruct that says so. Other spoken words are not an input.
//
// # The input it must survive
//
// It survives any file. A fault of one case is a problem of that case, with file, line and column: the others are
// played. Files are at most 4 MiB; anchors and aliases are refused.
//
// # Limits
//
// A case is played in some milliseconds. It ends at the latest 40 s after its last line.
package scenario
