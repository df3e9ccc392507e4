package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"boardwatchd/internal/record"
)

// saved appends records and waits until they are on the disk.
func saved(t *testing.T, w *Writer, n int) {
	t.Helper()
	for range n {
		seq, err := w.Append(0, record.Say, []byte(`{"n":1}`))
		if err == nil {
			err = w.WaitDurable(t.Context(), seq)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// says reads a journal from its first file, and returns how many records Say it has.
func says(t *testing.T, path string) int {
	t.Helper()
	rd, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	n := 0
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == record.Say {
			n++
		}
	}
	if v := rd.Verdict(); v != Closed {
		t.Errorf("%s is %v: %v", path, v, rd.Damage())
	}
	return n
}

// TestAFileThatIsRemovedIsWrittenAgain: if the directory is cleaned up, moved away, or overwritten with an old copy,
// nothing that this program has written is lost, and no record is reported as saved that cannot be found.
func TestAFileThatIsRemovedIsWrittenAgain(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, dir, path string){
		"the file": func(t *testing.T, _, path string) { mustDo(t, os.Remove(path)) },
		"the file and its lock": func(t *testing.T, _, path string) {
			mustDo(t, errors.Join(os.Remove(path), os.Remove(strings.TrimSuffix(path, Extension)+".lock")))
		},
		"the directory":       func(t *testing.T, dir, _ string) { mustDo(t, os.RemoveAll(dir)) },
		"the directory moved": func(t *testing.T, dir, _ string) { mustDo(t, os.Rename(dir, filepath.Join(t.TempDir(), "old"))) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			w, err := Create(dir, "b", Options{})
			if err != nil {
				t.Fatal(err)
			}
			saved(t, w, 50)
			path := filepath.Join(dir, "b.bwj")
			harm(t, dir, path)
			saved(t, w, 1)
			if s := w.Stats(); s.Restored != 1 {
				t.Errorf("restored %d times", s.Restored)
			}
			if w.Degraded() != nil {
				t.Errorf("it is on the disk again, and is said to be in memory: %v", w.Degraded())
			}
			saved(t, w, 20)
			harm(t, dir, path)
			mustDo(t, w.Close(0, "stop")) // the last check finds it too
			if n := says(t, path); n != 71 {
				t.Errorf("%d of 71 records", n)
			}
		})
	}
}

func TestAFileInThePlaceOfTheJournalStays(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "b", Options{})
	if err != nil {
		t.Fatal(err)
	}
	saved(t, w, 5)
	path := filepath.Join(dir, "b.bwj")
	mustDo(t, os.Remove(path))
	mustDo(t, os.WriteFile(path, []byte("a file of somebody else"), 0o600))
	saved(t, w, 5)
	mustDo(t, w.Close(0, "stop"))
	if b, err := os.ReadFile(path); string(b) != "a file of somebody else" || err != nil {
		t.Errorf("%q %v", b, err)
	}
	if n := says(t, filepath.Join(dir, "b.2.bwj")); n != 10 {
		t.Errorf("%d of 10 records", n)
	}
}

// TestBeginsInMemory: recording works with a directory that cannot be used, and everything is written to the disk as
// soon as it can be.
func TestBeginsInMemory(t *testing.T) {
	for _, older := range []bool{false, true} {
		temp := t.TempDir()
		dir, real, next := filepath.Join(temp, "state"), filepath.Join(temp, "real"), filepath.Join(temp, "next")
		mustDo(t, errors.Join(os.Symlink("/dev/null", dir), os.Mkdir(real, 0o700), os.Symlink(real, next)))
		w, err := Create(dir, "b", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if w.Degraded() == nil {
			t.Error("nothing is on the disk, and nobody hears of it")
		}
		if _, err := w.Append(0, record.Say, []byte(`{"n":1}`)); err != nil {
			t.Fatal(err)
		}
		if w.Durable() != 0 {
			t.Error("a record is said to be on the disk")
		}
		want := "b.bwj"
		if older { // an earlier journal of this name will appear
			other, err := Create(real, "b", Options{})
			if err != nil {
				t.Fatal(err)
			}
			saved(t, other, 3)
			mustDo(t, other.Close(0, "stop"))
			want = "b--2.bwj"
		}
		mustDo(t, os.Rename(next, dir))
		saved(t, w, 9)
		if w.Degraded() != nil {
			t.Error(w.Degraded())
		}
		mustDo(t, w.Close(0, "stop"))
		if h := w.Head(); SegmentName(h.Journal, 1) != want || h.Seq != w.Durable() {
			t.Errorf("the head is %v of %s; the journal is %s", h, h.Journal, want)
		}
		if n := says(t, filepath.Join(dir, want)); n != 10 {
			t.Errorf("%d of 10 records", n)
		}
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRemovedWhenTheDiskFailsAsWell: the open file is the only copy of saved records, and is kept open.
func TestRemovedWhenTheDiskFailsAsWell(t *testing.T) {
	for name, fault := range map[string]func(d *simDisk){
		"a write fails": func(d *simDisk) { d.failFrom, d.failCount = d.calls+1, 1 },
		"a sync fails":  func(d *simDisk) { d.failFrom, d.failCount = d.calls+2, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk(1)
				w, err := Create("d", "b", Options{Disk: d})
				if err != nil {
					t.Fatal(err)
				}
				saved(t, w, 50)
				d.mu.Lock()
				delete(d.files, "d/b.bwj")
				fault(d)
				d.mu.Unlock()
				saved(t, w, 3)
				mustDo(t, w.Close(0, "stop"))
				r, err := d.open("b")
				if err != nil {
					t.Fatal(err)
				}
				if o := readAll(r); o.verdict != Closed || w.Stats().Restored != 1 || len(o.seqs) < 53 {
					t.Errorf("%v %v, %d records, restored %d times", o.verdict, o.damage, len(o.seqs), w.Stats().Restored)
				}
			})
		})
	}
}

// TestEmptiedWhileItIsWritten: the content of the file is lost, and everything that follows is kept.
func TestEmptiedWhileItIsWritten(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"emptied":             func(path string) error { return os.Truncate(path, 0) },
		"emptied and removed": func(path string) error { return errors.Join(os.Truncate(path, 0), os.Remove(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w, err := Create(dir, "b", Options{})
			if err != nil {
				t.Fatal(err)
			}
			saved(t, w, 20)
			mustDo(t, harm(filepath.Join(dir, "b.bwj")))
			saved(t, w, 5)
			mustDo(t, w.Close(0, "stop"))
			r, err := Open(filepath.Join(dir, "b.2.bwj"))
			if err != nil {
				t.Fatal(err)
			}
			if o := readAll(r); o.verdict != Corrupt || len(o.seqs) < 6 {
				t.Errorf("%v with %d records: what was lost is to be named, and what followed is there", o.verdict, len(o.seqs))
			}
		})
	}
}

// TestAnotherWriterWhereEverythingWasRemoved: the two journals are not mixed.
func TestAnotherWriterWhereEverythingWasRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	first, err := Create(dir, "b", Options{})
	if err != nil {
		t.Fatal(err)
	}
	saved(t, first, 20)
	mustDo(t, os.Rename(dir, filepath.Join(t.TempDir(), "old")))
	mustDo(t, os.Mkdir(dir, 0o700))
	second, err := Create(dir, "b", Options{})
	for errors.Is(err, ErrLocked) { // the first one has noticed it already, and has the name again
		mustDo(t, os.RemoveAll(dir))
		second, err = Create(dir, "b", Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	saved(t, second, 5)
	saved(t, first, 5)
	saved(t, second, 5)
	mustDo(t, errors.Join(first.Close(0, "stop"), second.Close(0, "stop")))
	if n := says(t, filepath.Join(dir, "b.bwj")); n != 10 {
		t.Errorf("the second: %d of 10 records", n)
	}
	if n := says(t, filepath.Join(dir, "b--2.bwj")); n != 25 {
		t.Errorf("the first: %d of 25 records", n)
	}
}

// TestCloseEndsWhereNoFileStays: a disk that accepts everything and keeps nothing.
func TestCloseEndsWhereNoFileStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk(1)
		w, err := Create("d", "b", Options{Disk: d})
		if err != nil {
			t.Fatal(err)
		}
		saved(t, w, 2)
		d.mu.Lock()
		d.failRate = 1
		d.mu.Unlock()
		if _, err := w.Append(0, record.Say, []byte(`{"n":1}`)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(0, "stop"); err == nil {
			t.Error("closed without an error")
		}
	})
}

// A file that is written while its sync checks its name is not considered shorter than its written content.
func TestAFileThatGrowsIsNotTakenForAnEmptiedOne(t *testing.T) {
	f, err := osDisk{}.Create(filepath.Join(t.TempDir(), "a.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() {
		defer close(written)
		for range 20_000 {
			if _, err := f.Write([]byte("line\n")); err != nil {
				written <- err
				return
			}
		}
	}()
	for asked := 0; ; asked++ {
		select {
		case err := <-written:
			if err != nil || asked == 0 {
				t.Errorf("%v, asked %d times", err, asked)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			return
		default:
			if f.Nameless() {
				t.Fatalf("the file is nameless after it was asked %d times", asked)
			}
		}
	}
}
