package record

import (
	"crypto/sha256"
	"hash/crc32"
	"strconv"
)

const hexDigits = "0123456789abcdef"

// castagnoli is CRC-32C: processors from 2008 on compute it in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendLine appends the line of r, which follows a line with chain prev, and returns the chain of the new line. The
// record must be one that Check accepts: for another one the result is not a line. It does not allocate when dst has
// room for LineSize + 32 bytes more.
func AppendLine(dst []byte, r Record, prev Chain) ([]byte, Chain) {
	// The hash covers the previous chain and then the line: both are built in one piece and the chain is removed again.
	// crypto/sha256 has no way to hash two pieces without an allocation.
	start := len(dst)
	dst = appendHex(dst, prev[:])
	dst = appendHead(dst, r)
	sum := sha256.Sum256(dst[start:])
	chain := Chain(sum[:len(Chain{})])

	n := copy(dst[start:], dst[start+chainText:])
	dst = append(dst[:start+n], ' ')
	dst = appendHex(dst, chain[:])
	crc := crc32.Update(0, castagnoli, dst[start:])
	dst = append(dst, ' ')
	dst = appendHex(dst, []byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
	return append(dst, '\n'), chain
}

// appendHead appends the line up to its body.
func appendHead(dst []byte, r Record) []byte {
	dst = strconv.AppendInt(dst, int64(r.Seq), 10)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, r.At, 10)
	dst = append(dst, ' ')
	dst = append(dst, r.Kind.String()...)
	dst = append(dst, ' ')
	switch {
	case len(r.Body) == 0:
		return append(dst, '-')
	case r.Kind.raw():
		return appendHex(dst, r.Body)
	}
	return append(dst, r.Body...)
}

func appendHex(dst, src []byte) []byte {
	for _, b := range src {
		dst = append(dst, hexDigits[b>>4], hexDigits[b&15])
	}
	return dst
}

// Verify checks that line, which Parse accepts and which comes without its newline, follows a line with chain prev. The
// error is a *ParseError of the field chain.
func Verify(line []byte, prev Chain) error {
	head := len(line) - tailText
	if head < 0 {
		return &ParseError{Field: "chain", Offset: 0, Problem: "the line is too short to hold one"}
	}
	// 512 bytes hold a read of 200 bytes, more than a board sends at once.
	var room [512]byte
	buf := appendHex(room[:0], prev[:])
	buf = append(buf, line[:head]...)
	sum := sha256.Sum256(buf)
	var want [chainText]byte
	appendHex(want[:0], sum[:len(Chain{})])
	if string(want[:]) != string(line[head+1:head+1+chainText]) {
		return &ParseError{Field: "chain", Offset: head + 1,
			Problem: "the line does not follow the one before it: a line was changed, removed or inserted"}
	}
	return nil
}
