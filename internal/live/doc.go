// Package live holds the present state of every board of this computer, and the feed of events: the memory from which
// the arbiter's page, the alerts and the metrics are served.
//
// # What it knows
//
// It knows the objects of contract section 3 as JSON, the records of instructions and decisions, and watch.View. From
// them it keeps, for each board, the moves of the current game, the findings with their rulings and decisions, the
// touches around each finding, the board's health, and the wall time of moments of the time line. It concludes nothing
// about chess: all its data come from the machine or from a person. It does not know HTTP, devices or files.
//
// # The callers' loops
//
// The writer is the station of the board. None of its calls waits for a reader:
//
//	b := boards.Add("12", live.Info{Journal: "r4-12"})
//	Recovered(r) for each input and each Say record of the journal, in order; Seen(…) in between or once after them
//	then live, for each step: Entered(r) for Instruct and Decide, Seen(view, touches), Said(body) for each Say
//
// After a restart the journal alone restores everything. A call to Add with an existing name continues the same board;
// the journal that is read next replaces the old data, and followers must fetch the state again. Where it is the same
// journal, what was shown stays until the end of the reading; another one begins empty.
//
// A reader fetches the state and follows from there:
//
//	s, _ := boards.State("12")
//	f := boards.Follow(s.Last)
//	defer f.Close()
//	for {
//		batch, err := f.Next(ctx) // ErrFellBehind: fetch the state again
//		…
//	}
//
// State is exact: it contains every event of that board up to Last, and none after it.
//
// # The feed
//
// Durable events have an identifier EPOCH-N, N dense from 1; the epoch is a new one at each start. The last Keep of
// them (4096) are in one ring for all followers. A follower is a place in that ring, not a queue: one that does not
// read costs nothing, and one whose place was overwritten gets ErrFellBehind. Summaries of boards are volatile: a
// follower gets at most four batches of them in a second, the latest of each board, encoded once for all followers; a
// calm one (Follower.Calm) gets at most one batch in a second where there are 100 boards or more.
//
// # Input it must survive
//
// It survives any bytes as body and any text as identifier. A body that is not a JSON object of a known type changes
// nothing.
//
// # Limits
//
// Per board: 512 findings (the oldest that wait for no person are dropped first), 64 decisions and a time line of 80
// moments on each, 512 touches and presses, 1,200 plies, 20 remarks on health. Measured on a virtual machine with two
// cores (go test -bench . ./internal/live): an event with 50 followers 0.4 µs for its writer, a step of a board 0.4 µs,
// a move object 13 µs, most of it for reading the JSON, a summary 4 µs to encode. 64 boards whose clocks tick every
// second, with 50 followers, take 0.6 % of one core.
//
// Sources: contract notes, sections 3 and 5; laws notes, section 5; reliability notes, F12.
package live
