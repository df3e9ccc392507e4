// Package roster is the operator's list: every computer and board of a hall, the worst first, each with a remedy.
//
// # What it knows
//
// Make turns what is known of computers (their beats) and of boards (live.Facts) into rows. A row has facts and
// problems. Each problem has a sentence about the state and one with the remedy, in English and as a key of the page's
// texts (texts/hall) for the other languages. Page, hall list and doctor show the same rows.
//
// Runs, Offset and Homes follow what one message alone does not show: two programs with one computer's key, a wrong
// clock, a board at another table than before. The package does not know connections, files or HTTP.
//
// # What counts as a problem, and what does not
//
// A copied card is reported if a run of the program is heard again after another one: a restart is another run, and the
// earlier one is never heard again. A clock is wrong if it differs from the hall's by more than 5 s in every one of the
// last beats, of which the fastest counts. A board has moved if its serial number answers under another name, or at
// another computer, than when it was last accepted there. A name that was made from the serial number (board-SERIAL)
// does not count, and a computer that is not in the hall any more had no board.
//
// # Input it must survive
//
// Anything that a computer of the hall sends. Absent fields mean an older program: no problem is made of them.
//
// # Limits
//
// It remembers 4 runs and 5 offsets of a computer, and 4,096 serial numbers.
//
// Source: docs/hall.md.
package roster
