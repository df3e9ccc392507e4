package arch

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestThePageHasTheSameRooms holds the table of docs/architecture.md against levels: every room on its level, and
// no other.
func TestThePageHasTheSameRooms(t *testing.T) {
	row := regexp.MustCompile("^\\| ([0-9]+) \\| (`[^|]*) \\|")
	told := map[string]int{}
	for n, line := range lines(t, "docs/architecture.md") {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		level, _ := strconv.Atoi(m[1])
		for _, cell := range strings.Fields(m[2]) {
			room := strings.Trim(cell, "`")
			if was, twice := told[room]; twice {
				t.Errorf("docs/architecture.md:%d: %s is there twice, on level %d too", n+1, room, was)
			}
			told[room] = level
		}
	}
	for room, level := range levels {
		if was, ok := told[room]; !ok || was != level {
			t.Errorf("docs/architecture.md: %s is on level %d; the page says %d (there: %v)", room, level, was, ok)
		}
	}
	for room := range told {
		if _, ok := levels[room]; !ok {
			t.Errorf("docs/architecture.md: %s is no room of this test's table", room)
		}
	}
}

// TestEveryPackageHasADoc: what a package is for stands in its doc.go, and in no other of its files.
func TestEveryPackageHasADoc(t *testing.T) {
	about := regexp.MustCompile("(?m)^// (Package|Command) [a-z0-9]+ (.|\n)*?\npackage ")
	packages := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d os.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") && len(name) > 2):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
		default:
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir, is := filepath.Dir(path), name == "doc.go"
			packages[dir] = packages[dir] || is
			if about.Match(text) != is {
				t.Errorf("%s: the comment of the package belongs into doc.go", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, has := range packages {
		if !has {
			t.Errorf("%s has no doc.go", dir)
		}
	}
	if len(packages) < 40 {
		t.Fatalf("only %d packages found", len(packages))
	}
}

// quoted is text in backquotes on one line.
var quoted = regexp.MustCompile("`([^`]+)`")

// TestDocumentsNameFilesThatExist looks up whatever the documents have in backquotes and looks like a path of the
// project. A pattern must match something.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	tops := []string{".ci", "clockproto", "cmd", "configs", "deploy", "detector", "dgt", "docs", "internal", "rules"}
	looked := 0
	for _, name := range documents(t) {
		code := false
		for n, line := range lines(t, name) {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			if code {
				continue
			}
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				path := m[1]
				top, _, below := strings.Cut(path, "/")
				if !slices.Contains(tops, top) || !below || strings.ContainsAny(path, " …<>=") {
					continue
				}
				looked++
				found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(path)))
				if err != nil || len(found) == 0 {
					t.Errorf("%s:%d: %s does not exist", name, n+1, path)
				}
			}
		}
	}
	if looked < 100 {
		t.Fatalf("only %d paths found: is the test looking at the documents?", looked)
	}
}

// TestTestsInDocumentsExist: a test that a document names is one.
func TestTestsInDocumentsExist(t *testing.T) {
	known := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			known[string(m[1])] = true
		}
		return err
	})
	if err != nil || len(known) < 500 {
		t.Fatalf("%d tests are found: %v", len(known), err)
	}
	named := regexp.MustCompile("`(Test\\w+)`")
	for _, name := range documents(t) {
		if name == "CHANGELOG.md" {
			continue // what was then
		}
		for n, line := range lines(t, name) {
			for _, m := range named.FindAllStringSubmatch(line, -1) {
				if !known[m[1]] {
					t.Errorf("%s:%d: there is no %s", name, n+1, m[1])
				}
			}
		}
	}
}

// TestDocumentsAreWrapped: lines of documents end at column 100. Tables, code and headings cannot be wrapped, nor
// can a line that has one word after its indent.
func TestDocumentsAreWrapped(t *testing.T) {
	for _, name := range documents(t) {
		code := false
		for n, line := range lines(t, name) {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			if code || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "#") {
				continue
			}
			if utf8.RuneCountInString(line) > 100 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s:%d: %d columns", name, n+1, utf8.RuneCountInString(line))
			}
		}
	}
}

// documents are the project's own, by their paths from its root.
func documents(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "deploy/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			rel, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(rel))
		}
	}
	return names
}

// lines returns the lines of a file of the project.
func lines(t *testing.T, name string) (list []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		list = append(list, s.Text())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestCommentsAreWrapped: lines of comments end at column 120, those of tests too. Preformatted lines, which begin with
// a tab, are as wide as what they show.
func TestCommentsAreWrapped(t *testing.T) {
	const widest = 120
	looked := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			line = strings.TrimSuffix(line, "\n")
			comment, is := strings.CutPrefix(strings.TrimLeft(line, "\t"), "//")
			if !is {
				continue
			}
			looked++
			if columns := utf8.RuneCountInString(line); columns > widest && !strings.HasPrefix(comment, "\t") {
				t.Errorf("%s:%d: a comment of %d columns", path, n, columns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if looked < 10000 {
		t.Fatalf("only %d lines of comments found: is the test looking at the project?", looked)
	}
}
