package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// place is a position in the file, both from 1; columns count characters.
type place struct{ line, column int }

// tree parses src into its one document. A nil node with a nil error is an empty file. The error is a Problem without
// its file's name.
func tree(src []byte) (doc *yaml.Node, err error) {
	if p := badText(src); p != nil {
		return nil, *p
	}
	// yaml.v3 turns its own panics into errors, except those it did not foresee.
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, Problem{Line: 1, Column: 1, Text: fmt.Sprintf("not readable as YAML (the parser gave up: %v)", r)}
		}
	}()
	in := &meter{rest: src}
	dec := yaml.NewDecoder(in)
	var first, second yaml.Node
	switch err := dec.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, syntaxProblem(src, in.read, err)
	}
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
		return first.Content[0], nil
	case err != nil:
		return nil, syntaxProblem(src, in.read, err)
	}
	return nil, Problem{Line: second.Line, Column: second.Column,
		Text: "a second document begins here (after a line ---); a configuration is one document"}
}

// meter returns the text byte by byte and counts. The parser reads only as far as it needs, so the count at an error
// shows where it stopped: its own messages name a line only sometimes, often the first line of the surrounding block,
// and never a column.
type meter struct {
	rest []byte
	read int
}

func (m *meter) Read(p []byte) (int, error) {
	if len(m.rest) == 0 {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	p[0] = m.rest[0]
	m.rest = m.rest[1:]
	m.read++
	return 1, nil
}

// badText finds bytes that no YAML parser should get, with their position.
func badText(src []byte) *Problem {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(src, []byte(mark)) {
			return &Problem{Line: 1, Column: 1, Text: "is UTF-16 text; save it as UTF-8"}
		}
	}
	at := place{1, 1}
	indent := true // only blanks so far in the line
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		problem := ""
		switch {
		case r == utf8.RuneError && n == 1:
			problem = "is not UTF-8 text here; save the file as UTF-8"
		case r == '\t' && indent:
			problem = "a tab in the indentation; YAML allows only spaces there"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r >= 0x7f && r < 0xa0 && r != 0x85, r == '\ufeff':
			problem = fmt.Sprintf("the character %U is not allowed here", r)
		}
		if problem != "" {
			return &Problem{Line: at.line, Column: at.column, Text: problem}
		}
		i += n
		if r == '\n' {
			at, indent = place{at.line + 1, 1}, true
			continue
		}
		at.column++
		indent = indent && (r == ' ' || r == '\t')
	}
	return nil
}

func blankLine(s []byte) bool {
	line, _, _ := bytes.Cut(s, []byte("\n"))
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#'
}

// syntaxProblem gives the line and column where the text stops being YAML.
func syntaxProblem(src []byte, read int, err error) Problem {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if strings.HasPrefix(msg, "line ") {
		if _, after, ok := strings.Cut(msg, ": "); ok {
			msg = after
		}
	}
	at := locate(src, read)
	if name, ok := strings.CutPrefix(msg, "unknown anchor '"); ok {
		// This error is found while the tree is built, so the count does not help.
		name, _, _ = strings.Cut(name, "'")
		if i := bytes.Index(src, []byte("*"+name)); i >= 0 {
			start := bytes.LastIndexByte(src[:i], '\n') + 1
			at = place{1 + bytes.Count(src[:i], []byte("\n")), 1 + utf8.RuneCount(src[start:i])}
		}
	}
	return Problem{Line: at.line, Column: at.column, Text: "not readable as YAML: " + msg + hint(msg)}
}

// hint adds a remedy to the parser's most frequent messages.
func hint(msg string) string {
	switch {
	case strings.Contains(msg, "mapping values are not allowed"):
		return "; put the value in quotes if it contains a colon, and check the indentation"
	case strings.Contains(msg, "did not find expected key"), strings.Contains(msg, "expected '-'"), strings.Contains(msg, "could not find expected ':'"):
		return "; check that the line has the form `key: value` and the same indentation as its neighbours"
	case strings.Contains(msg, "expected ',' or"), strings.Contains(msg, "unexpected end of stream"):
		return "; a bracket or a quotation mark is not closed"
	case strings.Contains(msg, "cannot start any token"):
		return "; put the value in quotes"
	case strings.Contains(msg, "unknown anchor"):
		return "; a value that begins with * must be in quotes"
	}
	return ""
}

// locate turns the number of bytes that the parser had read into the place that a person should check. The parser may
// be one construct ahead, so for files of ordinary size the last lines are tried: the error is in the first line
// without which the text parses.
func locate(src []byte, read int) place {
	text := bytes.TrimRight(src[:read], " \t\r\n")
	line := 1 + bytes.Count(text, []byte("\n"))
	const ordinary, tries = 8 << 10, 6
	if len(src) <= ordinary {
		lines := bytes.SplitAfter(src, []byte("\n"))
		end := len(bytes.Join(lines[:line-1], nil))
		for l := line; l > 0 && l > line-tries; l-- {
			if parses(src[:end]) {
				if l < line && !blankLine(lines[l-1]) {
					return place{l, 1 + indentation(lines[l-1])}
				}
				break
			}
			if l > 1 {
				end -= len(lines[l-2])
			}
		}
	}
	// The scanner looks up to three characters ahead. If it stopped at the end of a line, the line's first word is
	// shown.
	const ahead = 3
	start := bytes.LastIndexByte(text, '\n') + 1
	column := 1 + indentation(text[start:])
	if rest, _, _ := bytes.Cut(src[len(text):], []byte("\n")); len(bytes.TrimSpace(rest)) > 0 {
		column = max(column, utf8.RuneCount(text[start:])-ahead)
	}
	return place{line, column}
}

func indentation(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " "))
}

func parses(src []byte) bool {
	var n yaml.Node
	err := yaml.Unmarshal(src, &n)
	return err == nil
}
