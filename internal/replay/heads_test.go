package replay_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

// lined is a journal by its lines.
type lined struct {
	lines [][]byte
	heads []journal.Head // of each record
}

// written are n records, one a second, the first an opening record, the second a gap of an hour. Those from number
// changed on have other bodies; 0: none has.
func written(name string, n, changed int) (l lined) {
	var chain record.Chain
	for seq := 1; seq <= n; seq++ {
		r := record.Record{Seq: record.Seq(seq), At: int64(seq) * 1e6, Kind: record.Instruct, Body: fmt.Appendf(nil, `{"do":"note","n":%d}`, seq)}
		switch {
		case seq == 1:
			r.Kind = record.Open
			r.Body = watch.Opening{Format: watch.Format, Journal: name, Segment: 1, Wall: "2026-11-23T10:00:01Z"}.Body()
		case seq == 2:
			r.Kind, r.Body = record.Gap, watch.Annotation{Cause: "restart", Away: time.Hour.Microseconds()}.Body()
		case seq == 15:
			r.Body = []byte(`{"do":"note","wall_ms":1795392000000}`)
		case changed > 0 && seq >= changed:
			r.Body = append(r.Body[:len(r.Body)-1], `,"forged":true}`...)
		}
		var line []byte
		line, chain = record.AppendLine(nil, r, chain)
		l.lines = append(l.lines, line)
		l.heads = append(l.heads, journal.Head{Journal: name, Seq: r.Seq, Chain: chain})
	}
	return l
}

// put writes some of the lines as a file.
func (l lined) put(t *testing.T, path string, from, to int) string {
	t.Helper()
	if err := os.WriteFile(path, bytes.Join(l.lines[from:to], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// compared reads files to their ends and says what became of heads: "state file record", in order.
func compared(t *testing.T, heads []journal.Head, files ...string) (all []replay.HeadResult, short []string) {
	t.Helper()
	h := replay.NewHeads(heads)
	for _, f := range files {
		src := h.Over(f, open(t, f))
		for {
			if _, err := src.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, r := range h.Results() {
		text := string(r.State)
		if r.File != nil {
			text += " " + filepath.Base(*r.File)
		}
		if r.Record != nil {
			text += fmt.Sprintf(" %d", *r.Record)
		}
		if r.After != nil {
			text += fmt.Sprintf(" after %d", *r.After)
		}
		all, short = append(all, r), append(short, text)
	}
	return all, short
}

func TestTheStateOfAHead(t *testing.T) {
	dir := t.TempDir()
	good, forged := written("b-r1", 20, 0), written("b-r1", 20, 9)
	nameless := func(h journal.Head) journal.Head { h.Journal = ""; return h }
	bare := func(h journal.Head) journal.Head { return journal.Head{Chain: h.Chain} }
	shifted := func(h journal.Head) journal.Head {
		text := h.Chain.String()
		typed, err := journal.ParseHead(fmt.Sprintf("%d:%s%s%s", h.Seq, text[:5], text[6:24], text[23:]))
		if err != nil {
			t.Fatal(err)
		}
		return typed
	}
	slip := func(h journal.Head) journal.Head { h.Chain[3] ^= 0x40; return h }
	renumbered := func(h journal.Head) journal.Head { h.Seq++; return h }
	path := filepath.Join(dir, "b-r1.bwj")
	other := written("c-r1", 20, 0).put(t, filepath.Join(dir, "c-r1.bwj"), 0, 20)
	late := written("b-r1", 20, 3).put(t, filepath.Join(dir, "b-r1--2.bwj"), 0, 20)
	type heads = []journal.Head
	for _, row := range []struct {
		what  string
		put   func() string
		heads heads
		files []string // beside the first
		want  string
	}{
		{"whole", func() string { return good.put(t, path, 0, 20) }, heads{good.heads[11]}, nil, "held b-r1.bwj 12"},
		{"the chain alone", nil, heads{bare(good.heads[11])}, nil, "held b-r1.bwj 12"},
		{"a chain that is not there", nil, heads{bare(forged.heads[11])}, nil, "not_found b-r1.bwj"},
		{"a digit that was mistyped", nil, heads{slip(good.heads[11])}, nil, "mistyped b-r1.bwj 12"},
		{"a digit and the number that were mistyped", nil, heads{slip(renumbered(good.heads[19]))}, nil, "mistyped b-r1.bwj 20"},
		{"a digit that was left out, and one that was typed twice", nil, heads{shifted(good.heads[11])}, nil, "mistyped b-r1.bwj 12"},
		{"a digit of a chain alone", nil, heads{slip(bare(good.heads[11]))}, nil, "mistyped b-r1.bwj 12"},
		{"a number that was mistyped", nil, heads{renumbered(good.heads[11])}, nil, "held b-r1.bwj 12"},
		{"twice the same", nil, heads{good.heads[11], good.heads[11]}, nil, "held b-r1.bwj 12"},
		{"a file twice", nil, heads{good.heads[11]}, []string{path}, "held b-r1.bwj 12"},
		{"among others", nil, heads{nameless(good.heads[11])}, []string{other}, "held b-r1.bwj 12"},
		{"of another journal", nil, heads{{Journal: "d-r1", Seq: 3, Chain: forged.heads[11].Chain}}, []string{other}, "other"},
		{"of nobody knows which", nil, heads{nameless(forged.heads[11])}, []string{other}, "not_found"},
		{"of the other one, which was changed", nil, heads{{Journal: "c-r1", Seq: 3, Chain: forged.heads[11].Chain}}, []string{other}, "changed c-r1.bwj 3"},
		{"a journal that was begun where the name was taken", nil, heads{good.heads[11]}, []string{late}, "held b-r1.bwj 12"},
		{"a head of another journal of that name, among its own", nil, heads{forged.heads[11], good.heads[15], good.heads[4]}, nil,
			"changed b-r1.bwj 12 after 5, held b-r1.bwj 16, held b-r1.bwj 5"},
		{"changed", func() string { return forged.put(t, path, 0, 20) }, heads{good.heads[11], good.heads[4], good.heads[1]}, nil,
			"changed b-r1.bwj 12 after 5, held b-r1.bwj 5, held b-r1.bwj 2"},
		{"changed and without a name", nil, heads{nameless(good.heads[11])}, nil, "changed b-r1.bwj 12"},
		{"cut", func() string { return good.put(t, path, 0, 10) }, heads{good.heads[11], good.heads[9], nameless(good.heads[12])}, nil,
			"missing b-r1.bwj 10 after 10, held b-r1.bwj 10, missing b-r1.bwj 10 after 10"},
		{"without its middle", func() string {
			holed := lined{lines: append(append([][]byte{}, good.lines[:8]...), good.lines[14:]...)}
			return holed.put(t, path, 0, 14)
		}, heads{good.heads[11], good.heads[15], good.heads[7]}, nil, "damaged b-r1.bwj, damaged b-r1.bwj 16, held b-r1.bwj 8"},
		{"the end alone", func() string { return good.put(t, path, 12, 20) }, heads{good.heads[11], good.heads[15]}, nil, "damaged b-r1.bwj, damaged b-r1.bwj 16"},
	} {
		if row.put != nil {
			row.put()
		}
		all, short := compared(t, row.heads, append([]string{path}, row.files...)...)
		if got := strings.Join(short, ", "); got != row.want {
			t.Errorf("%s: %s, want %s", row.what, got, row.want)
		}
		for _, r := range all {
			if r.Detail == "" || strings.Contains(r.Detail, "%!") || r.Type != "head" || len(r.Chain) != 32 {
				t.Errorf("%s: %+v", row.what, r)
			}
		}
	}
}

// The other journal of that name is not the one whose head was noted, so it is not reported as changed.
func TestAJournalUnderAnotherNameIsNotReportedAsChanged(t *testing.T) {
	dir := t.TempDir()
	first, second := written("b-r1", 20, 0), written("b-r1", 20, 3)
	path := second.put(t, filepath.Join(dir, "b-r1--2.bwj"), 0, 20)
	if _, got := compared(t, []journal.Head{first.heads[11]}, path); strings.Join(got, ", ") != "other" {
		t.Errorf("b-r1--2 with a head of b-r1: %v", got)
	}
	head := second.heads[11]
	head.Journal = "b-r1--2"
	first.put(t, filepath.Join(dir, "b-r1.bwj"), 0, 20)
	if _, got := compared(t, []journal.Head{head}, filepath.Join(dir, "b-r1.bwj")); strings.Join(got, ", ") != "other" {
		t.Errorf("b-r1 with a head of b-r1--2: %v", got)
	}
	copied := first.put(t, filepath.Join(dir, "copy.bwj"), 0, 20)
	if _, got := compared(t, []journal.Head{second.heads[11]}, copied); strings.Join(got, ", ") != "changed copy.bwj 12" {
		t.Errorf("a copy under another name: %v", got)
	}
}

func TestSegmentsOfOneJournalAreOne(t *testing.T) {
	dir := t.TempDir()
	l := written("b-r1", 20, 0)
	one, two := l.put(t, filepath.Join(dir, "b-r1.bwj"), 0, 12), l.put(t, filepath.Join(dir, "b-r1.2.bwj"), 12, 20)
	if _, got := compared(t, []journal.Head{l.heads[5], l.heads[15]}, one, two); strings.Join(got, ", ") != "held b-r1.bwj 6, held b-r1.bwj 16" {
		t.Errorf("both: %v", got)
	}
	if _, got := compared(t, []journal.Head{l.heads[5], l.heads[15]}, two); strings.Join(got, ", ") != "held b-r1.2.bwj 6, held b-r1.2.bwj 16" {
		t.Errorf("the second: %v", got)
	}
}

// The time of a record counts from the opening record, continues over a gap, and restarts at a person's entry.
func TestTheTimeOfAHead(t *testing.T) {
	l := written("b-r1", 20, 0)
	path := l.put(t, filepath.Join(t.TempDir(), "b-r1.bwj"), 0, 20)
	all, _ := compared(t, []journal.Head{l.heads[0], l.heads[10], l.heads[14], l.heads[17]}, path)
	for i, want := range []string{"2026-11-23T10:00:01Z", "2026-11-23T09:00:11Z", "2026-11-23T00:00:00Z", "2026-11-23T00:00:03Z"} {
		if got := time.UnixMilli(*all[i].WallMS).UTC().Format(time.RFC3339); got != want {
			t.Errorf("head %d: %s, want %s", i, got, want)
		}
	}
}

// breaks is a source that cannot be read to its end.
type breaks struct{ *recording.Source }

func (b breaks) Next() (recording.Item, error) {
	it, err := b.Source.Next()
	if errors.Is(err, io.EOF) {
		err = errors.New("input/output error")
	}
	return it, err
}

func TestAJournalThatCannotBeReadIsNotCut(t *testing.T) {
	l := written("b-r1", 20, 0)
	path := l.put(t, filepath.Join(t.TempDir(), "b-r1.bwj"), 0, 10)
	h := replay.NewHeads([]journal.Head{l.heads[15], l.heads[5]})
	src := h.Over(path, breaks{open(t, path)})
	for err := error(nil); err == nil; {
		_, err = src.Next()
	}
	if r := h.Results(); r[0].State != replay.HeadDamaged || r[1].State != replay.HeadHeld {
		t.Errorf("%+v", r)
	}
}
