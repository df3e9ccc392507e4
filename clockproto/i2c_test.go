package clockproto

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// i2cRows are the messages of section 10.3 with the CRCs found there. They hold
// in both directions.
var i2cRows = []struct {
	name, hex    string
	dest, source byte
	want         I2CMessage
}{
	{"wake-up ping", "50 20 05 0d 46", I2CAwake, I2CHost, I2CWake{}},
	{"wake-up ping to a clock that is awake", "10 20 05 0d 46", I2CClock, I2CHost, I2CWake{}},
	{"take central control", "10 20 05 0f 48", I2CClock, I2CHost, I2CTakeControl{}},
	{"mode 25", "10 20 06 0b 39 b9", I2CClock, I2CHost, I2CState{I2CMode25}},
	{"power off", "10 20 06 0b 00 16", I2CClock, I2CHost, I2CState{I2CPowerOff}},
	{"end display", "10 20 05 07 70", I2CClock, I2CHost, I2CEndDisplay{}},
	{"display of blanks", "10 20 15 06 20 20 20 20 20 20 20 20 20 20 20 ff 00 03 01 01 fc", I2CClock, I2CHost,
		I2CDisplay{Text: [11]byte(bytes.Repeat([]byte{' '}, 11)), LeftIcons: I2CFlag, RightIcons: I2CFlag}},
	{"five minutes each, left runs", "10 20 0c 0a 00 05 00 00 05 00 01 02", I2CClock, I2CHost,
		I2CSetAndRun{Left: 300, Right: 300, LeftRuns: RunDown}},
	{"hello", "00 10 07 02 22 01 05", I2CAll, I2CClock, I2CHello{[2]byte{0x22, 1}}},

	// Section 8.4, a Centaur's buttons; its controller has another address.
	{"button back of a Centaur", "00 14 0a 05 01 00 00 00 00 c7", I2CAll, 0x14, I2CButtons{Now: I2CBack}},
	{"button forward of a Centaur", "00 14 0a 05 10 00 00 00 00 97", I2CAll, 0x14, I2CButtons{Now: I2CForward}},
	{"button plus of a Centaur", "00 14 0a 05 08 00 00 00 00 bc", I2CAll, 0x14, I2CButtons{Now: I2CPlus}},
	{"button minus of a Centaur", "00 14 0a 05 02 00 00 00 00 61", I2CAll, 0x14, I2CButtons{Now: I2CMinus}},
	{"button play of a Centaur", "00 14 0a 05 04 00 00 00 00 2a", I2CAll, 0x14, I2CButtons{Now: I2CPlay}},
	{"button help of a Centaur, the bit of the lever", "00 14 0a 05 40 00 00 00 00 6d", I2CAll, 0x14, I2CButtons{Now: I2CLever}},
}

func TestI2CBothDirections(t *testing.T) {
	for _, tt := range i2cRows {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.hex)
			m, err := ParseI2C(wire)
			if err != nil || m.Dest != tt.dest || m.Source != tt.source || m.Type != tt.want.Type() {
				t.Fatalf("read %+v, %v", m, err)
			}
			got, err := m.Message()
			if err != nil || got != tt.want {
				t.Errorf("read %+v, %v; want %+v", got, err, tt.want)
			}
			back := I2C{Dest: tt.dest, Source: tt.source, Type: tt.want.Type(), Body: tt.want.body()}.AppendTo(nil)
			if !bytes.Equal(back, wire) {
				t.Errorf("wrote % x, want % x", back, wire)
			}
			if strings.HasPrefix(m.Type.String(), "i2c type") {
				t.Errorf("type %v has no name", m.Type)
			}
		})
	}
}

func TestI2CAddresses(t *testing.T) {
	tests := []struct {
		name         string
		m            I2C
		dest, source byte
	}{
		{"a wake-up goes to the sleeping clock", FromHost(I2CWake{}), I2CAwake, I2CHost},
		{"all else goes to the clock", FromHost(I2CEndDisplay{}), I2CClock, I2CHost},
		{"an ack goes to the host", FromClock(I2CAck{}), I2CHost, I2CClock},
		{"all else goes to everybody", FromClock(I2CHello{}), I2CAll, I2CClock},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.m.Dest != tt.dest || tt.m.Source != tt.source {
				t.Errorf("got %02x from %02x", tt.m.Dest, tt.m.Source)
			}
		})
	}
}

// TestI2CRoundTrips has the messages of which no real bytes are known.
func TestI2CRoundTrips(t *testing.T) {
	tests := []struct {
		name string
		m    I2CMessage
		len  int
	}{
		{"ack", I2CAck{Command: byte(TypeDisplay), Status: I2CStatusOK}, 0x08},
		{"time", I2CTime{Left: 5400, Right: 3599, Lever: true}, 0x18},
		{"time, lever the other way", I2CTime{Left: 1, Right: MaxSeconds}, 0x18},
		{"time that is no update", I2CTime{NoUpdate: true}, 0x18},
		{"lever released with play", I2CButtons{Now: I2CPlay, Before: I2CPlay | I2CLever | I2CPower}, 0x0A},
		{"display with all icons", I2CDisplay{Text: [11]byte([]byte("e2e4 h7h8q ")), Beep: 3,
			LeftIcons: I2CWhiteKing | I2CColon | I2CExtra, RightIcons: I2CBlackKing | I2CDot}, 0x15},
		{"set with the right side counting up", I2CSetAndRun{Left: 59, Right: 3661, RightRuns: RunUp}, 0x0C},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wire := FromClock(tt.m).AppendTo([]byte{0xEE})[1:]
			if len(wire) != tt.len {
				t.Errorf("%d bytes, want %d", len(wire), tt.len)
			}
			m, err := ParseI2C(wire)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(m.Type.String(), "i2c type") {
				t.Errorf("type %v has no name", m.Type)
			}
			if got, err := m.Message(); err != nil || got != tt.m {
				t.Errorf("came back as %+v, %v", got, err)
			}
		})
	}
}

func TestI2CTimeIsWhereTheNotesSay(t *testing.T) {
	b := FromClock(I2CTime{Left: 3600 + 23*60 + 45, Right: 2*3600 + 34*60 + 56, Lever: true}).AppendTo(nil)
	if !bytes.Equal(b[5:8], []byte{1, 0x23, 0x45}) || !bytes.Equal(b[11:14], []byte{2, 0x34, 0x56}) || b[19] != 1 || b[20] != 0 {
		t.Errorf("wrote % x", b)
	}
}

func TestI2CRefuses(t *testing.T) {
	sum := func(s string) []byte {
		b := unhex(t, s)
		return append(b, i2cSum(b))
	}
	tests := []struct {
		name string
		wire []byte
		want error
	}{
		{"nothing", nil, ErrI2CLength},
		{"four bytes", []byte{0x10, 0x20, 4, 0x0D}, ErrI2CLength},
		{"a length that is not the length", unhex(t, "10 20 06 0d 46"), ErrI2CLength},
		{"a known type of another length", sum("10 20 06 0d 00"), ErrI2CLength},
		{"a wrong crc", unhex(t, "10 20 05 0f 49"), ErrI2CSum},
		{"a flipped bit", unhex(t, "10 20 06 0b 38 b9"), ErrI2CSum},
		{"an unknown type has no message", sum("10 20 06 33 00"), ErrI2CBody},
		{"left time of 60 minutes", sum("10 20 0c 0a 00 60 00 00 05 00 01"), ErrI2CBody},
		{"right time of 10 hours", sum("10 20 0c 0a 00 05 00 0a 05 00 01"), ErrI2CBody},
		{"a run of more than two sides", sum("10 20 0c 0a 00 05 00 00 05 00 11"), ErrI2CBody},
		{"a reported time that is not BCD", sum("00 10 18 04 00 00 0f 00" + "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"), ErrI2CBody},
		{"a display without its mark", sum("10 20 15 06 20 20 20 20 20 20 20 20 20 20 20 00 00 03 01 01"), ErrI2CBody},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ParseI2C(tt.wire)
			if err == nil {
				_, err = m.Message()
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	if _, err := (I2C{Type: TypeTime, Body: []byte{1}}).Message(); !errors.Is(err, ErrI2CLength) {
		t.Errorf("a short body was read: %v", err)
	}
	if got := (I2C{Body: make([]byte, 300)}).AppendTo(nil); len(got) != 255 || got[2] != 255 {
		t.Errorf("a body that does not fit gives %d bytes", len(got))
	}
}
