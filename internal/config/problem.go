package config

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one fault at one place.
type Problem struct {
	File         string
	Line, Column int    // from 1; 0 for the file as a whole
	Key          string // path of the key, like boards[1].port; may be empty
	Text         string // the fault and the remedy
}

func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// Problems holds all faults of a file, in the order of its lines. errors.As finds it in the errors of Load and Parse.
type Problems []Problem

// maxProblems is the number of problems listed: with more the file is wrong, not a line.
const maxProblems = 20

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

func (ps Problems) sorted() Problems {
	sort.SliceStable(ps, func(i, j int) bool {
		a, b := ps[i], ps[j]
		return a.Line < b.Line || (a.Line == b.Line && a.Column < b.Column)
	})
	return ps
}

// quote shortens the user's text, so that a message stays one line.
func quote(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
