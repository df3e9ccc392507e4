package dgt

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// commandRows are commands of single-board mode and their bytes. They hold in
// both directions.
var commandRows = []struct {
	name, hex string
	want      Command
}{
	{"reset", "40", Reset},
	{"request clock", "41", RequestClock},
	{"request board", "42", RequestBoard},
	{"update", "43", SetUpdate},
	{"update board", "44", SetUpdateBoard},
	{"request serial", "45", RequestSerial},
	{"request bus address", "46", RequestBusAddress},
	{"request trademark", "47", RequestTrademark},
	{"request hardware", "48", RequestHardware},
	{"request log", "49", RequestLog},
	{"update nice", "4b", SetUpdateNice},
	{"request battery", "4c", RequestBattery},
	{"request version", "4d", RequestVersion},
	{"request dark squares", "50", RequestDark50},
	{"request light squares", "52", RequestLight50},
	{"request long serial", "55", RequestLongSerial},
	{"request i2c clock", "56", RequestI2CClock},
	{"update i2c", "57", SetUpdateI2C},
	{"update i2c nice", "58", SetUpdateI2CNice},
	{"request lock", "59", RequestLock},
	{"request key state", "5a", RequestKeyState},

	// Section 15.3; package clockproto reads the payloads.
	{"clock version", "2b 03 03 09 00", ClockMessage{[]byte{3, 9, 0}}},
	{"end display", "2b 03 03 03 00", ClockMessage{[]byte{3, 3, 0}}},
	{"set and run", "2b 0a 03 0a 00 05 00 00 05 00 01 00", ClockMessage{[]byte{3, 10, 0, 5, 0, 0, 5, 0, 1, 0}}},
	{"set and pause", "2b 0a 03 0a 00 05 00 00 05 00 04 00", ClockMessage{[]byte{3, 10, 0, 5, 0, 0, 5, 0, 4, 0}}},
	{"beep", "2b 04 03 0b 10 00", ClockMessage{[]byte{3, 11, 16, 0}}},
	{"text", "2b 0c 03 0c 48 45 4c 4c 4f 20 20 20 01 00", ClockMessage{[]byte("\x03\x0cHELLO   \x01\x00")}},
	{"display", "2b 0b 03 01 00 5b 7b 00 66 7b 00 01 00", ClockMessage{[]byte{3, 1, 0, 0x5B, 0x7B, 0, 0x66, 0x7B, 0, 1, 0}}},
	{"icons", "2b 0b 03 02 00 00 20 00 00 00 00 00 00", ClockMessage{[]byte{3, 2, 0, 0, 0x20, 0, 0, 0, 0, 0, 0}}},

	// Sections 3.2 and 10.2.
	{"two lights on", "60 04 01 34 24 00", LEDs{LEDOn, 0x34, 0x24}},
	{"all lights of a Revelation II off", "60 04 00 40 40 00", LEDs{LEDOff, 0x40, 0x40}},
	{"an option of the Revelation II", "60 04 02 02 01 00", LEDs{LEDOption, OptionAutoReverse, 1}},
	{"lights of a Pegasus", "60 07 05 03 01 04 0c 1c 00", PegasusLEDs{3, 1, 4, []byte{0x0C, 0x1C}}},
	{"all lights of a Pegasus off", "60 02 00 00", PegasusLEDs{}},
	{"lights of another shape", "60 03 01 02 00", Variable{CodeLEDs, []byte{1, 2, 0}}},
	{"a Pegasus shape without squares", "60 05 05 03 01 04 00", Variable{CodeLEDs, []byte{5, 3, 1, 4, 0}}},
	{"an i2c clock message", "2c 02 01 00", Variable{CodeI2CClock, []byte{1, 0}}},
	{"a developer key", "63 03 11 22 00", Variable{CodeKey, []byte{0x11, 0x22, 0}}},
}

func TestCommandsBothDirections(t *testing.T) {
	for _, tt := range commandRows {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.hex)
			tt.want.command()
			if got := tt.want.AppendTo(nil); !bytes.Equal(got, wire) {
				t.Errorf("wrote % x, want % x", got, wire)
			}
			var d CommandDecoder
			d.Feed(wire)
			o, ok := d.Next()
			if want := (Order{tt.want, SingleBoardMode, true}); !ok || !reflect.DeepEqual(o, want) {
				t.Errorf("read %+v, %v; want %+v", o, ok, want)
			}
			if err := CheckCommand(wire); err != nil {
				t.Errorf("CheckCommand: %v", err)
			}
			var sent bytes.Buffer
			if err := NewWriter(&sent).Send(tt.want); err != nil || !bytes.Equal(sent.Bytes(), wire) {
				t.Errorf("Send wrote % x, %v", sent.Bytes(), err)
			}
		})
	}
}

func TestWriterRefuses(t *testing.T) {
	tests := []struct {
		name string
		c    Command
		want error
	}{
		{"the boot loader", StartBootloader, ErrDangerous},
		{"scanning dark squares for ever", ScanOnlyDark, ErrDangerous},
		{"scanning light squares for ever", ScanOnlyLight, ErrDangerous},
		{"scanning all squares for ever", ScanAll, ErrDangerous},
		{"a bus command", BusCommand{BusPing, 0}, ErrDangerous},
		{"a byte with bit 7", Short(0xC0), ErrDangerous},
		{"a byte with bit 7 inside a payload", ClockMessage{[]byte{3, 0x8B, 0}}, ErrDangerous},
		{"a code with bit 7", Variable{0xE0, []byte{0}}, ErrDangerous},
		{"a code of one byte with a payload of commands", Variable{0x4E, []byte{0}}, ErrDangerous},
		{"an unknown byte", Short(0x4F), ErrMalformed},
		{"the zero command", Short(0), ErrMalformed},
		{"an empty payload", ClockMessage{}, ErrMalformed},
		{"a payload without its final zero", ClockMessage{[]byte{3, 9}}, ErrMalformed},
		{"a payload of 128 bytes", ClockMessage{make([]byte, 128)}, ErrMalformed},
		{"a payload of 300 bytes", Variable{CodeKey, make([]byte, 300)}, ErrMalformed},
		{"more lights than fit", PegasusLEDs{Squares: make([]byte, 200)}, ErrMalformed},
		{"far more lights than fit", PegasusLEDs{Squares: make([]byte, 300)}, ErrMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sent bytes.Buffer
			err := NewWriter(&sent).Send(tt.c)
			if !errors.Is(err, tt.want) || sent.Len() != 0 {
				t.Errorf("Send: %v, wrote % x; want %v and nothing", err, sent.Bytes(), tt.want)
			}
		})
	}
}

// TestEveryFirstByte goes through all bytes: CheckCommand accepts exactly those that section 3 lists without a warning.
func TestEveryFirstByte(t *testing.T) {
	const allowed = "\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x4b\x4c\x4d\x50\x52\x55\x56\x57\x58\x59\x5a"
	for b := range 256 {
		err := CheckCommand([]byte{byte(b)})
		switch {
		case strings.IndexByte(allowed, byte(b)) >= 0:
			if err != nil {
				t.Errorf("%02x: %v", b, err)
			}
		case b >= 0x80 || b == 0x4E || b == 0x51 || b == 0x53 || b == 0x54:
			if !errors.Is(err, ErrDangerous) {
				t.Errorf("%02x: %v, want dangerous", b, err)
			}
		case !errors.Is(err, ErrMalformed):
			t.Errorf("%02x: %v, want malformed", b, err)
		}
	}
}

func TestCheckCommandReadsARowOfCommands(t *testing.T) {
	tests := []struct {
		name, hex, want string
	}{
		{"update and board", "4b 42", ""},
		{"clock message and board", "2b 03 03 09 00 42", ""},
		{"nothing", "", "check command: no bytes: not a whole command"},
		{"danger after a good command", "42 4e", "check command: byte 1 (4e): dangerous to the board"},
		{"danger inside a payload is none", "2b 03 4e 51 00", ""},
		{"danger after a payload", "2b 03 03 09 00 54", "check command: byte 5 (54): dangerous to the board"},
		{"a payload cut short would swallow the next command", "2b 03 03", "check command: byte 0 (2b): not a whole command"},
		{"a code without its length", "42 60", "check command: byte 1 (60): not a whole command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := CheckCommand(unhex(t, tt.hex)); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// brokenPort fails every Write.
type brokenPort struct{}

func (brokenPort) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriterNamesTheCommandThatFailed(t *testing.T) {
	err := NewWriter(brokenPort{}).Send(RequestBoard)
	if !errors.Is(err, io.ErrClosedPipe) || err.Error() != "send request board: io: read/write on closed pipe" {
		t.Errorf("got %v", err)
	}
}
