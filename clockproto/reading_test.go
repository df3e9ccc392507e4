package clockproto

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatalf("test row %q: %v", s, err)
	}
	return b
}

// frame takes the seven data bytes out of a board's clock frame.
func frame(t testing.TB, s string) [7]byte {
	t.Helper()
	b := unhex(t, s)
	if len(b) != 10 || b[0] != 0x8D || b[1] != 0 || b[2] != 10 {
		t.Fatalf("test row %q is no clock frame", s)
	}
	return [7]byte(b[3:])
}

// fischer returns a face like that of most recorded readings.
func fischer(seconds int) Face { return Face{Seconds: seconds, PerMove: true} }

// readingRows are the time messages of section 15.2. They hold in both
// directions.
var readingRows = []struct {
	name, hex string
	want      Reading
}{
	{"stopped before the game, left high", "8d 00 0a 20 03 02 20 03 02 08",
		Reading{Left: fischer(182), Right: fischer(182), Up: Left, TurnBits: TurnLeft}},
	{"started: only bit 0 differs", "8d 00 0a 20 03 02 20 03 02 09",
		Reading{Left: fischer(182), Right: fischer(182), Up: Left, TurnBits: TurnLeft, Running: true}},
	{"left ticked", "8d 00 0a 20 03 02 20 03 01 09",
		Reading{Left: fischer(181), Right: fischer(182), Up: Left, TurnBits: TurnLeft, Running: true}},
	{"left at 2:59 before its press", "8d 00 0a 20 03 02 20 02 59 09",
		Reading{Left: fischer(179), Right: fischer(182), Up: Left, TurnBits: TurnLeft, Running: true}},
	{"left pressed: increment and lever in one message", "8d 00 0a 20 03 02 20 03 01 13",
		Reading{Left: fischer(181), Right: fischer(182), Up: Right, TurnBits: TurnRight, Running: true}},
	{"right pressed", "8d 00 0a 20 03 03 20 03 01 09",
		Reading{Left: fischer(181), Right: fischer(183), Up: Left, TurnBits: TurnLeft, Running: true}},
	{"right runs", "8d 00 0a 20 01 46 20 01 49 13",
		Reading{Left: fischer(109), Right: fischer(106), Up: Right, TurnBits: TurnRight, Running: true}},
	{"paused on right's time", "8d 00 0a 20 01 46 20 01 49 12",
		Reading{Left: fischer(109), Right: fischer(106), Up: Right, TurnBits: TurnRight}},
	{"one second before the flag", "8d 00 0a 20 00 01 20 00 16 13",
		Reading{Left: fischer(16), Right: fischer(1), Up: Right, TurnBits: TurnRight, Running: true}},
	{"right's flag fell and the clock stopped", "8d 00 0a 30 00 00 20 00 16 12",
		Reading{Left: fischer(16), Right: Face{PerMove: true, Fallen: true}, Up: Right, TurnBits: TurnRight}},
	{"a flag is shown while the clock goes on", "8d 00 0a 01 59 59 41 30 00 13",
		Reading{Left: Face{Seconds: 5400, FlagShown: true}, Right: Face{Seconds: 7199}, Up: Right, TurnBits: TurnRight, Running: true}},
	{"no clock connected", "8d 00 0a 00 00 00 00 00 00 20", Reading{NoClock: true}},
	{"battery low", "8d 00 0a 00 04 30 00 05 00 17",
		Reading{Left: Face{Seconds: 300}, Right: Face{Seconds: 270}, Up: Right, TurnBits: TurnRight, Running: true, BatteryLow: true}},

	// Section 5.4.
	{"the highest time", "8d 00 0a 09 59 59 00 00 00 08",
		Reading{Right: Face{Seconds: MaxSeconds}, Up: Left, TurnBits: TurnLeft}},
	{"a genuine zero has a turn bit", "8d 00 0a 00 00 00 00 00 00 08", Reading{Up: Left, TurnBits: TurnLeft}},
	{"a genuine zero may have a flag instead", "8d 00 0a 10 00 00 00 00 00 00", Reading{Right: Face{Fallen: true}, Up: Left}},
	{"turn bits need not follow the lever", "8d 00 0a 00 05 00 00 05 00 10",
		Reading{Left: Face{Seconds: 300}, Right: Face{Seconds: 300}, Up: Left, TurnBits: TurnRight}},
	{"no clock, and the last one's battery was low", "8d 00 0a 00 00 00 00 00 00 24", Reading{NoClock: true, BatteryLow: true}},
}

func TestReadingsBothDirections(t *testing.T) {
	for _, tt := range readingRows {
		t.Run(tt.name, func(t *testing.T) {
			d := frame(t, tt.hex)
			if k := Classify(d); k != Time {
				t.Errorf("classified as %v", k)
			}
			got, err := ParseReading(d)
			if err != nil || got != tt.want {
				t.Errorf("read %+v, %v; want %+v", got, err, tt.want)
			}
			if back := tt.want.Encode(); back != d {
				t.Errorf("wrote % x, want % x", back, d)
			}
		})
	}
}

func TestReadingsAreReadLeniently(t *testing.T) {
	tests := []struct {
		name, hex string
		want      Reading
	}{
		{"quirk 10: without a clock neither lever nor times are believed", "8d 00 0a 0f 7f 7f 0e 6a 6a 33", Reading{NoClock: true}},
		{"the unused status bit is ignored", "8d 00 0a 00 05 00 00 05 00 48",
			Reading{Left: Face{Seconds: 300}, Right: Face{Seconds: 300}, Up: Left, TurnBits: TurnLeft}},
		{"quirk 9: a jump to eight hours is a time; the caller knows the last one", "8d 00 0a 08 00 00 00 05 00 09",
			Reading{Left: Face{Seconds: 300}, Right: Face{Seconds: 8 * 3600}, Up: Left, TurnBits: TurnLeft, Running: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := ParseReading(frame(t, tt.hex)); err != nil || got != tt.want {
				t.Errorf("read %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestParseReadingRefuses(t *testing.T) {
	tests := []struct {
		name string
		d    [7]byte
		kind Kind
		want string
	}{
		{"quirk 6: the null message", frame(t, "8d 00 0a 00 00 00 00 00 00 00"), Null, "clock reading: null message: not a time"},
		{"an acknowledgement", frame(t, "8d 00 0a 0a 10 09 0a 22 00 00"), Acknowledge, "clock reading: acknowledgement: not a time"},
		{"quirk 7: left seconds 6a", frame(t, "8d 00 0a 00 05 00 00 05 6a 09"), Invalid, "clock reading: byte 5 is 6a, not seconds 00 to 59"},
		{"right seconds 6a", frame(t, "8d 00 0a 00 05 6a 00 05 00 09"), Invalid, "clock reading: byte 2 is 6a, not seconds 00 to 59"},
		{"right hours 0c", frame(t, "8d 00 0a 0c 05 00 00 05 00 09"), Invalid, "clock reading: byte 0 is 0c, not hours 0 to 9"},
		{"left hours 2f", frame(t, "8d 00 0a 00 05 00 2f 05 00 09"), Invalid, "clock reading: byte 3 is 2f, not hours 0 to 9"},
		{"right minutes 60", frame(t, "8d 00 0a 00 60 00 00 05 00 09"), Invalid, "clock reading: byte 1 is 60, not minutes 00 to 59"},
		{"left minutes 1b", frame(t, "8d 00 0a 00 05 00 00 1b 00 09"), Invalid, "clock reading: byte 4 is 1b, not minutes 00 to 59"},
		{"a byte with bit 7", [7]byte{0, 5, 0, 0, 5, 0, 0x89}, Invalid, "clock reading: byte 6 is 89, not below 80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := ParseReading(tt.d)
			if r != (Reading{}) || err == nil || err.Error() != tt.want {
				t.Errorf("got %+v, %v; want %q", r, err, tt.want)
			}
			if k := Classify(tt.d); k != tt.kind {
				t.Errorf("classified as %v, want %v", k, tt.kind)
			}
			if notTime := tt.kind == Null || tt.kind == Acknowledge; errors.Is(err, ErrNotTime) != notTime {
				t.Errorf("ErrNotTime: %v", err)
			}
		})
	}
}

// TestEveryHourAndSixtieth compares the check of the digits with the digits of hexadecimal text.
func TestEveryHourAndSixtieth(t *testing.T) {
	for b := range 128 {
		s := hex.EncodeToString([]byte{byte(b)})
		sixtieth := s[0] <= '5' && s[1] <= '9'
		hour := s[1] <= '9'
		for at := range 6 {
			d := [7]byte{0, 0, 0, 0, 0, 0, 8}
			d[at] = byte(b)
			want := sixtieth
			if at == atRight || at == atLeft {
				want = hour
			}
			if _, err := ParseReading(d); (err == nil) != want {
				t.Errorf("byte %d = %02x: %v, want accepted: %v", at, b, err, want)
			}
		}
	}
}

func TestEncodeCutsTimes(t *testing.T) {
	r := Reading{Left: Face{Seconds: -5}, Right: Face{Seconds: 40000}, Up: Right, TurnBits: 0xFF}
	want := Reading{Right: Face{Seconds: MaxSeconds}, Up: Right, TurnBits: TurnLeft | TurnRight}
	if got, err := ParseReading(r.Encode()); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestParsersDoNotAllocate(t *testing.T) {
	reading := frame(t, "8d 00 0a 20 03 02 20 03 02 09")
	ack := frame(t, "8d 00 0a 0a 10 08 2a 45 35 00")
	allocs := testing.AllocsPerRun(100, func() {
		if Classify(reading) != Time || Classify(ack) != Acknowledge {
			t.Fatal("wrong kind")
		}
		r, err := ParseReading(reading)
		a, err2 := ParseAck(ack)
		if err != nil || err2 != nil || r.Encode() != reading || a.Encode() == reading {
			t.Fatal(err, err2)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestSides(t *testing.T) {
	r := Reading{Left: Face{Seconds: 1}, Right: Face{Seconds: 2}}
	if r.Face(Left) != r.Left || r.Face(Right) != r.Right || r.Face(NoSide) != (Face{}) {
		t.Error("Face gives the wrong side")
	}
	if Left.Other() != Right || Right.Other() != Left || NoSide.Other() != NoSide {
		t.Error("Other gives the wrong side")
	}
}

func TestStrings(t *testing.T) {
	tests := []struct{ got, want string }{
		{NoSide.String(), "no side"}, {Left.String(), "left"}, {Right.String(), "right"}, {Side(9).String(), "side 9"},
		{Invalid.String(), "invalid"}, {Time.String(), "time"}, {Acknowledge.String(), "acknowledge"}, {Null.String(), "null"},
		{Kind(9).String(), "kind 9"},
		{Ack{0x10, 0x88, 5, 0x31}.String(), "(10,88,05,31)"},
		{Buttons(0).String(), "no button"}, {(ButtonBack | ButtonForward).String(), "back+forward"},
		{Code(0x44).String(), "clock command 44"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
