//go:build linux

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// shown is an example of a page: a command, and the output below it.
var shown = regexp.MustCompile("(?m)^\\$ boardwatchd canmate ([^|<>\\n]*)\\n((?:[^$`\\n].*\\n)+)")

func TestThePagesShowWhatCanmateAnswers(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"docs/tour.md", "docs/canmate.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		examples := shown.FindAllStringSubmatch(string(text), -1)
		if len(examples) == 0 {
			t.Errorf("%s shows no answer of canmate", page)
		}
		for _, x := range examples {
			r := newPlace(t).run(t, "", append([]string{"canmate"}, words(x[1])...)...).want(t, 0)
			if r.out != x[2] {
				t.Errorf("%s: canmate %s\nshown\n%sanswered\n%s", page, x[1], x[2], r.out)
			}
		}
	}
}

// words splits a command line as the shell does, as far as double quotes go.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

func TestCanmateRefusesABlankArgument(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"", "  "} {
		if r := newPlace(t).run(t, "", "canmate", arg).want(t, 2); r.out != "" || !strings.Contains(r.err, "name a FEN") {
			t.Errorf("%q: %q, %q", arg, r.out, r.err)
		}
	}
}

// TestCanmateStaysBelow128MiBOnOneCore asks questions that use up their budget, one after the other.
func TestCanmateStaysBelow128MiBOnOneCore(t *testing.T) {
	if testing.Short() || raceBuild {
		t.Skip("it takes seconds, and the race detector's memory is not the program's")
	}
	t.Parallel()
	// No game reaches this board: Black has six bishops on light squares and seven pawns. It stays hard because the
	// positions with that number of bishops behind locked pawns are too many to visit, and no proof knows which bishops
	// can never help at the same time.
	const hard = "2b2B2/1b2B2k/p5pB/Pp1b1pPb/bPpBpP1B/2PpPK2/2bP4/B7 w - - 0 1"
	const questions = 3
	cmd := newPlace(t).command(sharedtest.Context(t), "canmate", "--side", "black", "-")
	cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, strings.Repeat(hard+"\n", questions)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for range questions {
		if !lines.Scan() || !strings.Contains(lines.Text(), "unknown: ") {
			t.Errorf("the question is no longer hard; the test needs another: %q, %v", lines.Text(), lines.Err())
		}
	}
	// It waits for the next question. What rusage says at its end is no less than what this test took when it was started.
	if used := peakKiB(t, cmd.Process.Pid); used >= 128<<10 {
		t.Errorf("it took %d KiB", used)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// peakKiB is the most memory that a running process has had so far.
func peakKiB(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	if _, err := fmt.Sscanf(peak, "%d kB", &kib); err != nil {
		t.Fatalf("VmHWM of %q: %v", status, err)
	}
	return kib
}
