// Package dgt speaks the wire protocol of DGT electronic chess boards, in both directions: the messages of a board, the
// commands to it, the log in its EEPROM and the frames of its multi-board bus.
//
// # What it knows and what it does not
//
// It knows bytes: where a frame begins and ends, which lengths are possible, what the codes mean. It does not know
// chess (a square is a number in the board's own count, 0 at the far left), the players' sides, time, ports, or the
// seven bytes inside a clock frame, which belong to package clockproto.
//
// # The caller's loop
//
//	d.Feed(chunk)
//	for f, ok := d.Next(); ok; f, ok = d.Next() {
//		if u, ok := f.Field(); ok { … }
//	}
//
// The division of the bytes into chunks never changes the frames. A Decoder reports no errors: bytes that belong to no
// frame are garbage, counted and skipped. After every call
//
//	Stats.Bytes == Stats.FrameBytes + Stats.Garbage + bytes of the incomplete frame
//
// so every byte is accounted for at every moment.
//
// # Deadlines, which the caller keeps
//
// A frame can be cut short and followed by silence, for instance when the cable is pulled. Only the caller has a clock.
// If Pending reports an incomplete frame and no byte has arrived for 0.5 s, or for [MsgLog] 15 s after its first byte,
// call Abort. A log of 7,939 bytes takes 8.3 s at 9600 baud.
//
// # The input it must survive
//
// It survives any bytes. The wire has no checksum, so a flipped bit can make a frame that was never sent: only a fresh
// board dump protects against that, not the framing. The framing promises that one damaged byte costs the frame that
// contains it and at most the next one, because every byte of 0x80 and more starts a frame and every known id has its
// exact lengths. A decoder that trusted the 14-bit length could lose 16,383 bytes, which is about 25 minutes of play.
//
// # Limits
//
// A Decoder holds 8 KiB and never allocates. The longest frame is the log,
// 0x1F03 bytes; a frame of an unknown id may have 259. Commands have at most
// 127 bytes after their length byte.
//
// Source: DGT protocol notes, sections 2 to 5, 7, 8 and 16. "Section" in this
// package's comments means a section of these notes.
package dgt
