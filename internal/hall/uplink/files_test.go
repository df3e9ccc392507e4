package uplink

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// The board's disk was rolled back over the border of a segment: the journal is sent again, because segments
// before may have lost their ends.
func TestAfterAChunkOfALostSegment(t *testing.T) {
	f := New(Options{Dir: t.TempDir()}).files("1-r1")
	for n := 1; n <= 3; n++ {
		if err := os.WriteFile(f.path(n), []byte("line\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for segment := 1; segment <= 5; segment++ {
		c := wire.Chunk{Journal: f.name, Segment: segment, Data: []byte("lost\n")}
		if at := f.after(&c); at != (place{segment: 1}) {
			t.Errorf("after a chunk of segment %d: %+v, want the first", segment, at)
		}
	}
}

// A request may be in the damaged part of an earlier journal: it must not be answered as not taken.
func TestARequestInADamagedJournal(t *testing.T) {
	dir := t.TempDir()
	w, err := journal.Create(dir, "1-r1", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"{}", `{"request":"here"}`, `{"request":"gone"}`, "{}"} {
		if _, err := w.Append(1, record.Decide, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(1, "stop"); err != nil {
		t.Fatal(err)
	}
	if seq, err := requestIn(dir, "1-r1", "other"); seq != 0 || err != nil {
		t.Errorf("one that it never had: %d %v", seq, err)
	}
	path := New(Options{Dir: dir}).files("1-r1").path(1)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte("gone"), []byte("g?ne"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if seq, err := requestIn(dir, "1-r1", "here"); seq != 2 || err != nil {
		t.Errorf("one that can be read: %d %v", seq, err)
	}
	if seq, err := requestIn(dir, "1-r1", "gone"); seq != 0 || err == nil {
		t.Errorf("one that cannot be read: %d %v", seq, err)
	}
}

// A journal that takes another name is brought under that one, and what it has is not forgotten.
func TestAJournalThatTakesAnotherName(t *testing.T) {
	u := New(Options{})
	u.Watch("1", "1-r1")
	u.Entered("1", record.Record{Seq: 2, Kind: record.Decide, Body: []byte(`{"request":"here"}`)})
	u.Ready("1")
	u.Renamed("1", "1-r1--2")
	u.Counted("1", []byte("{}"))
	if b := u.changesSinceBeat(); len(b.Boards) != 1 || b.Boards[0].Journal != "1-r1--2" {
		t.Errorf("%+v", b)
	}
	if b := u.boards["1"]; b.said.seqs["here"] != 2 || !b.readToEnd {
		t.Error("what it has is forgotten")
	}
}

// worn is a file with a place that cannot be read.
type worn struct {
	*os.File
	from, to int64
}

func (w worn) ReadAt(p []byte, at int64) (int, error) {
	switch {
	case at >= w.from && at < w.to:
		return 0, syscall.EIO
	case at < w.from && at+int64(len(p)) > w.from:
		n, err := w.File.ReadAt(p[:w.from-at], at)
		return n, cmp.Or(err, error(syscall.EIO))
	}
	return w.File.ReadAt(p, at)
}

// failedLong makes the failure of a file older than it is.
func (u *Uplink) failedLong(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f := u.failing[path]
	f.first = f.first.Add(-skipsAfter)
	u.failing[path] = f
}

// The bytes after an unreadable place reach the hall after a while, and the place as NUL bytes if the hall asks for it:
// readers of the mirror report it in the same way as readers of the board's own file.
func TestAPlaceThatCannotBeRead(t *testing.T) {
	dir, there := t.TempDir(), t.TempDir()
	w, err := journal.Create(dir, "1-r1", journal.Options{SegmentBytes: 200 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 300 {
		if _, err := w.Append(int64(n), record.Wall, []byte(`{"text":"`+strings.Repeat("x", 1000)+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(300, "stop"); err != nil {
		t.Fatal(err)
	}
	const from, to = 24 * page, 25 * page
	u := New(Options{Dir: dir, Log: zerolog.Nop()})
	u.open = func(path string) (file, error) {
		f, err := os.Open(path)
		if filepath.Base(path) == "1-r1.bwj" {
			return worn{f, from, to}, err
		}
		return f, err
	}
	u.Watch("1", "1-r1")
	f := u.files("1-r1")
	at, waits := place{segment: 1}, 0
	for {
		c, err := f.next(at)
		if errors.Is(err, syscall.EIO) && waits == 0 { // it may be readable in a moment
			waits++
			q := wire.Question{Do: wire.DoFetch, Journal: "1-r1", Segment: 1, Offset: from, Length: 10}
			if a, _ := u.file(q); a.Error != wire.ENone {
				t.Errorf("the hall asks for it: %+v", a)
			}
			u.failedLong(f.path(1))
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Data) == 0 && !c.Final {
			break
		}
		out, err := os.OpenFile(filepath.Join(there, journal.SegmentName("1-r1", c.Segment)), os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.WriteAt(c.Data, c.Offset); err != nil || out.Close() != nil {
			t.Fatal(err)
		}
		if !f.holds(&c) {
			t.Errorf("a chunk at %d is not held", c.Offset)
		}
		if at = (place{c.Segment, c.End()}); c.Final {
			at = place{segment: c.Segment + 1}
		}
	}
	lost := wire.Chunk{Journal: "1-r1", Segment: 1, Offset: from - 10, Data: make([]byte, 20)}
	if f.holds(&lost) {
		t.Error("another chunk is held")
	}
	kept, err := os.ReadFile(f.path(1))
	if err != nil {
		t.Fatal(err)
	}
	if lost.Data = kept[from : from+10]; !f.holds(&lost) {
		t.Error("what the hall has of the place is brought again")
	}
	if waits != 1 {
		t.Error("what cannot be read is not tried again")
	}
	for n := 1; n <= 2; n++ {
		want, _ := os.ReadFile(f.path(n))
		got, err := os.ReadFile(filepath.Join(there, journal.SegmentName("1-r1", n)))
		if n == 1 {
			clear(want[from:to])
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("segment %d differs: %v", n, err)
		}
	}
	rd, err := journal.Open(filepath.Join(there, "1-r1.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = rd.Next()
	}
	if !errors.Is(err, io.EOF) || rd.Last().Seq < 300 || rd.DamageCount() == 0 {
		t.Errorf("read to record %d, %d damages: %v", rd.Last().Seq, rd.DamageCount(), err)
	}
	if damage := u.damage("1"); !strings.HasPrefix(damage, "1-r1.bwj: ") {
		t.Errorf("nobody hears of it: %q", damage)
	}
	a, data := u.file(wire.Question{Do: wire.DoFetch, Journal: "1-r1", Segment: 1, Offset: from - 10, Length: page + 20})
	if want := slices.Concat(kept[from-10:from], make([]byte, page), kept[to:to+10]); a.Error != "" || !bytes.Equal(data, want) {
		t.Errorf("the hall asks for it once more: %+v, %d bytes", a, len(data))
	}
	if a, _ := u.file(wire.Question{Do: wire.DoSum, Journal: "1-r1", Segment: 1, Length: to}); a.Error != wire.ENone {
		t.Errorf("the sum of what cannot be read: %+v", a) // else the hall would set its own aside, which may be whole
	}
}

// A segment that cannot be opened keeps none of those after it from the hall.
func TestASegmentThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	u := New(Options{Dir: dir, Log: zerolog.Nop()})
	u.open = func(path string) (file, error) {
		if filepath.Base(path) != "1-r1.3.bwj" {
			return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EACCES}
		}
		return os.Open(path)
	}
	f := u.files("1-r1")
	for n := 1; n <= 2; n++ {
		if err := os.WriteFile(f.path(n), []byte("line\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.next(place{segment: 1}); !errors.Is(err, syscall.EACCES) {
		t.Errorf("the last ones: %v", err)
	}
	if err := os.WriteFile(f.path(3), []byte("line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.next(place{segment: 1}); !errors.Is(err, syscall.EACCES) {
		t.Errorf("at first: %v", err)
	}
	u.failedLong(f.path(1))
	if _, err := f.next(place{segment: 1}); !errors.Is(err, syscall.EACCES) { // of the second one
		t.Errorf("the second one: %v", err)
	}
	u.failedLong(f.path(2))
	if c, err := f.next(place{segment: 1}); err != nil || c.Segment != 3 || string(c.Data) != "line\n" {
		t.Errorf("%+v, %v", c, err)
	}
}

// A file of which nothing can be read is opened once for all of it.
func TestAFileOfWhichNothingCanBeRead(t *testing.T) {
	dir, opened := t.TempDir(), 0
	u := New(Options{Dir: dir, Log: zerolog.Nop()})
	u.open = func(path string) (file, error) {
		opened++
		f, err := os.Open(path)
		return worn{f, 0, 1 << 30}, err
	}
	f := u.files("1-r1")
	if err := os.WriteFile(f.path(1), make([]byte, 2000*page), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.next(place{segment: 1}); !errors.Is(err, syscall.EIO) {
		t.Errorf("at first: %v", err)
	}
	u.failedLong(f.path(1))
	if c, err := f.next(place{segment: 1}); err != nil || c.Offset != 2000*page || len(c.Data) != 0 || opened != 2 {
		t.Errorf("%d bytes at %d, %v, opened %d times", len(c.Data), c.Offset, err, opened)
	}
}
