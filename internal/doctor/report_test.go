package doctor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

var sample = []Line{
	{"state", OK, "fine", ""},
	{"page", Warn, "a limit that takes more than one line of eighty columns to be told, as most of them do here", "do this"},
	{"page", Fail, "no way", strings.Repeat("word ", 40)},
}

func TestTextIsForPeople(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, sample, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if utf8.RuneCountInString(l) > 80 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(l), l)
		}
	}
	const want = "state\n  ok    fine\npage\n  warn  a limit that takes more than one line of eighty columns to be told, as\n" +
		"        most of them do here\n        -> do this\n  fail  no way\n"
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if !strings.HasSuffix(b.String(), "\n1 ok, 1 warn, 1 fail: something stops it; the remedies are above\n") || strings.Contains(b.String(), "\x1b") {
		t.Errorf("%q", b.String())
	}
}

func TestQuietTellsOnlyWhatIsWrong(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, sample, Style{Quiet: true, Colour: true}); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "fine") || strings.Contains(s, "state") || !strings.Contains(s, "\x1b[31mfail\x1b[0m") || !strings.Contains(s, "1 ok, 1 warn, 1 fail") {
		t.Errorf("%q", s)
	}
}

func TestJSONL(t *testing.T) {
	var b bytes.Buffer
	if err := JSONL(&b, sample[:2], Style{}); err != nil {
		t.Fatal(err)
	}
	want := `{"type":"check","check":"state","level":"ok","text":"fine","remedy":null}` + "\n"
	if !strings.HasPrefix(b.String(), want) || !strings.HasSuffix(b.String(), `{"type":"summary","ok":1,"warn":1,"fail":0}`+"\n") {
		t.Errorf("%s", b.String())
	}
	lines := bufio.NewScanner(&b)
	n := 0
	for ; lines.Scan(); n++ {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("%s is not JSON", lines.Text())
		}
	}
	if n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
}

func TestWorst(t *testing.T) {
	if Worst(nil) != OK || Worst(sample[:2]) != Warn || Worst(sample) != Fail || NoLevel.String() != "invalid" || Level(9).String() != "invalid" {
		t.Error("the worst is not the worst")
	}
}
