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

// Verify checks that a line follows a line with chain prev. The line must be one that Parse accepts, without its
// newline. The error is a *ParseError of the field chain.
func Verify(line []byte, prev Chain) error {
	var room [512]byte // holds a read of 200 bytes, more than a board sends at once
	_, err := verify(room[:0], line, prev)
	return err
}

// Verify is the function Verify, for many lines in sequence. Parse need not have read the line.
func (p *Parser) Verify(line []byte, prev Chain) (err error) {
	p.hashed, err = verify(p.hashed[:0], line, prev)
	return err
}

// verify appends the bytes to be hashed to buf, compares their hash, and returns them.
func verify(buf, line []byte, prev Chain) (hashed []byte, err error) {
	head := len(line) - tailText
	if head < 0 {
		return buf, &ParseError{Field: "chain", Offset: 0, Problem: "the line is too short to hold one"}
	}
	buf = append(appendHex(buf, prev[:]), line[:head]...)
	sum := sha256.Sum256(buf)
	var is Chain
	if decodeHex(is[:], line[head+1:head+1+chainText]) >= 0 || is != Chain(sum[:len(is)]) {
		return buf, &ParseError{Field: "chain", Offset: head + 1,
			Problem: "the line does not follow the one before it: a line was changed, removed or inserted"}
	}
	return buf, nil
}
