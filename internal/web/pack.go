package web

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/compress/flate"
)

// packWindow is how far back a piece may refer, in bytes: two summaries of boards.
const packWindow = 2 << 10

// packer writes one gzip file (RFC 1952) piece by piece, so that each can be read as soon as it arrives. Between two
// pieces it keeps only the end of the last one; a compressor of the standard library keeps 1.2 MB for every phone.
type packer struct {
	begun bool
	tail  []byte // plain
	crc   uint32
	size  uint32
}

// piece packs plain and appends it to out.
func (p *packer) piece(out *bytes.Buffer, plain []byte) error {
	if !p.begun {
		p.begun = true
		out.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff})
	}
	if err := flate.StatelessDeflate(out, plain, false, p.tail); err != nil {
		return err
	}
	p.crc, p.size = crc32.Update(p.crc, crc32.IEEETable, plain), p.size+uint32(len(plain))
	p.tail = append(p.tail, plain[max(0, len(plain)-packWindow):]...)
	p.tail = append(p.tail[:0], p.tail[max(0, len(p.tail)-packWindow):]...)
	return nil
}

// end appends the end of the file: an empty last block, the checksum, the length.
func (p *packer) end(out *bytes.Buffer) {
	b := []byte{1, 0, 0, 0xff, 0xff}
	b = binary.LittleEndian.AppendUint32(b, p.crc)
	out.Write(binary.LittleEndian.AppendUint32(b, p.size))
}
