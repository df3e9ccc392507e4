package dgt

import (
	"bytes"
	"fmt"
)

// squareMask removes a bit of unknown meaning, as pieceMask does.
const squareMask = 0x3F

// Field returns the update that the frame carries, and false for every other frame. The square is one of 64.
func (f Frame) Field() (FieldUpdate, bool) {
	if f.ID != MsgField || len(f.Data) != 2 {
		return FieldUpdate{}, false
	}
	return FieldUpdate{Square: f.Data[0] & squareMask, Piece: Piece(f.Data[1] & pieceMask)}, true
}

// Field100 is Field for a draughts board of 100 squares. The wire does not distinguish the two boards.
func (f Frame) Field100() (FieldUpdate, bool) {
	if f.ID != MsgField || len(f.Data) != 2 || f.Data[0] >= squares100 {
		return FieldUpdate{}, false
	}
	return FieldUpdate{Square: f.Data[0], Piece: Piece(f.Data[1] & pieceMask)}, true
}

// Board returns the placement that the frame carries, and false for every
// other frame, a dump of 100 squares included.
func (f Frame) Board() (Placement, bool) {
	var p Placement
	if f.ID != MsgBoard || len(f.Data) != squares {
		return p, false
	}
	p.read(f.Data)
	return p, true
}

// Clock returns the seven bytes that the frame carries for package
// clockproto, and false for every other frame.
func (f Frame) Clock() (d [7]byte, ok bool) {
	if f.ID != MsgClock || len(f.Data) != clockLen {
		return d, false
	}
	return [7]byte(f.Data), true
}

// Message reads the frame. The message has its own memory and stays valid after the frame. Frames from a [Decoder] have
// the right length; the error names a fault of the content.
func (f Frame) Message() (Message, error) {
	if f.ID <= msgNone || !boardSpans[f.ID&0x7F].allows(headerLen+len(f.Data)) {
		return nil, fmt.Errorf("%v frame: impossible id or length %d", f.ID, headerLen+len(f.Data))
	}
	switch f.ID {
	case MsgBoard:
		return parseBoard(f.Data), nil
	case MsgDark50, MsgLight50:
		m := Dump50{Light: f.ID == MsgLight50}
		for i := range m.Squares {
			m.Squares[i] = Piece(f.Data[i] & pieceMask)
		}
		return m, nil
	case MsgField:
		m, _ := f.Field()
		return m, nil
	case MsgClock:
		return ClockData(f.Data), nil
	case MsgLog:
		return Log{Data: bytes.Clone(f.Data)}, nil
	case MsgBusAddress:
		return BusAddress{Address: parseAddress(f.Data)}, nil
	case MsgSerial:
		return parseSerial(f.Data)
	case MsgTrademark:
		return Trademark{Text: string(f.Data)}, nil
	case MsgVersion:
		return Version{Major: f.Data[0], Minor: f.Data[1]}, nil
	case MsgHardware:
		return Hardware{Major: f.Data[0], Minor: f.Data[1]}, nil
	case MsgBattery:
		return parseBattery(f.Data), nil
	case MsgLongSerial:
		return LongSerial{Text: [longSerialLen]byte(f.Data)}, nil
	}
	return Raw{Type: f.ID, Data: bytes.Clone(f.Data)}, nil
}

func parseBoard(data []byte) Message {
	if len(data) == squares {
		var m BoardDump
		m.Placement.read(data)
		return m
	}
	var m BoardDump100
	for i := range m.Squares {
		m.Squares[i] = Piece(data[i] & pieceMask)
	}
	return m
}

func parseSerial(data []byte) (Message, error) {
	for i, c := range data[:serialLen] {
		if c < '0' || c > '9' {
			return nil, fmt.Errorf("serial frame: byte %d is %02x, not a digit", i, c)
		}
	}
	m := Serial{Digits: [serialLen]byte(data)}
	if len(data) == oldSerialLen {
		if data[serialLen] != ' ' {
			return nil, fmt.Errorf("serial frame: byte %d is %02x, not a space", serialLen, data[serialLen])
		}
		m.Storage = string(data[serialLen+1:])
	}
	return m, nil
}

// parseBattery accepts both sizes: the field list of section 5.10 has nine bytes, the length constant beside it only
// four.
func parseBattery(data []byte) Message {
	full := [fullBattery]byte{0, NotAvailable, NotAvailable, NotAvailable, NotAvailable, NotAvailable, NotAvailable, NotAvailable, 0}
	copy(full[:], data)
	return Battery{
		Percent:   full[0],
		LeftHours: full[1], LeftMinutes: full[2],
		OnHours: full[3], OnMinutes: full[4],
		StandbyDays: full[5], StandbyHours: full[6], StandbyMinutes: full[7],
		Charging: full[8]&bitCharging != 0, Discharging: full[8]&bitDischarging != 0,
	}
}

// parseAddress reads the 14 bits of an address.
func parseAddress(b []byte) Address { return Address(b[0]&0x7F)<<7 | Address(b[1]&0x7F) }
