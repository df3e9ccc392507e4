package clockproto_test

import (
	"fmt"

	"boardwatchd/clockproto"
)

// A press appears as one reading with the lever on the other side.
func ExampleParseReading() {
	last := clockproto.NoSide
	for _, d := range [][7]byte{
		{0x20, 0x03, 0x02, 0x20, 0x02, 0x59, 0x09},
		{0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13},
		{0x0A, 0x10, 0x09, 0x0A, 0x22, 0x00, 0x00},
	} {
		switch clockproto.Classify(d) {
		case clockproto.Time:
			r, err := clockproto.ParseReading(d)
			if err != nil {
				fmt.Println(err)
				continue
			}
			if last != clockproto.NoSide && r.Up != last {
				fmt.Println(last, "pressed")
			}
			fmt.Println("left", r.Left.Seconds, "right", r.Right.Seconds)
			last = r.Up
		case clockproto.Acknowledge:
			a, _ := clockproto.ParseAck(d)
			major, minor, _ := a.Version()
			fmt.Printf("clock version %d.%02d\n", major, minor)
		}
	}
	// Output:
	// left 179 right 182
	// left pressed
	// left 181 right 182
	// clock version 2.02
}
