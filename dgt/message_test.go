package dgt

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// Start positions as a board sends them (section 15.1).
const (
	startHex    = "08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07" + empty32 + "01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02"
	reversedHex = "02 03 04 05 06 04 03 02 01 01 01 01 01 01 01 01" + empty32 + "07 07 07 07 07 07 07 07 08 09 0a 0b 0c 0a 09 08"
	empty32     = "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
)

func startPlacement() Placement {
	p := Placement{
		BlackRook, BlackKnight, BlackBishop, BlackQueen, BlackKing, BlackBishop, BlackKnight, BlackRook,
	}
	for i := range 8 {
		p[8+i], p[48+i] = BlackPawn, WhitePawn
	}
	copy(p[56:], []Piece{WhiteRook, WhiteKnight, WhiteBishop, WhiteQueen, WhiteKing, WhiteBishop, WhiteKnight, WhiteRook})
	return p
}

func reversedPlacement() Placement {
	s, p := startPlacement(), Placement{}
	for i := range p {
		p[i] = s[63-i]
	}
	return p
}

// powerUpLog returns a log of full length: power-up, a few pieces found, filler,
// end.
func powerUpLog() Log {
	data := []byte{0x7F, 0x7F, 0x7F, 0x6A, 0x42, 0x38, 0x43, 0x39}
	data = append(data, bytes.Repeat([]byte{0x7F}, maxLog-len(data)-1)...)
	return Log{Data: append(data, 0x6B)}
}

// messageRows returns the worked examples of section 15.1: bytes and their meaning. They hold in both directions.
func messageRows() []struct {
	name, hex string
	want      []Message
} {
	log := powerUpLog()
	return []struct {
		name, hex string
		want      []Message
	}{
		{"start position, White at the bottom", "86 00 43" + startHex,
			[]Message{BoardDump{startPlacement()}}},
		{"start position, board reversed", "86 00 43" + reversedHex,
			[]Message{BoardDump{reversedPlacement()}}},
		{"white pawn lifted from e2", "8e 00 05 34 00",
			[]Message{FieldUpdate{0x34, Empty}}},
		{"white pawn put on e4", "8e 00 05 24 01",
			[]Message{FieldUpdate{0x24, WhitePawn}}},
		{"e7 empty, black pawn on e5", "8e 00 05 0c 00 8e 00 05 1c 07",
			[]Message{FieldUpdate{12, Empty}, FieldUpdate{28, BlackPawn}}},
		{"White's e2 e4 on a reversed board", "8e 00 05 0b 00 8e 00 05 1b 01",
			[]Message{FieldUpdate{63 - 52, Empty}, FieldUpdate{63 - 36, WhitePawn}}},
		{"capture without an empty report", "8e 00 05 25 00 8e 00 05 1c 07",
			[]Message{FieldUpdate{37, Empty}, FieldUpdate{28, BlackPawn}}},
		{"capture with the victim taken first", "8e 00 05 12 00 8e 00 05 1a 00 8e 00 05 12 06",
			[]Message{FieldUpdate{18, Empty}, FieldUpdate{26, Empty}, FieldUpdate{18, WhiteQueen}}},
		{"kings on d5 and e4 say 1-0", "8e 00 05 23 00 8e 00 05 06 00 8e 00 05 3e 00 8e 00 05 1b 0b 8e 00 05 24 05",
			[]Message{FieldUpdate{35, Empty}, FieldUpdate{6, Empty}, FieldUpdate{62, Empty}, FieldUpdate{27, BlackKing}, FieldUpdate{36, WhiteKing}}},
		{"bus address 1025", "90 00 05 08 01",
			[]Message{BusAddress{1025}}},
		{"serial 01025", "91 00 08 30 31 30 32 35",
			[]Message{Serial{Digits: [5]byte([]byte("01025"))}}},
		{"serial of an old board with its storage version", "91 00 0c 30 31 30 32 35 20 31 2e 30",
			[]Message{Serial{Digits: [5]byte([]byte("01025")), Storage: "1.0"}}},
		{"trademark text", "92 00 08 48 65 6c 6c 6f",
			[]Message{Trademark{"Hello"}}},
		{"firmware 1.07", "93 00 05 01 07",
			[]Message{Version{1, 7}}},
		{"hardware 2.00", "96 00 05 02 00",
			[]Message{Hardware{2, 0}}},
		{"battery at 80 %, running time not available", "a0 00 0c 50 7f 7f 02 1e 00 03 0f 02",
			[]Message{Battery{Percent: 80, LeftHours: NotAvailable, LeftMinutes: NotAvailable, OnHours: 2, OnMinutes: 30, StandbyHours: 3, StandbyMinutes: 15, Discharging: true}}},
		{"long serial of a Revelation II", "a2 00 0d 33 2e 32 35 30 31 30 30 30 31",
			[]Message{LongSerial{[10]byte([]byte("3.25010001"))}}},
		{"long serial of digits", "a2 00 0d 30 30 30 30 30 30 31 30 32 35",
			[]Message{LongSerial{[10]byte([]byte("0000001025"))}}},
		{"log of 7936 bytes", "8f 3e 03 7f 7f 7f 6a 42 38 43 39" + strings.Repeat("7f", maxLog-9) + "6b",
			[]Message{log}},

		// Section 15 does not have the following frames.
		{"draughts board", "86 00 67 01" + strings.Repeat("00", 98) + "04",
			[]Message{draughts100()}},
		{"dark squares", "94 00 35 07" + strings.Repeat("00", 49),
			[]Message{Dump50{Squares: [50]Piece{WhiteCrownedKing}}}},
		{"light squares", "95 00 35" + strings.Repeat("00", 49) + "0a",
			[]Message{Dump50{Light: true, Squares: [50]Piece{49: BlackCrownedKing}}}},
		{"battery while charging", "a0 00 0c 50 01 02 03 04 05 06 07 01",
			[]Message{Battery{80, 1, 2, 3, 4, 5, 6, 7, true, false}}},
		{"clock frames are carried, not read", "8d 00 0a 20 03 02 20 03 02 08",
			[]Message{ClockData{0x20, 3, 2, 0x20, 3, 2, 8}}},
		{"empty trademark", "92 00 03", []Message{Trademark{}}},
		{"empty log", "8f 00 03", []Message{Log{Data: []byte{}}}},
		{"i2c clock is not public", "a3 00 05 01 02", []Message{Raw{MsgI2CClock, []byte{1, 2}}}},
		{"lock state is not public", "a4 00 04 01", []Message{Raw{MsgLock, []byte{1}}}},
		{"key state is not public", "a5 00 04 00", []Message{Raw{MsgKey, []byte{0}}}},
		{"an unknown id is carried", "c7 00 05 01 02", []Message{Raw{0xC7, []byte{1, 2}}}},
	}
}

func draughts100() BoardDump100 {
	var m BoardDump100
	m.Squares[0], m.Squares[99] = WhiteMan, BlackMan
	return m
}

func TestMessagesBothDirections(t *testing.T) {
	for _, tt := range messageRows() {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.hex)
			var d Decoder
			var got []Message
			d.Feed(wire)
			for f, ok := d.Next(); ok; f, ok = d.Next() {
				m, err := f.Message()
				if err != nil {
					t.Fatalf("frame %v: %v", f.ID, err)
				}
				if m.ID() != f.ID {
					t.Errorf("message of frame %v says it is of %v", f.ID, m.ID())
				}
				got = append(got, m)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("read\n%+v\nwant\n%+v", got, tt.want)
			}
			var back []byte
			for _, m := range tt.want {
				m.message()
				back = m.AppendTo(back)
			}
			if !bytes.Equal(back, wire) {
				t.Errorf("wrote\n% x\nwant\n% x", back, wire)
			}
		})
	}
}

func TestMessagesAreReadLeniently(t *testing.T) {
	tests := []struct {
		name, hex string
		want      Message
	}{
		{"unknown high bits of a field update are masked", "8e 00 05 74 11", FieldUpdate{0x34, WhitePawn}},
		{"short battery message leaves the rest unknown", "a0 00 07 50 01 02 03",
			Battery{Percent: 80, LeftHours: 1, LeftMinutes: 2, OnHours: 3, OnMinutes: NotAvailable,
				StandbyDays: NotAvailable, StandbyHours: NotAvailable, StandbyMinutes: NotAvailable}},
		{"unknown high bits of a dump are masked", "86 00 43" + strings.ReplaceAll(startHex, "01", "71"), BoardDump{startPlacement()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := unhex(t, tt.hex)
			got, err := Frame{ID: ID(raw[0]), Data: raw[3:]}.Message()
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("read %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestMessageRefuses(t *testing.T) {
	tests := []struct {
		name  string
		frame Frame
		want  string
	}{
		{"a serial number with a letter", Frame{ID: MsgSerial, Data: []byte("01O25")}, "serial frame: byte 2 is 4f, not a digit"},
		{"an old serial number without its space", Frame{ID: MsgSerial, Data: []byte("01025x1.0")}, "serial frame: byte 5 is 78, not a space"},
		{"a field update of one byte", Frame{ID: MsgField, Data: []byte{1}}, "field frame: impossible id or length 4"},
		{"a board of 65 squares", Frame{ID: MsgBoard, Data: make([]byte, 65)}, "board frame: impossible id or length 68"},
		{"the id that is none", Frame{ID: 0x80}, "id 80 frame: impossible id or length 3"},
		{"an id without bit 7", Frame{ID: 0x0E, Data: make([]byte, 2)}, "id 0e frame: impossible id or length 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := tt.frame.Message()
			if m != nil || err == nil || err.Error() != tt.want {
				t.Errorf("got %v, %q; want %q", m, err, tt.want)
			}
		})
	}
}

func TestMessagesCutWhatTheWireCannotCarry(t *testing.T) {
	tests := []struct {
		name string
		m    Message
		want string // the header and the first data
		len  int
	}{
		{"a trademark of 300 characters", Trademark{strings.Repeat("é", 150)}, "92 02 03 43 29", 259},
		{"a log of 8000 bytes", Log{make([]byte, 8000)}, "8f 3e 03 00 00", 0x1F03},
		{"a raw frame of 300 bytes without bit 7", Raw{0x23, bytes.Repeat([]byte{0xFF}, 300)}, "a3 02 03 7f 7f", 259},
		{"an address of 16 bits", BusAddress{0xFFFF}, "90 00 05 7f 7f", 5},
		{"a storage version of five characters", Serial{[5]byte([]byte("00001")), "12345"}, "91 00 0c 30 30", 12},
		{"a piece and a square with high bits", FieldUpdate{0xFF, 0xFF}, "8e 00 05 7f 0f", 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.m.AppendTo(nil)
			if want := unhex(t, tt.want); len(got) != tt.len || !bytes.HasPrefix(got, want) {
				t.Errorf("wrote %d bytes % x; want %d bytes % x", len(got), got[:min(5, len(got))], tt.len, want)
			}
			var d Decoder
			if frames := decodeChunks(t, &d, got); len(frames) != 1 || d.Stats().Garbage != 0 {
				t.Errorf("read %d frames, %+v; want one frame", len(frames), d.Stats())
			}
		})
	}
}

func TestAccessorsTakeOnlyTheirOwnFrame(t *testing.T) {
	field := Frame{ID: MsgField, Data: []byte{0x63, 0x01}}
	if u, ok := field.Field(); !ok || u != (FieldUpdate{0x23, WhitePawn}) {
		t.Errorf("Field() = %v, %v", u, ok)
	}
	if u, ok := field.Field100(); !ok || u != (FieldUpdate{99, WhitePawn}) {
		t.Errorf("Field100() = %v, %v", u, ok)
	}
	if u, ok := (Frame{ID: MsgField, Data: []byte{100, 1}}).Field100(); ok {
		t.Errorf("Field100() took square 100: %v", u)
	}
	dump := Frame{ID: MsgBoard, Data: unhex(t, startHex)}
	if p, ok := dump.Board(); !ok || p != startPlacement() {
		t.Errorf("Board() = %v, %v", p, ok)
	}
	if _, ok := (Frame{ID: MsgBoard, Data: make([]byte, 100)}).Board(); ok {
		t.Error("Board() took a dump of 100 squares")
	}
	clock := Frame{ID: MsgClock, Data: []byte{1, 2, 3, 4, 5, 6, 7}}
	if d, ok := clock.Clock(); !ok || d != [7]byte{1, 2, 3, 4, 5, 6, 7} {
		t.Errorf("Clock() = %v, %v", d, ok)
	}
	for _, f := range []Frame{field, dump, clock} {
		n := 0
		if _, ok := f.Field(); ok {
			n++
		}
		if _, ok := f.Board(); ok {
			n++
		}
		if _, ok := f.Clock(); ok {
			n++
		}
		if n != 1 {
			t.Errorf("%d accessors took the %v frame", n, f.ID)
		}
		if _, ok := f.Field100(); ok != (f.ID == MsgField) {
			t.Errorf("Field100() says %v to the %v frame", ok, f.ID)
		}
	}
}

func TestMessageOutlivesItsFrame(t *testing.T) {
	for _, hex := range []string{"92 00 05 48 49", "8f 00 05 6f 6b", "a3 00 05 01 02", "86 00 43" + startHex, "91 00 08 30 31 30 32 35"} {
		raw := unhex(t, hex)
		m, err := Frame{ID: ID(raw[0]), Data: raw[3:]}.Message()
		if err != nil {
			t.Fatal(err)
		}
		want := m.AppendTo(nil)
		clear(raw[3:])
		if got := m.AppendTo(nil); !bytes.Equal(got, want) {
			t.Errorf("%v message changed with the buffer: % x, was % x", m.ID(), got, want)
		}
	}
}

func TestStrings(t *testing.T) {
	tests := []struct{ got, want string }{
		{MsgField.String(), "field"},
		{ID(0xC7).String(), "id c7"},
		{BlackQueen.String(), "black queen"},
		{Piece(0x10).String(), "piece 10"},
		{Version{1, 7}.String(), "1.07"},
		{Hardware{3, 10}.String(), "3.10"},
		{Serial{Digits: [5]byte([]byte("01025"))}.String(), "01025"},
		{LongSerial{[10]byte([]byte("3.25010001"))}.String(), "3.25010001"},
		{Trademark{"A board\r\nVs 1.07\n"}.String(), "A board; Vs 1.07"},
		{RequestBoard.String(), "request board"},
		{Short(0x4F).String(), "command 4f"},
		{Short(0x30).String(), "command 30"},
		{ClockMessage{[]byte{3, 9, 0}}.String(), "clock message 03 09 00"},
		{Variable{0x63, []byte{1, 0}}.String(), "command 63 01 00"},
		{BusCommand{BusPing, 1025}.String(), "bus ping to 1025"},
		{BusCode(0xAF).String(), "bus command af"},
		{ReplyI2C.String(), "bus reply i2c"},
		{ReplyID(0xBF).String(), "bus reply bf"},
		{LogStart.String(), "start"},
		{LogErased.String(), "erased"},
		{LogKind(99).String(), "log kind 99"},
		{BusMode.String(), "bus mode"},
		{SingleBoardMode.String(), "single-board mode"},
		{Mode(0).String(), "mode 0"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
