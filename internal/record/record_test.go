package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The two lines of the package documentation.
func ExampleAppendLine() {
	var chain Chain
	var lines []byte
	lines, chain = AppendLine(lines, Record{Seq: 1, At: 0, Kind: Open, Body: []byte(`{"format":1}`)}, chain)
	lines, _ = AppendLine(lines, Record{Seq: 2, At: 1500, Kind: Rx, Body: []byte{0x8e, 0x00, 0x05, 0x34, 0x00}}, chain)
	fmt.Print(string(lines))
	// Output:
	// 1 0 open {"format":1} 8c6aaa57f88b8c482aa2d218286bb69f ee9d0324
	// 2 1500 rx 8e00053400 e39af75ab6c68dcb9d4b9f713db9bc1c df4b51c9
}

var samples = []Record{
	{Seq: 1, At: 0, Kind: Open, Body: []byte(`{"format":1,"board":"Brett 3 — Zürich"}`)},
	{Seq: 2, At: 0, Kind: Up},
	{Seq: 3, At: 1, Kind: Rx, Body: []byte{0}},
	{Seq: 4, At: 1, Kind: Tx, Body: []byte{0x4b}},
	{Seq: 5, At: 999_999, Kind: Say, Body: []byte(`{}`)},
	{Seq: 6, At: 1_000_000, Kind: Wake},
	{Seq: 7, At: 1_000_000, Kind: Wall, Body: []byte(`{"wall":"2026-11-21T09:00:00Z"}`)},
	{Seq: 8, At: 1 << 62, Kind: Down, Body: []byte(`{"cause":"end of file"}`)},
	{Seq: 1<<63 - 1, At: 1<<63 - 1, Kind: Gap},
	{Seq: 10, At: 3, Kind: Decide, Body: []byte(`{"a":"- 1 0 rx"}`)},
	{Seq: 11, At: 3, Kind: Instruct, Body: []byte(`{"a":" b  c "}`)},
	{Seq: 12, At: 3, Kind: Close, Body: []byte(`{"reason":"stop"}`)},
	{Seq: 13, At: 3, Kind: Rx, Body: bytes.Repeat([]byte{0x8d, 0xff}, 5000)},
}

func TestEveryKindGoesThereAndBack(t *testing.T) {
	var prev Chain
	for _, want := range samples {
		if err := want.Check(); err != nil {
			t.Fatalf("%s: %v", want.Kind, err)
		}
		line, chain := AppendLine(nil, want, prev)
		if len(line) > want.LineSize() {
			t.Errorf("%s: the line has %d bytes, LineSize says %d", want.Kind, len(line), want.LineSize())
		}
		body := bytes.TrimSuffix(line, []byte("\n"))
		got, gotChain, err := parseLine(body)
		if err != nil {
			t.Fatalf("%s: %v", want.Kind, err)
		}
		if got.Seq != want.Seq || got.At != want.At || got.Kind != want.Kind || !bytes.Equal(got.Body, want.Body) || gotChain != chain {
			t.Errorf("wrote %+v %s, read %+v %s", want, chain, got, gotChain)
		}
		if err := Verify(body, prev); err != nil {
			t.Errorf("%s: %v", want.Kind, err)
		}
		other := prev
		other[15] ^= 1
		if err := Verify(body, other); err == nil {
			t.Errorf("%s: a foreign predecessor was accepted", want.Kind)
		}
		prev = chain
	}
}

// relabel gives a line a matching checksum, so that faults elsewhere are found.
func relabel(line string) string {
	fresh, _ := AppendLine(nil, Record{Seq: 1, Kind: Up}, Chain{})
	chain := string(fresh[len("1 0 up -") : len("1 0 up -")+1+chainText])
	return withCRC(line + chain)
}

func withCRC(s string) string {
	crc := ^uint32(0)
	for i := range len(s) {
		crc = castagnoli[byte(crc)^s[i]] ^ crc>>8
	}
	return fmt.Sprintf("%s %08x", s, ^crc)
}

func TestALineThatIsNotCanonicalIsRefusedWithItsPlace(t *testing.T) {
	good := relabel("1 0 up -")
	if _, _, err := parseLine([]byte(good)); err != nil {
		t.Fatalf("the test's own line: %v", err)
	}
	tests := []struct {
		claim, line string
		field       string
		offset      int
	}{
		{"empty", "", "line", 0},
		{"newline included", good + "\n", "crc", len(good)},
		{"one byte missing at the end", good[:len(good)-1], "line", len(good) - 1},
		{"checksum in upper case", good[:len(good)-8] + strings.ToUpper("abcdef01"), "crc", len(good) - 8},
		{"checksum of something else", good[:len(good)-8] + "00000000", "crc", len(good) - 8},
		{"chain in upper case", withCRC("1 0 up - " + strings.Repeat("A", 32)), "chain", 9},
		{"no space before the chain", withCRC("1 0 up --" + strings.Repeat("a", 32)), "chain", 8},
		{"number zero", relabel("0 0 up -"), "seq", 0},
		{"number with a sign", relabel("+1 0 up -"), "seq", 0},
		{"number with a leading zero", relabel("01 0 up -"), "seq", 0},
		{"number of 64 bits", relabel("9223372036854775808 0 up -"), "seq", 0},
		{"number of hundred digits", relabel(strings.Repeat("9", 100) + " 0 up -"), "seq", 0},
		{"no number", relabel(" 1 0 up -"), "seq", 0},
		{"time before the beginning", relabel("1 -1 up -"), "at", 2},
		{"time with a leading zero", relabel("1 00 up -"), "at", 2},
		{"time missing", relabel("1 up - - -"), "at", 2},
		{"two spaces", relabel("1  0 up -"), "at", 2},
		{"kind of a later version", relabel("1 0 sleep -"), "kind", 4},
		{"kind in upper case", relabel("1 0 UP -"), "kind", 4},
		{"kind none", relabel("1 0 none -"), "kind", 4},
		{"ends after the kind", relabel("1 0 instruct"), "kind", 12},
		{"ends after the time", relabel("1 12345678"), "at", 10},
		{"body left out", relabel("1 0 wake "), "body", 9},
		{"odd digits", relabel("1 0 rx 8e0"), "body", 10},
		{"upper-case digits", relabel("1 0 rx 8E00"), "body", 8},
		{"spaces between digits", relabel("1 0 rx 8e 00 "), "body", 9},
		{"text that is no object", relabel("1 0 say [1]"), "body", 8},
		{"text that does not end", relabel(`1 0 say {"a"`), "body", 11},
		{"text of one brace", relabel("1 0 say {"), "body", 8},
		{"a tab in the text", relabel("1 0 say {\t}"), "body", 9},
		{"delete in the text", relabel("1 0 say {\x7f}"), "body", 9},
		{"half a letter in the text", relabel("1 0 say {\"é\xc3\"}"), "body", 12},
		{"a second space before the chain", relabel("1 0 up - "), "body", 7},
		{"longer than the limit", relabel("1 0 rx " + strings.Repeat("00", MaxLine/2)), "line", MaxLine},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			r, _, err := parseLine([]byte(tt.line))
			var pe *ParseError
			if !errors.As(err, &pe) {
				t.Fatalf("error %v, record %+v; a ParseError is expected", err, r)
			}
			if pe.Field != tt.field || pe.Offset != tt.offset {
				t.Errorf("%v; field %s at byte %d is expected", err, tt.field, tt.offset)
			}
		})
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	line, _ := AppendLine(nil, samples[0], Chain{})
	line = line[:len(line)-1]
	for bit := range 8 * len(line) {
		bad := bytes.Clone(line)
		bad[bit/8] ^= 1 << (bit % 8)
		if _, _, err := parseLine(bad); err == nil {
			t.Errorf("bit %d: %s was accepted", bit, bad)
		}
	}
}

func TestCheckNamesWhatCannotBeWritten(t *testing.T) {
	tests := []struct {
		r    Record
		want string
	}{
		{Record{Seq: 0, Kind: Up}, "sequence numbers begin at 1"},
		{Record{Seq: 1, At: -1, Kind: Up}, "before the journal's beginning"},
		{Record{Seq: 1}, "none is not a kind"},
		{Record{Seq: 1, Kind: 200}, "Kind(200) is not a kind"},
		{Record{Seq: 1, Kind: Rx, Body: make([]byte, MaxLine/2)}, "does not fit a line"},
		{Record{Seq: 1, Kind: Say, Body: []byte("hello")}, "begins with {"},
		{Record{Seq: 1, Kind: Say, Body: []byte("{\n}")}, "byte 1: control characters"},
		{Record{Seq: 1, Kind: Say, Body: []byte("{\"é\xff\"}")}, "byte 4: not valid UTF-8"},
	}
	for _, tt := range tests {
		if err := tt.r.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; %q is expected", tt.r.Kind, err, tt.want)
		}
	}
}

func TestInputsAndEffectsAreDistinguished(t *testing.T) {
	var inputs, effects string
	for k := Open; k.Valid(); k++ {
		if k.Input() {
			inputs += " " + k.String()
		} else {
			effects += " " + k.String()
		}
	}
	if inputs != " open rx up down wake gap late wall decide instruct close" || effects != " tx say" {
		t.Errorf("inputs%s; effects%s", inputs, effects)
	}
	if NoKind.Input() || NoKind.Valid() || Kind(99).Valid() {
		t.Error("a kind that is none is valid")
	}
}

func TestAppendAndParseDoNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 4096)
	var p Parser
	r := samples[2]
	r.Body = []byte{0x8d, 0, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08}
	if n := testing.AllocsPerRun(100, func() {
		line, _ := AppendLine(buf, r, Chain{})
		line = line[:len(line)-1]
		if _, _, err := p.Parse(line); err != nil {
			t.Fatal(err)
		}
		if err := Verify(line, Chain{}); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per record", n)
	}
}

func FuzzParse(f *testing.F) {
	var prev Chain
	for _, r := range samples {
		line, chain := AppendLine(nil, r, prev)
		f.Add(line[:len(line)-1], true)
		f.Add(line[:len(line)-1], false)
		prev = chain
	}
	f.Fuzz(func(t *testing.T, line []byte, mend bool) {
		if mend && len(line) > 9 { // most random lines fail at the checksum: give them a matching one
			line = []byte(withCRC(string(line[:len(line)-9])))
		}
		r, chain, err := parseLine(line)
		if err != nil {
			var pe *ParseError
			if !errors.As(err, &pe) || pe.Offset < 0 || pe.Offset > len(line) {
				t.Fatalf("error without a place in the line: %v", err)
			}
			return
		}
		if err := r.Check(); err != nil {
			t.Fatalf("%q was read as a record that cannot be written: %v", line, err)
		}
		// The predecessor is unknown, so the chain is put in by hand: everything else must be unchanged by the round
		// trip.
		again, _ := AppendLine(nil, r, Chain{})
		head := len(again) - 1 - tailText
		if want := withCRC(string(again[:head]) + " " + chain.String()); want != string(line) {
			t.Fatalf("not canonical: %q was accepted for %q", line, want)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(int64(1), int64(0), uint8(Rx), []byte{1, 2}, []byte("0123456789abcdef"))
	f.Add(int64(1), int64(0), uint8(Say), []byte("{}"), []byte{})
	f.Fuzz(func(t *testing.T, seq, at int64, kind uint8, body, before []byte) {
		r := Record{Seq: Seq(seq), At: at, Kind: Kind(kind), Body: body}
		if r.Check() != nil {
			return
		}
		var prev Chain
		copy(prev[:], before)
		line, chain := AppendLine([]byte("kept"), r, prev)
		if !bytes.HasPrefix(line, []byte("kept")) || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("%q is not one line after what was there", line)
		}
		line = line[len("kept") : len(line)-1]
		got, gotChain, err := parseLine(line)
		if err != nil || got.Seq != r.Seq || got.At != r.At || got.Kind != r.Kind || !bytes.Equal(got.Body, r.Body) || gotChain != chain {
			t.Fatalf("wrote %+v, read %+v, %v", r, got, err)
		}
		if err := Verify(line, prev); err != nil {
			t.Fatal(err)
		}
	})
}

// clockMessage is a typical record of a journal.
var clockMessage = Record{Seq: 123_456, At: 1_234_567_890, Kind: Rx,
	Body: []byte{0x8d, 0, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x09}}

func BenchmarkAppendLine(b *testing.B) {
	buf := make([]byte, 0, 512)
	var chain Chain
	b.ReportAllocs()
	for b.Loop() {
		buf, chain = AppendLine(buf[:0], clockMessage, chain)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkParse(b *testing.B) {
	line, _ := AppendLine(nil, clockMessage, Chain{})
	var p Parser
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := p.Parse(line[:len(line)-1]); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(line)))
}

func BenchmarkVerify(b *testing.B) {
	line, _ := AppendLine(nil, clockMessage, Chain{})
	b.ReportAllocs()
	for b.Loop() {
		if err := Verify(line[:len(line)-1], Chain{}); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(line)))
}

// BenchmarkParseJSON is the baseline: the same record as a line of JSON with
// the standard library, without checksum and chain.
func BenchmarkParseJSON(b *testing.B) {
	type jsonRecord struct {
		Seq  int64  `json:"seq"`
		At   int64  `json:"at"`
		Kind string `json:"kind"`
		Hex  string `json:"hex"`
	}
	line, err := json.Marshal(jsonRecord{int64(clockMessage.Seq), clockMessage.At, "rx", fmt.Sprintf("%x", clockMessage.Body)})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var r jsonRecord
		if err := json.Unmarshal(line, &r); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(line)))
}

// parseLine reads one line with a parser of its own.
func parseLine(line []byte) (Record, Chain, error) {
	var p Parser
	return p.Parse(line)
}
