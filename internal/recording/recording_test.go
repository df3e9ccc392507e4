package recording

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// said is a recording as one string: numbers, times, kinds and bytes.
func said(s *Source) (string, error) {
	var b strings.Builder
	for {
		it, err := s.Next()
		if errors.Is(err, io.EOF) {
			return strings.TrimSpace(b.String()), nil
		}
		if err != nil {
			return strings.TrimSpace(b.String()), err
		}
		r := it.Record
		fmt.Fprintf(&b, "%d@%d %s %x, ", r.Seq, r.At, r.Kind, r.Body)
	}
}

func stream(t *testing.T, text string) *Source {
	t.Helper()
	s, err := Open("-", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%.40q: %v", text, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// oneJournal is a journal of n records, the first an open record.
func oneJournal(n int) []byte {
	var lines []byte
	var chain record.Chain
	for i := range n {
		r := record.Record{Seq: record.Seq(i + 1), At: int64(i) * 10, Kind: record.Rx, Body: []byte{0x8e, byte(i)}}
		if i == 0 {
			r.Kind, r.Body = record.Open, []byte(`{"format":1}`)
		}
		lines, chain = record.AppendLine(lines, r, chain)
	}
	return lines
}

const (
	dump = "8e 00 05 34 00"
	rx   = `{"t":1.5,"dir":"rx","hex":"8e00053400"}`
)

func TestFormatsAreRecognisedByTheirContent(t *testing.T) {
	j := string(oneJournal(4))
	flipped := []byte(j)
	flipped[0] |= 0x80
	tests := []struct {
		claim, text string
		want        Format
	}{
		{"a journal", j, Journal},
		{"a journal of one line that is cut off", j[:20], Journal},
		{"a journal with a damaged first line", string(flipped), Journal},
		{"a journal after NUL bytes", "\x00\x00\n" + j, Journal},
		{"a timed capture", rx, TimedCapture},
		{"a timed capture with a header", `{"made":"by hand"}` + "\n" + rx, TimedCapture},
		{"a timed capture of Windows", "\xef\xbb\xbf" + rx + "\r\n" + rx + "\r\n", TimedCapture},
		{"a timed capture after blank lines", "\n \n" + rx, TimedCapture},
		{"hexadecimal text", dump + "\n", UntimedCapture},
		{"hexadecimal text without blanks", "8E00053400", UntimedCapture},
		{"hexadecimal text after comments", "# board 3\n\n" + dump, UntimedCapture},
		{"hexadecimal text that begins with digits only", "00 14 10\n", UntimedCapture},
		{"raw bytes", "\x8e\x00\x05\x34\x00", RawBytes},
		{"raw bytes that are cut off", "\x86\x00", RawBytes},
		{"raw bytes with a damaged beginning", "\x0e\x00\x05\x34\x00" + strings.Repeat("\x8e\x00\x05\x34\x00", 3), RawBytes},
	}
	for _, tt := range tests {
		if s := stream(t, tt.text); s.Format() != tt.want {
			t.Errorf("%s was taken for a %s", tt.claim, s.Format())
		}
	}
}

func TestWhatIsNoRecordingIsOneClearError(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sub := filepath.Join(dir, "state")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	write("state/board-1.bwj", string(oneJournal(2)))
	packed := gz(t, oneJournal(200))
	tests := []struct{ path, want string }{
		{write("empty", ""), "empty: the file is empty; a recording has at least one line or byte"},
		{write("blank", " \n\n"), "blank: the file is empty"},
		{write("game.pgn", "[Event \"?\"]\n"), `begins with "[Event \"?\"]" and may be PGN (boardwatchd emulate --pgn FILE plays one); a journal (.bwj), a timed capture`},
		{write("readme", "Hello\nworld"), `readme is not a recording: it begins with "Hello"; a journal`},
		{write("a.zip", "PK\x03\x04abc"), "is an archive (unpack it first; .gz and .zst are read as they are)"},
		{write("a.png", "\x89PNG\r\n\x1a\n"), "no board begins a message with that byte"},
		{write("short.gz", string(packed[:5])), "short.gz: the .gz is cut short; copy it again"},
		{write("bad.gz", "\x1f\x8b\x07 and more"), "bad.gz: the .gz is damaged"},
		{write("bad.zst", "\x28\xb5\x2f\xfd and more of it"), "bad.zst: the .zst is"},
		{dir, "is a directory; name one recording in it"},
		{sub, "name one recording in it, for instance " + filepath.Join(sub, "board-1.bwj")},
		{filepath.Join(dir, "none"), "open " + filepath.Join(dir, "none") + ": no such file or directory"},
	}
	for _, tt := range tests {
		s, err := Open(tt.path, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; %q is expected", tt.path, err, tt.want)
		}
		if err == nil {
			_ = s.Close()
		}
	}
}

func gz(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zst(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}()
	return z.EncodeAll(data, nil)
}

func TestCompressedRecordingsAreOpenedAsTheyAre(t *testing.T) {
	for claim, text := range map[string]string{"journal": string(oneJournal(30)), "timed": rx + "\n" + rx + "\n", "untimed": dump + "\n", "raw": "\x8e\x00\x05\x34\x00"} {
		want, err := said(stream(t, text))
		if err != nil {
			t.Fatal(err)
		}
		for how, data := range map[string][]byte{"gz": gz(t, []byte(text)), "zst": zst(t, []byte(text))} {
			if got, err := said(stream(t, string(data))); err != nil || got != want {
				t.Errorf("%s, %s: %s, %v", claim, how, got, err)
			}
		}
	}
}

func TestATruncatedArchiveGivesWhatItHolds(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "{\"t\":%d.%d,\"dir\":\"rx\",\"hex\":\"8e0005%02x%02x\"}\n", i, i%7, i%64, i%13)
	}
	for kind, data := range map[string][]byte{".gz": gz(t, []byte(text.String())), ".zst": zst(t, []byte(text.String()))} {
		s := stream(t, string(data[:len(data)*3/4]))
		_, err := said(s)
		if err == nil || !strings.Contains(err.Error(), kind+" is ") || !strings.Contains(err.Error(), "copy it again") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestAJournalIsOpenedWithItsSegments(t *testing.T) {
	lines := bytes.SplitAfter(oneJournal(9), []byte("\n"))
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"b.bwj.zst":  zst(t, bytes.Join(lines[:3], nil)),
		"b.2.bwj.gz": gz(t, bytes.Join(lines[3:6], nil)),
		"b.3.bwj":    bytes.Join(lines[6:], nil),
		"b.4.bwj":    nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"b.3.bwj", "b.2.bwj.gz", "b.bwj.zst", "b.4.bwj"} {
		s, err := Open(filepath.Join(dir, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := said(s)
		if err != nil || !s.Journal() || strings.Count(got, "@") != 9 || s.Verdict() != journal.Unclosed || len(s.Damage()) > 0 || len(s.Segments()) != 4 {
			t.Errorf("%s: %s, %v, %s, %v", name, got, err, s.Verdict(), s.Damage())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	f, err := os.ReadFile(filepath.Join(dir, "b.3.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := said(stream(t, string(f))); err != nil || strings.Count(got, "@") != 3 {
		t.Errorf("alone from standard input: %s, %v", got, err)
	}
}

// A segment that cannot be opened costs the others nothing, whichever of them is named.
func TestASegmentThatCannotBeOpened(t *testing.T) {
	lines := bytes.SplitAfter(oneJournal(9), []byte("\n"))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b.2.bwj"), bytes.Join(lines[3:], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "b.bwj")
	if err := os.Symlink("b.bwj", path); err != nil { // to itself
		t.Fatal(err)
	}
	for _, name := range []string{"b.bwj", "b.2.bwj"} {
		s, err := Open(filepath.Join(dir, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := said(s)
		if err != nil || !s.Journal() || strings.Count(got, "@") != 6 || s.Verdict() != journal.Corrupt || len(s.Damage()) == 0 {
			t.Errorf("%s: %s, %v, %s, %v", name, got, err, s.Verdict(), s.Damage())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAJournalDamagedBeyondRecognitionIsStillAJournalByItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.bwj")
	if err := os.WriteFile(path, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := said(s); err != nil || s.Verdict() != journal.Torn {
		t.Errorf("%v, %s", err, s.Verdict())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(oneJournal(3))
	f.Add([]byte(rx + "\n" + rx))
	f.Add([]byte(dump + "\n"))
	f.Add([]byte("\x8e\x00\x05\x34\x00\x8d\x00"))
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(in io.Reader) (last int64, all []byte, failed bool) {
			s, err := Open("-", in)
			if err != nil {
				return 0, nil, true
			}
			defer func() {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}()
			seq := record.Seq(0)
			for n := 0; ; n++ {
				it, err := s.Next()
				if err != nil {
					return last, all, !errors.Is(err, io.EOF)
				}
				r := it.Record
				if r.Check() != nil || r.Seq <= seq || !s.Journal() && (r.At < last || r.Seq != record.Seq(n)+firstSeq) {
					t.Fatalf("record %+v after record %d at %d", r, seq, last)
				}
				seq, last = r.Seq, r.At
				all = append(all, r.Body...)
			}
		}
		at, all, failed := read(bytes.NewReader(data))
		at2, all2, failed2 := read(iotest.HalfReader(bytes.NewReader(data)))
		if at != at2 || failed != failed2 || !bytes.Equal(all, all2) {
			t.Fatalf("in other chunks it reads differently")
		}
		if !failed && len(data) > 0 && recognisedRaw(data) && !bytes.Equal(all, data) {
			t.Fatalf("raw bytes came out as %x", all)
		}
	})
}

func recognisedRaw(data []byte) bool {
	f, err := recognise("", data)
	return err == nil && f == RawBytes && !bytes.HasPrefix(data, byteOrderMark)
}
