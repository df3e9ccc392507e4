package said

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// A hall that starts reads millions of objects, and encoding/json takes longer for one than all further work with it.
// ReadBrief reads the plain form that the machine writes, in one pass; encoding/json reads everything else: spaces,
// escapes in a field of Brief, a name in other letters, a value of another type, or an error.

// ReadBrief is json.Unmarshal into an empty Brief.
func ReadBrief(body []byte, to *Brief) error {
	*to = Brief{}
	if readPlain(body, to) {
		return nil
	}
	var slow Brief // not to: it would be on the heap in every case
	err := json.Unmarshal(body, &slow)
	*to = slow
	return err
}

// readPlain reads an object of the plain form; false: it is not in that form, and to is undefined.
func readPlain(body []byte, to *Brief) bool {
	s := scanner{text: body}
	s.each('{', '}', func() { s.field(to, string(s.name())) })
	return !s.strange && s.at == len(body)
}

// scanner reads the text from left to right. After the first strange byte everything that it returns is empty.
type scanner struct {
	text    []byte
	at      int
	strange bool
}

// field reads the value of a field.
func (s *scanner) field(to *Brief, name string) {
	if word := to.ofMoves(name); word != nil {
		s.word(word)
		return
	}
	if word := to.ofFindings(name); word != nil {
		s.word(word)
		return
	}
	if n := to.numbers(name); n != nil {
		s.int(n)
		return
	}
	if strikes := to.strikes(name); strikes != nil {
		s.sides(strikes)
		return
	}
	switch name {
	case "seq":
		s.seq(&to.Seq)
	case "t":
		s.seconds(&to.T)
	case "reversed":
		s.bool(&to.Reversed)
	case "chess960":
		s.bool(&to.Chess960)
	case "corrects":
		s.bool(&to.Corrects)
	case "moves":
		to.Moves = s.raw()
	case "kind":
		s.word((*string)(&to.Kind))
	case "window":
		s.window(&to.Window)
	case "decided":
		to.Decided = s.raw()
	case "must_play":
		s.words(&to.MustPlay)
	default:
		s.skip(1)
	}
}

// ofMoves returns the field with that name, if it is a text of games and moves.
func (b *Brief) ofMoves(name string) *string {
	switch name {
	case "type":
		return &b.Type
	case "board":
		return &b.Board
	case "side":
		return &b.Side
	case "uci":
		return &b.UCI
	case "san":
		return &b.SAN
	case "committed_by":
		return &b.CommittedBy
	case "judged":
		return &b.Judged
	case "fen":
		return &b.FEN
	case "fen_after":
		return &b.FENAfter
	case "result":
		return &b.Result
	case "by":
		return &b.By
	}
	return nil
}

// ofFindings returns the field with that name, if it is a text of findings, rulings and health lines.
func (b *Brief) ofFindings(name string) *string {
	switch name {
	case "id":
		return &b.ID
	case "state":
		return &b.State
	case "proof":
		return &b.Proof
	case "alert":
		return &b.Alert
	case "finding":
		return &b.Finding
	case "profile":
		return &b.Profile
	case "position":
		return &b.Position
	case "until":
		return &b.Until
	case "what":
		return &b.What
	case "detail":
		return &b.Detail
	}
	return nil
}

func (b *Brief) numbers(name string) *int {
	switch name {
	case "game":
		return &b.Game
	case "ply":
		return &b.Ply
	case "ply_from":
		return &b.PlyFrom
	case "strikes_to_lose":
		return &b.StrikesToLose
	}
	return nil
}

func (b *Brief) strikes(name string) *Sides {
	switch name {
	case "strikes_after":
		return &b.StrikesAfter
	case "strikes_before":
		return &b.StrikesBefore
	}
	return nil
}

// name reads a field's name and the colon. encoding/json ignores the case of names, so other letters are strange here.
func (s *scanner) name() []byte {
	name := s.text[s.at:]
	n := 0
	if s.take('"') {
		name = s.text[s.at:]
		for n < len(name) && (name[n] == '_' || name[n]-'a' < 26 || name[n]-'0' < 10) {
			n++
		}
		s.at += n
	}
	if !s.take('"') || !s.take(':') {
		s.strange = true
		return nil
	}
	return name[:n]
}

// take skips a byte if it is the next one.
func (s *scanner) take(c byte) bool {
	if s.strange || s.at >= len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

// want skips a byte that must be next.
func (s *scanner) want(c byte) { s.strange = s.strange || !s.take(c) }

// each reads the elements of an object or array.
func (s *scanner) each(open, end byte, element func()) {
	s.want(open)
	if s.take(end) {
		return
	}
	for !s.strange {
		element()
		if s.take(end) {
			return
		}
		s.want(',')
	}
}

// null skips a null, which changes nothing.
func (s *scanner) null() bool { return s.literal("null") }

func (s *scanner) literal(text string) bool {
	if s.strange || !bytes.HasPrefix(s.text[s.at:], []byte(text)) {
		return false
	}
	s.at += len(text)
	return true
}

func (s *scanner) bool(to *bool) {
	switch {
	case s.null():
	case s.literal("true"):
		*to = true
	case s.literal("false"):
		*to = false
	default:
		s.strange = true
	}
}

// number reads a number with at most the given digits before the point and decimals after it, in units of the last
// decimal. The callers' limits fit into an int64.
func (s *scanner) number(digits, decimals int) (n int64) {
	from := s.at
	s.skipNumber()
	text := s.text[from:s.at]
	if s.strange {
		return 0
	}
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	whole, fraction, _ := bytes.Cut(text, []byte("."))
	if len(whole) > digits || len(fraction) > decimals {
		s.strange = true
		return 0
	}
	for _, c := range whole {
		n = 10*n + int64(c-'0')
	}
	for i := range decimals {
		n *= 10
		if i < len(fraction) {
			n += int64(fraction[i] - '0')
		}
	}
	if negative {
		return -n
	}
	return n
}

func (s *scanner) int(to *int) {
	if !s.null() {
		*to = int(s.number(9, 0))
	}
}

func (s *scanner) seq(to *int64) {
	if !s.null() {
		*to = s.number(15, 0)
	}
}

func (s *scanner) seconds(to *Seconds) { *to = Seconds(s.number(9, 6)) }

// string reads a string without escapes.
func (s *scanner) string() []byte {
	s.want('"')
	if s.strange {
		return nil
	}
	text, all := s.text[s.at:], byte(0)
	for n, c := range text {
		if c == '"' {
			s.at += n + 1
			s.strange = all >= utf8.RuneSelf && !utf8.Valid(text[:n])
			return text[:n]
		}
		if c == '\\' || c < ' ' {
			break
		}
		all |= c
	}
	s.strange = true
	return nil
}

func (s *scanner) word(to *string) {
	if !s.null() {
		*to = frequent(s.string())
	}
}

// frequent converts a text; the words of most objects need no memory of their own.
func frequent(text []byte) string {
	switch string(text) {
	case "move":
		return "move"
	case "press":
		return "press"
	case "white":
		return "white"
	case "black":
		return "black"
	case "ok":
		return "ok"
	}
	return string(text)
}

func (s *scanner) words(to *[]string) {
	if s.null() {
		*to = nil
		return
	}
	list := []string{}
	s.each('[', ']', func() {
		s.strange = s.strange || s.at < len(s.text) && s.text[s.at] == 'n' // a null in a list
		list = append(list, string(s.string()))
	})
	*to = list
}

func (s *scanner) window(to *Window) {
	if s.null() {
		return
	}
	s.each('{', '}', func() {
		switch string(s.name()) {
		case "lo":
			s.seconds(&to.Lo)
		case "hi":
			s.seconds(&to.Hi)
		default:
			s.skip(1)
		}
	})
}

func (s *scanner) sides(to *Sides) {
	if s.null() {
		return
	}
	s.each('{', '}', func() {
		switch string(s.name()) {
		case "white":
			s.int(&to.White)
		case "black":
			s.int(&to.Black)
		default:
			s.skip(1)
		}
	})
}

// raw reads any value.
func (s *scanner) raw() json.RawMessage {
	from := s.at
	s.skip(1)
	return bytes.Clone(s.text[from:s.at])
}

// deepest is the greatest depth of nested lists; the machine's have three.
const deepest = 16

// skip skips any value.
func (s *scanner) skip(depth int) {
	if s.strange = s.strange || s.at >= len(s.text) || depth > deepest; s.strange {
		return
	}
	switch s.text[s.at] {
	case '{':
		s.each('{', '}', func() { s.skipString(); s.want(':'); s.skip(depth + 1) })
	case '[':
		s.each('[', ']', func() { s.skip(depth + 1) })
	case '"':
		s.skipString()
	case 't', 'f', 'n':
		s.strange = !s.literal("true") && !s.literal("false") && !s.null()
	default:
		s.skipNumber()
	}
}

// skipString skips a string, which may have escapes.
func (s *scanner) skipString() {
	s.want('"')
	for !s.strange && s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"':
			return
		case c == '\\':
			s.strange = s.at >= len(s.text) || bytes.IndexByte([]byte(`"\/bfnrt`), s.text[s.at]) < 0 // a \u as well
			s.at++
		case c < ' ':
			s.strange = true
		}
	}
	s.strange = true
}

// skipNumber skips a number without an exponent.
func (s *scanner) skipNumber() {
	s.take('-')
	from := s.at
	n := s.digits()
	s.strange = s.strange || n == 0 || n > 1 && s.text[from] == '0'
	if s.take('.') {
		s.strange = s.digits() == 0
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		s.strange = true
	}
}

// digits skips digits and returns their number.
func (s *scanner) digits() (n int) {
	for ; s.at < len(s.text) && s.text[s.at]-'0' < 10; s.at++ {
		n++
	}
	return n
}
