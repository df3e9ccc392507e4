package dgt

import (
	"fmt"
	"strings"
)

// A Message is the content of a frame. The set is closed: the types of this file.
type Message interface {
	// ID returns the id of the frame that carries the message.
	ID() ID
	// AppendTo appends the whole frame. It truncates values that the wire cannot carry, so the result is always a
	// frame.
	AppendTo(dst []byte) []byte
	message()
}

// A BoardDump is the content of all 64 squares (section 5.2).
type BoardDump struct{ Placement Placement }

// A BoardDump100 is the content of all 100 squares of a draughts board.
type BoardDump100 struct{ Squares [squares100]Piece }

// A Dump50 is the content of the playable squares of a draughts board in reading order (section 5.9).
type Dump50 struct {
	Light   bool // the light squares are the playable ones
	Squares [squares50]Piece
}

// A FieldUpdate reports that a square now reads Piece (section 5.3).
type FieldUpdate struct {
	Square byte // board numbering, 0 = far left
	Piece  Piece
}

// ClockData holds the seven bytes of a clock frame, for package clockproto to read (section 5.4).
type ClockData [clockLen]byte

// A Log is the EEPROM log, at most 0x1F00 bytes. [ParseLog] reads it.
type Log struct{ Data []byte }

// An Address is a board's address on the bus, 14 bits. It equals the serial
// number. Zero addresses every board.
type Address uint16

// A BusAddress is the board's own address (section 5.5).
type BusAddress struct{ Address Address }

// A Serial is the board's serial number (section 5.6).
type Serial struct {
	Digits  [serialLen]byte // ASCII, most significant first
	Storage string          // storage version like "1.0", only from boards of 1998
}

// A Trademark is the board's own description, at most 256 characters in lines (section 5.7).
type Trademark struct{ Text string }

// A Version is the firmware's version (section 5.8).
type Version struct{ Major, Minor byte }

// A Hardware is the hardware's version (section 5.8).
type Hardware struct{ Major, Minor byte }

// NotAvailable is the value in a [Battery] of a number that the board does not know or did not send.
const NotAvailable = 0x7F

// A Battery is the state of a board's accumulator (section 5.10).
type Battery struct {
	Percent                      byte // charge left
	LeftHours, LeftMinutes       byte // of running or charging
	OnHours, OnMinutes           byte
	StandbyDays                  byte
	StandbyHours, StandbyMinutes byte
	Charging, Discharging        bool
}

// A LongSerial holds the ten characters of newer boards (section 5.11).
type LongSerial struct{ Text [longSerialLen]byte }

// A Raw is a frame whose content is not public or whose id is unknown.
type Raw struct {
	Type ID
	Data []byte // at most 256 bytes
}

func (BoardDump) ID() ID    { return MsgBoard }
func (BoardDump100) ID() ID { return MsgBoard }
func (FieldUpdate) ID() ID  { return MsgField }
func (ClockData) ID() ID    { return MsgClock }
func (Log) ID() ID          { return MsgLog }
func (BusAddress) ID() ID   { return MsgBusAddress }
func (Serial) ID() ID       { return MsgSerial }
func (Trademark) ID() ID    { return MsgTrademark }
func (Version) ID() ID      { return MsgVersion }
func (Hardware) ID() ID     { return MsgHardware }
func (Battery) ID() ID      { return MsgBattery }
func (LongSerial) ID() ID   { return MsgLongSerial }
func (m Raw) ID() ID        { return m.Type }

// ID returns MsgDark50 or MsgLight50.
func (m Dump50) ID() ID {
	if m.Light {
		return MsgLight50
	}
	return MsgDark50
}

func (BoardDump) message()    {}
func (BoardDump100) message() {}
func (Dump50) message()       {}
func (FieldUpdate) message()  {}
func (ClockData) message()    {}
func (Log) message()          {}
func (BusAddress) message()   {}
func (Serial) message()       {}
func (Trademark) message()    {}
func (Version) message()      {}
func (Hardware) message()     {}
func (Battery) message()      {}
func (LongSerial) message()   {}
func (Raw) message()          {}

func (m BoardDump) AppendTo(dst []byte) []byte {
	dst = appendHeader(dst, byte(MsgBoard), headerLen+squares)
	return appendPieces(dst, m.Placement[:])
}

func (m BoardDump100) AppendTo(dst []byte) []byte {
	dst = appendHeader(dst, byte(MsgBoard), headerLen+squares100)
	return appendPieces(dst, m.Squares[:])
}

func (m Dump50) AppendTo(dst []byte) []byte {
	dst = appendHeader(dst, byte(m.ID()), headerLen+squares50)
	return appendPieces(dst, m.Squares[:])
}

func (m FieldUpdate) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgField, m.Square, byte(m.Piece)&pieceMask)
}

func (m ClockData) AppendTo(dst []byte) []byte { return appendFrame(dst, MsgClock, m[:]...) }

func (m Log) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgLog, m.Data[:min(len(m.Data), maxLog)]...)
}

func (m BusAddress) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgBusAddress, byte(m.Address>>7), byte(m.Address))
}

func (m Serial) AppendTo(dst []byte) []byte {
	if m.Storage == "" {
		return appendFrame(dst, MsgSerial, m.Digits[:]...)
	}
	dst = appendHeader(dst, byte(MsgSerial), headerLen+oldSerialLen)
	dst = appendMasked(dst, m.Digits[:])
	dst = append(dst, ' ')
	storage := []byte("   ")
	copy(storage, m.Storage)
	return appendMasked(dst, storage)
}

func (m Trademark) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgTrademark, []byte(m.Text[:min(len(m.Text), maxTrademark)])...)
}

func (m Version) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgVersion, m.Major, m.Minor)
}

func (m Hardware) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgHardware, m.Major, m.Minor)
}

// Bits of a Battery's last byte.
const (
	bitCharging    = 0x01
	bitDischarging = 0x02
)

func (m Battery) AppendTo(dst []byte) []byte {
	var status byte
	if m.Charging {
		status |= bitCharging
	}
	if m.Discharging {
		status |= bitDischarging
	}
	return appendFrame(dst, MsgBattery, m.Percent, m.LeftHours, m.LeftMinutes, m.OnHours, m.OnMinutes,
		m.StandbyDays, m.StandbyHours, m.StandbyMinutes, status)
}

func (m LongSerial) AppendTo(dst []byte) []byte {
	return appendFrame(dst, MsgLongSerial, m.Text[:]...)
}

func (m Raw) AppendTo(dst []byte) []byte {
	return appendFrame(dst, m.Type|0x80, m.Data[:min(len(m.Data), maxUnknown-headerLen)]...)
}

// appendFrame appends a frame with these data, with bit 7 cleared: a byte with bit 7 would start another frame.
func appendFrame(dst []byte, id ID, data ...byte) []byte {
	dst = appendHeader(dst, byte(id), headerLen+len(data))
	return appendMasked(dst, data)
}

func appendMasked(dst, data []byte) []byte {
	for _, b := range data {
		dst = append(dst, b&0x7F)
	}
	return dst
}

// String returns the number as on the board's label, "01025".
func (m Serial) String() string { return string(m.Digits[:]) }

// String returns the text, "3.25010001".
func (m LongSerial) String() string { return string(m.Text[:]) }

// String returns the version as DGT writes it, two digits after the point: "1.07".
func (m Version) String() string { return fmt.Sprintf("%d.%02d", m.Major, m.Minor) }

// String returns the version with two digits after the point: "2.00".
func (m Hardware) String() string { return fmt.Sprintf("%d.%02d", m.Major, m.Minor) }

// String returns the text with its lines joined by semicolons.
func (m Trademark) String() string {
	return strings.Join(strings.FieldsFunc(m.Text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
