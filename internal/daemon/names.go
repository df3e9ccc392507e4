package daemon

import (
	"errors"
	"fmt"
	"os"
	"slices"
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
func journalName(dir, board, round string, now time.Time) (string, error) {
	base := fileName(board)
	entries, err := journal.List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	resting := func(e journal.Entry) bool { return now.Sub(e.LastWrite) >= youngest }
	if round != "" {
		return roundName(entries, base+"-r"+fileName(round), resting), nil
	}
	name := base + "-" + now.Format("20060102-150405")
	newest := time.Time{}
	for _, e := range entries {
		if stamp, ok := strings.CutPrefix(e.Name, base+"-"); ok && isStamp(stamp) && e.LastWrite.After(newest) && !resting(e) {
			name, newest = e.Name, e.LastWrite
		}
	}
	return name, nil
}

// roundName returns the round's journal, or the next free name where the last one is too old: NAME, NAME-2, NAME-3 ….
func roundName(entries []journal.Entry, base string, resting func(journal.Entry) bool) string {
	name := base
	for n := 2; ; n++ {
		i := slices.IndexFunc(entries, func(e journal.Entry) bool { return e.Name == name })
		if i < 0 || !resting(entries[i]) {
			return name
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

func isStamp(s string) bool {
	_, err := time.Parse("20060102-150405", s)
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
