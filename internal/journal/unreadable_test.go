package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"boardwatchd/internal/record"
)

// worn is a file with places that cannot be read.
type worn struct {
	*os.File
	at  int64
	bad [][2]int64 // from, to
}

func (w *worn) Read(p []byte) (int, error) {
	for _, b := range w.bad {
		switch {
		case w.at >= b[0] && w.at < min(b[1], w.size()):
			return 0, syscall.EIO
		case w.at < b[0]:
			p = p[:min(int64(len(p)), b[0]-w.at)]
		}
	}
	n, err := w.File.Read(p)
	w.at += int64(n)
	return n, err
}

func (w *worn) size() int64 {
	info, err := w.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (w *worn) Seek(offset int64, whence int) (at int64, err error) {
	w.at, err = w.File.Seek(offset, whence)
	return w.at, err
}

// deaf is a worn file that only goes forward, as a compressed one does.
type deaf struct{ io.ReadCloser }

// disk opens files, of which some have bad places, and others cannot be opened.
type disk struct {
	bad     map[string][][2]int64
	shut    map[string]error
	forward bool
}

func (d disk) open(path string) (io.ReadCloser, error) {
	name := filepath.Base(path)
	if err := d.shut[name]; err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	w := &worn{File: f, bad: d.bad[name]}
	if d.forward {
		return deaf{w}, nil
	}
	return w, nil
}

func (d disk) read(t *testing.T, dir string) (outcome, Last) {
	t.Helper()
	r, err := OpenWith(filepath.Join(dir, "b.bwj"), d.open)
	if err != nil {
		t.Fatal(err)
	}
	o := readAll(r)
	return o, r.Last()
}

// begun is a journal of n records in one segment, some of which lie after the place from 6,000 to 7,000.
func begun(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := Create(dir, "b", Options{})
	mustDo(t, err)
	for i := range n {
		kind := record.Instruct
		if i == 0 {
			kind = record.Open
		}
		_, err := w.Append(int64(i), kind, []byte(`{"n":1}`))
		mustDo(t, err)
	}
	mustDo(t, w.Close(int64(n), "stop"))
	return dir
}

// decide goes on after what a reader has read, with an opening record and a decision, and returns the decision's
// number.
func decide(t *testing.T, dir string, last Last) record.Seq {
	t.Helper()
	w, err := Continue(dir, "b", last, Options{})
	mustDo(t, err)
	_, err = w.Append(last.At, record.Open, fmt.Appendf(nil, `{"segment":%d}`, last.Segment+1))
	mustDo(t, err)
	seq, err := w.Append(last.At, record.Decide, []byte(`{"decision":"confirm"}`))
	mustDo(t, err)
	mustDo(t, w.Close(last.At, "stop"))
	return seq
}

func TestAnUnreadablePlaceHidesNothingAfterIt(t *testing.T) {
	dir := begun(t, 300)
	d := disk{bad: map[string][][2]int64{"b.bwj": {{6000, 7000}}}}
	first, last := d.read(t, dir)
	if first.err != nil || first.verdict != Corrupt || !slices.Contains(first.seqs, 301) || len(first.seqs) < 200 || len(first.seqs) == 301 {
		t.Fatalf("%d records, %v, %v %v", len(first.seqs), first.err, first.verdict, first.damage)
	}
	if len(first.damage) != 1 || first.damage[0].Cause != Unreadable || first.damage[0].From == 0 || int(first.damage[0].To-first.damage[0].From) != 300-len(first.seqs) {
		t.Errorf("%+v", first.damage)
	}
	decided := decide(t, dir, last)
	if o, _ := d.read(t, dir); o.err != nil || !slices.Contains(o.seqs, decided) {
		t.Errorf("a decision saved after the restart: %v", o)
	}
	if o, _ := (disk{}).read(t, dir); o.err != nil || o.verdict != Closed || len(o.damage) > 0 || len(o.seqs) != int(decided)+1 {
		t.Errorf("the place can be read again: %d records, %v %v", len(o.seqs), o.verdict, o.damage)
	}
}

func TestAnUnreadablePlaceOfAFileThatOnlyGoesForward(t *testing.T) {
	dir := begun(t, 300)
	d := disk{bad: map[string][][2]int64{"b.bwj": {{6000, 7000}}}, forward: true}
	o, last := d.read(t, dir)
	if !errors.Is(o.err, syscall.EIO) || last.Seq < 50 || last.Seq > 200 {
		t.Fatalf("the last file: %v, %+v", o.err, last)
	}
	decided := decide(t, dir, last)
	still, again := record.Seq(0), record.Seq(0)
	for range 2 { // a third start finds what the second one has
		o, last = d.read(t, dir)
		if o.err != nil || !slices.Contains(o.seqs, decided) || o.verdict != Corrupt {
			t.Fatalf("a decision saved after the restart: %v", o)
		}
		still = last.Seq
		if o, last = (disk{}).read(t, dir); o.err != nil || !slices.Contains(o.seqs, decided) || o.verdict != Corrupt {
			t.Fatalf("the place can be read again: %v", o)
		}
		if again = last.Seq; again != still {
			t.Errorf("read to %d, and to %d where the place can be read", still, again)
		}
		if len(o.damage) != 1 || o.damage[0].Cause != LeftOut {
			t.Errorf("what is left out is not said: %v", o.damage)
		}
		decided = decide(t, dir, last)
	}
}

func TestAFileThatCannotBeOpenedHidesNothingAfterIt(t *testing.T) {
	dir := begun(t, 20)
	_, last := disk{}.read(t, dir)
	second := decide(t, dir, last)
	_, last = disk{}.read(t, dir)
	third := decide(t, dir, last)
	for _, shut := range []string{"b.bwj", "b.2.bwj"} {
		o, _ := disk{shut: map[string]error{shut: syscall.EACCES}}.read(t, dir)
		if o.err != nil || !slices.Contains(o.seqs, third) || o.verdict != Corrupt || o.damage[0].Cause != Unreadable || o.damage[0].Segment != shut {
			t.Errorf("%s: %v", shut, o)
		}
	}
	o, last := disk{shut: map[string]error{"b.3.bwj": syscall.EIO}}.read(t, dir)
	if !errors.Is(o.err, syscall.EIO) || !slices.Contains(o.seqs, second) {
		t.Errorf("the last file: %v", o)
	}
	fourth := decide(t, dir, last)
	if o, _ := (disk{}).read(t, dir); !slices.Contains(o.seqs, fourth) || o.err != nil || len(o.seqs) != int(fourth)+1 || o.damage[0].Cause != LeftOut {
		t.Errorf("the last file can be opened again: %v", o)
	}
	for what, d := range map[string]disk{
		"none can be opened": {shut: map[string]error{"b.bwj": syscall.EACCES, "b.2.bwj": syscall.EACCES, "b.3.bwj": syscall.EACCES, "b.4.bwj": syscall.EACCES}},
		"no descriptor":      {shut: map[string]error{"b.2.bwj": syscall.EMFILE}},
	} {
		if _, err := OpenWith(filepath.Join(dir, "b.bwj"), d.open); err == nil {
			t.Errorf("%s: it is read", what)
		}
	}
}

// A disk that is dead is not asked for each of its sectors.
func TestADeadFileIsGivenUp(t *testing.T) {
	dir := begun(t, 10000)
	reads := 0
	r, err := OpenWith(filepath.Join(dir, "b.bwj"), func(path string) (io.ReadCloser, error) {
		f, err := os.Open(path)
		return &counted{&worn{File: f, bad: [][2]int64{{0, 1 << 40}}}, &reads}, err
	})
	mustDo(t, err)
	if o := readAll(r); len(o.seqs) > 0 || len(o.damage) != 1 || o.damage[0].Cause != Unreadable || reads > 20 {
		t.Errorf("%d reads, %v", reads, o)
	}
}

type counted struct {
	*worn
	reads *int
}

func (c *counted) Read(p []byte) (int, error) {
	*c.reads++
	return c.worn.Read(p)
}
