package detector

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The stories in testdata are the detector's specification by example. A file is a row of stories, each
//
//	# row 1: what is proved, with the row of reconstruction notes section 7.2 that it belongs to.
//	start
//	+1 e2 -, +0.4 e4 P, +0.5 press white
//	----
//	3.9 press white ok
//	3.9 move 1 e4 press 3:01 3:00
//
// and a blank line. Every story has a board, a clock and a tracker of its own. The verbs are in table_test.go. Below
// the line is everything that the tracker reported, exactly; "go test ./detector -update" writes it anew, and the
// difference must then be read, not believed. Stories of what is not reported yet: wanted_test.go.

var update = flag.Bool("update", false, "write what the tracker says into the stories")

// A story is one block of a file.
type story struct {
	line    int
	comment []string
	input   []string
	want    string
}

// rows returns the rows of section 7.2 that the comment cites.
func (s *story) rows() (rows []int) {
	if m := citation.FindStringSubmatch(s.comment[0]); m != nil {
		for _, n := range number.FindAllString(m[1], -1) {
			row, _ := strconv.Atoi(n)
			rows = append(rows, row)
		}
	}
	return rows
}

var (
	citation = regexp.MustCompile(`^# rows? ([0-9, and]+):`)
	number   = regexp.MustCompile(`[0-9]+`)
)

// name is the story's first sentence, as far as the first line has it.
func (s *story) name() string {
	first := strings.TrimPrefix(s.comment[0], "# ")
	if i := strings.Index(first+" ", ". "); i >= 0 {
		first = first[:i]
	}
	return first
}

// readStories reads a file.
func readStories(t *testing.T, path string) (stories []*story) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s *story
	below := false
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		switch {
		case line == "":
			s, below = nil, false
			continue
		case s == nil:
			s = &story{line: i + 1}
			stories = append(stories, s)
		}
		switch {
		case below:
			s.want += line + "\n"
		case line == "----":
			below = true
		case strings.HasPrefix(line, "#"):
			s.comment = append(s.comment, line)
		default:
			s.input = append(s.input, line)
		}
	}
	for _, s := range stories {
		if len(s.comment) == 0 {
			t.Fatalf("%s:%d: a story without a claim", path, s.line)
		}
	}
	return stories
}

// tell plays a story and returns what the tracker said.
func (s *story) tell() (said string, err error) { return s.tellAt(newTable()) }

// tellAt plays a story at a table.
func (s *story) tellAt(tb *table) (said string, err error) {
	for _, line := range s.input {
		for _, act := range strings.Split(line, ",") {
			if err := tb.do(strings.TrimSpace(act)); err != nil {
				return "", fmt.Errorf("%s: %w", act, err)
			}
		}
	}
	tb.pass(tb.now + 3*secondUS) // every story ends with three quiet seconds
	if said = tb.said.String(); said == "" {
		said = "nothing\n"
	}
	return said, nil
}

// TestStoriesCutShort: a recording may end after any input, and whatever waits then is decided or let go.
func TestStoriesCutShort(t *testing.T) {
	for _, path := range ordinaryFiles(t) {
		for _, s := range readStories(t, path) {
			acts := strings.Split(strings.Join(s.input, ","), ",")
			for n := range acts {
				tb := newTable()
				for _, act := range acts[:n] {
					if err := tb.do(strings.TrimSpace(act)); err != nil {
						t.Fatalf("%s:%d: %s: %v", path, s.line, act, err)
					}
				}
				if err := tb.do("finish"); err != nil {
					t.Fatalf("%s:%d: cut after %d inputs: %v", path, s.line, n, err)
				}
				if at, ok := tb.t.quietDeadline(); ok {
					t.Fatalf("%s:%d: cut after %d inputs: something is still due, at %d µs", path, s.line, n, at)
				}
			}
		}
	}
}

func TestStories(t *testing.T) {
	for _, path := range ordinaryFiles(t) {
		var text strings.Builder
		stories := readStories(t, path)
		for _, s := range stories {
			got, err := s.tell()
			if err != nil {
				t.Fatalf("%s:%d: %v", path, s.line, err)
			}
			if text.Len() > 0 {
				text.WriteByte('\n')
			}
			fmt.Fprintf(&text, "%s\n%s\n----\n%s", strings.Join(s.comment, "\n"), strings.Join(s.input, "\n"), got)
			if *update {
				continue
			}
			t.Run(filepath.Base(path)+"/"+s.name(), func(t *testing.T) {
				if len(s.input) == 0 {
					t.Fatal("a story in which nothing happens")
				}
				if got != s.want {
					t.Errorf("%s:%d: %s\ngot\n%swant\n%s", path, s.line, strings.Join(s.comment, "\n"), got, s.want)
				}
			})
		}
		if *update {
			writeStories(t, path, text.String())
		}
	}
}

func writeStories(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// elsewhere are the rows of section 7.2 that no story of this package can tell, and why.
var elsewhere = map[int]string{
	83: "the tags WATCHDOG and FOURROWS stand in the board's own log, which is read by the link and never by the detector",
}

// rowCount is the number of rows of section 7.2.
const rowCount = 84

func TestEveryRowIsTold(t *testing.T) {
	told := map[int]int{}
	for _, path := range ordinaryFiles(t) {
		for _, s := range readStories(t, path) {
			for _, row := range s.rows() {
				told[row]++
			}
		}
	}
	for row := 1; row <= rowCount; row++ {
		why, listed := elsewhere[row]
		switch {
		case told[row] == 0 && !listed:
			t.Errorf("row %d is in no story and not listed with a reason", row)
		case told[row] > 0 && listed:
			t.Errorf("row %d is in a story and listed as told elsewhere (%s)", row, why)
		case listed && why == "":
			t.Errorf("row %d is listed without a reason", row)
		}
		delete(told, row)
	}
	for row := range told {
		t.Errorf("row %d does not exist", row)
	}
}
