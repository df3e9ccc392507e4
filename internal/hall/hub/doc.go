// Package hub is the hall's end of a hall: it serves the computers at the boards, keeps mirrors of their journals,
// shows them through listeners, and carries what people say to the boards.
//
// # What it knows
//
// It knows the computers that have joined, their boards, how far the mirrors of these are, and which computers are there
// now. It does not know HTTP, what a record means, or who listens.
//
// # The caller's loop
//
//	h, err := hub.Open(hub.Options{Dir: …, Hear: …, Here: …})
//	err = h.Run(ctx)                               // until ctx ends
//	err = h.Decide(ctx, board, body)               // nil: on the disk of the board, and its record is here
//
// # One worker for each board
//
// Each board has one goroutine, which owns its mirror and its view. Chunks come to it through a queue; where that is
// full the chunk is dropped, and the next one shows the hole, which is filled from the board's own journal. So a board
// that is asked for missing bytes delays no other.
//
// # What is brought past the stream
//
// A board that has much to bring, mostly after an outage, begins when it has a turn. Its chunks go from the connection
// to its worker, which answers them. All others go through the stream.
//
// # What is asked when
//
// When a computer appears, and a day after that, its journals are compared: sizes first, then the SHA-256 of every
// segment that was not compared within a day. Missing bytes are fetched, a segment that differs is set aside and
// fetched as a whole.
//
// # Input it must survive
//
// Any message of a computer that has joined: one without the seal of its sender is dropped. A stream that was deleted,
// cut or damaged. A mirror that was deleted or changed.
//
// # Limits
//
// At most 256 chunks wait for each board, and at most 64 boards with much to bring do so at a time. JetStream keeps at
// most 1 GiB, for a day.
package hub
