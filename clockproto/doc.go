// Package clockproto reads and writes the messages that a DGT chess clock sends and receives through a board: the seven
// bytes of the board's clock frame and the content of its clock message.
//
// # What it knows and what it does not
//
// It knows left and right as seen from the front of the clock, never White and Black: the clock does not turn when the
// board does. It does not know the board's framing (package dgt), nor time, nor which reading may follow another. Times
// are whole seconds, as the clock sends them.
//
// # The caller's loop
//
//	switch clockproto.Classify(d) {
//	case clockproto.Time:
//		r, err := clockproto.ParseReading(d)
//	case clockproto.Acknowledge:
//		a, err := clockproto.ParseAck(d)
//	}
//
// A lever press is one reading whose Up differs from the last; it already includes the increment (198 of 198 recorded
// presses).
//
// # The input it must survive
//
// It survives any bytes. The wire has no checksum; a time with an invalid digit is refused as a whole, and the caller
// judges a reading against the one before. Every parser checks the length first and assigns last.
//
// # Limits
//
// Hours are 0 to 9, so 9:59:59 is the highest time; encoders cut at that. A
// command has at most 15 bytes. Reading a time or an acknowledgement does not
// allocate.
//
// Source: DGT protocol notes, sections 5.4 and 6. "Section" in this
// package's comments means a section of these notes.
package clockproto
