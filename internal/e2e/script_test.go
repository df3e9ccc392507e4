//go:build linux

package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens in testdata anew")

// TestScript plays testdata/*.txt. A script is blocks, apart by blank lines:
//
//	# what is proved
//	$ boardwatchd replay bad.hex      the command; "< FILE" at its end is its standard input
//	> a line of standard output       and all of it
//	! a line of standard error        and all of it
//	= 1                               the exit status, when it is not 0
//
// After "-- NAME --" lines stand the files it works on. The other commands of
// a script make files that are no text: mkdir, gzip, cut, hex (see prepare).
func TestScript(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			golden, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, archive, _ := bytes.Cut(golden, []byte("\n-- "))
			w := newPlace(t)
			if len(archive) > 0 {
				unpackFiles(t, w, "-- "+string(archive))
			}
			got := playScript(t, w, string(script))
			if *update {
				if len(archive) > 0 {
					got += "\n-- " + string(archive)
				}
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compare(t, got, string(script))
		})
	}
}

// unpackFiles writes the files after a script.
func unpackFiles(t *testing.T, w place, archive string) {
	t.Helper()
	name, text := "", ""
	flush := func() {
		if name != "" {
			w.write(t, name, text)
		}
	}
	for _, line := range strings.SplitAfter(archive, "\n") {
		if n, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(n, " --\n") {
			flush()
			name, text = strings.TrimSuffix(n, " --\n"), ""
			continue
		}
		text += line
	}
	flush()
}

// playScript runs a script's commands and returns the script with what they
// really printed.
func playScript(t *testing.T, w place, script string) string {
	t.Helper()
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(script, "\n"), "\n") {
		if line == "" || line[0] == '#' {
			b.WriteString(line + "\n")
		}
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		b.WriteString(line + "\n")
		words := splitWords(command)
		if words[0] != "boardwatchd" {
			prepare(t, w, words)
			continue
		}
		stdin := ""
		if n := len(words); n > 2 && words[n-2] == "<" {
			text, err := os.ReadFile(w.path(words[n-1]))
			if err != nil {
				t.Fatal(err)
			}
			words, stdin = words[:n-2], string(text)
		}
		r := w.run(t, stdin, words[1:]...)
		prefix(&b, ">", r.out, w)
		prefix(&b, "!", r.err, w)
		if r.status != 0 {
			fmt.Fprintf(&b, "= %d\n", r.status)
		}
	}
	return b.String()
}

// prefix writes each line of text with its mark; the test's folder is $WORK.
func prefix(b *strings.Builder, mark, text string, w place) {
	text = strings.ReplaceAll(text, w.dir, "$WORK")
	for _, line := range strings.SplitAfter(text, "\n") {
		if line != "" {
			b.WriteString(strings.TrimRight(mark+" "+strings.TrimSuffix(line, "\n"), " ") + "\n")
		}
	}
}

// splitWords splits a command line; "…" and '…' hold words together.
func splitWords(line string) (words []string) {
	word, quote, in := "", rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, in = r, true
		case quote == 0 && r == ' ':
			if in {
				words = append(words, word)
			}
			word, in = "", false
		default:
			word, in = word+string(r), true
		}
	}
	if in {
		words = append(words, word)
	}
	return words
}

// prepare makes the files that cannot stand in a script.
func prepare(t *testing.T, w place, words []string) {
	t.Helper()
	var err error
	switch {
	case words[0] == "mkdir" && len(words) == 2:
		err = os.Mkdir(w.path(words[1]), 0o755)
	case words[0] == "gzip" && len(words) == 3: // FROM TO
		err = gzipFile(w.path(words[1]), w.path(words[2]))
	case words[0] == "cut" && len(words) == 4: // FROM TO BYTES: its first bytes
		err = cutFile(w.path(words[1]), w.path(words[2]), words[3])
	case words[0] == "hex" && len(words) == 3: // TO HEX
		var p []byte
		if p, err = hex.DecodeString(words[2]); err == nil {
			err = os.WriteFile(w.path(words[1]), p, 0o644)
		}
	default:
		t.Fatalf("the script's command %q is not known", words)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func gzipFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, gzipped(text), 0o644)
}

func gzipped(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

func cutFile(from, to, bytes string) error {
	n, err := strconv.Atoi(bytes)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text[:min(n, len(text))], 0o644)
}

// compare shows the first line at which two texts part.
func compare(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(strings.TrimRight(got, "\n"), "\n"), strings.Split(strings.TrimRight(want, "\n"), "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(end)", "(end)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("line %d\n got %s\nwant %s\n(-update writes what is now)", i+1, a, b)
		}
	}
}

// TestHelp: every command that help lists explains itself with an example.
func TestHelp(t *testing.T) {
	w := newPlace(t)
	listed := 0
	for _, line := range strings.Split(w.run(t, "", "help").want(t, 0).out, "\n") {
		rest, ok := strings.CutPrefix(line, "  ")
		if !ok || strings.HasPrefix(rest, " ") {
			continue
		}
		name := strings.Fields(rest)[0]
		listed++
		for _, args := range [][]string{{name, "--help"}, {name, "-h"}, {"help", name}} {
			r := w.run(t, "", args...).want(t, 0)
			if !strings.HasPrefix(r.out, "boardwatchd "+name) || !strings.Contains(r.out, "\nExample:\n  boardwatchd "+name) || r.err != "" {
				t.Errorf("%q says\n%s%s", args, r.out, r.err)
			}
		}
	}
	if listed < 11 {
		t.Errorf("help lists %d commands; the contract has 11 in this version", listed)
	}
}
