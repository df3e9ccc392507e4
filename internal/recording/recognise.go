package recording

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"boardwatchd/dgt"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// Format is the format of a recording.
type Format uint8

// The formats.
const (
	NoFormat       Format = iota
	Journal               // records of a daemon
	TimedCapture          // JSON lines of bytes with their times
	UntimedCapture        // hexadecimal text, one message per line
	RawBytes              // what the board sent, byte by byte
)

var formatNames = [...]string{"none", "journal", "timed capture", "untimed capture", "raw bytes"}

func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// headSize is how much of a recording is read to recognise it.
const headSize = 64 << 10

var errEmpty = errors.New("the file is empty; a recording has at least one line or byte")

// byteOrderMark is written by some editors before UTF-8 text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// recognise returns the format of a recording that begins with head. The name only decides if a file is damaged beyond
// recognition.
func recognise(name string, head []byte) (Format, error) {
	head = bytes.TrimPrefix(head, byteOrderMark)
	first := firstLine(head)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		return NoFormat, fmt.Errorf("%s: %w", name, errEmpty)
	case holdsRecord(head) || looksLikeRecord(first):
		return Journal, nil
	case first[0] == '{':
		return TimedCapture, nil
	case first[0] == '#' || isHexText(first):
		return UntimedCapture, nil
	case startsFrame(head):
		return RawBytes, nil
	}
	if strings.Contains(name, journal.Extension) {
		return Journal, nil // its reader will report the damage
	}
	return NoFormat, fmt.Errorf("%s is not a recording: it begins with %.24q%s; a journal (.bwj), a timed capture "+
		`(lines like {"t":1.5,"dir":"rx","hex":"8e00053400"}), hexadecimal text or the bytes of a board are expected`,
		name, first, guess(head))
}

// firstLine is the first line that is not blank, without the blanks around it.
func firstLine(head []byte) []byte {
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.TrimRight(line, " \t\r")
}

// holdsRecord reports whether one of the lines is a record with a valid checksum, which no other line has by chance. So
// a journal is recognised even if its first line is damaged.
func holdsRecord(head []byte) bool {
	var p record.Parser
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		if _, _, err := p.Parse(line); err == nil {
			return true
		}
	}
	return false
}

// looksLikeRecord recognises a record that is cut off: "1 0 open …".
func looksLikeRecord(line []byte) bool {
	f := bytes.SplitN(line, []byte(" "), 4)
	if len(f) < 3 || !digits(f[0]) || !digits(f[1]) {
		return false
	}
	for k := record.Open; k.Valid(); k++ {
		if string(f[2]) == k.String() {
			return true
		}
	}
	return false
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// isHexText reports whether a line consists of pairs of hexadecimal digits, perhaps followed by a comment.
func isHexText(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte("#"))
	_, bad := appendHexText(nil, line)
	return bad < 0
}

// startsFrame reports whether the bytes come from a board: they begin with a message that the protocol knows, or most
// of them are frames although the first one is damaged.
func startsFrame(head []byte) bool {
	id := dgt.ID(head[0])
	if head[0] >= 0x80 && !strings.HasPrefix(id.String(), "id ") {
		return true
	}
	var d dgt.Decoder
	d.Feed(head)
	for _, ok := d.Next(); ok; _, ok = d.Next() {
	}
	return 2*d.Stats().FrameBytes > int64(len(head))
}

// guess names other kinds of files that people mistake for recordings.
func guess(head []byte) string {
	switch {
	case head[0] == '[':
		return " and may be PGN (boardwatchd emulate --pgn FILE plays one)"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("BZh")), bytes.HasPrefix(head, []byte("\xfd7zXZ")):
		return " and is an archive (unpack it first; .gz and .zst are read as they are)"
	case head[0] >= 0x80:
		return " and no board begins a message with that byte"
	}
	return ""
}
