package config

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"boardwatchd/configs"
)

// FuzzParse: no panic; every problem points into the file; an accepted configuration survives the round trip through
// the journal.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add(configs.Example)
	for _, row := range rows {
		f.Add([]byte(row.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := Parse("f", src)
		if err != nil {
			var ps Problems
			if !errors.As(err, &ps) || len(ps) == 0 || len(ps) > maxProblems+1 {
				t.Fatalf("%d problems: %v", len(ps), err)
			}
			lines := strings.SplitAfter(strings.TrimPrefix(string(src), "\ufeff"), "\n")
			for _, p := range ps {
				if p.Line == 0 && p.Column == 0 && (len(src) > MaxBytes || strings.HasPrefix(p.Text, "and ")) {
					continue
				}
				// yaml.v3 also accepts NEL, LS, PS and a lone CR as line ends, so only the sum of the lines is known
				// here.
				if p.Line < 1 || p.Column < 1 || p.Line > len(lines)+strings.Count(string(src), "\r")+strings.Count(string(src), "\u0085")+
					strings.Count(string(src), "\u2028")+strings.Count(string(src), "\u2029") {
					t.Fatalf("%s: not in the file", p)
				}
				if p.Line <= len(lines) && !strings.ContainsAny(string(src), "\r\u0085\u2028\u2029") && p.Column > utf8.RuneCountInString(lines[p.Line-1])+1 {
					t.Fatalf("%s: beyond the end of the line", p)
				}
			}
			if !reflect.DeepEqual(c, Default()) {
				t.Fatal("a refused file left something behind")
			}
			return
		}
		for _, b := range append(c.Boards, NewBoard("auto", Auto)) {
			core := c.Core(b)
			bytes1 := core.Canonical()
			back, err := ParseCanonical(bytes1)
			if err != nil || !reflect.DeepEqual(back, core) || !bytes.Equal(back.Canonical(), bytes1) {
				t.Fatalf("%s came back as %+v, %v", bytes1, back, err)
			}
		}
	})
}

func FuzzParseCanonical(f *testing.F) {
	f.Add([]byte(canonicalV1))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseCanonical(b)
		if err != nil {
			return
		}
		// Canonical is a fixed point: all spellings give the same output.
		first := c.Canonical()
		again, err := ParseCanonical(first)
		if err != nil || !bytes.Equal(again.Canonical(), first) {
			t.Fatalf("%s then %s, %v", first, again.Canonical(), err)
		}
	})
}
