package recording

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"boardwatchd/internal/sharedtest"
)

// clock is a time message: the right side's seconds, the left side's, status.
func clock(right, left int, status byte) string {
	bcd := func(n int) string { return fmt.Sprintf("00 %02d %02d", n/60, n%60) }
	return fmt.Sprintf("8d 00 0a %s %s %02x\n", bcd(right), bcd(left), status)
}

func TestAnUntimedCaptureTellsTheTimeByTheClock(t *testing.T) {
	const leftRuns, rightRuns, leftStopped, rightStopped = 0x09, 0x13, 0x08, 0x12
	tests := []struct {
		claim, text string
		times       string
	}{
		{"no clock, no time", dump + "\n" + dump, "0 0"},
		{"a tick of the side that runs", clock(60, 60, leftRuns) + clock(60, 59, leftRuns) + clock(60, 58, leftRuns), "0 1000000 2000000"},
		{"what stands between ticks has the time of the last", clock(60, 60, leftRuns) + dump + "\n" + clock(60, 59, leftRuns) + dump, "0 0 1000000 1000000"},
		{"two seconds at once", clock(60, 60, rightRuns) + clock(58, 60, rightRuns), "0 2000000"},
		{"the side that does not run", clock(60, 60, leftRuns) + clock(50, 60, leftRuns), "0 0"},
		{"starting the clock", clock(60, 60, leftStopped) + clock(60, 60, leftRuns), "0 0"},
		{"setting a stopped clock", clock(60, 60, leftStopped) + clock(30, 30, leftStopped), "0 0"},
		{"a press adds an increment", clock(60, 60, leftRuns) + clock(60, 62, rightRuns) + clock(59, 62, rightRuns), "0 0 1000000"},
		{"a press swallows a tick", clock(60, 60, leftRuns) + clock(60, 61, rightRuns), "0 0"},
		{"a press with a tick and no increment", clock(60, 60, leftRuns) + clock(60, 59, rightRuns), "0 1000000"},
		{"the flag falls", clock(1, 60, rightRuns) + clock(0, 60, rightStopped), "0 1000000"},
		{"an acknowledgement is no time", clock(60, 60, leftRuns) + "8d 00 0a 5a 00 00 0a 40 00 00\n" + clock(60, 59, leftRuns), "0 0 1000000"},
		{"a broken time is no time", clock(60, 60, leftRuns) + "8d 00 0a 00 77 00 00 00 00 09\n" + clock(60, 59, leftRuns), "0 0 1000000"},
		{"a clock that was set while it ran", clock(60, 3600, leftRuns) + clock(60, 300, leftRuns) + clock(60, 299, leftRuns), "0 0 1000000"},
		{"a message over two lines", "8d 00 0a 00 01\n00 00 01 00 09\n" + clock(60, 59, leftRuns), "0 0 1000000"},
	}
	for _, tt := range tests {
		s := stream(t, tt.text)
		var times []string
		for {
			it, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, fmt.Sprint(it.Record.At))
		}
		if got := strings.Join(times, " "); got != tt.times {
			t.Errorf("%s: %s; %s is expected", tt.claim, got, tt.times)
		}
	}
}

func TestRawBytesAreCutAtFramesAndAllThere(t *testing.T) {
	data := "\x8e\x00\x05\x34\x00" + "\x11\x22" + "\x8d\x00\x0a\x00\x01\x00\x00\x01\x00\x09" + "\x8d\x00\x0a\x00\x01\x00\x00\x00\x59\x09" + "\x8e\x00\x05"
	want := "2@0 rx 8e00053400, 3@0 rx 11228d000a00010000010009, 4@1000000 rx 8d000a00010000005909, 5@1000000 rx 8e0005,"
	for claim, in := range map[string]io.Reader{
		"at once": strings.NewReader(data), "byte by byte": iotest.OneByteReader(strings.NewReader(data)),
		"with its end": iotest.DataErrReader(strings.NewReader(data)),
	} {
		s, err := Open("-", in)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := said(s); err != nil || got != want {
			t.Errorf("%s: %s, %v; %s is expected", claim, got, err, want)
		}
	}
}

func TestGarbageWithoutEndIsGivenInPieces(t *testing.T) {
	data := "\x8e\x00\x05\x34\x00" + strings.Repeat("\x01", 200_000)
	var all []byte
	s := stream(t, data)
	for {
		it, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(it.Record.Body) > 2*maxGarbage {
			t.Fatalf("%d bytes, %v", len(it.Record.Body), err)
		}
		all = append(all, it.Record.Body...)
	}
	if string(all) != data {
		t.Errorf("%d bytes of %d came back", len(all), len(data))
	}
}

// shared finds the recordings that are not part of the project.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(sharedtest.Path(t, "captures", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Together 1,549 ticks (DGT protocol notes, section 5.4) and the second in which
// the flag of game 3 fell.
func TestTheRecordedGamesTellTheSameAsTextAndAsBytes(t *testing.T) {
	for name, want := range map[string]struct{ messages, bytes, seconds int64 }{
		"dgtdriver-game1": {455, 3952, 263}, "dgtdriver-game2-rotated": {805, 6977, 478}, "dgtdriver-game3-johan": {956, 9112, 809},
	} {
		var sums [2]string
		for i, ending := range []string{".hex", ".bin"} {
			s := stream(t, string(shared(t, name+ending)))
			var bytesSeen, n, at int64
			var b strings.Builder
			for {
				it, err := s.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				n++
				bytesSeen += int64(len(it.Record.Body))
				at = it.Record.At
				fmt.Fprintf(&b, "%d %d %x\n", it.Record.Seq, it.Record.At, it.Record.Body)
			}
			if n != want.messages || bytesSeen != want.bytes || at != want.seconds*1_000_000 {
				t.Errorf("%s%s: %d messages, %d bytes, %d µs; %+v is expected", name, ending, n, bytesSeen, at, want)
			}
			sums[i] = b.String()
		}
		if sums[0] != sums[1] {
			t.Errorf("%s: text and bytes differ", name)
		}
	}
}
