package emulator

import (
	"bytes"

	"boardwatchd/dgt"
)

// busAnswer appends the answer of a board on the bus to a command addressed to it. DGT protocol notes, section 8.2.
func (b *board) busAnswer(dst []byte, c dgt.BusCommand, stand dgt.Placement, face [7]byte) []byte {
	own := dgt.Address(b.opts.Serial)
	if c.Address != own && c.Address != 0 {
		return dst
	}
	reply := func(id dgt.ReplyID, data []byte) {
		dst = dgt.BusReply{ID: id, Address: own, Data: data}.AppendTo(dst)
	}
	if c.Address == 0 { // section 8.1: broadcast is for ping, end and reset
		switch {
		case c.Code == dgt.BusPing && !b.skipPing:
			reply(dgt.ReplyPing, nil)
		case c.Code == dgt.BusPing:
			b.skipPing = false
		case c.Code == dgt.BusReset:
			b.restart(stand)
		}
		return dst
	}
	switch c.Code {
	case dgt.BusClock:
		reply(dgt.ReplyClock, face[:])
	case dgt.BusBoard:
		reply(dgt.ReplyBoard, pieces(stand))
	case dgt.BusChanges:
		reply(b.changesID(), b.memory.changes())
	case dgt.BusRepeat:
		reply(b.repeatID(), b.memory.again)
	case dgt.BusMarkStart:
		b.memory.mark(stand)
		reply(dgt.ReplyStartMarked, nil)
	case dgt.BusSinceStart:
		reply(dgt.ReplySinceStart, b.memory.game())
	case dgt.BusPing, dgt.BusRandomPing:
		reply(dgt.ReplyPing, nil)
	case dgt.BusIgnorePing:
		b.skipPing = true
		reply(dgt.ReplyPing, nil)
	case dgt.BusReset:
		b.restart(stand)
	case dgt.BusVersion:
		reply(dgt.ReplyVersion, []byte{1, 7})
	case dgt.BusHardware:
		reply(dgt.ReplyHardware, []byte{1, 0})
	case dgt.BusAll:
		reply(b.changesID(), b.memory.changes())
		reply(dgt.ReplyClock, face[:])
		reply(dgt.ReplyBoard, pieces(stand))
	case dgt.BusSerial:
		d := b.digits()
		reply(dgt.ReplySerial, d[:])
	case dgt.BusTrademark:
		d := b.digits()
		reply(dgt.ReplyTrademark, append([]byte(trademark), d[:]...))
	}
	return dst
}

// changesID alternates between two ids, as newer boards do, and is called before the changes are taken.
func (b *board) changesID() dgt.ReplyID {
	if b.memory.even {
		return dgt.ReplyChangesEven
	}
	return dgt.ReplyChanges
}

func (b *board) repeatID() dgt.ReplyID {
	if b.memory.even {
		return dgt.ReplyChanges
	}
	return dgt.ReplyChangesEven
}

func pieces(stand dgt.Placement) []byte {
	var data bytes.Buffer
	for _, code := range stand {
		data.WriteByte(byte(code))
	}
	return data.Bytes()
}
