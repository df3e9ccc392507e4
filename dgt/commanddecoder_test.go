package dgt

import (
	"fmt"
	"slices"
	"testing"
)

// describe returns an order as one line: the command, and ">" with the mode where it changed.
func describe(o Order) string {
	s := "-"
	if o.Command != nil {
		s = fmt.Sprint(o.Command)
	}
	if o.Switched {
		s += " > " + o.Mode.String()
	}
	return s
}

// TestCommandDecoder checks the rules of sections 2, 8 and 16. Each row is fed at once and byte by byte.
func TestCommandDecoder(t *testing.T) {
	tests := []struct {
		name, hex string
		want      []string
		mode      Mode
		garbage   int64
		pending   int
	}{
		{"bus mode is the power-up default", "", nil, BusMode, 0, 0},
		{"a known command enters single-board mode and is executed", "42",
			[]string{"request board > single-board mode"}, SingleBoardMode, 0, 0},
		{"entering again is no switch", "4b 42",
			[]string{"set update nice > single-board mode", "request board"}, SingleBoardMode, 0, 0},
		{"an unknown byte does not enter single-board mode", "20 4f 3b", nil, BusMode, 3, 0},
		{"an unknown byte in single-board mode is ignored", "40 4f 42",
			[]string{"reset > single-board mode", "request board"}, SingleBoardMode, 1, 0},
		{"a clock message enters single-board mode when it is whole", "2b 03 03 09 00",
			[]string{"clock message 03 09 00 > single-board mode"}, SingleBoardMode, 0, 0},
		{"to bus mode", "40 4a",
			[]string{"reset > single-board mode", "to bus mode > bus mode"}, BusMode, 0, 0},
		{"to bus mode in bus mode is no switch", "4a", []string{"to bus mode"}, BusMode, 0, 0},

		{"bus commands are executed in bus mode", "87 00 00 07 82 08 01 0b",
			[]string{"bus ping to 0", "bus board to 1025"}, BusMode, 0, 0},
		{"a bus command in single-board mode only switches, at its first byte", "40 83",
			[]string{"reset > single-board mode", "- > bus mode"}, BusMode, 0, 1},
		{"the rest of that command is not executed", "40 83 08 01 0c",
			[]string{"reset > single-board mode", "- > bus mode"}, BusMode, 4, 0},
		{"the next bus command is executed", "40 87 00 00 07 87 00 00 07",
			[]string{"reset > single-board mode", "- > bus mode", "bus ping to 0"}, BusMode, 4, 0},
		{"quirk 17: a stray byte silences the board and eats three bytes", "4b ff 42 41 42 4b",
			[]string{"set update nice > single-board mode", "- > bus mode", "set update nice > single-board mode"}, SingleBoardMode, 4, 0},
		{"a stray byte inside a clock message aborts it", "40 2b 03 03 89 00 00 09 41",
			[]string{"reset > single-board mode", "- > bus mode", "request clock > single-board mode"}, SingleBoardMode, 7, 0},
		{"a wrong checksum is not executed", "82 08 01 0c 42", []string{"request board > single-board mode"}, SingleBoardMode, 4, 0},
		{"a bus command cut by another", "82 08 87 00 00 07", []string{"bus ping to 0"}, BusMode, 2, 0},

		{"the last byte of a payload must be zero", "40 2b 03 03 09 01 42",
			[]string{"reset > single-board mode", "request board"}, SingleBoardMode, 5, 0},
		{"a payload of no bytes is nothing", "40 2b 00 42",
			[]string{"reset > single-board mode", "request board"}, SingleBoardMode, 2, 0},
		{"commands inside a payload are not executed", "40 60 03 4e 42 00",
			[]string{"reset > single-board mode", "command 60 4e 42 00"}, SingleBoardMode, 0, 0},
		{"a payload cut short stays pending", "40 2b 03 03", []string{"reset > single-board mode"}, SingleBoardMode, 0, 3},
		{"the dangerous commands are heard as a board would", "4e 51 53 54",
			[]string{"start bootloader > single-board mode", "scan only dark", "scan only light", "scan all"}, SingleBoardMode, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stream := unhex(t, tt.hex)
			for _, chunks := range [][][]byte{{stream}, bytewise(stream)} {
				var d CommandDecoder
				var got []string
				for _, c := range chunks {
					d.Feed(c)
					for o, ok := d.Next(); ok; o, ok = d.Next() {
						got = append(got, describe(o))
						if o.Mode != d.Mode() {
							t.Errorf("order %q: mode %v, decoder %v", describe(o), o.Mode, d.Mode())
						}
					}
				}
				s := d.Stats()
				if !slices.Equal(got, tt.want) || d.Mode() != tt.mode || s.Garbage != tt.garbage || d.Pending() != tt.pending {
					t.Errorf("orders %q, %v, garbage %d, pending %d; want %q, %v, %d, %d",
						got, d.Mode(), s.Garbage, d.Pending(), tt.want, tt.mode, tt.garbage, tt.pending)
				}
				if s.Bytes != int64(len(stream)) || s.Bytes != s.FrameBytes+s.Garbage+int64(d.Pending()) {
					t.Errorf("account is off: %+v", s)
				}
			}
		})
	}
}

func TestCommandDecoderAfterAStall(t *testing.T) {
	var d CommandDecoder
	d.Feed(unhex(t, "40 ff"))
	for _, ok := d.Next(); ok; _, ok = d.Next() {
	}
	if n := d.Abort(); n != 1 {
		t.Errorf("Abort() = %d, want 1", n)
	}
	d.Feed(unhex(t, "4b"))
	if o, ok := d.Next(); !ok || describe(o) != "set update nice > single-board mode" {
		t.Errorf("after Abort: %q, %v", describe(o), ok)
	}
}

func TestCommandDecoderDropsAnUndrainedChunk(t *testing.T) {
	var d CommandDecoder
	d.Feed(unhex(t, "2b 03"))
	d.Next()
	d.Feed(unhex(t, "40 41 42"))
	d.Feed(unhex(t, "4d"))
	if o, ok := d.Next(); !ok || o.Command != RequestVersion {
		t.Errorf("got %q, %v", describe(o), ok)
	}
	if s := d.Stats(); s != (Stats{Bytes: 6, Frames: 1, FrameBytes: 1, Garbage: 5}) {
		t.Errorf("stats %+v", s)
	}
}

func TestOrdersHaveTheirOwnMemory(t *testing.T) {
	var d CommandDecoder
	d.Feed(unhex(t, "2b 03 03 09 00 60 07 05 03 01 04 0c 1c 00"))
	first, _ := d.Next()
	second, _ := d.Next()
	d.Feed(unhex(t, "2b 03 03 03 00 60 07 05 01 01 01 01 01 00"))
	for _, ok := d.Next(); ok; _, ok = d.Next() {
	}
	if got := describe(first) + describe(second); got != "clock message 03 09 00 > single-board mode{3 1 4 [12 28]}" {
		t.Errorf("orders changed: %s", got)
	}
}
