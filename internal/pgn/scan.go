package pgn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word of the text.
type token struct {
	kind  tokenKind
	text  string // a symbol, a comment's content, a tag's value
	name  string // a tag's name
	place place
}

type tokenKind uint8

const (
	noToken   tokenKind = iota
	symbol              // a move, a number, a result
	comment             // {…} or ;…
	tag                 // [Name "Value"]
	opening             // (
	closing             // )
	endOfText           // nothing follows
)

type place struct{ line, column int }

// scanner cuts the text into tokens. NAGs, dots, %-lines and <…> are skipped, because they say nothing about the game.
type scanner struct {
	text  string
	pos   int
	place place
}

func newScanner(text []byte) scanner {
	s := string(text)
	s = strings.TrimPrefix(s, "\ufeff")
	if !utf8.ValidString(s) {
		s = latin1(s)
	}
	return scanner{text: s, place: place{1, 1}}
}

// latin1 is the character set of PGN (specification, section 4.1), which old
// files use.
func latin1(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			r = rune(s[i])
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// skip passes n bytes, which must be whole characters, and counts lines and columns.
func (s *scanner) skip(n int) {
	for _, r := range s.text[s.pos : s.pos+n] {
		if r == '\n' {
			s.place = place{s.place.line + 1, 1}
		} else {
			s.place.column++
		}
	}
	s.pos += n
}

// until passes everything before the first of the bytes in set, or the rest.
func (s *scanner) until(set string) string {
	n := strings.IndexAny(s.text[s.pos:], set)
	if n < 0 {
		n = len(s.text) - s.pos
	}
	part := s.text[s.pos : s.pos+n]
	s.skip(n)
	return part
}

// next returns the next token. After an error it is positioned after the faulty part.
func (s *scanner) next() (token, *Error) {
	for s.pos < len(s.text) {
		at := s.place
		c := s.peek()
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '.' || c == '\v' || c == '\f' || c == 0x1a:
			s.skip(1)
		case c == '%' && at.column == 1: // section 6: an escape
			s.until("\n")
		case c == '$': // a NAG
			s.skip(1)
			s.digits()
		case c == '!' || c == '?':
			s.skip(1)
		case c == '<': // section 7: reserved for the future
			s.until(">\n")
			s.skip(min(1, len(s.text)-s.pos))
		case c == ';':
			s.skip(1)
			return token{kind: comment, text: strings.TrimSpace(s.until("\n")), place: at}, nil
		case c == '{':
			return s.comment()
		case c == '(':
			s.skip(1)
			return token{kind: opening, place: at}, nil
		case c == ')':
			s.skip(1)
			return token{kind: closing, place: at}, nil
		case c == '[':
			return s.tag()
		case c == '*':
			s.skip(1)
			return token{kind: symbol, text: "*", place: at}, nil
		case inSymbol(c):
			return token{kind: symbol, text: s.symbol(), place: at}, nil
		default:
			if r, n := utf8.DecodeRuneInString(s.text[s.pos:]); unicode.IsSpace(r) {
				s.skip(n)
				continue
			}
			return s.strange()
		}
	}
	return token{kind: endOfText, place: s.place}, nil
}

func (s *scanner) digits() {
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.skip(1)
	}
}

// inSymbol reports whether a byte belongs to a symbol (section 7, and the marks that moves carry).
func inSymbol(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("_+#=:-/", c) >= 0 && c != 0
}

// symbol reads a word; a promotion in parentheses and a final e.p. belong to it.
func (s *scanner) symbol() string {
	start := s.pos
	for s.pos < len(s.text) && inSymbol(s.text[s.pos]) {
		s.skip(1)
	}
	word := s.text[start:s.pos]
	if rest := s.text[s.pos:]; len(rest) >= 3 && rest[0] == '(' && strings.IndexByte("QRBN", rest[1]) >= 0 && rest[2] == ')' {
		s.skip(3)
		word = s.text[start:s.pos]
	}
	if strings.HasPrefix(s.text[s.pos:], ".p.") { // exd6e.p.
		if body, ok := strings.CutSuffix(word, "e"); ok {
			s.skip(3)
			word = body
		}
	}
	return word
}

func (s *scanner) comment() (token, *Error) {
	at := s.place
	s.skip(1)
	text := s.until("}")
	if s.pos == len(s.text) {
		return token{}, &Error{at.line, at.column, "a comment begins here and does not end; close it with }"}
	}
	s.skip(1)
	return token{kind: comment, text: strings.Join(strings.Fields(text), " "), place: at}, nil
}

// tag reads [Name "Value"].
func (s *scanner) tag() (token, *Error) {
	t := token{kind: tag, place: s.place}
	wrong := &Error{t.place.line, t.place.column, `not a tag; write it as [Name "Value"] on one line`}
	s.skip(1)
	s.blanks()
	start := s.pos
	for s.pos < len(s.text) && (inSymbol(s.text[s.pos])) {
		s.skip(1)
	}
	t.name = s.text[start:s.pos]
	s.blanks()
	if !isTagName(t.name) || s.peek() != '"' {
		s.until("\n")
		return t, wrong
	}
	s.skip(1)
	var value strings.Builder
	for {
		value.WriteString(s.until("\"\\\n"))
		switch s.peek() {
		case '"':
			s.skip(1)
			s.blanks()
			if s.peek() != ']' {
				s.until("\n")
				return t, wrong
			}
			s.skip(1)
			t.text = printable(value.String())
			return t, nil
		case '\\': // only \" and \\ are escapes; a lone one is kept, as many programs write it
			s.skip(1)
			if c := s.peek(); c == '"' || c == '\\' {
				value.WriteByte(c)
				s.skip(1)
			} else {
				value.WriteByte('\\')
			}
		default: // the line or the text ends
			return t, wrong
		}
	}
}

func (s *scanner) blanks() {
	for c := s.peek(); c == ' ' || c == '\t'; c = s.peek() {
		s.skip(1)
	}
}

// strange handles a character that has no place in movetext. Typographic dashes and halves of results copied from a
// book are accepted.
func (s *scanner) strange() (token, *Error) {
	at := s.place
	for _, f := range []struct{ written, meant string }{{"½–½", "1/2-1/2"}, {"½-½", "1/2-1/2"}, {"1–0", "1-0"}, {"0–1", "0-1"}, {"½", "1/2-1/2"}} {
		if strings.HasPrefix(s.text[s.pos:], f.written) {
			s.skip(len(f.written))
			return token{kind: symbol, text: f.meant, place: at}, nil
		}
	}
	r, n := utf8.DecodeRuneInString(s.text[s.pos:])
	s.skip(n)
	return token{}, &Error{at.line, at.column, "the character " + show(string(r)) + " has no meaning here; comments go between { and }"}
}

// printable replaces control characters by blanks, because texts are copied to terminals and other files.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
