// Package live is what every board of this computer shows now, and the feed of what happens: the memory from which the
// arbiter's page, the alerts and the metrics are served.
//
// # What it knows
//
// The objects of contract section 3 as JSON, the records of people's words, and watch.View. From them it keeps, for each
// board, the moves of the current game, the findings with their rulings and decisions, the touches around each finding,
// the board's health, and which moment of the time line was which on the wall clock. It concludes nothing about chess:
// what it shows was said by the machine or by a person. It does not know HTTP, devices or files.
//
// # The callers' loops
//
// The writer is the station of the board. None of its calls waits for a reader:
//
//	b := boards.Add("12", live.Info{Journal: "r4-12"})
//	Recovered(r) for each input and each Say record of the journal, in order; Seen(…) in between or once behind them
//	then live, for each step: Told(r) for Instruct and Decide, Seen(view, touches), Said(body) for each Say
//
// After a restart the journal alone brings everything back. A call to Add with a name that is there already goes on with
// the same board; the journal that is read next replaces what was shown, and followers are sent back to fetch the state.
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
// State is exact: it holds every event of that board up to Last, and none behind it.
//
// # The feed
//
// Durable events have an identifier EPOCH-N, N dense from 1; the epoch is a new one at each start. The last Keep of them
// (4096) lie in one ring for all followers. A follower is a place in that ring, not a queue: one that does not read
// costs nothing, and one that is overtaken gets ErrFellBehind. Summaries of boards are volatile: a follower gets at most
// four batches of them in a second, of each board the latest, encoded once for all followers.
//
// # Input it must survive
//
// Any bytes as body, any text as identifier. A body that is no JSON object of a known type changes nothing.
//
// # Limits
//
// Per board: 512 findings (the oldest that wait for nobody go first), 64 decisions and a time line of 80 moments on
// each, 512 touches and presses, 1,200 plies, 20 remarks on health. Measured on a virtual machine with two cores (go test
// -bench . ./internal/live): an event with 50 followers 0.4 µs for its writer, a step of a board 0.4 µs, a move that is
// said 13 µs, of which reading the JSON is most, a summary 4 µs to encode. 64 boards whose clocks tick every second, with
// 50 followers, take 0.6 % of one core.
//
// Sources: contract notes, sections 3 and 5; laws notes, section 5; reliability notes, F12.
package live
