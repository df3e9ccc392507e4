package dgt

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// cutAt cuts stream into chunks whose lengths are the bytes of cuts, repeated. A zero is an empty chunk.
func cutAt(stream, cuts []byte) [][]byte {
	if !slices.ContainsFunc(cuts, func(c byte) bool { return c > 0 }) {
		return [][]byte{stream}
	}
	var chunks [][]byte
	for i := 0; len(stream) > 0; i++ {
		n := min(int(cuts[i%len(cuts)]), len(stream))
		chunks = append(chunks, stream[:n])
		stream = stream[n:]
	}
	return chunks
}

// seedStreams uses derived rows only; the recordings stay outside the project.
func seedStreams(f *testing.F) [][]byte {
	var seeds [][]byte
	for _, row := range messageRows() {
		seeds = append(seeds, unhex(f, row.hex))
	}
	return append(seeds,
		unhex(f, "8e 00 8e 00 05 34 00"), unhex(f, "07 07 00 8e 00 05 34 00"),
		unhex(f, "80 80 c0 00 03 8f 3e 03 00 91 00 0c"),
		syntheticStream(30))
}

// FuzzDecoder: every division into chunks gives the same frames and the same account; they equal those of the naive
// decoder; every frame lies at its offset in the stream; every message survives the round trip.
func FuzzDecoder(f *testing.F) {
	for _, s := range seedStreams(f) {
		f.Add(s, []byte{1})
		f.Add(s, []byte{3, 0, 7})
	}
	f.Fuzz(func(t *testing.T, stream, cuts []byte) {
		var whole, cut Decoder
		want := decodeChunks(t, &whole, stream)
		if got := decodeChunks(t, &cut, cutAt(stream, cuts)...); !slices.Equal(got, want) {
			t.Fatalf("cut: %v, whole: %v", got, want)
		}
		if cut.Stats() != whole.Stats() || whole.Stats().Bytes != int64(len(stream)) {
			t.Fatalf("cut: %+v, whole: %+v", cut.Stats(), whole.Stats())
		}
		if naive := decodeNaively(stream); !slices.Equal(naive, want) {
			t.Fatalf("naive: %v, ours: %v", naive, want)
		}

		end := int64(0)
		for _, w := range want {
			raw := append(appendHeader(nil, byte(w.id), headerLen+len(w.data)), w.data...)
			if w.offset < end || !bytes.HasPrefix(stream[w.offset:], raw) {
				t.Fatalf("%v frame does not stand at %d", w.id, w.offset)
			}
			end = w.offset + int64(len(raw))
			checkRoundTrip(t, Frame{ID: w.id, Data: []byte(w.data)})
		}
	})
}

// checkRoundTrip reads the message, writes it, and compares a second reading.
func checkRoundTrip(t *testing.T, f Frame) {
	t.Helper()
	m, err := f.Message()
	if err != nil {
		if f.ID != MsgSerial {
			t.Fatalf("%v frame with a right length: %v", f.ID, err)
		}
		return
	}
	raw := m.AppendTo(nil)
	var d Decoder
	d.Feed(raw)
	back, ok := d.Next()
	if !ok || d.Stats().Garbage != 0 || d.Stats().FrameBytes != int64(len(raw)) {
		t.Fatalf("%v message is not one frame: % x", f.ID, raw)
	}
	again, err := back.Message()
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Fatalf("%v message %+v came back as %+v, %v", f.ID, m, again, err)
	}
}

// FuzzMessage builds frames of the right length for every id, which are rare in arbitrary streams.
func FuzzMessage(f *testing.F) {
	for _, row := range messageRows() {
		raw := unhex(f, row.hex)
		f.Add(raw[0], raw[headerLen:])
	}
	f.Fuzz(func(t *testing.T, id byte, data []byte) {
		data = appendMasked(nil, data)
		s := boardSpans[id&0x7F]
		n := max(len(data), int(s.lo)-headerLen)
		if !s.allows(headerLen + n) {
			n = int(s.hi) - headerLen
		}
		data = append(data, make([]byte, maxFrame)...)[:n]
		if id|0x80 != msgNone {
			checkRoundTrip(t, Frame{ID: ID(id | 0x80), Data: data})
		}
	})
}

// FuzzLog: records and skipped bytes add up to the log, every record is written as it was read, and the result reads
// the same.
func FuzzLog(f *testing.F) {
	for _, hex := range []string{"6f 40 34 51 24 70 04 58 61 29 07 6d 7a 6e 6b", "7f 7f 7f 6a 42 38 43 39", "34 51 24", "00 10 25 3f ff 80", "60 60 00 6f"} {
		f.Add(unhex(f, hex), true)
		f.Add(unhex(f, hex), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, ring bool) {
		s := ScanChanges(data)
		if ring {
			s = ScanLog(data)
		}
		var records []LogRecord
		var written []byte
		rest, skipped := data, 0
		for r, ok := s.Next(); ok; r, ok = s.Next() {
			rest = rest[s.Skipped()-skipped:]
			skipped = s.Skipped()
			raw := r.AppendTo(nil)
			if len(raw) == 0 || !bytes.HasPrefix(rest, raw) {
				t.Fatalf("record %+v is written as % x, stood as % x", r, raw, rest[:min(3, len(rest))])
			}
			rest = rest[len(raw):]
			written = append(written, raw...)
			records = append(records, r)
		}
		if len(written)+s.Skipped() != len(data) {
			t.Fatalf("%d bytes of records and %d skipped, of %d", len(written), s.Skipped(), len(data))
		}
		var again []LogRecord
		s = ScanChanges(written)
		for r, ok := s.Next(); ok; r, ok = s.Next() {
			again = append(again, r)
		}
		if !slices.Equal(again, records) || s.Skipped() != 0 {
			t.Fatalf("read %+v, written and read %+v", records, again)
		}
	})
}

// FuzzBusDecoder: every division into chunks gives the same answers and the same account, and every answer has a
// correct checksum and is written as it was read.
func FuzzBusDecoder(f *testing.F) {
	for _, hex := range []string{
		"87 00 06 08 01 16", "84 00 0d 08 01 00 05 00 10 04 30 13 76", "85 00 0a 08 01 40 34 41 24 71",
		"88 00 06 08 01 17 89 00 08 08 01 01 02 1d", "83 00 46 08 01" + startHex + "7c", "84 00 0d 08 01 00 87 00 06 08 01 17",
		"b1 00 0a 00 01 01 02 7d 01 3d",
	} {
		f.Add(unhex(f, hex), []byte{1})
		f.Add(unhex(f, hex), []byte{2, 5, 0})
	}
	f.Fuzz(func(t *testing.T, stream, cuts []byte) {
		decode := func(chunks ...[]byte) ([]string, Stats) {
			var d BusDecoder
			var got []string
			for _, c := range chunks {
				d.Feed(c)
				for r, ok := d.Next(); ok; r, ok = d.Next() {
					raw := r.AppendTo(nil)
					if !bytes.HasPrefix(stream[r.Offset:], raw) {
						t.Fatalf("%v is written as % x, stood as % x", r.ID, raw, stream[r.Offset:])
					}
					got = append(got, fmt.Sprintf("%d %x", r.Offset, raw))
				}
				_, n := d.Pending()
				if s := d.Stats(); s.Bytes != s.FrameBytes+s.Garbage+int64(n) {
					t.Fatalf("account is off: %+v and %d pending", s, n)
				}
			}
			return got, d.Stats()
		}
		want, wantStats := decode(stream)
		if got, stats := decode(cutAt(stream, cuts)...); !slices.Equal(got, want) || stats != wantStats {
			t.Fatalf("cut: %v %+v, whole: %v %+v", got, stats, want, wantStats)
		}
	})
}

// FuzzCommandDecoder: every division into chunks gives the same orders and the same account, and every command is read
// back from its own bytes.
func FuzzCommandDecoder(f *testing.F) {
	for _, row := range commandRows {
		f.Add(unhex(f, row.hex), []byte{1})
	}
	for _, hex := range []string{"87 00 00 07 82 08 01 0b 42", "4b ff 42 41 42 4b", "40 83 08 01 0c 83 08 01 0c", "2b 03 03 09 01 42 2b 00 40"} {
		f.Add(unhex(f, hex), []byte{3, 0, 1})
	}
	f.Fuzz(func(t *testing.T, stream, cuts []byte) {
		hear := func(chunks ...[]byte) ([]string, Stats, Mode) {
			var d CommandDecoder
			var got []string
			for _, c := range chunks {
				d.Feed(c)
				for o, ok := d.Next(); ok; o, ok = d.Next() {
					got = append(got, describe(o))
					checkHeardAgain(t, o.Command)
				}
				if s := d.Stats(); s.Bytes != s.FrameBytes+s.Garbage+int64(d.Pending()) {
					t.Fatalf("account is off: %+v and %d pending", s, d.Pending())
				}
			}
			return got, d.Stats(), d.Mode()
		}
		want, wantStats, wantMode := hear(stream)
		if got, stats, mode := hear(cutAt(stream, cuts)...); !slices.Equal(got, want) || stats != wantStats || mode != wantMode {
			t.Fatalf("cut: %q %+v %v, whole: %q %+v %v", got, stats, mode, want, wantStats, wantMode)
		}
	})
}

func checkHeardAgain(t *testing.T, c Command) {
	t.Helper()
	if c == nil {
		return
	}
	var d CommandDecoder
	d.Feed(c.AppendTo(nil))
	if o, ok := d.Next(); !ok || !reflect.DeepEqual(o.Command, c) || d.Stats().Garbage != 0 {
		t.Fatalf("%v came back as %v, %v", c, o.Command, ok)
	}
}

// FuzzCheckCommand: a board reads bytes that may be sent as whole commands, none of them dangerous, without a rest; and
// a Writer agrees.
func FuzzCheckCommand(f *testing.F) {
	for _, row := range commandRows {
		f.Add(unhex(f, row.hex))
	}
	for _, hex := range []string{"4e", "42 54", "2b 03 03 89 00", "87 00 00 07", "60 7f 00"} {
		f.Add(unhex(f, hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if CheckCommand(b) != nil {
			return
		}
		var d CommandDecoder
		d.Feed(b)
		for o, ok := d.Next(); ok; o, ok = d.Next() {
			switch c := o.Command.(type) {
			case nil, BusCommand:
				t.Fatalf("% x is heard as a bus command", b)
			case Short:
				if c.Dangerous() {
					t.Fatalf("% x is heard as %v", b, c)
				}
			}
			if err := NewWriter(new(bytes.Buffer)).Send(o.Command); err != nil {
				t.Fatalf("%v was let through in % x: %v", o.Command, b, err)
			}
		}
		if s := d.Stats(); s.Garbage != 0 || d.Pending() != 0 {
			t.Fatalf("% x leaves %d bytes pending and %d unheard", b, d.Pending(), s.Garbage)
		}
	})
}
