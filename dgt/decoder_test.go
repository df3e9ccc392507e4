package dgt

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDecoder checks the rules of section 4 and the quirks of section 14 that concern the framing. Every row is decoded
// at once, byte by byte and at every split.
func TestDecoder(t *testing.T) {
	e2 := "8e 00 05 34 00"
	tests := []struct {
		name, hex string
		want      []string // id and data of the frames
		garbage   int64
		pending   int
	}{
		// Section 15.1.
		{"a frame cut after two bytes is dropped for the next", "8e 00" + e2, []string{"8e 34 00"}, 2, 0},
		{"small bytes before a frame are garbage", "07 07 00" + e2, []string{"8e 34 00"}, 3, 0},

		// Section 14, quirks by number.
		{"1: a partial frame right after opening", "00 0a 20 03 02" + e2, []string{"8e 34 00"}, 5, 0},
		{"2: a frame cut by unplugging stays pending", e2 + "8d 00 0a 20", []string{"8e 34 00"}, 0, 4},
		{"3: an id inside the data starts a frame", "8d 00 0a 20 03" + e2, []string{"8e 34 00"}, 5, 0},
		{"4: a known id with an impossible length is not waited for", "8e 7f 7f 34 00" + e2, []string{"8e 34 00"}, 5, 0},
		{"7: illegal digits are framed all the same", "8d 00 0a 00 05 6a 00 05 00 09", []string{"8d 00 05 6a 00 05 00 09"}, 0, 0},
		{"15: a log nobody asked for is one frame", "8f 00 05 6f 6b" + e2, []string{"8f 6f 6b", "8e 34 00"}, 0, 0},
		{"16: a stream of 80 is garbage and keeps nothing pending", "80 80 80 00 80" + e2 + "80", []string{"8e 34 00"}, 6, 0},
		{"24: the battery has nine bytes, not four", "a0 00 0c 01 02 03 04 05 06 07 08 00", []string{"a0 01 02 03 04 05 06 07 08 00"}, 0, 0},
		{"25: serial numbers are 8 or 12 long", "91 00 08 30 30 30 30 31 91 00 0c 30 30 30 30 31 20 31 2e 30",
			[]string{"91 30 30 30 30 31", "91 30 30 30 30 31 20 31 2e 30"}, 0, 0},

		{"an id in the first length byte starts a frame", "8d" + e2, []string{"8e 34 00"}, 1, 0},
		{"an id in the second length byte starts a frame", "8d 00" + e2, []string{"8e 34 00"}, 2, 0},
		{"80 inside the data ends the frame and starts none", "8e 00 05 34 80 00" + e2, []string{"8e 34 00"}, 6, 0},
		{"80 inside the header ends the frame and starts none", "8e 80 00 05 34 00", nil, 6, 0},
		{"a length below three is no frame", "c0 00 02" + e2, []string{"8e 34 00"}, 3, 0},
		{"an unknown id without data is a frame", "c0 00 03" + e2, []string{"c0", "8e 34 00"}, 0, 0},
		{"an unknown id of 260 bytes is no frame", "c0 02 04" + e2, []string{"8e 34 00"}, 3, 0},
		{"an unknown id of 259 bytes is waited for", "c0 02 03 00", nil, 0, 4},
		{"a log of 0x1F04 bytes is no frame", "8f 3e 04" + e2, []string{"8e 34 00"}, 3, 0},
		{"a log of 0x1F03 bytes is waited for", "8f 3e 03 7f", nil, 0, 4},
		{"an id alone stays pending", "8e", nil, 0, 1},
		{"a whole header stays pending", "8e 00 05", nil, 0, 3},
		{"an id inside a dump that seems whole", "86 00 43" + strings.Repeat("00", 20) + e2 + strings.Repeat("00", 60), []string{"8e 34 00"}, 83, 0},
		{"an empty stream", "", nil, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stream := unhex(t, tt.hex)
			var want []string
			for _, w := range tt.want {
				want = append(want, fmt.Sprintf("% x", unhex(t, w)))
			}
			check := func(cut string, chunks ...[]byte) {
				t.Helper()
				var d Decoder
				var got []string
				for _, w := range decodeChunks(t, &d, chunks...) {
					got = append(got, fmt.Sprintf("% x", append([]byte{byte(w.id)}, w.data...)))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: frames %q, want %q", cut, got, want)
				}
				_, pending := d.Pending()
				if s := d.Stats(); s.Garbage != tt.garbage || pending != tt.pending || s.Bytes != int64(len(stream)) || s.Frames != int64(len(want)) {
					t.Errorf("%s: %+v, pending %d; want garbage %d, pending %d", cut, s, pending, tt.garbage, tt.pending)
				}
			}
			check("at once", stream)
			check("byte by byte", bytewise(stream)...)
			for i := range stream {
				check(fmt.Sprintf("split at %d", i), stream[:i], stream[i:])
			}
		})
	}
}

// TestLengths compares the table of lengths with one that is written a second
// time, for every id and every length.
func TestLengths(t *testing.T) {
	for id := 0x81; id <= 0xFF; id++ {
		for total := range 0x4000 {
			if got, want := boardSpans[id&0x7F].allows(total), naiveLength(byte(id), total); got != want {
				t.Errorf("id %02x, length %d: allowed %v, want %v", id, total, got, want)
			}
		}
	}
}

func TestFramesKnowTheirOffset(t *testing.T) {
	stream := unhex(t, "07 07 8e 00 05 34 00 8d 00 8e 00 05 24 01 92 00 03")
	want := []wire{{MsgField, "\x34\x00", 2}, {MsgField, "\x24\x01", 9}, {MsgTrademark, "", 14}}
	for _, chunks := range [][][]byte{{stream}, bytewise(stream)} {
		var d Decoder
		if got := decodeChunks(t, &d, chunks...); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestAbortTurnsTheBegunFrameIntoGarbage(t *testing.T) {
	var d Decoder
	decodeChunks(t, &d, unhex(t, "8e 00 05 34 00 8d 00 0a 20 03"))
	if id, n := d.Pending(); id != MsgClock || n != 5 {
		t.Errorf("Pending() = %v, %d; want clock, 5", id, n)
	}
	if n := d.Abort(); n != 5 {
		t.Errorf("Abort() = %d, want 5", n)
	}
	if id, n := d.Pending(); id != 0 || n != 0 {
		t.Errorf("Pending() after Abort = %v, %d; want nothing", id, n)
	}
	if n := d.Abort(); n != 0 {
		t.Errorf("second Abort() = %d, want 0", n)
	}
	checkAccount(t, &d)

	// Late bytes belong to no frame; the next frame is whole.
	got := decodeChunks(t, &d, unhex(t, "02 20 03 02 08 8e 00 05 24 01"))
	if want := []wire{{MsgField, "\x24\x01", 15}}; !slices.Equal(got, want) {
		t.Errorf("after Abort: %v, want %v", got, want)
	}
	if s := d.Stats(); s.Garbage != 10 {
		t.Errorf("garbage %d, want 10", s.Garbage)
	}
}

func TestUndrainedChunkIsDroppedAndCounted(t *testing.T) {
	var d Decoder
	d.Feed(unhex(t, "8d 00"))
	d.Next()
	d.Feed(unhex(t, "0a 20 8e 00 05 34 00"))
	d.Feed(unhex(t, "8e 00 05 24 01"))
	f, ok := d.Next()
	if u, _ := f.Field(); !ok || u != (FieldUpdate{0x24, WhitePawn}) || f.Offset != 9 {
		t.Errorf("got %+v, %v; want the frame of the second chunk", f, ok)
	}
	if s := d.Stats(); s != (Stats{Bytes: 14, Frames: 1, FrameBytes: 5, Garbage: 9}) {
		t.Errorf("stats %+v", s)
	}
}

func TestFrameInsideOneChunkIsNotCopied(t *testing.T) {
	chunk := unhex(t, "8e 00 05 34 00")
	var d Decoder
	d.Feed(chunk)
	f, ok := d.Next()
	if !ok || &f.Data[0] != &chunk[3] {
		t.Error("the frame was copied")
	}
	if cap(f.Data) != len(f.Data) {
		t.Error("appending to the frame's data would write into the chunk")
	}
}

func TestDecoderDoesNotAllocate(t *testing.T) {
	stream := append(syntheticStream(3000), powerUpLog().AppendTo(nil)...)
	stream = append(stream, bytes.Repeat([]byte{0x8E, 0x80, 0x07}, 50)...)
	for _, size := range []int{1, 7, len(stream)} {
		var d Decoder
		var bus BusDecoder
		allocs := testing.AllocsPerRun(3, func() {
			for rest := stream; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				d.Feed(rest[:min(size, len(rest))])
				for f, ok := d.Next(); ok; f, ok = d.Next() {
					f.Field()
					f.Board()
					f.Clock()
				}
				bus.Feed(rest[:min(size, len(rest))])
				for _, ok := bus.Next(); ok; _, ok = bus.Next() {
				}
			}
		})
		if allocs != 0 {
			t.Errorf("chunks of %d bytes: %v allocations", size, allocs)
		}
	}
}

// TestOneDamagedByteCostsAtMostTwoFrames checks the promise of the package comment. A byte that becomes the id of a
// longer frame destroys no further frame, because the next id cuts it short.
func TestOneDamagedByteCostsAtMostTwoFrames(t *testing.T) {
	stream := unhex(t, "8e003400 8e0005 3400 8d000a20030220030208 8e00052401 8d000a20030220030209 8e00050c00")
	stream = stream[4:]
	var clean Decoder
	all := decodeChunks(t, &clean, stream)
	if len(all) != 5 {
		t.Fatalf("%d frames in the clean stream", len(all))
	}
	for i := range stream {
		for v := range 256 {
			damaged := bytes.Clone(stream)
			damaged[i] = byte(v)
			var d Decoder
			got := decodeChunks(t, &d, damaged)
			kept := 0
			for _, w := range all {
				if slices.Contains(got, w) {
					kept++
				}
			}
			if kept < len(all)-2 {
				t.Errorf("byte %d as %02x: %d of %d frames are left", i, v, kept, len(all))
			}
		}
	}
}

// TestHighBitIsSeenAtEveryPlace puts one byte with bit 7 into runs of every
// short length.
func TestHighBitIsSeenAtEveryPlace(t *testing.T) {
	for n := range 40 {
		b := bytes.Repeat([]byte{0x7F}, n)
		if !allLow(b) || highByte(b) != -1 {
			t.Errorf("%d low bytes: %v, %d", n, allLow(b), highByte(b))
		}
		for i := range b {
			b[i] = 0x80
			if allLow(b) || highByte(b) != i {
				t.Errorf("byte %d of %d: %v, %d", i, n, allLow(b), highByte(b))
			}
			b[i] = 0x7F
		}
	}
}
