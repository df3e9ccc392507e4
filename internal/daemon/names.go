package daemon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
)

// youngest is how long a journal may rest and still be the same session's.
const youngest = 12 * time.Hour

// journalName chooses the journal of a board: the configured round's, or the last one of today, or a new one. One that
// has rested for longer is another session's, whatever its name: its last game is not gone on with. An age below zero is
// a wall clock that was set back (no battery), and no reason to drop a game.
//
// A directory that cannot be read has none: the journal begins in memory, and gets another name should its own be taken.
func journalName(dir, board, round string, now time.Time) string {
	base := fileName(board)
	entries, err := journal.List(dir)
	if err != nil {
		entries = nil
	}
	resting := func(e journal.Entry) bool { return now.Sub(e.LastWrite) >= youngest }
	if round != "" {
		return roundName(entries, base+"-r"+fileName(round), resting)
	}
	name := base + "-" + now.Format(stampLayout)
	newest := time.Time{}
	for _, e := range entries {
		if stamp, ok := strings.CutPrefix(e.Name, base+"-"); ok && isStamp(stamp) && e.LastWrite.After(newest) && !resting(e) {
			name, newest = e.Name, e.LastWrite
		}
	}
	return name
}

// roundName returns the round's journal, of several (NAME, NAME-2, NAME-3 …) the one that was written last, or the next free name where
// all are too old.
func roundName(entries []journal.Entry, base string, resting func(journal.Entry) bool) string {
	last, newest := "", time.Time{}
	name := base
	for n := 2; ; n++ {
		i := slices.IndexFunc(entries, func(e journal.Entry) bool { return e.Name == name })
		switch {
		case i < 0 && last != "":
			return last
		case i < 0:
			return name
		case !resting(entries[i]) && !entries[i].LastWrite.Before(newest):
			last, newest = name, entries[i].LastWrite
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

const stampLayout = "20060102-150405"

// isStamp says that a name ends as those of a day do: with the time, and a number where the name was taken.
func isStamp(s string) bool {
	if len(s) > len(stampLayout) {
		number, ok := strings.CutPrefix(s[len(stampLayout):], "-")
		if _, err := strconv.ParseUint(number, 10, 16); !ok || err != nil {
			return false
		}
		s = s[:len(stampLayout)]
	}
	_, err := time.Parse(stampLayout, s)
	return err == nil
}

// fileName keeps what a journal's name may hold.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}

// A SameJournalError says that two boards of the configuration would write one journal.
type SameJournalError struct{ One, Other, Journal string }

func (e *SameJournalError) Error() string {
	return fmt.Sprintf("the boards %q and %q would write one journal (%s); give one another name", e.One, e.Other, e.Journal)
}

// checkNames compares the boards' names as journals have them.
func checkNames(boards []config.Board) error {
	names := map[string]string{}
	for _, b := range boards {
		file := fileName(b.Name)
		if other, taken := names[file]; taken {
			return &SameJournalError{other, b.Name, file}
		}
		names[file] = b.Name
	}
	return nil
}
