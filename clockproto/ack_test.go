package clockproto

import "testing"

// TestAcksBothDirections checks the acknowledgements of section 15.3.
func TestAcksBothDirections(t *testing.T) {
	tests := []struct {
		name, hex    string
		want         Ack
		ok           bool
		command      Code // zero: sent unasked
		buttons      Buttons
		major, minor byte
	}{
		{"clock version 2.02", "8d 00 0a 0a 10 09 0a 22 00 00", Ack{0x10, 0x09, 0x22, 0}, true, CodeQueryVersion, 0, 2, 2},
		{"clock version 1.14, an XL", "8d 00 0a 0a 10 09 0a 1e 00 00", Ack{0x10, 0x09, 0x1E, 0}, true, CodeQueryVersion, 0, 1, 14},
		{"end display", "8d 00 0a 0a 10 03 0a 00 00 00", Ack{0x10, 0x03, 0, 0}, true, CodeEndDisplay, 0, 0, 0},
		{"set and run accepted", "8d 00 0a 0a 10 0a 0a 00 00 00", Ack{0x10, 0x0A, 0, 0}, true, CodeSetAndRun, 0, 0, 0},
		{"set and run refused", "8d 00 0a 0a 40 0a 0a 00 00 00", Ack{0x40, 0x0A, 0, 0}, false, CodeSetAndRun, 0, 0, 0},
		{"text accepted", "8d 00 0a 0a 10 0c 0a 00 00 00", Ack{0x10, 0x0C, 0, 0}, true, CodeText, 0, 0, 0},
		{"button back, the 20 in d3 being bit 7 of ack1", "8d 00 0a 0a 10 08 2a 05 31 00", Ack{0x10, 0x88, 0x05, 0x31}, true, 0, ButtonBack, 0, 0},
		{"buttons back and forward together", "8d 00 0a 0a 10 08 2a 45 35 00", Ack{0x10, 0x88, 0x45, 0x35}, true, 0, ButtonBack | ButtonForward, 0, 0},
		{"ready", "8d 00 0a 0a 10 01 2a 00 00 00", Ack{0x10, 0x81, 0, 0}, true, 0, 0, 0, 0},
		{"display, not ready", "8d 00 0a 0a 10 01 0a 00 00 00", Ack{0x10, 0x01, 0, 0}, true, CodeDisplay, 0, 0, 0},
		{"quirk 11: the error tuple (20,00,00,00)", "8d 00 0a 0a 20 00 0a 00 00 00", Ack{0x20, 0, 0, 0}, false, 0, 0, 0, 0},
		{"bit 7 of every byte", "8d 00 0a 3a 7f 7f 3a 7f 7f 00", Ack{0xFF, 0xFF, 0xFF, 0xFF}, false, 0, 0, 0, 0},
		{"bit 7 of ack0 and ack3", "8d 00 0a 2a 10 09 1a 22 01 00", Ack{0x90, 0x09, 0x22, 0x81}, false, CodeQueryVersion, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := frame(t, tt.hex)
			if k := Classify(d); k != Acknowledge {
				t.Errorf("classified as %v", k)
			}
			a, err := ParseAck(d)
			if err != nil || a != tt.want {
				t.Fatalf("read %v, %v; want %v", a, err, tt.want)
			}
			if back := tt.want.Encode(); back != d {
				t.Errorf("wrote % x, want % x", back, d)
			}
			c, asked := a.Command()
			if a.OK() != tt.ok || c != tt.command || asked == a.Spontaneous() {
				t.Errorf("OK %v, command %v %v, spontaneous %v", a.OK(), c, asked, a.Spontaneous())
			}
			if b, _ := a.Buttons(); b != tt.buttons {
				t.Errorf("buttons %v, want %v", b, tt.buttons)
			}
			major, minor, _ := a.Version()
			if major != tt.major || minor != tt.minor {
				t.Errorf("version %d.%d, want %d.%d", major, minor, tt.major, tt.minor)
			}
		})
	}
}

func TestAckWithOneMarkedHourIsRecognised(t *testing.T) {
	for _, hex := range []string{"8d 00 0a 0a 10 08 20 05 31 00", "8d 00 0a 00 10 08 2a 05 31 7f"} {
		d := frame(t, hex)
		a, err := ParseAck(d)
		if want := (Ack{0x10, 0x88, 0x05, 0x31}); err != nil || a != want || Classify(d) != Acknowledge {
			t.Errorf("%s: %v, %v; want %v", hex, a, err, want)
		}
	}
}

func TestParseAckRefuses(t *testing.T) {
	tests := []struct {
		name string
		d    [7]byte
		want string
	}{
		{"a time", frame(t, "8d 00 0a 20 03 02 25 03 02 08"), "clock acknowledgement: hours 20 and 25, neither ends in a"},
		{"a byte with bit 7", [7]byte{0x0A, 0x90}, "clock acknowledgement: byte 1 is 90, not below 80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseAck(tt.d); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if Classify(tt.d) == Acknowledge {
				t.Error("classified as an acknowledgement")
			}
		})
	}
}

func TestVersionNeedsAnAcceptedAnswer(t *testing.T) {
	for _, a := range []Ack{{StatusRefused, 0x09, 0x22, 0}, {StatusOK, 0x0A, 0x22, 0}, {StatusOK, 0x89, 0x22, 0}} {
		if major, minor, ok := a.Version(); ok {
			t.Errorf("%v: version %d.%d", a, major, minor)
		}
	}
	if a := VersionAck(2, 200); a != (Ack{0x10, 0x09, 0x2F, 0}) {
		t.Errorf("VersionAck cuts to %v", a)
	}
}

// TestButtons checks the pairs of section 6.5: A3 names the higher button.
func TestButtons(t *testing.T) {
	tests := []struct {
		name   string
		b      Buttons
		a2, a3 byte
	}{
		{"back", ButtonBack, 0x05, 0x31},
		{"minus", ButtonMinus, 0x21, 0x34},
		{"play", ButtonPlay, 0x11, 0x33},
		{"plus", ButtonPlus, 0x09, 0x32},
		{"forward", ButtonForward, 0x41, 0x35},
		{"back and minus", ButtonBack | ButtonMinus, 0x25, 0x34},
		{"back and forward", ButtonBack | ButtonForward, 0x45, 0x35},
		{"minus and play", ButtonMinus | ButtonPlay, 0x31, 0x33},
		{"minus and plus", ButtonMinus | ButtonPlus, 0x29, 0x32},
		{"play and plus", ButtonPlay | ButtonPlus, 0x19, 0x32},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := Ack{StatusOK, EventButton, tt.a2, tt.a3}
			if got, ok := a.Buttons(); !ok || got != tt.b {
				t.Errorf("read %v, %v; want %v", got, ok, tt.b)
			}
		})
	}
	if b, ok := (Ack{StatusOK, 0x08, 0x05, 0x31}).Buttons(); ok {
		t.Errorf("the answer to a query has buttons %v; it carries none", b)
	}
}
