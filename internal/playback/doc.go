// Package playback makes the data of the replay page: from the records of a journal the events of each game in compact
// form, and from one or more recordings one complete HTML file.
//
// # What it knows
//
// What the board's bytes show and what the machine has reported, both by watch.Observer: every changed square and every
// press with its window, readings of the clock, positions of the record, findings with their rulings and decisions,
// health, results, and absences. It judges nothing. Each row begins with the number of the journal's record from which
// it was taken.
//
// # What it does not know
//
// Where records come from, HTTP, how the page draws (internal/web/page, assets/js/track.js and player.js).
//
// # The caller's loop
//
//	b := playback.New(book)
//	for { b.Record(r) } // all records: inputs and what the machine said, in order
//	rec := b.Recording()
//	page, err := playback.File([]*playback.Recording{rec}, …)
//
// # Input it must survive
//
// Any records. An unreadable body is skipped.
//
// # The data
//
// Times are milliseconds of the journal's time line. A row is an array; its first two entries are the record's number
// and the time.
//
//	touches    [seq, t, width, square, was, is, dump]   it happened in [t-width, t]; letters of a FEN, "" is an empty square
//	           [seq, t, 0, "", placement, placement]    the whole board: before and after; "" is not known
//	presses    [seq, t, width, side, judged]            judged "": the lever moved, and nothing was said of it
//	positions  [seq, t, fen]                            of the record; "": not known
//	clock      seq, t, white, black, running, …         each as the difference to the one before; running is 0, 1 White, 2 Black; times
//	                                                    of -1 s: no reading
//	away       [from, to]                               the board's link was not up
//
// Moves, results, findings, health and decisions are objects with the fields of contract section 3.
//
// # Limits
//
// A game of 6.7 hours with 120 moves and 24,000 readings of the clock has 391 KB of data, and its file 1.0 MB, of which
// 0.5 MB are texts in six languages; reading its journal and writing the file took 0.05 s of processor time and 36 MiB
// (boardwatchd replay --html).
//
// Sources: contract notes, sections 2 and 3.
package playback
