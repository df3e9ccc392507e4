package alert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean turns an external text into one line of at most limit bytes: without control characters, characters that change
// the direction of writing, or invalid bytes. A cut text ends with an ellipsis.
func clean(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case r == '\u061c', r == '\u200e', r == '\u200f', r == '\ufeff':
			return -1
		case '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
			return -1
		}
		return r
	}, s)
	return cut(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " "), limit)
}

const ellipsis = "…"

// cut shortens a text to limit bytes at the edge of a character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	at := max(limit-len(ellipsis), 0)
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + ellipsis
}
