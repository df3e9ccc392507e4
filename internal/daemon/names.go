package daemon

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
)

// sameSession is how long a journal without a round may rest and still be continued.
const sameSession = 12 * time.Hour

// journalName chooses the journal of a board: that of the configured round, however long it has rested (an adjournment,
// a wrong wall clock), or the last one of today, or a new one. If a round has several (NAME, NAME--2 …) it is the one
// that was written last. A negative age means that the wall clock was set back (no battery), and is no reason to drop a
// game.
//
// An unreadable directory counts as empty: the journal begins in memory, and gets another name if its own is in use. If
// the chosen one exists and cannot be opened, the next name is used.
func journalName(dir, board, round string, now time.Time) (name string, rested time.Duration) {
	chosen := chooseJournal(journals(dir), board, round, now)
	if !chosen.LastWrite.IsZero() {
		rested = now.Sub(chosen.LastWrite)
	}
	return openable(dir, chosen.Name), rested
}

// openable is the name of a journal, or the next numbered name under which one can be opened or begun.
func openable(dir, name string) string {
	base, number := name, 1
	if of, n, ok := journal.Beside(name); ok {
		base, number = of, n
	}
	for ; number < 100; number++ {
		rd, err := journal.Open(filepath.Join(dir, name+journal.Extension))
		if err == nil {
			_ = rd.Close() // nothing was written
			return name
		}
		here := slices.ContainsFunc(journals(dir), func(e journal.Entry) bool { return e.Name == name })
		if journal.Passing(err) || !here {
			return name
		}
		name = fmt.Sprintf("%s--%d", base, number+1)
	}
	return name
}

// journals are the journals in a directory; none if it cannot be read.
func journals(dir string) []journal.Entry {
	entries, err := journal.List(dir)
	if err != nil {
		return nil
	}
	return entries
}

// chooseJournal is journalName among these journals. A new one has a name only.
func chooseJournal(entries []journal.Entry, board, round string, now time.Time) (chosen journal.Entry) {
	base := fileName(board)
	chosen.Name = base + "-" + now.Format(stampLayout)
	mine := func(e journal.Entry) bool {
		stamp, ok := strings.CutPrefix(e.Name, base+"-")
		return ok && isStamp(stamp) && now.Sub(e.LastWrite) < sameSession
	}
	if round != "" {
		chosen.Name = base + "-r" + fileName(round)
		mine = func(e journal.Entry) bool { return isOfRound(e.Name, base+"-r"+fileName(round)) }
	}
	for _, e := range entries {
		if mine(e) && e.LastWrite.After(chosen.LastWrite) {
			chosen = e
		}
	}
	return chosen
}

// isOfRound reports whether a name is the round's own, or a numbered one because its own was in use.
func isOfRound(name, round string) bool {
	number, ok := strings.CutPrefix(name, round)
	return ok && (number == "" || isNumber(number))
}

// isNumber reports whether the end of a name is such a number: --2, --3 ….
func isNumber(s string) bool {
	of, _, ok := journal.Beside("x" + s)
	return ok && of == "x"
}

const stampLayout = "20060102-150405"

// isStamp reports whether a name ends as those of a day do: with the time, and a number if the name was in use.
func isStamp(s string) bool {
	if len(s) > len(stampLayout) {
		if !isNumber(s[len(stampLayout):]) {
			return false
		}
		s = s[:len(stampLayout)]
	}
	_, err := time.Parse(stampLayout, s)
	return err == nil
}

// fileName keeps the characters that a journal's name may have.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}

// A SameJournalError means that two boards of the configuration would write one journal.
type SameJournalError struct{ One, Other, Journal string }

func (e *SameJournalError) Error() string {
	return fmt.Sprintf("the boards %q and %q would write one journal (%s); give one another name", e.One, e.Other, e.Journal)
}

// checkNames compares the boards' names in the form that journals have.
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
