// Package roster is the operator's list: every computer and board of a hall, worst first, each with what to do.
//
// # What it knows
//
// Make turns what is known of computers (their beats) and of boards (live.Facts) into rows. A row has facts, and
// problems: each with a sentence that says what is so and one that says what to do, in English and as a key of the
// page's texts (texts/hall) for the other languages. Page, hall list and doctor show the same rows.
//
// Runs, Offset and Homes follow what one message alone does not tell: two programs with one computer's key, a clock
// that is wrong, a board that is at another table than before. It does not know connections, files or HTTP.
//
// # What counts as a problem, and what does not
//
// A copied card is said where a run of the program is heard again after another one: a restart is another run, and the
// earlier one is never heard again. A clock is wrong where it differs from the hall's by more than 5 s in every one of
// the last beats, of which the quickest counts. A board has moved where its serial number answers under another name,
// or at another computer, than when it was last accepted there; a name that a board got by itself (board-SERIAL) is
// none, and a computer that is not in the hall any more had no board.
//
// # Input it must survive
//
// Whatever a computer of the hall says. Absent fields are those of an older program: nothing is said of them.
//
// # Limits
//
// Remembered are 4 runs and 5 offsets of a computer, and 4,096 serial numbers.
//
// Source: docs/hall.md.
package roster
