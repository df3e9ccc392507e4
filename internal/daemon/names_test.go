package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

func TestJournalName(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.Local)
	for _, c := range []struct {
		name, board, round string
		files              map[string]time.Duration // in the directory, by the age of their last write
		want               string
	}{
		{name: "the first of a board", board: "b1", want: "b1-20260314-150926"},
		{name: "of a round, whatever the time", board: "b1", round: "3.1", want: "b1-r3_1",
			files: map[string]time.Duration{"b1-20260314-100000.bwj": time.Minute}},
		{name: "today's is gone on with", board: "b1", want: "b1-20260314-100000",
			files: map[string]time.Duration{"b1-20260314-100000.bwj": time.Minute}},
		{name: "the youngest of today's", board: "b1", want: "b1-20260314-140000",
			files: map[string]time.Duration{"b1-20260314-100000.bwj": 3 * time.Hour, "b1-20260314-140000.bwj": time.Hour}},
		{name: "a segment's last write counts", board: "b1", want: "b1-20260314-100000",
			files: map[string]time.Duration{"b1-20260314-100000.bwj": 3 * time.Hour, "b1-20260314-100000.2.bwj": time.Minute, "b1-20260314-140000.bwj": time.Hour}},
		{name: "yesterday's is not", board: "b1", want: "b1-20260314-150926",
			files: map[string]time.Duration{"b1-20260313-100000.bwj": 13 * time.Hour}},
		{name: "another board's is not, though its name begins alike", board: "b", want: "b-20260314-150926",
			files: map[string]time.Duration{"b-1-20260314-100000.bwj": time.Minute, "b1-20260314-100000.bwj": time.Minute}},
		{name: "a round's is not", board: "b1", want: "b1-20260314-150926",
			files: map[string]time.Duration{"b1-r3.bwj": time.Minute}},
		{name: "one that began in memory, when its name was taken", board: "b1", want: "b1-20260314-100000--2",
			files: map[string]time.Duration{"b1-20260314-100000.bwj": 3 * time.Hour, "b1-20260314-100000--2.bwj": time.Hour}},
		{name: "of a round, the last one written", board: "b1", round: "3", want: "b1-r3--2",
			files: map[string]time.Duration{"b1-r3.bwj": 3 * time.Hour, "b1-r3--2.bwj": time.Hour}},
		{name: "of a round, the first again where that was written last", board: "b1", round: "3", want: "b1-r3",
			files: map[string]time.Duration{"b1-r3.bwj": time.Hour, "b1-r3--2.bwj": 3 * time.Hour}},
		{name: "of a round that was adjourned for three days", board: "b1", round: "3", want: "b1-r3",
			files: map[string]time.Duration{"b1-r3.bwj": 72 * time.Hour, "b1-r3--2.bwj": 80 * time.Hour, "b1-r3-x.bwj": 0, "b1-r33.bwj": 0, "b1-r3--1.bwj": 0, "b1-r3-2.bwj": 0}},
		{name: "characters that a file's name may not have", board: "hall/7.a", want: "hall_7_a-20260314-150926"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for file, age := range c.files {
				path := filepath.Join(dir, file)
				if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, time.Time{}, now.Add(-age)); err != nil {
					t.Fatal(err)
				}
			}
			if got, _ := journalName(dir, c.board, c.round, now); got != c.want {
				t.Errorf("%q; want %q", got, c.want)
			}
		})
	}
	if got, _ := journalName(filepath.Join(t.TempDir(), "none"), "b1", "", now); got != "b1-20260314-150926" {
		t.Errorf("without a directory: %q", got)
	}
}

func TestTwoBoardsDoNotWriteOneJournal(t *testing.T) {
	err := checkNames([]config.Board{{Name: "b"}, {Name: "a/1"}, {Name: "a_1"}})
	var same *SameJournalError
	if !errors.As(err, &same) || *same != (SameJournalError{"a/1", "a_1", "a_1"}) {
		t.Errorf("%v", err)
	}
	if err := checkNames([]config.Board{{Name: "a1"}, {Name: "a_1"}}); err != nil {
		t.Error(err)
	}
}

// If the chosen journal cannot be opened another one is written: all listeners get the name of its files.
func TestAJournalThatCannotBeOpenedHasTheNextName(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	name := func(want string) {
		t.Helper()
		if name, _ := journalName(dir, "b1", "3", now); name != want {
			t.Errorf("%s, want %s", name, want)
		}
	}
	write := func(name string, old time.Duration) string {
		t.Helper()
		path := filepath.Join(dir, name+journal.Extension)
		if err := errors.Join(os.WriteFile(path, []byte("1\n"), 0o600), os.Chtimes(path, now.Add(-old), now.Add(-old))); err != nil {
			t.Fatal(err)
		}
		return path
	}
	spoil := func(path string) {
		t.Helper()
		if err := errors.Join(os.Remove(path), os.Symlink(filepath.Base(path), path)); err != nil { // to itself
			t.Fatal(err)
		}
	}
	name("b1-r3")
	first := write("b1-r3", time.Hour)
	name("b1-r3")
	spoil(first)
	name("b1-r3--2")
	second := write("b1-r3--2", time.Minute)
	name("b1-r3--2")
	spoil(second)
	name("b1-r3--3")
}

// Everybody hears of a board under the name of the files that are written, and what is wrong with those of before is on
// the page and in the list.
func TestABoardWhoseJournalCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	d := alone(t, dir, "")
	watched := func(round string) (told []string) {
		t.Helper()
		d.opt.Config.Round = round
		ctx, stop := context.WithCancel(t.Context())
		ended, err := d.watchBoard(ctx, config.Board{Name: "1", Port: filepath.Join(dir, "no-port")})
		if err != nil {
			t.Fatal(err)
		}
		s := d.Station("1")
		if err := s.Instruct(t.Context(), []byte(`{"do":"names","white":"x"}`)); err != nil {
			t.Fatal(err)
		}
		if name, written := d.frontend.boards.Journal("1"), s.Head().Journal; name != written {
			t.Errorf("shown is %s, written %s", name, written)
		}
		for _, r := range d.frontend.Computers().Rows {
			for _, p := range r.Problems {
				if strings.HasPrefix(p.What, "journal_") {
					told = append(told, p.What)
				}
			}
		}
		for _, n := range d.frontend.notices() {
			if strings.HasPrefix(n.ID, "journal-") {
				told = append(told, n.ID)
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		slices.Sort(told)
		return told
	}
	if told := watched("1"); len(told) > 0 {
		t.Errorf("at first: %q", told)
	}
	path := filepath.Join(dir, "1-r1.bwj")
	if err := errors.Join(os.Remove(path), os.Symlink("1-r1.bwj", path)); err != nil { // to itself
		t.Fatal(err)
	}
	if told := watched("1"); !slices.Equal(told, []string{"journal-beside-1", "journal_beside"}) {
		t.Errorf("it cannot be opened: %q", told)
	}
	if told := watched("2"); len(told) > 0 {
		t.Errorf("the next round: %q", told)
	}
	w, err := journal.Create(dir, "1-r3", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := w.Append(1, record.Rx, []byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(1, "stop"); err != nil {
		t.Fatal(err)
	}
	if path = filepath.Join(dir, "1-r3.bwj"); os.WriteFile(path, append([]byte("no record\n"), must(os.ReadFile(path))...), 0o600) != nil {
		t.Fatal("not written")
	}
	if told := watched("3"); !slices.Equal(told, []string{"journal-damaged-1", "journal_damaged"}) {
		t.Errorf("it is damaged: %q", told)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
