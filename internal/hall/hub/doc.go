// Package hub is the hall's end of the connection to the computers at the boards. It serves them, keeps mirrors of
// their journals, shows these through listeners, and carries what people enter to the boards.
//
// # What it knows
//
// It knows the computers that have joined, their boards, how far the mirrors of these are, and which computers can be
// reached now. It does not know HTTP, the meaning of a record, or who listens.
//
// # The caller's loop
//
//	h, err := hub.Open(hub.Options{Dir: …, Hear: …, Here: …})
//	err = h.Run(ctx)                               // until ctx ends
//	err = h.Decide(ctx, board, body)               // nil: on the disk of the board, and its record is here
//
// # One worker for each board
//
// Each board has one goroutine, which owns its mirror and its view. Chunks come to it through a queue. When the queue
// is full the chunk is dropped; the next one shows the hole, which is filled from the board's own journal. A board with
// missing bytes does not delay the others.
//
// # Chunks that bypass the stream
//
// A board with a large backlog, mostly after an outage, sends it when it has a turn. Its chunks go from the connection
// to its worker, which answers them. All other chunks go through the stream.
//
// # Comparison of journals
//
// The journals of a computer are compared when it appears, and a day after that: sizes first, then the SHA-256 of every
// segment that was not compared within half a day. Missing bytes are fetched; a segment that differs is set aside and
// fetched as a whole.
//
// # Input it must survive
//
// Any message of a computer that has joined; a message without the seal of its sender is dropped. A stream that was
// deleted, cut or damaged. A mirror that was deleted or changed.
//
// # Limits
//
// At most 256 chunks wait for each board, and at most 64 boards send a large backlog at a time. JetStream keeps at most
// 1 GiB, for a day.
package hub
