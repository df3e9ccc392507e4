package dgt

import "fmt"

// A Command is a command to a board. The set is closed: [Short], [ClockMessage], [LEDs], [PegasusLEDs], [Variable] and
// [BusCommand].
type Command interface {
	// AppendTo appends the bytes that go on the wire.
	AppendTo(dst []byte) []byte
	command()
}

// A Short is a command of one byte (section 3). The zero Short is invalid.
type Short byte

// The commands of one byte. The comments name the answers.
const (
	Reset             Short = 0x40 // none; reporting goes idle
	RequestClock      Short = 0x41 // MsgClock
	RequestBoard      Short = 0x42 // MsgBoard
	SetUpdate         Short = 0x43 // a stream of MsgField and, at least each second, MsgClock
	SetUpdateBoard    Short = 0x44 // a stream of MsgField
	RequestSerial     Short = 0x45 // MsgSerial; also the keep-alive
	RequestBusAddress Short = 0x46 // MsgBusAddress
	RequestTrademark  Short = 0x47 // MsgTrademark
	RequestHardware   Short = 0x48 // MsgHardware, newer boards
	RequestLog        Short = 0x49 // MsgLog, 8 s long
	ToBusMode         Short = 0x4A // none
	SetUpdateNice     Short = 0x4B // a stream of MsgField and, on change, MsgClock
	RequestBattery    Short = 0x4C // MsgBattery, Bluetooth boards
	RequestVersion    Short = 0x4D // MsgVersion
	StartBootloader   Short = 0x4E // DANGEROUS: the board leaves its program
	RequestDark50     Short = 0x50 // MsgDark50
	ScanOnlyDark      Short = 0x51 // DANGEROUS: persists in EEPROM
	RequestLight50    Short = 0x52 // MsgLight50
	ScanOnlyLight     Short = 0x53 // DANGEROUS: persists in EEPROM
	ScanAll           Short = 0x54 // DANGEROUS: persists in EEPROM
	RequestLongSerial Short = 0x55 // MsgLongSerial
	RequestI2CClock   Short = 0x56 // MsgI2CClock, newer boards
	SetUpdateI2C      Short = 0x57 // MsgField and MsgI2CClock, newer boards
	SetUpdateI2CNice  Short = 0x58 // MsgField and MsgI2CClock, newer boards
	RequestLock       Short = 0x59 // MsgLock, Pegasus family
	RequestKeyState   Short = 0x5A // MsgKey, Pegasus family
)

// The known commands lie between these.
const firstShort, lastShort = Reset, RequestKeyState

// shortNames is indexed by the command less 0x40. An empty name means that there is no such command.
var shortNames = [lastShort - firstShort + 1]string{
	"reset", "request clock", "request board", "set update", "set update board", "request serial",
	"request bus address", "request trademark", "request hardware", "request log", "to bus mode",
	"set update nice", "request battery", "request version", "start bootloader", "",
	"request dark squares", "scan only dark", "request light squares", "scan only light", "scan all",
	"request long serial", "request i2c clock", "set update i2c", "set update i2c nice",
	"request lock", "request key state",
}

// Known reports whether a board may know the command.
func (s Short) Known() bool {
	return s >= firstShort && s <= lastShort && shortNames[s-firstShort] != ""
}

// Dangerous reports whether the command can make a board useless: it starts
// the boot loader or changes a setting that survives a power cycle.
func (s Short) Dangerous() bool {
	switch s {
	case StartBootloader, ScanOnlyDark, ScanOnlyLight, ScanAll:
		return true
	}
	return false
}

// String names the command.
func (s Short) String() string {
	if s.Known() {
		return shortNames[s-firstShort]
	}
	return fmt.Sprintf("command %02x", byte(s))
}

// AppendTo appends the one byte.
func (s Short) AppendTo(dst []byte) []byte { return append(dst, byte(s)) }

// The first bytes of the commands of variable length (section 3.1).
const (
	CodeClock    byte = 0x2B // SBI clock message
	CodeI2CClock byte = 0x2C // I2C clock message, layout not public
	CodeLEDs     byte = 0x60 // Revelation II and Pegasus
	CodeKey      byte = 0x63 // developer key of the Pegasus
)

// maxPayload is the longest payload of a command: its length has 7 bits.
const maxPayload = 0x7F

// variable reports whether a command that begins with b has a length byte.
func variable(b byte) bool {
	return b == CodeClock || b == CodeI2CClock || b == CodeLEDs || b == CodeKey
}

// A ClockMessage carries a command of package clockproto to the clock, its
// final zero included (section 6.2).
type ClockMessage struct{ Payload []byte }

// A Variable is any other command of variable length. Payload ends with a
// zero, as every such command does.
type Variable struct {
	Code    byte
	Payload []byte
}

// The actions of [LEDs].
const (
	LEDOff    byte = 0
	LEDOn     byte = 1
	LEDOption byte = 2 // A is the option, B is 0 for off and 1 for on
)

// Options of the Revelation II for [LEDOption].
const (
	OptionAutoOff     byte = 1 // lights go off when a piece changes
	OptionAutoReverse byte = 2 // board and lights turn at a reversed start position
)

// LEDs switches the lights of two squares of a Revelation II, a8 = 0 to h1 = 63 (section 3.2). 40 is not a square: it
// is ignored, and as A of LEDOff it means all squares.
type LEDs struct{ Action, A, B byte }

// PegasusLEDs makes the squares of a Pegasus blink; without squares it switches off every light (section 10.2).
type PegasusLEDs struct {
	Speed, Repeat, Brightness byte
	Squares                   []byte
}

// pegasusLight is the first byte of a PegasusLEDs with squares.
const pegasusLight = 5

func (Short) command()        {}
func (ClockMessage) command() {}
func (Variable) command()     {}
func (LEDs) command()         {}
func (PegasusLEDs) command()  {}
func (BusCommand) command()   {}

// AppendTo appends the command. More than 127 bytes of payload give bytes that
// [CheckCommand] refuses.
func (c ClockMessage) AppendTo(dst []byte) []byte {
	return appendVariable(dst, CodeClock, c.Payload...)
}

// AppendTo appends the command, as [ClockMessage.AppendTo] does.
func (c Variable) AppendTo(dst []byte) []byte { return appendVariable(dst, c.Code, c.Payload...) }

// AppendTo appends the command.
func (c LEDs) AppendTo(dst []byte) []byte {
	return appendVariable(dst, CodeLEDs, c.Action, c.A, c.B, 0)
}

// AppendTo appends the command, as [ClockMessage.AppendTo] does.
func (c PegasusLEDs) AppendTo(dst []byte) []byte {
	if len(c.Squares) == 0 {
		return appendVariable(dst, CodeLEDs, 0, 0)
	}
	dst = append(dst, CodeLEDs, byte(min(len(c.Squares)+5, 0xFF)), pegasusLight, c.Speed, c.Repeat, c.Brightness)
	dst = append(dst, c.Squares...)
	return append(dst, 0)
}

// appendVariable appends a command in the shape of section 3.1. The length counts everything after itself. A length
// that does not fit becomes a byte that every board and every check refuses.
func appendVariable(dst []byte, code byte, payload ...byte) []byte {
	dst = append(dst, code, byte(min(len(payload), 0xFF)))
	return append(dst, payload...)
}

// String names the message by its bytes.
func (c ClockMessage) String() string { return fmt.Sprintf("clock message % x", c.Payload) }

// String names the command by its bytes.
func (c Variable) String() string { return fmt.Sprintf("command %02x % x", c.Code, c.Payload) }
