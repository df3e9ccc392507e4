// Package clockproto reads and writes what a chess clock of DGT says and is
// told through a board: the seven bytes of the board's clock frame and the
// content of its clock message.
//
// # What it knows and what it does not
//
// It knows left and right as seen from the front of the clock, never White and
// Black: the clock does not turn when the board does. It does not know the
// board's framing, which is package dgt's, nor time, nor which reading may
// follow which. Times are whole seconds, as the clock sends them.
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
// A lever press is one reading whose Up differs from the last; it has the
// increment already (198 of 198 recorded presses).
//
// # The input it must survive
//
// Anything. The wire has no checksum; a time whose digits are not digits is
// refused as a whole, and what a reading means after the last one is for the
// caller to judge. Every parser checks the length first and assigns last.
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
