package clockproto

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// commandRows are the commands of section 15.3 and one of every other kind.
// They hold in both directions.
var commandRows = []struct {
	name, hex string
	want      Command
}{
	{"clock version", "2b 03 03 09 00", QueryVersion{}},
	{"end display", "2b 03 03 03 00", EndDisplay{}},
	{"five minutes each, left counts down", "2b 0a 03 0a 00 05 00 00 05 00 01 00",
		SetAndRun{Left: Setting{Seconds: 300}, Right: Setting{Seconds: 300}, LeftRuns: true}},
	{"five minutes each, paused", "2b 0a 03 0a 00 05 00 00 05 00 04 00",
		SetAndRun{Left: Setting{Seconds: 300}, Right: Setting{Seconds: 300}, Pause: true}},
	{"beep for 1024 ms", "2b 04 03 0b 10 00", Beep{16}},
	{"HELLO on a DGT3000", "2b 0c 03 0c 48 45 4c 4c 4f 20 20 20 01 00", Text{[8]byte([]byte("HELLO   ")), 1}},
	{"e2 and e4 on an XL", "2b 0b 03 01 00 5b 7b 00 66 7b 00 01 00", Display{Segments: Six("e2", "e4")}},
	{"left flag icon", "2b 0b 03 02 00 00 20 00 00 00 00 00 00", Icons{LeftPeriod: PeriodFlag}},

	{"button query", "2b 03 03 08 00", QueryButtons{}},
	{"display with everything", "2b 0b 03 01 03 02 01 06 05 04 3f 03 00",
		Display{Segments: [6]byte{1, 2, 3, 4, 5, 6}, Dots: DotRight | ColonRight | OneRight | DotLeft | ColonLeft | OneLeft, Beep: true}},
	{"icons on both sides", "2b 0b 03 02 02 40 01 10 21 00 00 00 00",
		Icons{Left: MarkFischer, Right: MarkEnd, LeftPeriod: 1, RightPeriod: 0x10, Special: ClearAll | SoundAgain}},
	{"binary times, both sides up, sides change at the lever", "2b 0a 03 0a 11 3b 3a 12 01 02 0a 00",
		SetAndRun{Left: Setting{3600 + 59*60 + 58, true}, Right: Setting{7200 + 62, true}, RightRuns: true, TurnAtLever: true}},
	{"eleven characters on a Revelation II", "2b 0f 03 0d 30 31 32 33 34 35 36 37 38 39 61 00 00",
		TextRevelation{[11]byte([]byte("0123456789a")), 0}},
}

func TestCommandsBothDirections(t *testing.T) {
	for _, tt := range commandRows {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.hex)
			payload := wire[2:]
			if int(wire[1]) != len(payload) {
				t.Fatalf("test row: length %d, %d bytes", wire[1], len(payload))
			}
			tt.want.command()
			if got := tt.want.AppendTo(nil); !bytes.Equal(got, payload) {
				t.Errorf("wrote % x, want % x", got, payload)
			}
			got, err := ParseCommand(payload)
			if err != nil || got != tt.want {
				t.Errorf("read %+v, %v; want %+v", got, err, tt.want)
			}
			if payload[1] != byte(tt.want.Code()) {
				t.Errorf("code %v", tt.want.Code())
			}
			if strings.HasPrefix(tt.want.Code().String(), "clock command") {
				t.Errorf("code %v has no name", tt.want.Code())
			}
		})
	}
}

func TestBothWaysOfNoBeepAreRead(t *testing.T) {
	for _, beep := range []byte{0, 1} {
		c, err := ParseCommand([]byte{3, 1, 0, 0, 0, 0, 0, 0, 0, beep, 0})
		if err != nil || c != (Display{}) {
			t.Errorf("beep %02x: %+v, %v", beep, c, err)
		}
	}
}

func TestParseCommandRefuses(t *testing.T) {
	tests := []struct{ name, hex, want string }{
		{"nothing", "", "clock command : not 03 … 00: no clock command"},
		{"no code", "03 00", "clock command 03 00: not 03 … 00: no clock command"},
		{"a first byte that is not 03", "04 09 00", "clock command 04 09 00: not 03 … 00: no clock command"},
		{"a last byte that is not zero", "03 09 01", "clock command 03 09 01: not 03 … 00: no clock command"},
		{"an unknown code", "03 0e 00", "clock command 0e: unknown: no clock command"},
		{"a byte with bit 7", "03 0b 90 00", "clock command: byte 2 is 90, not below 80: no clock command"},
		{"a beep without its length", "03 0b 00", "beep: content of 0 bytes, not 1: no clock command"},
		{"a version query with content", "03 09 01 00", "query version: content of 1 bytes, not 0: no clock command"},
		{"left hours of 10", "03 0a 0a 00 00 00 00 00 00 00", "set and run: left: 10:00:00 is no time: no clock command"},
		{"left minutes of 60", "03 0a 00 3c 00 00 00 00 00 00", "set and run: left: 0:60:00 is no time: no clock command"},
		{"right seconds of 61", "03 0a 00 00 00 00 00 3d 00 00", "set and run: right: 0:00:61 is no time: no clock command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ParseCommand(unhex(t, tt.hex))
			if c != nil || !errors.Is(err, ErrCommand) || err.Error() != tt.want {
				t.Errorf("got %v, %v; want %q", c, err, tt.want)
			}
		})
	}
}

func TestCommandsCutWhatTheWireCannotCarry(t *testing.T) {
	c := SetAndRun{Left: Setting{Seconds: 99999}, Right: Setting{Seconds: -1}}
	if got, want := c.AppendTo(nil), unhex(t, "03 0a 09 3b 3b 00 00 00 00 00"); !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
	if got, want := (Beep{0x90}).AppendTo(nil), unhex(t, "03 0b 10 00"); !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
}

// TestSegments has the table of section 6.4.
func TestSegments(t *testing.T) {
	first := map[rune]byte{
		'0': 0x3F, '1': 0x06, '2': 0x5B, '3': 0x4F, '4': 0x66, '5': 0x6D, '6': 0x7D, '7': 0x07, '8': 0x7F, '9': 0x6F,
		'a': 0x5F, 'b': 0x7C, 'c': 0x58, 'd': 0x5E, 'e': 0x7B, 'f': 0x71, 'g': 0x3D, 'h': 0x74, 'i': 0x10, 'j': 0x1E,
		'k': 0x75, 'l': 0x38, 'm': 0x55, 'n': 0x54, 'o': 0x5C, 'p': 0x73, 'q': 0x67, 'r': 0x50, 's': 0x6D, 't': 0x78,
		'u': 0x3E, 'v': 0x2A, 'w': 0x7E, 'x': 0x64, 'y': 0x6E, 'z': 0x5B, ' ': 0x00, '-': 0x40, '_': 0x08, '=': 0x48,
		'/': 0x52, '\\': 0x64, '?': 0x53, '|': 0x36,
		'C': 0x39, 'H': 0x76, 'A': 0x77, 'E': 0x79, // the second choices, for upper case
		'B': 0x7C, 'Z': 0x5B,
	}
	for r := range rune(0x120) {
		got, ok := Segment(r)
		want, known := first[r]
		if r >= 'A' && r <= 'Z' && !known {
			want, known = first[r-'A'+'a'], true
		}
		if ok != known || got != want {
			t.Errorf("%q: %02x, %v; want %02x, %v", r, got, ok, want, known)
		}
	}
	if _, ok := Segment(-1); ok {
		t.Error("a negative rune has a pattern")
	}
}

func TestSix(t *testing.T) {
	tests := []struct {
		name, left, right string
		want              string
	}{
		{"a move", "e2", "e4", "7b 5b 00 7b 66 00"},
		{"castling", "o-o", "-o", "5c 40 5c 40 5c 00"},
		{"what is too long is cut", "12345", "", "06 5b 4f 00 00 00"},
		{"what has no pattern is a question mark", "é", "!", "53 00 00 53 00 00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Six(tt.left, tt.right); !bytes.Equal(got[:], unhex(t, tt.want)) {
				t.Errorf("got % x, want %s", got, tt.want)
			}
		})
	}
}

func TestPadded(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a short text is filled", "e2e4", "e2e4    "},
		{"a long text is cut", "0123456789", "01234567"},
		{"what is not ASCII becomes a question mark", "Zé\n\x7f", "Z???    "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got [8]byte
			Padded(got[:], tt.text)
			if string(got[:]) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
