package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Style is the style of a report.
type Style struct {
	Quiet  bool // warn and fail only
	Colour bool
}

// width fits every terminal.
const width = 80

var colours = [...]string{OK: "\x1b[32m", Warn: "\x1b[33m", Fail: "\x1b[31m"}

// Text writes the report for people: a block for each check, and a summary line at the end.
func Text(w io.Writer, lines []Line, s Style) error {
	var b strings.Builder
	check := ""
	for _, l := range lines {
		if s.Quiet && l.Level == OK {
			continue
		}
		if l.Check != check {
			check = l.Check
			b.WriteString(check + "\n")
		}
		level := fmt.Sprintf("%-4s", l.Level)
		if s.Colour {
			level = colours[l.Level] + level + "\x1b[0m"
		}
		b.WriteString("  " + level + "  " + fold(l.Text, 8) + "\n")
		if l.Remedy != "" {
			b.WriteString("        -> " + fold(l.Remedy, 11) + "\n")
		}
	}
	b.WriteString(Summary(lines) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// fold breaks a text between words, so that it fits; further lines are indented.
func fold(text string, indent int) string {
	var b strings.Builder
	at := indent
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// Worst returns the worst level of all lines.
func Worst(lines []Line) Level {
	worst := OK
	for _, l := range lines {
		worst = max(worst, l.Level)
	}
	return worst
}

// Summary returns the last line.
func Summary(lines []Line) string {
	n := count(lines)
	verdict := "nothing stands in the way"
	switch Worst(lines) {
	case Warn:
		verdict = "it works, with the limits named above"
	case Fail:
		verdict = "something stops it; the remedies are above"
	}
	return fmt.Sprintf("%d ok, %d warn, %d fail: %s", n[OK], n[Warn], n[Fail], verdict)
}

func count(lines []Line) (n [len(levelNames)]int) {
	for _, l := range lines {
		n[l.Level]++
	}
	return n
}

// JSONL writes one object per line, the counts last. Keys are only added.
func JSONL(w io.Writer, lines []Line, s Style) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if s.Quiet && l.Level == OK {
			continue
		}
		if err := enc.Encode(struct {
			Type   string  `json:"type"`
			Check  string  `json:"check"`
			Level  string  `json:"level"`
			Text   string  `json:"text"`
			Remedy *string `json:"remedy"`
		}{"check", l.Check, l.Level.String(), l.Text, known(l.Remedy)}); err != nil {
			return err
		}
	}
	n := count(lines)
	return enc.Encode(struct {
		Type string `json:"type"`
		OK   int    `json:"ok"`
		Warn int    `json:"warn"`
		Fail int    `json:"fail"`
	}{"summary", n[OK], n[Warn], n[Fail]})
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
