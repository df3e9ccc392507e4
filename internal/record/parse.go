package record

import (
	"fmt"
	"hash/crc32"
	"math"
)

// ParseError gives the place where a line is not a valid record. Field is one of line, seq, at, kind, body, chain, crc;
// Offset counts bytes from the beginning of the line.
type ParseError struct {
	Field   string
	Offset  int
	Problem string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s at byte %d: %s", e.Field, e.Offset, e.Problem)
}

// Parser parses lines one after the other without allocating for each. The
// zero value is ready.
type Parser struct {
	raw    []byte // the last decoded body
	hashed []byte // the bytes from which the chain of the last line was computed
}

// Parse reads one line, given without its newline. The record's body is valid only until the next call and while line
// is unchanged. The checksum is checked; the chain is only returned: see Verify.
func (p *Parser) Parse(line []byte) (Record, Chain, error) {
	s := scanner{line: line}
	chain := s.tail()
	r := Record{Seq: Seq(s.number("seq")), At: s.number("at"), Kind: s.kind()}
	r.Body = s.body(r.Kind, p)
	if s.err == nil && r.Seq < 1 {
		s.fail("seq", 0, "sequence numbers begin at 1")
	}
	if s.err != nil {
		return Record{}, Chain{}, s.err
	}
	return r, chain, nil
}

// ChainOf reads the chain of a line made by AppendLine, given without its newline. Nothing is checked.
func ChainOf(line []byte) (c Chain) {
	if at := len(line) - tailText + 1; at > 0 {
		decodeHex(c[:], line[at:at+chainText])
	}
	return c
}

// scanner walks over a line. Its first error is kept.
type scanner struct {
	line []byte
	head int // length of the line without " CHAIN CRC"
	pos  int
	err  error
}

func (s *scanner) fail(field string, at int, problem string) {
	if s.err == nil {
		s.err = &ParseError{Field: field, Offset: at, Problem: problem}
	}
}

// tail reads chain and checksum from the line's end: both have a fixed length, so they are found without the rest. The
// checksum is checked first of all, because damage explains every other fault.
func (s *scanner) tail() (c Chain) {
	n := len(s.line)
	switch {
	case n < len("1 0 up -")+tailText:
		s.fail("line", n, fmt.Sprintf("%d bytes are too few for a record", n))
		return c
	case n >= MaxLine:
		s.fail("line", MaxLine, fmt.Sprintf("longer than %d bytes", MaxLine))
		return c
	}
	s.head = n - tailText
	crcAt := n - crcText
	var sum [4]byte
	if bad := decodeHex(sum[:], s.line[crcAt:]); bad >= 0 {
		s.fail("crc", crcAt+bad, "8 lower-case hexadecimal digits are expected")
		return c
	}
	want := uint32(sum[0])<<24 | uint32(sum[1])<<16 | uint32(sum[2])<<8 | uint32(sum[3])
	if got := crc32.Update(0, castagnoli, s.line[:crcAt-1]); got != want {
		s.fail("crc", crcAt, fmt.Sprintf("the line says %08x, its bytes give %08x: the line is damaged", want, got))
		return c
	}
	if bad := decodeHex(c[:], s.line[s.head+1:s.head+1+chainText]); bad >= 0 {
		s.fail("chain", s.head+1+bad, "32 lower-case hexadecimal digits are expected")
	}
	if s.line[s.head] != ' ' || s.line[crcAt-1] != ' ' {
		s.fail("chain", s.head, "a space is expected before chain and before crc")
	}
	return c
}

// number reads a decimal number of canonical form and the space after it.
func (s *scanner) number(field string) (n int64) {
	if s.err != nil {
		return 0
	}
	start := s.pos
	for ; s.pos < s.head && s.line[s.pos] != ' '; s.pos++ {
		d := int64(s.line[s.pos]) - '0'
		if d < 0 || d > 9 {
			s.fail(field, s.pos, fmt.Sprintf("a decimal digit is expected, not %q", s.line[s.pos]))
			return 0
		}
		if n >= math.MaxInt64/10 && n > (math.MaxInt64-d)/10 {
			s.fail(field, start, "the number does not fit 63 bits")
			return 0
		}
		n = 10*n + d
	}
	switch {
	case s.pos == start:
		s.fail(field, start, "a number is expected")
	case s.line[start] == '0' && s.pos > start+1:
		s.fail(field, start, "leading zeros are not allowed")
	case s.pos >= s.head:
		s.fail(field, s.pos, "the line ends before its body")
	}
	s.pos++
	return n
}

// kind reads the kind and the space after it.
func (s *scanner) kind() Kind {
	if s.err != nil {
		return NoKind
	}
	start := s.pos
	for s.pos < s.head && s.line[s.pos] != ' ' {
		s.pos++
	}
	word := s.line[start:s.pos]
	if s.pos >= s.head {
		s.fail("kind", s.pos, "the line ends before its body")
		return NoKind
	}
	s.pos++
	k := kindOf(word)
	if k == NoKind {
		s.fail("kind", start, fmt.Sprintf("%.20q is not a kind this version knows", word))
	}
	return k
}

// kindOf returns the kind with this word. rx comes first, because nine of ten records are rx, tx or say.
func kindOf(word []byte) Kind {
	if string(word) == "rx" {
		return Rx
	}
	for k := Open; k < numKinds; k++ {
		if string(word) == kindNames[k] {
			return k
		}
	}
	return NoKind
}

// body reads the field between kind and chain.
func (s *scanner) body(k Kind, p *Parser) []byte {
	if s.err != nil {
		return nil
	}
	text := s.line[s.pos:s.head]
	if len(text) == 1 && text[0] == '-' {
		return nil
	}
	if len(text) == 0 {
		s.fail("body", s.pos, `a body is expected; an empty one is written "-"`)
		return nil
	}
	if !k.raw() {
		if at, problem := checkText(text); problem != "" {
			s.fail("body", s.pos+at, problem)
		}
		return text
	}
	if len(text)%2 != 0 {
		s.fail("body", s.head, "an even number of hexadecimal digits is expected")
		return nil
	}
	n := len(text) / 2
	if cap(p.raw) < n {
		p.raw = make([]byte, n, max(n, 64))
	}
	p.raw = p.raw[:n]
	if bad := decodeHex(p.raw, text); bad >= 0 {
		s.fail("body", s.pos+bad, "lower-case hexadecimal digits are expected")
		return nil
	}
	return p.raw
}

// nibbles holds the value of each lower-case hexadecimal digit, 0xff for every other byte. encoding/hex would accept
// upper case as well.
var nibbles = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range len(hexDigits) {
		t[hexDigits[i]] = byte(i)
	}
	return t
}()

// decodeHex fills dst from 2*len(dst) digits of src. It returns the index of
// the first byte that is not a digit, or -1.
func decodeHex(dst, src []byte) int {
	var bad byte
	for i := range dst {
		hi, lo := nibbles[src[2*i]], nibbles[src[2*i+1]]
		dst[i] = hi<<4 | lo&15
		bad |= hi | lo
	}
	if bad != 0xff {
		return -1
	}
	for i, b := range src {
		if nibbles[b] == 0xff {
			return i
		}
	}
	return -1
}
