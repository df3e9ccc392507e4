// Package uplink is the boards' end of the connection to a hall: it joins, sends the files of the journals, and answers
// the hall's questions.
//
// # What it knows
//
// The files of journals, how far the hall has them (which it asks the hall, and never remembers itself), and which
// requests of people are in the journals. It does not know what a record means.
//
// # The caller's loop
//
//	m, err := uplink.Prepare(invitation)        // once; m is kept, see Member
//	m.Computer, err = uplink.Join(ctx, invitation, m, host)
//	u := uplink.New(uplink.Options{…})
//	go u.Run(ctx, m)
//	u.Watch(board, journal)                     // before the board's journal is read
//	u.Recovered(board, r), u.Entered(board, r)     // every Instruct and Decide record
//	u.Kick(board)                               // something was written
//	u.Left(board)
//
// Watch, Recovered, Entered, Kick and Left are called by the loops of the boards and wait for a short lock only.
//
// # No board waits for the uplink
//
// The uplink reads the files that the journal has written, as any other program could. There is no queue between the
// two that could fill up: bytes that the hall does not have are still in the file.
//
// # Goroutines
//
// One for each board, one for the beats, one for each question, 8 at most. All end with the context of Run.
//
// # Limits
//
// One chunk of 64 KiB of each board is on its way. An hour of one board, 1.25 MB, is 20 chunks.
package uplink
