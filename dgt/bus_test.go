package dgt

import (
	"bytes"
	"strings"
	"testing"
)

// TestBusCommandsBothDirections has the commands of section 15.4.
func TestBusCommandsBothDirections(t *testing.T) {
	tests := []struct {
		name, hex string
		want      BusCommand
	}{
		{"clock request, the document's example", "81 10 06 17", BusCommand{BusClock, 0x10<<7 | 6}},
		{"broadcast ping", "87 00 00 07", BusCommand{BusPing, 0}},
		{"ping one board", "87 08 01 10", BusCommand{BusPing, 1025}},
		{"board request", "82 08 01 0b", BusCommand{BusBoard, 1025}},
		{"clock request", "81 08 01 0a", BusCommand{BusClock, 1025}},
		{"changes request", "83 08 01 0c", BusCommand{BusChanges, 1025}},
		{"repeat changes", "84 08 01 0d", BusCommand{BusRepeat, 1025}},
		{"mark start of game", "85 08 01 0e", BusCommand{BusMarkStart, 1025}},
		{"everything since the start tag", "86 08 01 0f", BusCommand{BusSinceStart, 1025}},
		{"version", "8b 08 01 14", BusCommand{BusVersion, 1025}},
		{"ignore next broadcast ping", "8a 08 01 13", BusCommand{BusIgnorePing, 1025}},
		{"reset", "89 08 01 12", BusCommand{BusReset, 1025}},
		{"the highest address", "88 7f 7f 06", BusCommand{BusEnd, 0x3FFF}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.hex)
			if got := tt.want.AppendTo(nil); !bytes.Equal(got, wire) {
				t.Errorf("wrote % x, want % x", got, wire)
			}
			if got, err := ParseBusCommand(wire); err != nil || got != tt.want {
				t.Errorf("read %v, %v; want %v", got, err, tt.want)
			}
			var d CommandDecoder
			d.Feed(wire)
			if o, ok := d.Next(); !ok || o != (Order{tt.want, BusMode, false}) {
				t.Errorf("heard %+v, %v; want %v", o, ok, tt.want)
			}
		})
	}
}

func TestParseBusCommandRefuses(t *testing.T) {
	tests := []struct{ name, hex, want string }{
		{"three bytes", "87 00 00", "bus command: 3 bytes, not 4"},
		{"a first byte without bit 7", "07 00 00 07", "bus command: 07 is no command"},
		{"an address with bit 7", "87 00 80 07", "bus command: byte 2 (80) has bit 7 set"},
		{"a wrong checksum", "87 08 01 11", "bus command: checksum 11, not 10"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseBusCommand(unhex(t, tt.hex)); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestBusCommandReaches(t *testing.T) {
	tests := []struct {
		name  string
		c     BusCommand
		board Address
		want  bool
	}{
		{"its own board", BusCommand{BusBoard, 1025}, 1025, true},
		{"no other board", BusCommand{BusBoard, 1025}, 1026, false},
		{"every board with a broadcast ping", BusCommand{BusPing, 0}, 1025, true},
		{"every board with a broadcast end", BusCommand{BusEnd, 0}, 1025, true},
		{"every board with a broadcast reset", BusCommand{BusReset, 0}, 1025, true},
		{"no board with any other broadcast", BusCommand{BusChanges, 0}, 1025, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.c.Reaches(tt.board); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestBusRepliesBothDirections has the answers of sections 8.4 and 15.4.
func TestBusRepliesBothDirections(t *testing.T) {
	board := unhex(t, startHex)
	tests := []struct {
		name, hex string
		id        ReplyID
		address   Address
		data      []byte
	}{
		{"ping", "87 00 06 08 01 16", ReplyPing, 1025, nil},
		{"board in the start position", "83 00 46 08 01" + startHex + "7c", ReplyBoard, 1025, board},
		{"clock", "84 00 0d 08 01 00 05 00 10 04 30 13 76", ReplyClock, 1025, []byte{0, 5, 0, 0x10, 4, 0x30, 0x13}},
		{"changes", "85 00 0a 08 01 40 34 41 24 71", ReplyChanges, 1025, []byte{0x40, 0x34, 0x41, 0x24}},
		{"start marked", "88 00 06 08 01 17", ReplyStartMarked, 1025, nil},
		{"version", "89 00 08 08 01 01 02 1d", ReplyVersion, 1025, []byte{1, 2}},
		{"a real button of a Centaur", "b1 00 11 06 50 00 14 0a 05 01 00 00 00 00 7d 47 00", ReplyI2C, 0x350,
			[]byte{0, 0x14, 0x0A, 5, 1, 0, 0, 0, 0, 0x7D, 0x47}},
		{"no i2c message", "b1 00 06 06 50 0d", ReplyI2C, 0x350, nil},
		{"version of a board up to 1.2", "89 00 06 08 01 18", ReplyVersion, 1025, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wire := unhex(t, tt.hex)
			for _, chunks := range [][][]byte{{wire}, bytewise(wire)} {
				var d BusDecoder
				n := 0
				for _, c := range chunks {
					d.Feed(c)
					for r, ok := d.Next(); ok; r, ok = d.Next() {
						n++
						if r.ID != tt.id || r.Address != tt.address || !bytes.Equal(r.Data, tt.data) || r.Offset != 0 {
							t.Errorf("read %+v", r)
						}
					}
				}
				if n != 1 || d.Stats() != (Stats{Bytes: int64(len(wire)), Frames: 1, FrameBytes: int64(len(wire))}) {
					t.Errorf("%d answers, %+v", n, d.Stats())
				}
			}
			got := BusReply{ID: tt.id, Address: tt.address, Data: tt.data}.AppendTo(nil)
			if !bytes.Equal(got, wire) {
				t.Errorf("wrote\n% x\nwant\n% x", got, wire)
			}
		})
	}
}

func TestBusDecoder(t *testing.T) {
	ping := "87 00 06 08 01 16"
	tests := []struct {
		name, hex string
		replies   int64
		garbage   int64
		bad       int64
		pending   int
	}{
		{"a wrong checksum is garbage, and counted", "87 00 06 08 01 17" + ping, 1, 6, 1, 0},
		{"an answer cut by another", "84 00 0d 08 01 00" + ping, 1, 6, 0, 0},
		{"a length without room for address and checksum", "b5 00 05 08 01" + ping, 1, 5, 0, 0},
		{"a ping is six bytes", "87 00 07 08 01 00 17" + ping, 1, 7, 0, 0},
		{"a draughts board", "83 00 6a 08 01" + strings.Repeat("00", 100) + "76", 1, 0, 0, 0},
		{"half an answer stays pending", "84 00 0d 08", 0, 0, 0, 4},
		{"an unknown answer", "bf 00 07 08 01 05 54", 1, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stream := unhex(t, tt.hex)
			for _, chunks := range [][][]byte{{stream}, bytewise(stream)} {
				var d BusDecoder
				for _, c := range chunks {
					d.Feed(c)
					for _, ok := d.Next(); ok; _, ok = d.Next() {
					}
				}
				_, pending := d.Pending()
				s := d.Stats()
				if s.Frames != tt.replies || s.Garbage != tt.garbage || d.BadChecksums() != tt.bad || pending != tt.pending {
					t.Errorf("%+v, %d bad, %d pending; want %+v", s, d.BadChecksums(), pending, tt)
				}
				if n := d.Abort(); n != tt.pending {
					t.Errorf("Abort() = %d, want %d", n, tt.pending)
				}
			}
		})
	}
}

func TestBusReplyCutsWhatTheWireCannotCarry(t *testing.T) {
	got := BusReply{ID: ReplyChanges, Data: bytes.Repeat([]byte{0xFF}, 9000)}.AppendTo(nil)
	var d BusDecoder
	d.Feed(got)
	if r, ok := d.Next(); !ok || len(r.Data) != maxLog || r.Data[0] != 0x7F || d.Stats().Garbage != 0 {
		t.Errorf("read %d bytes, %v, %+v", len(r.Data), ok, d.Stats())
	}
}
