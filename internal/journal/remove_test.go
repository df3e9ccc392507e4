package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// filesOf returns the file names of a directory.
func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

func put(t *testing.T, path string, written time.Time) {
	t.Helper()
	mustDo(t, errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chtimes(path, written, written)))
}

func TestRemoveTakesTheWholeJournalAndNothingElse(t *testing.T) {
	dir, old := t.TempDir(), time.Now().Add(-time.Hour)
	for _, f := range []string{"a.bwj", "a.2.bwj", "a.3.bwj.zst", "a.lock", "a-r2.bwj", "a.1.bwj", "a.bwj.txt", "aa.bwj", "people.json"} {
		put(t, filepath.Join(dir, f), old)
	}
	if err := Remove(dir, "a", old); err != nil {
		t.Fatal(err)
	}
	if left := filesOf(t, dir); !slices.Equal(left, []string{"a-r2.bwj", "a.1.bwj", "a.bwj.txt", "aa.bwj", "people.json"}) {
		t.Errorf("left are %v", left)
	}
	if err := Remove(dir, "a", old); err != nil {
		t.Errorf("what is gone already: %v", err)
	}
}

func TestRemoveRefuses(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	outside := filepath.Join(t.TempDir(), "elsewhere.bwj")
	put(t, outside, old)
	for claim, c := range map[string]struct {
		name string
		make func(dir string)
		want error
	}{
		"a journal that has gone on": {"a", func(dir string) { put(t, filepath.Join(dir, "a.2.bwj"), time.Now()) }, ErrChanged},
		"a link":                     {"a", func(dir string) { mustDo(t, os.Symlink(outside, filepath.Join(dir, "a.2.bwj"))) }, ErrChanged},
		"a directory":                {"a", func(dir string) { mustDo(t, os.Mkdir(filepath.Join(dir, "a.2.bwj"), 0o700)) }, ErrChanged},
		"a link for a lock":          {"a", func(dir string) { mustDo(t, os.Symlink(outside, filepath.Join(dir, "a.lock"))) }, ErrChanged},
		"a journal that is written": {"a", func(dir string) {
			l, err := osDisk{}.Lock(filepath.Join(dir, "a.lock"))
			mustDo(t, err)
			t.Cleanup(func() { mustDo(t, l.Close()) })
		}, ErrLocked},
		"a way out of the directory": {"../a", func(string) {}, nil},
		"no name":                    {"", func(string) {}, nil},
	} {
		t.Run(claim, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "a.bwj"), old)
			c.make(dir)
			until := old
			if strings.Contains(claim, "link") || strings.Contains(claim, "directory") {
				until = time.Now().Add(time.Hour) // its own age does not protect it
			}
			if err := Remove(dir, c.name, until); err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "a.bwj")); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(outside); err != nil {
				t.Error(err)
			}
		})
	}
	if err := Remove(filepath.Join(t.TempDir(), "none"), "a", old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}
