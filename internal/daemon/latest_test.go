package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLatestIsTheNewestRound(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		name  string
		files map[string]time.Duration // how long ago they were written
		board string
		want  string
	}{
		{"of a round, all boards", map[string]time.Duration{"b1-r2": hour, "b2-r2": 2 * hour, "b1-r1": 0 + 20*hour, "b3-r1": 20 * hour}, "", "b1-r2 b2-r2"},
		{"of one board", map[string]time.Duration{"b1-r2": hour, "b2-r2": 2 * hour}, "b2", "b2-r2"},
		{"of two names of a round the younger", map[string]time.Duration{"b1-r2": hour, "b1-r2--2": 0}, "", "b1-r2--2"},
		{"of a day", map[string]time.Duration{"b1-20261124": hour, "b2-20261123": 2 * hour, "b3-20261120": 90 * hour}, "", "b1-20261124 b2-20261123"},
		{"of a simulation", map[string]time.Duration{"simulation-20261124-101010-seed7-table1": 0, "simulation-20261124-101010-seed7-table2": 0, "b1-20261124": hour}, "", "simulation-20261124-101010-seed7-table1 simulation-20261124-101010-seed7-table2"},
		{"no evening of the laboratory", map[string]time.Duration{"lab-20261124-101010": 0, "b1-20261124": hour}, "", "b1-20261124"},
		{"ten after nine", map[string]time.Duration{"10-r1": 0, "9-r1": 0}, "", "9-r1 10-r1"},
		{"of a hall, a board of the same name at each computer", map[string]time.Duration{
			"hall/mirror/t1/1-r2": hour, "hall/mirror/t2/1-r2": 2 * hour, "hall/mirror/t2/2-r1": 20 * hour,
		}, "", "1-r2 1-r2"},
		{"segments are one journal", map[string]time.Duration{"b1-20261124": hour, "b1-20261124.2": 0}, "", "b1-20261124"},
		{"the first segment is gone", map[string]time.Duration{"b1-20261124.2": hour, "b1-20261124.3": 0}, "", "b1-20261124.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, ago := range c.files {
				path := filepath.Join(dir, name+".bwj")
				when := time.Now().Add(-ago)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), os.Chtimes(path, when, when)); err != nil {
					t.Fatal(err)
				}
			}
			files, _, _, err := LatestJournals(c.board, filepath.Join(dir, "nowhere"), dir)
			var names []string
			for _, f := range files {
				names = append(names, strings.TrimSuffix(filepath.Base(f), ".bwj"))
			}
			if got := strings.Join(names, " "); got != c.want || err != nil {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
	if _, _, _, err := LatestJournals("", t.TempDir()); !errors.Is(err, ErrNoJournal) {
		t.Errorf("an empty directory: %v", err)
	}
}

// A rehearsal of the day before, in another directory, is not the newest round; the caller gets both.
func TestLatestIsOverAllDirectories(t *testing.T) {
	own, service := t.TempDir(), t.TempDir()
	write := func(dir, name string, ago time.Duration) {
		path, when := filepath.Join(dir, name), time.Now().Add(-ago)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, when, when)); err != nil {
			t.Fatal(err)
		}
	}
	write(own, "simulation-20261124-101010-seed7-table1.bwj", 20*time.Hour)
	write(service, "1-r1.bwj", time.Hour)
	for _, dirs := range [][]string{{own, service}, {service, own}} {
		files, older, unread, err := LatestJournals("", dirs...)
		if err != nil || unread != nil || len(files) != 1 || files[0] != filepath.Join(service, "1-r1.bwj") || len(older) != 1 || older[0] != own {
			t.Errorf("%v: %v, older %v, unread %v, %v", dirs, files, older, unread, err)
		}
	}
	notADirectory := filepath.Join(own, "file")
	write(own, "file", 0)
	if files, _, unread, err := LatestJournals("", notADirectory, service); err != nil || unread == nil || len(files) != 1 {
		t.Errorf("beside what cannot be read: %v, unread %v, %v", files, unread, err)
	}
	if _, _, _, err := LatestJournals("", notADirectory); err == nil || errors.Is(err, ErrNoJournal) {
		t.Errorf("of what cannot be read: %v", err)
	}
}

func TestStateOfAJournal(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"1-r1.bwj":                  ".",
		"state/1-r1.bwj":            "state",
		"hall/mirror/t1/1-r1.bwj":   here,
		"s/hall/mirror/t1/1-r1.bwj": filepath.Join(here, "s"),
		"/a/mirror/t1/1-r1.bwj":     "/a/mirror/t1",
		"/a/hall/mirror/t1/1.bwj":   "/a",
		"/hall/mirror/1-r1.bwj":     "/hall/mirror",
	} {
		if got := StateOf(file); got != want {
			t.Errorf("%s: %s; want %s", file, got, want)
		}
	}
}
