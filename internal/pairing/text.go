package pairing

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// text is the decoded file, as lines without their ends.
type text struct{ lines []string }

// newText decodes a file. A file with a NUL is no text.
func newText(data []byte) (text, *Error) {
	s := decode(data)
	if !strings.Contains(s, "\n") {
		s = strings.ReplaceAll(s, "\r", "\n") // line ends of old computers
	}
	t := text{strings.Split(s, "\n")}
	for i, line := range t.lines {
		t.lines[i] = strings.TrimSuffix(line, "\r")
		if at := strings.IndexByte(line, 0); at >= 0 {
			return t, fault(i+1, 1+utf8.RuneCountInString(line[:at]), "this is no text file; export the round as PGN, CSV or TRF")
		}
	}
	return t, nil
}

// first is the first line that is not blank, without the space around it.
func (t text) first() string {
	for _, line := range t.lines {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// character is the column of a byte (both from 1) of a line (from 1).
func (t text) character(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return 1
	}
	s := t.lines[line-1]
	return 1 + utf8.RuneCountInString(s[:min(max(column-1, 0), len(s))])
}

func decode(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return decode8(data[3:])
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decode16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decode16(data[2:], binary.BigEndian)
	}
	return decode8(data)
}

func decode16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// windows are the characters 80 to 9f of Windows-1252; the others are those of Latin-1.
var windows = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

func decode8(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	for _, c := range data {
		switch {
		case c >= 0x80 && c < 0xa0:
			b.WriteRune(windows[c-0x80])
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// clean removes what no name has: control characters, marks that change the direction of writing, double spaces.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == utf8.RuneError, r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\ufeff':
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// emptySeatWords are the names that mark an empty seat.
var emptySeatWords = []string{
	"", "?", "-", "--", "bye", "(bye)", "bye.", "spielfrei", "freilos", "exempt", "not paired", "no opponent", "descansa", "свободен",
}

func isNobody(name string) bool {
	for _, n := range emptySeatWords {
		if strings.EqualFold(name, n) {
			return true
		}
	}
	return false
}

// titles are the letters of TRF before 2016.
var titles = map[string]string{
	"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
}

// title reads a title; a text that is too long is none.
func title(s string) string {
	s = strings.Trim(clean(s), " -?")
	if long, ok := titles[strings.ToLower(s)]; ok {
		return long
	}
	if utf8.RuneCountInString(s) > 4 {
		return ""
	}
	return strings.ToUpper(s)
}

// maxRating is above every real rating.
const maxRating = 9999

// rating reads a rating; an empty field and its marks are 0.
func rating(s string) (int, bool) {
	if s = clean(s); s == "" || s == "-" || s == "?" {
		return 0, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= maxRating
}

// fideID reads a FIDE number; 0 and marks of an empty field are none.
func fideID(s string) (string, bool) {
	s = clean(s)
	if strings.Trim(s, "0-?") == "" {
		return "", true
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return "", false
		}
	}
	return strings.TrimLeft(s, "0"), len(s) <= 11
}

// federation reads the code of a federation; anything but three letters is none.
func federation(s string) string {
	s = strings.ToUpper(clean(s))
	if len(s) != 3 || strings.ContainsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return ""
	}
	return s
}

// Round is the number of a round by its name: 3 for "3", "3.1" and "Round 3", and 0, the latest, for "final" and "".
func Round(name string) int {
	n, _ := number(name)
	return n
}

// number is the whole number at the beginning of s: of the round "3", "3.12" or "Round 3".
func number(s string) (int, bool) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	return n, err == nil
}

// quote shortens a text and puts it between quotation marks.
func quote(s string) string {
	const longest = 30
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return strconv.Quote(s)
}
