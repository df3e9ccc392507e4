package dgt_test

import (
	"fmt"

	"boardwatchd/dgt"
)

// A chunk may end anywhere; the frame is returned with the chunk that completes it.
func ExampleDecoder() {
	var d dgt.Decoder
	for _, chunk := range [][]byte{{0x07, 0x8E, 0x00}, {0x05, 0x34, 0x00, 0x8E}, {0x00, 0x05, 0x24, 0x01}} {
		d.Feed(chunk)
		for f, ok := d.Next(); ok; f, ok = d.Next() {
			if u, ok := f.Field(); ok {
				fmt.Printf("byte %d: square %d %v\n", f.Offset, u.Square, u.Piece)
			}
		}
	}
	fmt.Printf("%+v\n", d.Stats())
	// Output:
	// byte 1: square 52 empty
	// byte 6: square 36 white pawn
	// {Bytes:11 Frames:2 FrameBytes:10 Garbage:1}
}
