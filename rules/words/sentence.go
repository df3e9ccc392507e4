package words

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Sentence is a text with its arguments, not yet in a language. Without a key it is literal text: a square, a move, a
// time, or the text of an older program. The zero value is the empty sentence.
type Sentence struct {
	Key  string
	Args []Sentence
	Text string
}

// A Word is something that a sentence can name: a side, a piece.
type Word interface{ Word() Sentence }

// Say makes a sentence. An argument that is neither a Sentence nor a Word is put in as fmt prints it.
func Say(key string, args ...any) Sentence {
	s := Sentence{Key: key}
	for _, a := range args {
		switch a := a.(type) {
		case Sentence:
			s.Args = append(s.Args, a)
		case Word:
			s.Args = append(s.Args, a.Word())
		default:
			s.Args = append(s.Args, Verbatim(fmt.Sprint(a)))
		}
	}
	return s
}

// Verbatim returns a text that is the same in every language.
func Verbatim(text string) Sentence { return Sentence{Text: text} }

// List puts a separator between sentences: ", " or "; " or " ".
func List(separator string, list []Sentence) Sentence { return Sentence{Key: separator, Args: list} }

// separator reports whether the key joins its arguments.
func separator(key string) bool { return key != "" && strings.Trim(key, ",; ") == "" }

// IsZero reports whether the sentence is empty.
func (s Sentence) IsZero() bool { return s.Key == "" && s.Text == "" }

// Equal reports whether two sentences are the same in every language.
func (s Sentence) Equal(o Sentence) bool {
	if s.Key != o.Key || s.Text != o.Text || len(s.Args) != len(o.Args) {
		return false
	}
	for i := range s.Args {
		if !s.Args[i].Equal(o.Args[i]) {
			return false
		}
	}
	return true
}

// String returns the sentence in English.
func (s Sentence) String() string { return s.In("en") }

// In returns the sentence in a language.
func (s Sentence) In(lang string) string {
	return s.With(func(key string) string { return lookUp(lang, key) })
}

// With returns the sentence with these texts. A key that has none is its own text.
func (s Sentence) With(text func(key string) string) string {
	switch {
	case s.Key == "":
		return s.Text
	case separator(s.Key):
		parts := make([]string, len(s.Args))
		for i := range s.Args {
			parts[i] = s.Args[i].With(text)
		}
		return strings.Join(parts, s.Key)
	}
	return fill(text(s.Key), func(p placeholder) (string, bool) {
		if p.n >= len(s.Args) {
			return "", false
		}
		arg := s.Args[p.n]
		if form := arg.Key + "." + p.form; p.form != "" && arg.Key != "" && text(form) != form {
			arg = Sentence{Key: form}
		}
		text := arg.With(text)
		if first, size := utf8.DecodeRuneInString(text); p.capital && size > 0 {
			text = string(unicode.ToUpper(first)) + text[size:]
		}
		return text, true
	})
}

// A placeholder is {0}, {0:of}, {0^} or {0:of^}: an argument, its form, and whether it begins a sentence.
type placeholder struct {
	n       int
	form    string
	capital bool
}

func parsePlaceholder(text string) (p placeholder, ok bool) {
	text, p.capital = strings.CutSuffix(text, "^")
	number, form, formed := strings.Cut(text, ":")
	n, err := strconv.Atoi(number)
	p.n, p.form = n, form
	return p, err == nil && n >= 0 && strconv.Itoa(n) == number && formed == (form != "")
}

// fill replaces the placeholders in one pass. A placeholder for which with returns false stays as it is.
func fill(text string, with func(placeholder) (string, bool)) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, after, closed := strings.Cut(rest, "}")
		if p, ok := parsePlaceholder(inside); closed && ok {
			if put, ok := with(p); ok {
				b.WriteString(put)
				text = after
				continue
			}
		}
		b.WriteByte('{')
		text = rest
	}
}

// MarshalJSON writes a text as a string and a sentence as an array: its key, then its arguments.
func (s Sentence) MarshalJSON() ([]byte, error) {
	if s.Key == "" {
		return marshal(s.Text)
	}
	list := make([]any, 0, 1+len(s.Args))
	list = append(list, s.Key)
	for _, a := range s.Args {
		list = append(list, a)
	}
	return marshal(list)
}

// marshal leaves <, > and & as they are, as the rest of the output does.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// deepest limits how deeply sentences may be nested when they are read.
const deepest = 16

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Sentence) UnmarshalJSON(b []byte) error { return s.read(b, deepest) }

func (s *Sentence) read(b []byte, depth int) error {
	*s = Sentence{}
	if json.Unmarshal(b, &s.Text) == nil {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if depth == 0 || len(list) == 0 || json.Unmarshal(list[0], &s.Key) != nil || s.Key == "" {
		return errors.New("a sentence is a text, or an array of a key and arguments")
	}
	for _, raw := range list[1:] {
		var a Sentence
		if err := a.read(raw, depth-1); err != nil {
			return err
		}
		s.Args = append(s.Args, a)
	}
	return nil
}
