package dgt

import "fmt"

// A BusCode is the first byte of a command on the bus (section 8.2).
type BusCode byte

// The commands of bus mode. The comments name the answers.
const (
	BusClock        BusCode = 0x81 // ReplyClock
	BusBoard        BusCode = 0x82 // ReplyBoard
	BusChanges      BusCode = 0x83 // ReplyChanges; changes that were not received are lost
	BusRepeat       BusCode = 0x84 // the last ReplyChanges again
	BusMarkStart    BusCode = 0x85 // ReplyStartMarked, after about 70 ms
	BusSinceStart   BusCode = 0x86 // ReplySinceStart
	BusPing         BusCode = 0x87 // ReplyPing; broadcast: at a random time within 1100 ms
	BusEnd          BusCode = 0x88 // none
	BusReset        BusCode = 0x89 // none; takes some seconds
	BusIgnorePing   BusCode = 0x8A // ReplyPing; the next broadcast ping is not answered
	BusVersion      BusCode = 0x8B // ReplyVersion
	BusBoard50      BusCode = 0x8C // ReplyBoard50
	BusAll          BusCode = 0x8D // ReplyChanges, ReplyClock, ReplyBoard
	BusSerial       BusCode = 0x91 // ReplySerial, this and all below on newer boards
	BusRandomPing   BusCode = 0x92 // ReplyPing
	BusI2CClock     BusCode = 0x93 // ReplyI2C
	BusI2CButton    BusCode = 0x94 // ReplyI2C
	BusI2CAck       BusCode = 0x95 // ReplyI2C
	BusStatistics   BusCode = 0x96 // ReplyStatistics
	BusTrademark    BusCode = 0x97 // ReplyTrademark
	BusBattery      BusCode = 0x98 // ReplyBattery
	BusRepeatButton BusCode = 0x99 // ReplyI2C
	BusRepeatAck    BusCode = 0x9A // ReplyI2C
	BusHardware     BusCode = 0x9B // ReplyHardware
	BusConfigure    BusCode = 0xA0 // ReplyConfigure, payload not public
	BusSBIMessage   BusCode = 0xA1 // payload not public
	BusI2CMessage   BusCode = 0xA2 // payload not public
)

var busNames = map[BusCode]string{
	BusClock: "clock", BusBoard: "board", BusChanges: "changes", BusRepeat: "repeat", BusMarkStart: "mark start",
	BusSinceStart: "since start", BusPing: "ping", BusEnd: "end", BusReset: "reset", BusIgnorePing: "ignore ping",
	BusVersion: "version", BusBoard50: "board 50", BusAll: "all", BusSerial: "serial", BusRandomPing: "random ping",
	BusI2CClock: "i2c clock", BusI2CButton: "i2c button", BusI2CAck: "i2c ack", BusStatistics: "statistics",
	BusTrademark: "trademark", BusBattery: "battery", BusRepeatButton: "repeat button", BusRepeatAck: "repeat ack",
	BusHardware: "hardware", BusConfigure: "configure", BusSBIMessage: "sbi message", BusI2CMessage: "i2c message",
}

// String names the command.
func (c BusCode) String() string {
	if s, ok := busNames[c]; ok {
		return "bus " + s
	}
	return fmt.Sprintf("bus command %02x", byte(c))
}

// busCommandLen is the length of every command on the bus.
const busCommandLen = 4

// A BusCommand is a command to one board on the bus, or to all (section 8.1).
type BusCommand struct {
	Code    BusCode
	Address Address
}

// AppendTo appends the four bytes.
func (c BusCommand) AppendTo(dst []byte) []byte {
	i := len(dst)
	dst = append(dst, byte(c.Code)|0x80, byte(c.Address>>7)&0x7F, byte(c.Address)&0x7F)
	return append(dst, checksum(dst[i:]))
}

// Reaches reports whether the board with this address obeys the command. Only
// ping, end and reset may be sent to all boards.
func (c BusCommand) Reaches(board Address) bool {
	if c.Address != 0 {
		return c.Address == board
	}
	return c.Code == BusPing || c.Code == BusEnd || c.Code == BusReset
}

// String names the command and the board.
func (c BusCommand) String() string { return fmt.Sprintf("%v to %d", c.Code, c.Address) }

// ParseBusCommand reads the four bytes of a command.
func ParseBusCommand(b []byte) (BusCommand, error) {
	if len(b) != busCommandLen {
		return BusCommand{}, fmt.Errorf("bus command: %d bytes, not %d", len(b), busCommandLen)
	}
	if b[0] < 0x80 {
		return BusCommand{}, fmt.Errorf("bus command: %02x is no command", b[0])
	}
	if i := highByte(b[1:]); i >= 0 {
		return BusCommand{}, fmt.Errorf("bus command: byte %d (%02x) has bit 7 set", 1+i, b[1+i])
	}
	if ck := checksum(b[:3]); ck != b[3] {
		return BusCommand{}, fmt.Errorf("bus command: checksum %02x, not %02x", b[3], ck)
	}
	return BusCommand{Code: BusCode(b[0]), Address: parseAddress(b[1:])}, nil
}

// checksum returns the sum of the bytes, 7 bits of it.
func checksum(b []byte) byte {
	var sum byte
	for _, c := range b {
		sum += c
	}
	return sum & 0x7F
}
