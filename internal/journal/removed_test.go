package journal

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
)

// saved appends records and waits until they are on the disk.
func saved(t *testing.T, w *Writer, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), sharedtest.Patience(t))
	defer cancel()
	for range n {
		seq, err := w.Append(0, record.Say, []byte(`{"n":1}`))
		if err == nil {
			err = w.WaitDurable(ctx, seq)
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

// TestAFileThatIsRemovedIsWrittenAgain: whoever cleans up the directory, moves it away, or restores an old copy over it loses nothing of
// what this program has written, and no record is called saved that nobody would find.
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
			mustDo(t, w.Close(0, "stop")) // the last look finds it too
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

// TestBeginsInMemory: a directory that cannot be used keeps nothing from being recorded, and all of it comes to the disk when it can be.
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
		if older { // a journal of this name will come to light: an earlier one of the round
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
