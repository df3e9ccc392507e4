package dgt

import "encoding/binary"

// maxFrame is the length of the longest frame of either link mode: on the bus two address bytes and a checksum are
// added to the log.
const maxFrame = headerLen + maxLog + 3

// Stats accounts for every byte that a decoder has looked at: Bytes == FrameBytes + Garbage + the bytes of the
// incomplete frame.
type Stats struct {
	Bytes      int64 // bytes looked at
	Frames     int64 // frames delivered
	FrameBytes int64 // bytes of these frames
	Garbage    int64 // bytes that belong to no frame
}

// A framer cuts a stream into frames by the five rules of section 4. The board
// and the bus differ only in the table of lengths.
//
// While n is zero there is no incomplete frame. Otherwise buf[:n] is its beginning, whose bytes are no longer in a
// chunk, and n < total once total is known.
type framer struct {
	in    []byte // the part of the chunk that has not been read yet
	n     int
	total int
	stats Stats
	buf   [maxFrame]byte
}

// feed takes the next chunk.
func (f *framer) feed(p []byte) {
	if len(f.in) > 0 {
		// The caller did not drain the last chunk, and its buffer may have been used again, so the stream has a hole
		// here.
		f.abort()
		f.drop(len(f.in))
	}
	f.in = p
}

// next returns the next whole frame. It lies in the chunk if the chunk contains all of it, and in buf otherwise.
func (f *framer) next(t *[128]span) ([]byte, bool) {
	for len(f.in) > 0 {
		var raw []byte
		if f.n > 0 {
			raw = f.join(t)
		} else if raw = whole(f.in, t); raw != nil {
			f.take(len(raw))
		} else {
			f.begin(t)
		}
		if raw != nil {
			f.stats.Frames++
			f.stats.FrameBytes += int64(len(raw))
			return raw, true
		}
	}
	return nil, false
}

// whole returns the frame at the front of in if it is complete. Nearly every frame takes this path.
func whole(in []byte, t *[128]span) []byte {
	if len(in) < headerLen || in[0] <= msgNone {
		return nil
	}
	total := frameLen(in)
	if total > len(in) || !t[in[0]&0x7F].allows(total) || !allLow(in[1:total]) {
		return nil
	}
	return in[:total:total]
}

// begin drops bytes from the front of a chunk that cannot begin a frame, and keeps an incomplete frame. The chunk does
// not begin with a whole frame.
func (f *framer) begin(t *[128]span) {
	in := f.in
	if in[0] <= msgNone {
		f.drop(firstID(in))
		return
	}
	end := min(headerLen, len(in))
	if cut := highByte(in[1:end]); cut >= 0 {
		f.drop(1 + cut) // rule 2: that byte is a new id
		return
	}
	if end < headerLen {
		f.keep(end)
		return
	}

	total := frameLen(in)
	if !t[in[0]&0x7F].allows(total) {
		f.drop(headerLen) // rule 3: do not wait for bytes that will never arrive
		return
	}
	end = min(total, len(in))
	if cut := highByte(in[headerLen:end]); cut >= 0 {
		f.drop(headerLen + cut) // rule 4
		return
	}
	f.total = total
	f.keep(end)
}

// join adds bytes to the incomplete frame.
func (f *framer) join(t *[128]span) []byte {
	inHeader := f.n < headerLen
	need := f.total - f.n
	if inHeader {
		need = headerLen - f.n
	}
	end := min(need, len(f.in))
	if cut := highByte(f.in[:end]); cut >= 0 {
		f.abort()
		f.drop(cut)
		return nil
	}
	f.keep(end)
	if end < need {
		return nil
	}
	if inHeader {
		f.total = frameLen(f.buf[:])
		if !t[f.buf[0]&0x7F].allows(f.total) {
			f.abort()
			return nil
		}
		if f.n < f.total {
			return nil
		}
	}
	f.n = 0
	return f.buf[:f.total:f.total]
}

// keep moves k bytes from the chunk to the incomplete frame.
func (f *framer) keep(k int) {
	copy(f.buf[f.n:], f.in[:k])
	f.n += k
	f.take(k)
}

// drop declares k bytes of the chunk garbage.
func (f *framer) drop(k int) {
	f.stats.Garbage += int64(k)
	f.take(k)
}

func (f *framer) take(k int) {
	f.stats.Bytes += int64(k)
	f.in = f.in[k:]
}

// abort declares the incomplete frame garbage.
func (f *framer) abort() int {
	n := f.n
	f.stats.Garbage += int64(n)
	f.n = 0
	return n
}

// pending returns the incomplete frame's id and the number of its bytes.
func (f *framer) pending() (ID, int) {
	if f.n == 0 {
		return 0, 0
	}
	return ID(f.buf[0]), f.n
}

// frameLen reads the 14-bit length of a header.
func frameLen(b []byte) int { return int(b[1])<<7 | int(b[2]) }

// appendHeader appends the header of a frame of total bytes.
func appendHeader(dst []byte, id byte, total int) []byte {
	return append(dst, id, byte(total>>7)&0x7F, byte(total)&0x7F)
}

// firstID returns the number of bytes before the first one that may start a frame.
func firstID(b []byte) int {
	for i, c := range b {
		if c > msgNone {
			return i
		}
	}
	return len(b)
}

// highBits has bit 7 of eight bytes.
const highBits = 0x8080808080808080

// highByte returns the index of the first byte with bit 7 set, or -1.
func highByte(b []byte) int {
	i := 0
	for len(b)-i >= 8 && binary.LittleEndian.Uint64(b[i:])&highBits == 0 {
		i += 8
	}
	for ; i < len(b); i++ {
		if b[i] >= 0x80 {
			return i
		}
	}
	return -1
}

// allLow reports whether no byte has bit 7 set. The last word may overlap the
// one before.
func allLow(b []byte) bool {
	if len(b) < 8 {
		if len(b) >= 4 {
			return (binary.LittleEndian.Uint32(b)|binary.LittleEndian.Uint32(b[len(b)-4:]))&(highBits>>32) == 0
		}
		return highByte(b) < 0
	}
	or := binary.LittleEndian.Uint64(b[len(b)-8:])
	for ; len(b) > 8; b = b[8:] {
		or |= binary.LittleEndian.Uint64(b)
	}
	return or&highBits == 0
}

// reject counts the last delivered frame, of total bytes, as garbage.
func (f *framer) reject(total int) {
	f.stats.Frames--
	f.stats.FrameBytes -= int64(total)
	f.stats.Garbage += int64(total)
}
