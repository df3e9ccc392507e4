package recording

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"boardwatchd/internal/record"
)

func TestATimedCaptureKeepsItsTimesExactly(t *testing.T) {
	tests := []struct {
		claim, text, want string
		clamped           int
	}{
		{"from any origin", `{"t":1700000000.1,"dir":"rx","hex":"8e"}` + "\n" + `{"t":1700000000.3,"dir":"tx","hex":"42"}`, "2@0 rx 8e, 3@200000 tx 42,", 0},
		{"before zero", `{"t":-1.5,"dir":"rx","hex":"8e"}` + "\n" + `{"t":-0.000001,"dir":"rx","hex":"8e"}`, "2@0 rx 8e, 3@1499999 rx 8e,", 0},
		{"exponents", `{"t":1e-05,"dir":"rx","hex":"8e"}` + "\n" + `{"t":1.25E+2,"dir":"rx","hex":"8e"}`, "2@0 rx 8e, 3@124999990 rx 8e,", 0},
		{"nanoseconds are cut", `{"t":0.0000009,"dir":"rx","hex":"8e"}` + "\n" + `{"t":0.0000018999,"dir":"rx","hex":"8e"}`, "2@0 rx 8e, 3@0 rx 8e,", 0},
		{"time that runs backwards stands still", `{"t":2,"dir":"rx","hex":"8e"}` + "\n" + `{"t":3,"dir":"rx","hex":"00"}` + "\n" + `{"t":2.5,"dir":"rx","hex":"05"}` + "\n" + `{"t":1,"dir":"rx","hex":"34"}` + "\n" + `{"t":4,"dir":"rx","hex":"00"}`,
			"2@0 rx 8e, 3@1000000 rx 00, 4@1000000 rx 05, 5@1000000 rx 34, 6@2000000 rx 00,", 2},
		{"header, other keys, blanks, escapes, order", `{"t0":5,"board":{"a":[1]}}` + "\n" + ` { "hex" : "8E 00" , "dir":"rx", "t" : 1 , "note":"\"x\"" } ` + "\n" + `{"d\u0069r":"tx","hex":"42","t":1}`, "2@0 rx 8e00, 3@0 tx 42,", 0},
		{"reads of nothing are no records", `{"t":1,"dir":"rx","hex":""}` + "\n" + `{"t":2,"dir":"rx","hex":"8e"}`, "2@1000000 rx 8e,", 0},
	}
	for _, tt := range tests {
		s := stream(t, tt.text)
		got, err := said(s)
		if err != nil || got != tt.want || s.Clamped() != tt.clamped {
			t.Errorf("%s: %s, %d clamped, %v; %s is expected", tt.claim, got, s.Clamped(), err, tt.want)
		}
	}
}

func TestTheHeaderOfATimedCaptureIsKept(t *testing.T) {
	s := stream(t, `{"made":"by hand"}`+"\n"+rx)
	if _, err := said(s); err != nil || string(s.Header()) != `{"made":"by hand"}` {
		t.Errorf("%s, %v", s.Header(), err)
	}
}

func TestABadLineEndsACaptureWithItsNumber(t *testing.T) {
	tests := []struct{ text, want string }{
		{rx + "\n\nnonsense\n", `standard input:3: not a JSON object: invalid character 'o' in literal null (expecting 'u'); one object like {"t":1.5,`},
		{rx + "\n" + rx[:20], `standard input:2: not a JSON object: unexpected end of JSON input; one object like {"t":1.5,"dir":"rx","hex":"8e00053400"} is expected; it is the last line and may be cut off`},
		{rx + "\n" + rx + ",\n", `standard input:2: not a JSON object: invalid character ','`},
		{rx + "\n" + `{"dir":"rx","hex":"8e"}` + "\n", `standard input:2: "t" is missing: seconds from any origin are expected`},
		{`{"dir":"rx","hex":"8e"}` + "\n", `standard input:1: "t" is missing`},
		{`{"a":1}` + "\n" + `{"b":1}` + "\n", `standard input:2: "t" is missing`},
		{`{"t":"1","dir":"rx","hex":"8e"}` + "\n", `standard input:1: "t" is "1": a number of seconds is expected`},
		{`{"t":01,"dir":"rx","hex":"8e"}` + "\n", `standard input:1: "t" is 01: a number`},
		{`{"t":1.,"dir":"rx","hex":"8e"}` + "\n", `"t" is 1.: a number`},
		{`{"t":null,"dir":"rx","hex":"8e"}` + "\n", `"t" is null: a number`},
		{`{"t":1700000000000,"dir":"rx","hex":"8e"}` + "\n", `too great for seconds; is it in milliseconds or nanoseconds?`},
		{`{"t":1,"hex":"8e"}` + "\n", `"dir" is missing: "rx" (board to host) or "tx" is expected`},
		{`{"t":1,"dir":"in","hex":"8e"}` + "\n", `"dir" is "in": "rx" (board to host) or "tx" is expected`},
		{`{"t":1,"dir":1,"hex":"8e"}` + "\n", `"dir" is not a string`},
		{`{"t":1,"dir":"rx"}` + "\n", `"hex" is missing`},
		{`{"t":1,"dir":"rx","hex":null}` + "\n", `"hex" is not a string`},
		{`{"t":1,"dir":"rx","hex":"8e0"}` + "\n", `"hex", character 4: pairs of hexadecimal digits are expected`},
		{`{"t":1,"dir":"rx","hex":"8e 0g"}` + "\n", `"hex", character 5: pairs`},
		{`{"t":1,"dir":"rx","hex":"` + strings.Repeat("00", maxLine/2) + `"}` + "\n", `standard input:1: the line is longer than 1048576 bytes`},
		{dump + "\n8e 00 0\n", "standard input:2: the line ends in the middle of a pair; pairs of hexadecimal digits are expected"},
		{dump + "\n8e 00 xx # why\n", "standard input:2: character 7 is 'x'; pairs"},
		{dump + "\n0x8e\n", "standard input:2: character 2 is 'x'; pairs"},
	}
	for _, tt := range tests {
		s := stream(t, tt.text)
		_, err := said(s)
		var le *LineError
		if !errors.As(err, &le) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v; %s is expected", err, tt.want)
		}
		if _, again := s.Next(); !errors.Is(again, err) {
			t.Errorf("after an error Next said %v", again)
		}
	}
}

func TestABadLineCostsNothingBeforeIt(t *testing.T) {
	got, err := said(stream(t, rx+"\n"+rx+"\n}\n"+rx+"\n"))
	if err == nil || got != "2@0 rx 8e00053400, 3@0 rx 8e00053400," {
		t.Errorf("%s, %v", got, err)
	}
}

func TestACaptureGoesThereAndBack(t *testing.T) {
	in := []record.Record{
		{Seq: 1, Kind: record.Open, Body: []byte("{}")},
		{Seq: 2, At: 0, Kind: record.Rx, Body: []byte{0x8e}},
		{Seq: 3, At: 100, Kind: record.Tx, Body: []byte{0x42}},
		{Seq: 4, At: 1_000_001, Kind: record.Rx, Body: []byte{0}},
		{Seq: 5, At: 3_600_000_000, Kind: record.Rx, Body: []byte{5}},
		{Seq: 6, At: 3_600_500_000, Kind: record.Say, Body: []byte("{}")},
	}
	var b bytes.Buffer
	w := NewCaptureWriter(&b, map[string]any{"board": "1"})
	for _, r := range in {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `{"board":"1"}
{"t":0,"dir":"rx","hex":"8e"}
{"t":0.0001,"dir":"tx","hex":"42"}
{"t":1.000001,"dir":"rx","hex":"00"}
{"t":3600,"dir":"rx","hex":"05"}
`
	if b.String() != want {
		t.Errorf("written:\n%s", b.String())
	}
	if got, err := said(stream(t, b.String())); err != nil || got != "2@0 rx 8e, 3@100 tx 42, 4@1000001 rx 00, 5@3600000000 rx 05," {
		t.Errorf("%s, %v", got, err)
	}
	for claim, header := range map[string]any{"t": map[string]any{"t": 1}, "list": []int{1}, "channel": make(chan int)} {
		w := NewCaptureWriter(io.Discard, header)
		if err := w.Write(in[1]); err == nil {
			t.Errorf("a header with a %s was written", claim)
		}
		if w.Flush() == nil {
			t.Error("the error did not stay")
		}
	}
}

func FuzzSeconds(f *testing.F) {
	for _, s := range []string{"0", "-0.1", "1700000000.123456789", "1e-05", "9223372036.9", "01", "1.", "0e99999", "0.00000000000000000001e20"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, problem := parseSeconds([]byte(text))
		want, ok := exactly(text)
		if (problem == "") != ok || ok && int64(n) != want {
			t.Fatalf("%q: %d %q; %d %v is expected", text, n, problem, want, ok)
		}
	})
}

func BenchmarkTimedCapture(b *testing.B) {
	const n = 10_000
	text := strings.Repeat(`{"t":1234.567891,"dir":"rx","hex":"8d000a20030220030209"}`+"\n", n)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open("-", strings.NewReader(text))
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := s.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "records/s")
}
