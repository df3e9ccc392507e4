package dgt

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The three recordings of real boards (section 12). They are test material and
// not part of the project.
var recordings = []struct {
	name          string
	frames, bytes int
}{
	{"dgtdriver-game1", 455, 3952},
	{"dgtdriver-game2-rotated", 805, 6977},
	{"dgtdriver-game3-johan", 956, 9112},
}

func readRecording(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(shared(t, "captures", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRecordingsHold2216FramesAndNoGarbage(t *testing.T) {
	count := map[ID]int{}
	total := 0
	for _, r := range recordings {
		stream := readRecording(t, r.name+".bin")
		if len(stream) != r.bytes {
			t.Errorf("%s: %d bytes, want %d", r.name, len(stream), r.bytes)
		}
		var lines []string
		for line := range strings.Lines(string(readRecording(t, r.name+".hex"))) {
			lines = append(lines, string(unhex(t, line)))
		}

		cuts := map[string][][]byte{"at once": {stream}, "byte by byte": bytewise(stream), "by line": {}}
		for _, l := range lines {
			cuts["by line"] = append(cuts["by line"], []byte(l))
		}
		for seed := range int64(20) {
			cuts[fmt.Sprintf("random %d", seed)] = randomChunks(stream, seed)
		}
		for cut, chunks := range cuts {
			var d Decoder
			got := decodeChunks(t, &d, chunks...)
			if len(got) != r.frames || d.Stats().Garbage != 0 {
				t.Errorf("%s %s: %d frames, %d garbage; want %d, 0", r.name, cut, len(got), d.Stats().Garbage, r.frames)
			}
			var raw []string
			for _, w := range got {
				raw = append(raw, string(stream[w.offset:w.offset+3])+w.data)
			}
			if !slices.Equal(raw, lines) {
				t.Errorf("%s %s: the frames are not the lines of the .hex file", r.name, cut)
			}
			if cut == "at once" {
				total += len(got)
				for _, w := range got {
					count[w.id]++
				}
			}
		}
	}
	if total != 2216 || count[MsgBoard] != 3 || count[MsgClock] != 1755 || count[MsgField] != 458 {
		t.Errorf("%d frames, %v; want 2216: 3 boards, 1755 clocks, 458 fields", total, count)
	}
}

func TestRecordingsDecodeAlikeAtEverySplit(t *testing.T) {
	for _, r := range recordings {
		stream := readRecording(t, r.name+".bin")
		// The frames depend only on the bytes around the split; the bytes before and after can hold any frame of the
		// recording.
		const around = 2 * (headerLen + squares)
		for at := range stream {
			lo, hi := max(0, at-around), min(len(stream), at+around)
			var whole, split Decoder
			want := decodeChunks(t, &whole, stream[lo:hi])
			got := decodeChunks(t, &split, stream[lo:at], stream[at:hi])
			if !slices.Equal(got, want) || split.Stats() != whole.Stats() {
				t.Fatalf("%s split at %d: frames differ", r.name, at)
			}
		}
	}

	// The shortest recording is also decoded whole at every split.
	r := recordings[0]
	stream := readRecording(t, r.name+".bin")
	var d Decoder
	for at := range stream {
		before := d.Stats()
		for _, chunk := range [][]byte{stream[:at], stream[at:]} {
			d.Feed(chunk)
			for _, ok := d.Next(); ok; _, ok = d.Next() {
			}
		}
		if s := d.Stats(); s.Frames-before.Frames != int64(r.frames) || s.Garbage != 0 {
			t.Fatalf("%s split at %d: %d frames, %d garbage", r.name, at, s.Frames-before.Frames, s.Garbage)
		}
	}
}

func TestRecordingsSurviveTheRoundTrip(t *testing.T) {
	for _, r := range recordings {
		stream := readRecording(t, r.name+".bin")
		var d Decoder
		var back []byte
		d.Feed(stream)
		for f, ok := d.Next(); ok; f, ok = d.Next() {
			m, err := f.Message()
			if err != nil {
				t.Fatalf("%s, byte %d: %v", r.name, f.Offset, err)
			}
			back = m.AppendTo(back)
		}
		if !bytes.Equal(back, stream) {
			t.Errorf("%s: what was read is written differently", r.name)
		}
	}
}

// TestFragments reads a bus answer of a real board, from another public source.
func TestFragments(t *testing.T) {
	frames := 0
	for line := range strings.Lines(string(readRecording(t, "fragments.txt"))) {
		if !strings.HasPrefix(line, "b1 ") {
			continue
		}
		var d BusDecoder
		d.Feed(unhex(t, line))
		if r, ok := d.Next(); !ok || r.ID != ReplyI2C || r.Address != 6<<7|0x50 || d.Stats().Garbage != 0 {
			t.Errorf("%q: %+v, %v", line, r, ok)
		}
		frames++
	}
	if frames != 1 {
		t.Errorf("%d frames, want 1", frames)
	}
}
