package record

import (
	"encoding/hex"
	"fmt"
	"unicode/utf8"
)

// Seq is the number of a record in its journal. The first one is 1; 0 means
// none.
type Seq int64

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. Open to Close are inputs, Tx and Say are effects.
const (
	NoKind   Kind = iota
	Open          // a segment begins: program, configuration, parameters
	Rx            // bytes that came from the board
	Up            // the link to the board is established
	Down          // the link to the board is lost
	Wake          // a deadline passed
	Gap           // records may be missing here; with the cause
	Late          // the program did not run until now; the bytes that follow had to wait
	Wall          // the time of the wall clock; an annotation, never used for durations
	Decide        // an arbiter's decision
	Instruct      // an operator's instruction
	Close         // a segment ends in order
	Tx            // bytes to the board
	Say           // output for people: a move, a press, a finding, a ruling
	numKinds
)

var kindNames = [numKinds]string{
	NoKind: "none", Open: "open", Rx: "rx", Up: "up", Down: "down", Wake: "wake", Gap: "gap", Late: "late", Wall: "wall",
	Decide: "decide", Instruct: "instruct", Close: "close", Tx: "tx", Say: "say",
}

// String returns the kind's word on the line.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool { return NoKind < k && k < numKinds }

// Input reports whether records of this kind are given to the core. The others are outputs of the core.
func (k Kind) Input() bool { return Open <= k && k <= Close }

// raw reports whether the body is bytes (hexadecimal on the line) and not text.
func (k Kind) raw() bool { return k == Rx || k == Tx }

// Record is one record. Body holds raw bytes for Rx and Tx, one JSON object in
// compact form for the others; it may be empty.
type Record struct {
	Seq  Seq
	At   int64 // microseconds on the journal's own time line
	Kind Kind
	Body []byte
}

// Chain is the running hash that ties a line to all lines before it. The zero value comes before the first line.
type Chain [16]byte

// String returns the chain in the form of the line.
func (c Chain) String() string { return hex.EncodeToString(c[:]) }

// MarshalText returns String, for JSON.
func (c Chain) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, c[:]), nil }

// MaxLine is the greatest length of a line in bytes, its newline included. A read of a serial port is a few kilobytes,
// an opening record with its whole configuration a few tens of kilobytes: 1 MiB is enough for both and bounds the
// memory of readers.
const MaxLine = 1 << 20

// frame is the greatest length of a line without its body: two numbers of 19 digits, the longest kind, chain, checksum,
// five spaces and the newline.
const frame = 19 + 19 + len("instruct") + chainText + crcText + 5 + 1

const (
	chainText = 32
	crcText   = 8
	tailText  = 1 + chainText + 1 + crcText // " CHAIN CRC"
)

// LineSize returns the greatest number of bytes that the line of r needs.
func (r Record) LineSize() int {
	if r.Kind.raw() {
		return frame + 2*len(r.Body)
	}
	return frame + max(len(r.Body), 1)
}

// Check returns the reason why r cannot be written as a line, or nil.
func (r Record) Check() error {
	switch {
	case r.Seq < 1:
		return fmt.Errorf("record %d: sequence numbers begin at 1", r.Seq)
	case r.At < 0:
		return fmt.Errorf("record %d: time %d µs lies before the journal's beginning", r.Seq, r.At)
	case !r.Kind.Valid():
		return fmt.Errorf("record %d: %s is not a kind of record", r.Seq, r.Kind)
	case r.LineSize() > MaxLine:
		return fmt.Errorf("record %d: %s body of %d bytes does not fit a line of %d bytes", r.Seq, r.Kind, len(r.Body), MaxLine)
	case r.Kind.raw():
		return nil
	}
	if at, problem := checkText(r.Body); problem != "" {
		return fmt.Errorf("record %d: %s body, byte %d: %s", r.Seq, r.Kind, at, problem)
	}
	return nil
}

// checkText returns the place where a text body is not in canonical form, and the reason. The problem is empty if there
// is none.
func checkText(body []byte) (at int, problem string) {
	if len(body) == 0 {
		return 0, ""
	}
	if body[0] != '{' {
		return 0, "a text body is one JSON object and begins with {"
	}
	last := len(body) - 1
	if last == 0 || body[last] != '}' {
		return last, "a text body is one JSON object and ends with }"
	}
	var high byte
	for i, b := range body {
		if b < 0x20 || b == 0x7f {
			return i, "control characters are not allowed in a body"
		}
		high |= b
	}
	if high >= 0x80 && !utf8.Valid(body) {
		return firstInvalid(body), "not valid UTF-8"
	}
	return 0, ""
}

// firstInvalid returns the index of the first byte that is not valid UTF-8.
func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}
