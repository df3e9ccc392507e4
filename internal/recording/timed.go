package recording

import (
	"bytes"
	"encoding/json"

	"boardwatchd/internal/record"
)

// firstSeq is the number of a capture's first record. 1 is the caller's open record.
const firstSeq = 2

// timed reads a timed capture.
type timed struct {
	lines   *lines
	header  []byte
	clamped int
	seq     record.Seq
	begun   bool
	origin  nanoseconds // t of the first line that has one
	at      int64
	body    []byte
}

func newTimed(l *lines) *timed { return &timed{lines: l, seq: firstSeq} }

func (c *timed) next() (Item, error) {
	for {
		text, err := c.lines.next()
		if err != nil {
			return Item{}, err
		}
		f, problem := parseFields(text)
		if problem != "" {
			return Item{}, c.lines.fail("%s; one object like {\"t\":1.5,\"dir\":\"rx\",\"hex\":\"8e00053400\"} is expected", problem)
		}
		if f.t == nil && !c.begun && c.header == nil && (f.dir == nil || f.hex == nil) {
			c.header = bytes.Clone(text)
			continue
		}
		kind, err := c.read(f)
		if err != nil {
			return Item{}, err
		}
		if len(c.body) == 0 {
			continue // a read without data
		}
		it := Item{Record: record.Record{Seq: c.seq, At: c.at, Kind: kind, Body: c.body}, Line: c.lines.number}
		c.seq++
		return it, nil
	}
}

// read takes the time and the bytes of a line.
func (c *timed) read(f fields) (record.Kind, error) {
	if f.t == nil {
		return 0, c.lines.fail(`"t" is missing: seconds from any origin are expected`)
	}
	t, problem := parseSeconds(f.t)
	if problem != "" {
		return 0, c.lines.fail(`"t" is %.40s: %s`, f.t, problem)
	}
	if f.dir == nil {
		return 0, c.lines.fail(`"dir" is missing: "rx" (board to host) or "tx" is expected`)
	}
	kind := record.Rx
	switch string(f.dir) {
	case "rx":
	case "tx":
		kind = record.Tx
	default:
		return 0, c.lines.fail(`"dir" is %.20q: "rx" (board to host) or "tx" is expected`, f.dir)
	}
	if f.hex == nil {
		return 0, c.lines.fail(`"hex" is missing: bytes in hexadecimal are expected`)
	}
	bad := 0
	if c.body, bad = appendHexText(c.body[:0], f.hex); bad >= 0 {
		return 0, c.lines.fail(`"hex", character %d: pairs of hexadecimal digits are expected`, bad+1)
	}
	if !c.begun {
		c.begun, c.origin = true, t
	}
	at := t.microsecondsSince(c.origin)
	if at < c.at {
		c.clamped++
		at = c.at
	}
	c.at = at
	return kind, nil
}

// fields are the three keys of a line that are used. A missing field is nil.
type fields struct {
	t        []byte // as written, to be parsed without rounding
	dir, hex []byte
}

// parseFields parses an object. Objects in the usual form are parsed directly; everything unusual goes through
// encoding/json, which takes five times as long.
func parseFields(text []byte) (fields, string) {
	if f, ok := plainFields(text); ok {
		return f, ""
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(text, &m); err != nil {
		return fields{}, "not a JSON object: " + err.Error()
	}
	var f fields
	if v, ok := m["t"]; ok {
		f.t = v
	}
	var ok bool
	if f.dir, ok = stringOf(m["dir"]); !ok {
		return fields{}, `"dir" is not a string`
	}
	if f.hex, ok = stringOf(m["hex"]); !ok {
		return fields{}, `"hex" is not a string`
	}
	return f, ""
}

// stringOf is the text of a string, or nil if it is none.
func stringOf(v json.RawMessage) ([]byte, bool) {
	if v == nil {
		return nil, true
	}
	var s *string
	if err := json.Unmarshal(v, &s); err != nil || s == nil {
		return nil, false
	}
	return []byte(*s), true
}

// plainFields parses an object whose values are numbers and strings without escapes. It returns false if it is not
// sure.
func plainFields(text []byte) (f fields, ok bool) {
	p := plain{text: text}
	if !p.take('{') {
		return f, false
	}
	for {
		key, ok := p.str()
		if !ok || !p.take(':') {
			return f, false
		}
		var dst *[]byte
		switch string(key) {
		case "t":
			v, ok := p.number()
			if !ok {
				return f, false
			}
			f.t = v
		case "dir":
			dst = &f.dir
		case "hex":
			dst = &f.hex
		default:
			return f, false
		}
		if dst != nil {
			if *dst, ok = p.str(); !ok {
				return f, false
			}
		}
		switch {
		case p.take(','):
		case p.take('}'):
			return f, p.pos == len(text)
		default:
			return f, false
		}
	}
}

// plain parses simple JSON.
type plain struct {
	text []byte
	pos  int
}

func (p *plain) blanks() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
}

func (p *plain) take(c byte) bool {
	p.blanks()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// str reads a string of printable ASCII without escapes.
func (p *plain) str() ([]byte, bool) {
	if !p.take('"') {
		return nil, false
	}
	start := p.pos
	for ; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return p.text[start : p.pos-1 : p.pos-1], true
		case c < ' ' || c > '~' || c == '\\':
			return nil, false
		}
	}
	return nil, false
}

// number reads a text that may be a number; parseSeconds checks it.
func (p *plain) number() ([]byte, bool) {
	p.blanks()
	start := p.pos
	for p.pos < len(p.text) && bytes.IndexByte([]byte("0123456789.-+eE"), p.text[p.pos]) >= 0 {
		p.pos++
	}
	return p.text[start:p.pos], p.pos > start
}
