package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
)

// book is a journal in memory: its lines, one by one.
type book struct {
	lines [][]byte
	chain record.Chain
	next  record.Seq
}

func (b *book) add(k record.Kind, body string) {
	b.next++
	r := record.Record{Seq: b.next, At: int64(b.next) * 1000, Kind: k, Body: []byte(body)}
	line, chain := record.AppendLine(nil, r, b.chain)
	b.chain = chain
	b.lines = append(b.lines, line)
}

// game returns a book of n records, the first an open record.
func game(n int) *book {
	b := &book{}
	b.add(record.Open, `{"format":1}`)
	for len(b.lines) < n {
		if len(b.lines)%5 == 4 {
			b.add(record.Say, `{"type":"press","side":"white"}`)
		} else {
			b.add(record.Rx, "\x8d\x00\x0a\x20\x03\x02\x20\x03\x02\x08")
		}
	}
	return b
}

func (b *book) bytes(from, to int) []byte { return bytes.Join(b.lines[from:to], nil) }

// outcome is the result of a reader.
type outcome struct {
	seqs    []record.Seq
	verdict Verdict
	damage  []Damage
	err     error
}

func readAll(r *Reader) (o outcome) {
	for {
		rec, err := r.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				o.err = err
			}
			o.verdict, o.damage = r.Verdict(), r.Damage()
			return o
		}
		o.seqs = append(o.seqs, rec.Seq)
	}
}

func readBytes(data []byte) outcome { return readAll(NewReader(bytes.NewReader(data))) }

// span1 returns 1, 2 … n without those given.
func span1(n int, without ...record.Seq) (s []record.Seq) {
	for i := range record.Seq(n) {
		if !slices.Contains(without, i+1) {
			s = append(s, i+1)
		}
	}
	return s
}

func TestTheVerdictSaysHowAStreamEnds(t *testing.T) {
	b := game(20)
	b.add(record.Close, `{"reason":"stop"}`)
	nuls := make([]byte, 300)
	swap := game(20)
	swap.lines[7], swap.lines[8] = swap.lines[8], swap.lines[7]
	forged := game(20)
	other := record.Record{Seq: 10, At: 10_000, Kind: record.Rx, Body: []byte{1}}
	forged.lines[9], _ = record.AppendLine(nil, other, record.Chain{1})
	early := game(5)
	early.next = 5
	back, _ := record.AppendLine(nil, record.Record{Seq: 6, At: 4000, Kind: record.Wake}, early.chain)

	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	tests := []struct {
		claim   string
		data    []byte
		verdict Verdict
		seqs    []record.Seq
		causes  []Cause
	}{
		{"nothing at all is unclosed", nil, Unclosed, nil, nil},
		{"a close record at the end", b.bytes(0, 21), Closed, span1(21), nil},
		{"no close record", b.bytes(0, 20), Unclosed, span1(20), nil},
		{"cut in a line", b.bytes(0, 21)[:len(b.bytes(0, 20))+10], Torn, span1(20), []Cause{TornTail}},
		{"cut in the first line", b.lines[0][:10], Torn, nil, []Cause{TornTail}},
		{"cut before the last newline: the record is there", b.bytes(0, 21)[:len(b.bytes(0, 21))-1], Torn, span1(21), []Cause{TornTail}},
		{"a tail of NUL bytes", join(b.bytes(0, 20), nuls), Torn, span1(20), []Cause{TornTail}},
		{"half a line, then NUL bytes", join(b.bytes(0, 20), b.lines[20][:9], nuls), Torn, span1(20), []Cause{TornTail}},
		{"nothing but NUL bytes", nuls, Torn, nil, []Cause{TornTail}},
		{"NUL bytes where a page is missing in the tail", join(b.bytes(0, 19), nuls, []byte("8 aa\n")), Torn, span1(19), []Cause{TornTail}},
		{"NUL bytes before good lines", join(b.bytes(0, 5), nuls, b.bytes(8, 20)), Corrupt, span1(20, 6, 7, 8), []Cause{BadLines}},
		{"a bad line at the end", join(b.bytes(0, 20), []byte("21 21000 wake - 00 00\n")), Corrupt, span1(20), []Cause{BadLines}},
		{"an empty line", join(b.bytes(0, 5), []byte("\n"), b.bytes(5, 20)), Corrupt, span1(20), []Cause{BadLines}},
		{"two empty lines are one damage", join(b.bytes(0, 5), []byte("\n\n"), b.bytes(5, 20)), Corrupt, span1(20), []Cause{BadLines}},
		{"carriage returns", []byte(strings.ReplaceAll(string(b.bytes(0, 3)), "\n", "\r\n")), Corrupt, span1(3), []Cause{BadLines, BadLines, BadLines}},
		{"lines removed", join(b.bytes(0, 5), b.bytes(9, 20)), Corrupt, span1(20, 6, 7, 8, 9), []Cause{Hole}},
		{"a line repeated", join(b.bytes(0, 5), b.lines[2], b.bytes(5, 20)), Corrupt, span1(20), []Cause{OutOfOrder}},
		{"two lines exchanged", swap.bytes(0, 20), Corrupt, span1(20, 8), []Cause{Hole, OutOfOrder}},
		{"a line of somebody else with a good checksum", forged.bytes(0, 20), Corrupt, span1(20), []Cause{ChainBreak, ChainBreak}},
		{"time that runs backwards", join(early.bytes(0, 5), back), Corrupt, span1(6), []Cause{TimeBackwards}},
		{"a segment alone", b.bytes(9, 21), Closed, span1(21, 1, 2, 3, 4, 5, 6, 7, 8, 9), nil},
		{"two lines without a newline between", join(b.bytes(0, 5)[:len(b.bytes(0, 5))-1], []byte("J"), b.bytes(5, 20)), Corrupt, span1(20), []Cause{BadLines}},
		{"another text", []byte("[Event \"?\"]\n1. e4 e5\n"), Corrupt, nil, []Cause{BadLines}},
		{"a line longer than allowed", join(b.bytes(0, 5), bytes.Repeat([]byte("x"), 3*record.MaxLine), []byte("\n"), b.bytes(5, 20)), Corrupt, span1(20), []Cause{BadLines}},
		{"an unending line at the end", join(b.bytes(0, 5), bytes.Repeat([]byte("x"), 3*record.MaxLine)), Torn, span1(5), []Cause{TornTail}},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			o := readBytes(tt.data)
			var causes []Cause
			for _, d := range o.damage {
				causes = append(causes, d.Cause)
			}
			if o.verdict != tt.verdict || o.err != nil || !slices.Equal(o.seqs, tt.seqs) || !slices.Equal(causes, tt.causes) {
				t.Errorf("verdict %s, error %v, records %v, damage %v; expected %s %v %v", o.verdict, o.err, o.seqs, o.damage, tt.verdict, tt.seqs, tt.causes)
			}
			for _, chunked := range []io.Reader{iotest.OneByteReader(bytes.NewReader(tt.data)), iotest.DataErrReader(bytes.NewReader(tt.data))} {
				if len(tt.data) > 1<<20 {
					break
				}
				if again := readAll(NewReader(chunked)); again.verdict != o.verdict || !slices.Equal(again.seqs, o.seqs) || !slices.Equal(again.damage, o.damage) {
					t.Errorf("read in other chunks: %s %v %v", again.verdict, again.seqs, again.damage)
				}
			}
		})
	}
}

func TestDamageNamesItsPlaceAndWhatItCost(t *testing.T) {
	b := game(20)
	data := append(b.bytes(0, 5), "garbage\nmore\n"...)
	data = append(data, b.bytes(7, 20)...)
	o := readBytes(data)
	want := Damage{Line: 6, Lines: 2, Offset: int64(len(b.bytes(0, 5))), Bytes: 12, Cause: BadLines,
		Problem: "line at byte 7: 7 bytes are too few for a record", From: 6, To: 7}
	if len(o.damage) != 1 || o.damage[0] != want {
		t.Errorf("%+v; expected %+v", o.damage, want)
	}
	text := want
	text.Segment = "b.bwj"
	if got := text.String(); got != fmt.Sprintf("b.bwj lines 6 to 7 (byte %d): bad lines: %s; lost: records 6 to 7", want.Offset, want.Problem) {
		t.Error(got)
	}
}

func TestAnUnreadableFileIsAnErrorAfterWhatWasRead(t *testing.T) {
	b := game(20)
	src := io.MultiReader(bytes.NewReader(b.bytes(0, 10)), iotest.ErrReader(errSim))
	o := readAll(NewReader(src))
	if !errors.Is(o.err, errSim) || len(o.seqs) != 10 || o.verdict != Corrupt || o.damage[0].Cause != Unreadable {
		t.Errorf("%+v", o)
	}
}

// writeFiles writes segments into a directory.
func writeFiles(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSegmentsAreReadAsOneJournal(t *testing.T) {
	b := game(10)
	b.add(record.Close, `{"reason":"rotate"}`) // 11
	b.add(record.Open, `{"segment":2}`)
	for range 8 {
		b.add(record.Rx, "\x8e\x00\x05\x34\x00")
	} // 20
	b.add(record.Open, `{"segment":3}`)
	b.add(record.Close, `{"reason":"stop"}`) // 22
	one, two, three := b.bytes(0, 11), b.bytes(11, 20), b.bytes(20, 22)
	trashed := append(bytes.Clone(b.bytes(11, 14)), "trash\n\x00\x01"...)
	foreign := game(9).bytes(0, 9)
	foreign = append([]byte(nil), foreign...)
	strange := &book{chain: record.Chain{9}}
	strange.add(record.Open, `{"strange":true}`)
	strange.add(record.Wake, "")

	fork := &book{next: 9, chain: game(9).chain} // differs after record 9
	fork.add(record.Open, `{"fork":true}`)
	fork.add(record.Wake, "")

	tests := []struct {
		claim   string
		files   map[string][]byte
		path    string
		verdict Verdict
		seqs    []record.Seq
		causes  []Cause
	}{
		{"in order", map[string][]byte{"b.bwj": one, "b.2.bwj": two, "b.3.bwj": three}, "b.bwj", Closed, span1(22), nil},
		{"whichever file is named", map[string][]byte{"b.bwj": one, "b.2.bwj": two, "b.3.bwj": three}, "b.3.bwj", Closed, span1(22), nil},
		{"another journal beside it, and the next segment not there", map[string][]byte{"b.bwj": one, "bb.bwj": two, "b-2.bwj": two, "b.2.txt": two}, "b.bwj", Unclosed, span1(11), nil},
		{"a torn segment that another one continues", map[string][]byte{"b.bwj": one, "b.2.bwj": append(bytes.Clone(two), "21 2"...), "b.3.bwj": three},
			"b.bwj", Closed, span1(22), []Cause{TornTail}},
		{"a torn last segment", map[string][]byte{"b.bwj": one, "b.2.bwj": two[:len(two)-3]}, "b.bwj", Torn, span1(19), []Cause{TornTail}},
		{"an empty last segment", map[string][]byte{"b.bwj": one, "b.2.bwj": nil}, "b.bwj", Unclosed, span1(11), nil},
		{"an empty segment in the middle", map[string][]byte{"b.bwj": one, "b.2.bwj": nil, "b.3.bwj": b.bytes(11, 22)}, "b.bwj", Closed, span1(22), nil},
		{"a missing middle segment", map[string][]byte{"b.bwj": one, "b.3.bwj": three}, "b.bwj", Corrupt, span1(22, 12, 13, 14, 15, 16, 17, 18, 19, 20),
			[]Cause{MissingSegment, Hole}},
		{"a segment whose records are all in the next one", map[string][]byte{"b.bwj": one, "b.3.bwj": b.bytes(11, 22)}, "b.bwj", Closed, span1(22), nil},
		{"the same from the beginning", map[string][]byte{"b.3.bwj": b.bytes(0, 22)}, "b.3.bwj", Closed, span1(22), nil},
		{"a missing first segment", map[string][]byte{"b.2.bwj": two, "b.3.bwj": three}, "b.2.bwj", Corrupt, span1(22, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
			[]Cause{MissingSegment}},
		{"records missing between segments", map[string][]byte{"b.bwj": b.bytes(0, 9), "b.2.bwj": b.bytes(11, 22)}, "b.bwj", Corrupt, span1(22, 10, 11), []Cause{Hole}},
		{"a segment that begins in the middle", map[string][]byte{"b.bwj": b.bytes(3, 22)}, "b.bwj", Corrupt, span1(22, 1, 2, 3), []Cause{Hole}},
		{"records written again after a failure", map[string][]byte{"b.bwj": one, "b.2.bwj": b.bytes(11, 17), "b.3.bwj": b.bytes(14, 22)},
			"b.bwj", Closed, span1(22), nil},
		{"trash after what was written again", map[string][]byte{"b.bwj": one, "b.2.bwj": trashed, "b.3.bwj": b.bytes(14, 22)},
			"b.bwj", Closed, span1(22), []Cause{TornTail}},
		{"a record lost before what was written again is found there",
			map[string][]byte{"b.bwj": one, "b.2.bwj": append(append(bytes.Clone(b.bytes(11, 13)), "xx\n"...), b.bytes(14, 18)...), "b.3.bwj": b.bytes(13, 22)},
			"b.bwj", Closed, span1(22), []Cause{TornTail}},
		{"all of a segment written again twice", map[string][]byte{"b.bwj": b.bytes(0, 4), "b.2.bwj": b.bytes(0, 6), "b.3.bwj": b.bytes(0, 22)},
			"b.bwj", Closed, span1(22), nil},
		{"a segment of another journal hides nothing", map[string][]byte{"b.bwj": one, "b.2.bwj": strange.bytes(0, 2)}, "b.bwj", Corrupt, span1(11),
			[]Cause{OutOfOrder}},
		{"two ways to go on from one record", map[string][]byte{"b.bwj": b.bytes(0, 10), "b.2.bwj": fork.bytes(0, 2)}, "b.bwj", Corrupt, span1(11),
			[]Cause{LeftOut}},
		{"a copy of the first segment", map[string][]byte{"b.bwj": b.bytes(0, 10), "b.2.bwj": foreign}, "b.bwj", Unclosed, span1(9), nil},
		{"a name that is no segment's is read alone", map[string][]byte{"b.bwj": one, "upload": two}, "upload", Unclosed, span1(20)[11:], nil},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			r, err := Open(filepath.Join(writeFiles(t, tt.files), tt.path))
			if err != nil {
				t.Fatal(err)
			}
			o := readAll(r)
			var causes []Cause
			for _, d := range o.damage {
				causes = append(causes, d.Cause)
			}
			if o.verdict != tt.verdict || o.err != nil || !slices.Equal(o.seqs, tt.seqs) || !slices.Equal(causes, tt.causes) {
				t.Errorf("verdict %s, error %v, records %v, damage %v; expected %s %v %v", o.verdict, o.err, o.seqs, o.damage, tt.verdict, tt.seqs, tt.causes)
			}
		})
	}
}

func TestAGapThatTheWriterAnnouncedIsNoDamage(t *testing.T) {
	b := game(10)
	b.next = 29 // 11 to 29 were dropped, 30 is the note
	b.add(record.Gap, `{"cause":"full","from":11,"to":30}`)
	b.add(record.Wake, "")
	if o := readBytes(b.bytes(0, 12)); o.verdict != Unclosed || len(o.damage) > 0 || o.seqs[11] != 31 {
		t.Errorf("%+v", o)
	}
	b = game(10)
	b.next = 29
	b.add(record.Gap, `{"cause":"full","from":12,"to":30}`)
	if o := readBytes(b.bytes(0, 11)); o.verdict != Corrupt || o.damage[0].From != 11 || o.damage[0].To != 29 {
		t.Errorf("a gap record that begins elsewhere: %+v", o)
	}
}

func TestAReaderCanBeLeftEarly(t *testing.T) {
	dir := writeFiles(t, map[string][]byte{"b.2.bwj": game(20).bytes(1, 20)})
	r, err := Open(filepath.Join(dir, "b.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil || r.Verdict() != Corrupt || !slices.Equal(r.Missing(), []int{1}) || r.Last().Segment != 2 {
		t.Errorf("%v, %s, missing %v, %+v", err, r.Verdict(), r.Missing(), r.Last())
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if _, err := r.Next(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestAMillionBadLinesAreCountedAndNotKept(t *testing.T) {
	line := string(game(1).bytes(0, 1))
	var b strings.Builder
	for range 3000 {
		b.WriteString(line + "x\n")
	}
	r := NewReader(strings.NewReader(b.String()))
	if o := readAll(r); len(o.seqs) != 1 || len(o.damage) != maxDamage || r.DamageCount() < 3000 {
		t.Errorf("%d records, %d damages of %d kept", len(o.seqs), len(o.damage), r.DamageCount())
	}
}

func TestOpenSaysWhatIsNotThere(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "b.bwj")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	b := game(12)
	b.add(record.Close, `{"reason":"stop"}`)
	whole := b.bytes(0, 13)
	f.Add(whole, uint(0), byte(0), 0)
	f.Add(whole, uint(100), byte(1), 300)
	f.Add(whole, uint(300), byte(8), 500)
	f.Add([]byte("1 0 up - \n\n\x00"), uint(0), byte(0), 0)
	f.Fuzz(func(t *testing.T, data []byte, at uint, flip byte, cut int) {
		if len(data) > 0 {
			data[at%uint(len(data))] ^= flip
		}
		if cut > 0 && cut < len(data) {
			data = append(bytes.Clone(data[cut:]), data[:cut]...)
		}
		r := NewReader(bytes.NewReader(data))
		var last record.Seq
		for n := 0; ; n++ {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil || n > len(data)/50 {
				t.Fatalf("record %d of %d bytes: %v", n, len(data), err)
			}
			line, _ := record.AppendLine(nil, rec, record.Chain{})
			head := line[:len(line)-1-8-1-32]
			if rec.Seq <= last || !bytes.Contains(data, head) {
				t.Fatalf("record %d after %d was invented: %q", rec.Seq, last, head)
			}
			last = rec.Seq
		}
		var bad int64
		for _, d := range r.Damage() {
			bad += d.Bytes
			if d.Offset < 0 || d.Offset > int64(len(data)) || d.Cause == NoCause {
				t.Fatalf("%+v in %d bytes", d, len(data))
			}
		}
		if v := r.Verdict(); v == NoVerdict || (v == Corrupt || v == Torn) != (r.DamageCount() > 0) {
			t.Fatalf("verdict %s with %d damages", v, r.DamageCount())
		}
		again := readAll(NewReader(iotest.HalfReader(bytes.NewReader(data))))
		if again.verdict != r.Verdict() || !slices.Equal(again.damage, r.Damage()) {
			t.Fatalf("in other chunks: %v %v, then %v %v", r.Verdict(), r.Damage(), again.verdict, again.damage)
		}
	})
}

// TestATailThatIsMissingOrDoubled: every line is good in a journal whose last segment was removed or copied.
func TestATailThatIsMissingOrDoubled(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "b", Options{SegmentBytes: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for n := int64(0); w.Stats().Segments < 3; n++ {
		if _, err := w.Append(n, record.Rx, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	mustDo(t, w.Close(1<<40, "stop"))
	look := func(want Verdict, goesOn bool, copies ...string) {
		t.Helper()
		r, err := Open(filepath.Join(dir, "b.bwj"))
		if err != nil {
			t.Fatal(err)
		}
		o := readAll(r)
		same, err := r.Copies()
		if o.verdict != want || len(o.damage) > 0 || r.GoesOn() != goesOn || !slices.Equal(same, copies) || err != nil {
			t.Errorf("%v %v, goes on %v, copies %v, %v", o.verdict, o.damage, r.GoesOn(), same, err)
		}
	}
	third := filepath.Join(dir, "b.3.bwj")
	look(Closed, false)
	body, err := os.ReadFile(third)
	mustDo(t, err)
	mustDo(t, os.WriteFile(filepath.Join(dir, "b.4.bwj"), body, 0o600))
	look(Closed, false, "b.4.bwj")
	mustDo(t, os.Remove(filepath.Join(dir, "b.4.bwj")))
	mustDo(t, os.Remove(third))
	look(Unclosed, true)
}

// A disk that fails repeatedly leaves identical segments: none of them was put there by a person, whatever record it
// begins with.
func TestCopiesOfADiskThatFails(t *testing.T) {
	for _, begins := range []record.Kind{record.Rx, record.Open} {
		b := game(40)
		n := len(b.lines)
		b.add(begins, map[record.Kind]string{record.Rx: "\x01", record.Open: `{"format":1}`}[begins])
		b.add(record.Wake, "")
		failed := b.bytes(n, len(b.lines))
		b.add(record.Open, `{"format":1,"cause":"journal: the disk failed"}`)
		b.add(record.Close, `{"reason":"stop"}`)
		dir := t.TempDir()
		for i, text := range [][]byte{b.bytes(0, n), failed, failed, failed, b.bytes(n, len(b.lines))} {
			mustDo(t, os.WriteFile(filepath.Join(dir, SegmentName("b", i+1)), text, 0o600))
		}
		look := func(copies int) {
			t.Helper()
			r, err := Open(filepath.Join(dir, "b.bwj"))
			if err != nil {
				t.Fatal(err)
			}
			o := readAll(r)
			if same, err := r.Copies(); len(same) != copies || err != nil || o.verdict == Corrupt {
				t.Errorf("begins with %v: %v, copies %v, want %d, %v", begins, o.verdict, same, copies, err)
			}
		}
		look(0)
		mustDo(t, os.Remove(filepath.Join(dir, SegmentName("b", 5))))
		look(map[record.Kind]int{record.Open: 2}[begins])
	}
}

// TestACopyHidesNothing: somebody copied the second segment and gave the copy the next free number.
func TestACopyHidesNothing(t *testing.T) {
	b := game(10)
	ends := []int{len(b.lines)}
	for range 2 {
		b.add(record.Open, `{"format":1}`)
		for range 5 {
			b.add(record.Wake, "")
		}
		b.add(record.Close, `{"reason":"stop"}`)
		ends = append(ends, len(b.lines))
	}
	one, two, three := b.bytes(0, ends[0]), b.bytes(ends[0], ends[1]), b.bytes(ends[1], ends[2])
	dir := t.TempDir()
	for i, text := range [][]byte{one, two, three, two} {
		mustDo(t, os.WriteFile(filepath.Join(dir, SegmentName("b", i+1)), text, 0o600))
	}
	r, err := Open(filepath.Join(dir, "b.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	o := readAll(r)
	if len(o.seqs) != len(b.lines) || o.verdict != Closed {
		t.Errorf("%d records of %d, %v, %v", len(o.seqs), len(b.lines), o.verdict, o.damage)
	}
	if same, err := r.Copies(); err != nil || !slices.Equal(same, []string{"b.4.bwj"}) {
		t.Errorf("copies %v, %v", same, err)
	}
}

// TestACopyHidesNoMissingSegment: the copy stands between the last segment and the number of one that is not there.
func TestACopyHidesNoMissingSegment(t *testing.T) {
	b := game(10)
	ends := []int{len(b.lines)}
	for range 2 {
		b.add(record.Open, `{"format":1}`)
		b.add(record.Close, `{"reason":"stop"}`)
		ends = append(ends, len(b.lines))
	}
	two := b.bytes(ends[0], ends[1])
	dir := t.TempDir()
	for number, text := range map[int][]byte{1: b.bytes(0, ends[0]), 2: two, 3: b.bytes(ends[1], ends[2]), 6: two} {
		mustDo(t, os.WriteFile(filepath.Join(dir, SegmentName("b", number)), text, 0o600))
	}
	r, err := Open(filepath.Join(dir, "b.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	o := readAll(r)
	missing := slices.DeleteFunc(o.damage, func(d Damage) bool { return d.Cause != MissingSegment })
	if len(o.seqs) != len(b.lines) || o.verdict != Corrupt || len(missing) != 2 {
		t.Errorf("%d records of %d, %v, missing %v", len(o.seqs), len(b.lines), o.verdict, missing)
	}
}

// brokenSyncs is a disk whose first syncs of a file fail.
type brokenSyncs struct {
	osDisk
	left *int // number of failures left
}

func (d brokenSyncs) Create(path string) (DiskFile, error) {
	f, err := d.osDisk.Create(path)
	return brokenFile{f, d.left}, err
}

type brokenFile struct {
	DiskFile
	left *int
}

func (f brokenFile) Sync() error {
	if *f.left > 0 {
		*f.left--
		return errSim
	}
	return f.DiskFile.Sync()
}

// TestRecordsWrittenAgainTwiceAreNoCopy: consecutive failed syncs leave identical segments that no person has put
// there.
func TestRecordsWrittenAgainTwiceAreNoCopy(t *testing.T) {
	dir, left := t.TempDir(), 4
	w, err := Create(dir, "b", Options{Disk: brokenSyncs{left: &left}})
	mustDo(t, err)
	for n := range int64(2) {
		seq, err := w.Append(n, record.Rx, make([]byte, 100))
		mustDo(t, err)
		mustDo(t, w.WaitDurable(sharedtest.Context(t), seq))
	}
	mustDo(t, w.Close(1<<40, "stop"))
	if n := w.Stats().Segments; n != 5 {
		t.Fatalf("%d segments", n)
	}
	r, err := Open(filepath.Join(dir, "b.bwj"))
	mustDo(t, err)
	o := readAll(r)
	if same, err := r.Copies(); o.verdict != Closed || len(o.damage) > 0 || len(same) > 0 || err != nil {
		t.Errorf("%v %v, copies %v, %v", o.verdict, o.damage, same, err)
	}
}
