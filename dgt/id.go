package dgt

import "fmt"

// An ID is the first byte of a frame from the board. Its bit 7 is always set.
type ID byte

// The frames of single-board mode (section 4). The zero ID is invalid.
const (
	MsgBoard      ID = 0x86 // all squares
	MsgClock      ID = 0x8D // clock time or clock acknowledgement
	MsgField      ID = 0x8E // one square changed
	MsgLog        ID = 0x8F // the EEPROM log
	MsgBusAddress ID = 0x90
	MsgSerial     ID = 0x91
	MsgTrademark  ID = 0x92
	MsgVersion    ID = 0x93 // of the firmware
	MsgDark50     ID = 0x94 // draughts, dark squares
	MsgLight50    ID = 0x95 // draughts, light squares
	MsgHardware   ID = 0x96
	MsgBattery    ID = 0xA0
	MsgLongSerial ID = 0xA2
	MsgI2CClock   ID = 0xA3 // content not public
	MsgLock       ID = 0xA4 // Pegasus family, content not public
	MsgKey        ID = 0xA5 // Pegasus family, content not public
)

// msgNone begins no frame. Some boards have been observed to send it without end.
const msgNone = 0x80

var idNames = map[ID]string{
	MsgBoard:      "board",
	MsgClock:      "clock",
	MsgField:      "field",
	MsgLog:        "log",
	MsgBusAddress: "bus address",
	MsgSerial:     "serial",
	MsgTrademark:  "trademark",
	MsgVersion:    "version",
	MsgDark50:     "dark squares",
	MsgLight50:    "light squares",
	MsgHardware:   "hardware",
	MsgBattery:    "battery",
	MsgLongSerial: "long serial",
	MsgI2CClock:   "i2c clock",
	MsgLock:       "lock",
	MsgKey:        "key",
}

// String names the frame, or prints the byte of an unknown one.
func (id ID) String() string {
	if s, ok := idNames[id]; ok {
		return s
	}
	return fmt.Sprintf("id %02x", byte(id))
}

// A span holds the total lengths that a frame may have: lo to hi, or alt. In a finished table alt is never zero.
type span struct{ lo, hi, alt uint16 }

// Lengths of frames, header included.
const (
	headerLen     = 3
	squares       = 64
	squares50     = 50
	squares100    = 100
	maxTrademark  = 256
	maxLog        = 0x1F00
	maxUnknown    = headerLen + 256
	minBattery    = 4
	fullBattery   = 9
	clockLen      = 7
	serialLen     = 5
	oldSerialLen  = 9
	longSerialLen = 10
)

// boardSpans holds the lengths of section 4, indexed by the id without bit 7. A frame with another id may have up to
// 259 bytes.
var boardSpans = withDefault(headerLen, maxUnknown, map[ID]span{
	MsgBoard:      {headerLen + squares, headerLen + squares, headerLen + squares100},
	MsgClock:      exactly(headerLen + clockLen),
	MsgField:      exactly(headerLen + 2),
	MsgLog:        {lo: headerLen, hi: headerLen + maxLog},
	MsgBusAddress: exactly(headerLen + 2),
	MsgSerial:     {headerLen + serialLen, headerLen + serialLen, headerLen + oldSerialLen}, // section 17
	MsgTrademark:  {lo: headerLen, hi: headerLen + maxTrademark},
	MsgVersion:    exactly(headerLen + 2),
	MsgDark50:     exactly(headerLen + squares50),
	MsgLight50:    exactly(headerLen + squares50),
	MsgHardware:   exactly(headerLen + 2),
	MsgBattery:    {lo: headerLen + minBattery, hi: headerLen + fullBattery}, // section 5.10
	MsgLongSerial: exactly(headerLen + longSerialLen),
})

func exactly(n uint16) span { return span{lo: n, hi: n} }

// withDefault builds a table from known in which every other id may have lo to hi bytes.
func withDefault(lo, hi uint16, known map[ID]span) *[128]span {
	var t [128]span
	for i := range t {
		t[i] = span{lo: lo, hi: hi}
		if s, ok := known[ID(i)|0x80]; ok {
			t[i] = s
		}
		if t[i].alt == 0 {
			t[i].alt = t[i].hi
		}
	}
	return &t
}

// allows reports whether a frame with this id may be total bytes long.
func (s span) allows(total int) bool {
	return total >= int(s.lo) && total <= int(s.hi) || total == int(s.alt)
}
