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
	{"e2 and e4 on an XL", "2b 0b 03 01 00 5b 7b 00 66 7b 00 01 00", Display{Segments: [6]byte{0x7B, 0x5B, 0, 0x7B, 0x66, 0}}},
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
