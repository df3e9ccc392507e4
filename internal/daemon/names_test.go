package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardwatchd/internal/config"
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
