package clockproto

import "testing"

// FuzzClock: the seven bytes are of one kind, only the parser of that kind accepts them, and the result survives the
// round trip.
func FuzzClock(f *testing.F) {
	for _, row := range readingRows {
		d := frame(f, row.hex)
		f.Add(d[:])
	}
	for _, hex := range []string{"00 00 00 00 00 00 00", "0a 10 09 0a 22 00 00", "3a 7f 7f 3a 7f 7f 00", "00 05 6a 00 05 00 09"} {
		f.Add(unhex(f, hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var d [7]byte
		copy(d[:], b)
		kind := Classify(d)
		r, readErr := ParseReading(d)
		a, ackErr := ParseAck(d)
		if (readErr == nil) != (kind == Time) || (ackErr == nil) != (kind == Acknowledge) {
			t.Fatalf("% x is %v; reading: %v, ack: %v", d, kind, readErr, ackErr)
		}
		switch kind {
		case Time:
			if r.Left.Seconds > MaxSeconds || r.Right.Seconds > MaxSeconds || (r.Up == NoSide) != r.NoClock {
				t.Fatalf("% x reads as %+v", d, r)
			}
			e := r.Encode()
			if e == ([7]byte{}) { // the only difference was the unused bit 6 of the status
				return
			}
			if back, err := ParseReading(e); err != nil || back != r {
				t.Fatalf("%+v came back as %+v, %v", r, back, err)
			}
			if !r.NoClock && (d[0] != e[0] || d[1] != e[1] || d[5] != e[5] || d[6]&0x3F != e[6]) {
				t.Fatalf("% x is written as % x", d, e)
			}
		case Acknowledge:
			if back, err := ParseAck(a.Encode()); err != nil || back != a {
				t.Fatalf("%v came back as %v, %v", a, back, err)
			}
		}
	})
}

// FuzzAck: any four bytes survive encoding in the seven bytes of the wire.
func FuzzAck(f *testing.F) {
	f.Add(byte(0x10), byte(0x88), byte(0x45), byte(0x35))
	f.Add(byte(0xFF), byte(0x00), byte(0x80), byte(0x7F))
	f.Fuzz(func(t *testing.T, a0, a1, a2, a3 byte) {
		a := Ack{a0, a1, a2, a3}
		if back, err := ParseAck(a.Encode()); err != nil || back != a {
			t.Fatalf("%v came back as %v, %v", a, back, err)
		}
	})
}

// FuzzCommand: a command that is read is written and read the same.
func FuzzCommand(f *testing.F) {
	for _, row := range commandRows {
		f.Add(unhex(f, row.hex)[2:])
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		c, err := ParseCommand(payload)
		if err != nil {
			return
		}
		again := c.AppendTo(nil)
		if len(again) != len(payload) || again[1] != payload[1] {
			t.Fatalf("% x is written as % x", payload, again)
		}
		if back, err := ParseCommand(again); err != nil || back != c {
			t.Fatalf("%+v came back as %+v, %v", c, back, err)
		}
	})
}
