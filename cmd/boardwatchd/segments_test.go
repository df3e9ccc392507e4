package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// threeSegments writes a journal of three files, and returns the directory, a configuration that names it, and the
// journal's last head.
func threeSegments(t *testing.T) (dir, conf, head string) {
	t.Helper()
	dir = t.TempDir()
	opening := func(segment int, cause string) []byte {
		return watch.Opening{
			Format: watch.Format, Journal: "a-r1", Segment: segment, Core: watch.Revision, Board: "a", Wall: "2026-11-29T10:00:00Z", Cause: cause, Config: captureConfig("a"),
		}.Body()
	}
	w, err := journal.Create(dir, "a-r1", journal.Options{SegmentBytes: 8192, OpenBody: opening})
	if err == nil {
		_, err = w.Append(0, record.Open, opening(1, "start"))
	}
	for n := int64(1); err == nil && w.Stats().Segments < 3; n++ {
		_, err = w.Append(n*1000, record.Rx, make([]byte, 100))
	}
	if err == nil {
		err = w.Close(1<<40, "stop")
	}
	r, rerr := journal.Open(filepath.Join(dir, "a-r1.bwj"))
	if err = firstError(err, rerr); err != nil {
		t.Fatal(err)
	}
	for _, err = r.Next(); err == nil; _, err = r.Next() {
	}
	head = journal.Head{Seq: r.Last().Seq, Chain: r.Last().Chain}.String()
	conf = filepath.Join(dir, "conf.yaml")
	if err := os.WriteFile(conf, []byte("state_dir: "+dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, conf, head
}

func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// The remaining segments of a journal are read, and the missing ones are reported.
func TestAJournalWithoutItsFirstSegments(t *testing.T) {
	dir, conf, head := threeSegments(t)
	remove(t, dir, "a-r1.bwj", "a-r1.2.bwj")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"verify -c CONF latest", statusDamaged, "segment 1 before it is not there"},
		{"verify DIR/a-r1.bwj", statusDamaged, "segment 2 before it is not there"},
		{"verify --head HEAD DIR/a-r1.bwj", statusDamaged, "but the journal is damaged before it"},
		{"verify --head 1:0123456789abcdef0123456789abcdef DIR/a-r1.bwj", statusDamaged, "that record cannot be read"},
		{"verify --head HEAD DIR/b-r1.bwj", statusFailed, "no such file"},
		{"verify DIR/a-r1.2.bwj", statusFailed, "no such file"},
		{"pgn -c CONF latest", statusFailed, "is damaged; what is readable was read"},
	} {
		args := strings.NewReplacer("CONF", conf, "DIR", dir, "HEAD", head).Replace(c.args)
		code, out, errs := runLine(t, "", strings.Fields(args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.args, code, out, errs)
		}
	}
}

// Of what cannot be read there is no report to print and sign.
func TestNoReportOfNothing(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{dir, filepath.Join(dir, "none.bwj")} {
		out := filepath.Join(dir, "out")
		code, said, errs := runLine(t, "", "report", file, "--out", out)
		if _, err := os.Stat(out); code != statusFailed || said != "" || errs == "" || err == nil {
			t.Errorf("%s: status %d\n%s%s, %v", file, code, said, errs, err)
		}
	}
}

func TestNobodyIsForgotten(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "conf.yaml")
	if err := os.WriteFile(conf, []byte("state_dir: "+dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := runLine(t, "", "people", "-c", conf, "forget", "p-none"); code != statusFailed || out != "" || !strings.Contains(errs, "has the id p-none") {
		t.Errorf("status %d\n%s%s", code, out, errs)
	}
}

func TestAJournalWithoutItsLastSegment(t *testing.T) {
	dir, _, _ := threeSegments(t)
	file := filepath.Join(dir, "a-r1.bwj")
	for _, args := range [][]string{
		{"pgn", file}, {"report", file, "--out", filepath.Join(dir, "out")}, {"replay", file}, {"decode", file}, {"replay", "--html", filepath.Join(dir, "page.html"), file},
	} {
		if code, out, errs := runLine(t, "", args...); code != 0 {
			t.Errorf("%v, the whole journal: status %d\n%s%s", args, code, out, errs)
		}
	}
	remove(t, dir, "a-r1.3.bwj")
	for _, args := range [][]string{
		{"pgn", file}, {"report", file, "--out", filepath.Join(dir, "out")}, {"replay", file}, {"decode", file}, {"replay", "--html", filepath.Join(dir, "page.html"), file},
	} {
		if code, out, errs := runLine(t, "", args...); code != statusFailed || !strings.Contains(errs, "announces another one, which is not there") {
			t.Errorf("%v: status %d\n%s%s", args, code, out, errs)
		}
	}
}

// What a full disk or a power cut leaves at the end of a file is named where the journal ends there: where another file
// goes on after it, nothing is lost.
func TestATornTailInTheMiddle(t *testing.T) {
	for name, want := range map[string]bool{"a-r1.bwj": false, "a-r1.2.bwj": false, "a-r1.3.bwj": true} {
		dir, _, _ := threeSegments(t)
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString("12 345 rx 8e00")
			err = firstError(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "a-r1.bwj")
		for _, args := range [][]string{{"pgn", file}, {"report", "--results", file, "--out", filepath.Join(dir, "out")}, {"decode", file}} {
			code, out, errs := runLine(t, "", args...)
			if code != 0 || strings.Contains(errs, "torn tail") != want {
				t.Errorf("%s, %v: status %d\n%s%s", name, args, code, out, errs)
			}
		}
		if _, out, _ := runLine(t, "", "verify", file); !strings.Contains(out, "torn tail") {
			t.Errorf("%s: verify does not name it:\n%s", name, out)
		}
	}
}
