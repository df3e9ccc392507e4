package dgt

import "fmt"

// A ReplyID is the first byte of an answer on the bus (section 8.2).
type ReplyID byte

// The answers of bus mode.
const (
	ReplyBoard       ReplyID = 0x83
	ReplyClock       ReplyID = 0x84
	ReplyChanges     ReplyID = 0x85 // log records; newer boards: every other time
	ReplySinceStart  ReplyID = 0x86 // log records
	ReplyPing        ReplyID = 0x87
	ReplyStartMarked ReplyID = 0x88
	ReplyVersion     ReplyID = 0x89
	ReplyBoard50     ReplyID = 0x8A
	ReplyChangesEven ReplyID = 0x8B // log records, newer boards: the times between
	ReplyHardware    ReplyID = 0x8C
	ReplySerial      ReplyID = 0xB0
	ReplyI2C         ReplyID = 0xB1 // a clock's own message, escaped
	ReplyStatistics  ReplyID = 0xB2 // payload not public
	ReplyConfigure   ReplyID = 0xB3 // payload not public
	ReplyTrademark   ReplyID = 0xB4
	ReplyBattery     ReplyID = 0xB5
)

var replyNames = map[ReplyID]string{
	ReplyBoard: "board", ReplyClock: "clock", ReplyChanges: "changes", ReplySinceStart: "since start",
	ReplyPing: "ping", ReplyStartMarked: "start marked", ReplyVersion: "version", ReplyBoard50: "board 50",
	ReplyChangesEven: "changes even", ReplyHardware: "hardware", ReplySerial: "serial", ReplyI2C: "i2c",
	ReplyStatistics: "statistics", ReplyConfigure: "configure", ReplyTrademark: "trademark", ReplyBattery: "battery",
}

// String names the answer.
func (id ReplyID) String() string {
	if s, ok := replyNames[id]; ok {
		return "bus reply " + s
	}
	return fmt.Sprintf("bus reply %02x", byte(id))
}

// busOverhead is the header, the address and the checksum.
const busOverhead = headerLen + 3

// busSpans holds the lengths of answers on the bus. Those of the newer boards
// are not public: they may have up to 256 bytes of data.
var busSpans = withDefault(busOverhead, busOverhead+256, map[ID]span{
	ID(ReplyBoard):       {busOverhead + squares, busOverhead + squares, busOverhead + squares100},
	ID(ReplyClock):       exactly(busOverhead + clockLen),
	ID(ReplyChanges):     {lo: busOverhead, hi: maxFrame},
	ID(ReplySinceStart):  {lo: busOverhead, hi: maxFrame},
	ID(ReplyPing):        exactly(busOverhead),
	ID(ReplyStartMarked): exactly(busOverhead),
	ID(ReplyVersion):     {busOverhead + 2, busOverhead + 2, busOverhead}, // 6 up to version 1.2
	ID(ReplyBoard50):     exactly(busOverhead + squares50),
	ID(ReplyChangesEven): {lo: busOverhead, hi: maxFrame},
	ID(ReplyHardware):    exactly(busOverhead + 2),
})

// A BusReply is one answer on the bus.
type BusReply struct {
	ID      ReplyID
	Address Address
	Data    []byte // from a BusDecoder: valid until its next Feed or Next
	Offset  int64  // of the frame's first byte in the stream
}

// AppendTo appends the whole frame. It masks and cuts what the wire cannot
// carry.
func (r BusReply) AppendTo(dst []byte) []byte {
	i := len(dst)
	data := r.Data[:min(len(r.Data), maxFrame-busOverhead)]
	dst = appendHeader(dst, byte(r.ID)|0x80, busOverhead+len(data))
	dst = append(dst, byte(r.Address>>7)&0x7F, byte(r.Address)&0x7F)
	dst = appendMasked(dst, data)
	return append(dst, checksum(dst[i:]))
}

// A BusDecoder cuts the bytes from boards on a bus into answers, as a [Decoder] does for a single board, with the same
// loop and the same account. The zero BusDecoder is ready for use. It belongs to one goroutine.
type BusDecoder struct {
	f   framer
	bad int64
}

// Feed takes the next chunk, as [Decoder.Feed] does.
func (d *BusDecoder) Feed(p []byte) { d.f.feed(p) }

// Next returns the next answer with a correct checksum, and false when the rest of the stream is needed. It does not
// allocate.
func (d *BusDecoder) Next() (BusReply, bool) {
	for {
		raw, ok := d.f.next(busSpans)
		if !ok {
			return BusReply{}, false
		}
		end := len(raw) - 1
		if checksum(raw[:end]) != raw[end] {
			d.f.reject(len(raw))
			d.bad++
			continue
		}
		return BusReply{
			ID:      ReplyID(raw[0]),
			Address: parseAddress(raw[headerLen:]),
			Data:    raw[headerLen+2 : end],
			Offset:  d.f.stats.Bytes - int64(len(raw)),
		}, true
	}
}

// Abort gives up the incomplete answer, as [Decoder.Abort] does.
func (d *BusDecoder) Abort() int { return d.f.abort() }

// Pending returns the first byte of the incomplete answer and the number of its bytes received so far. A board may take
// 20 ms while it writes its log; DGT advises a deadline of 80 ms for each answer (section 7).
func (d *BusDecoder) Pending() (ReplyID, int) {
	id, n := d.f.pending()
	return ReplyID(id), n
}

// Stats returns the account of all bytes so far.
func (d *BusDecoder) Stats() Stats { return d.f.stats }

// BadChecksums returns the number of answers that were counted as garbage because of their checksum. After one, repeat
// the question; but never BusChanges: BusRepeat sends that answer again.
func (d *BusDecoder) BadChecksums() int64 { return d.bad }
