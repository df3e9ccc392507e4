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

// sameSession is how long a journal without a round may rest and still be the same session's.
const sameSession = 12 * time.Hour

// journalName chooses the journal of a board: the configured round's, however long it has rested (an adjournment, a
// wall clock that is wrong), or the last one of today, or a new one. Of several that a round may have (NAME, NAME--2 …)
// it is the one that was written last. An age below zero is a wall clock that was set back (no battery), and no reason
// to drop a game.
//
// A directory that cannot be read has none: the journal begins in memory, and gets another name should its own be
// taken. Where the chosen one is there and cannot be opened, it is the next name.
func journalName(dir, board, round string, now time.Time) (name string, rested time.Duration) {
	chosen := chooseJournal(journals(dir), board, round, now)
	if !chosen.LastWrite.IsZero() {
		rested = now.Sub(chosen.LastWrite)
	}
	return openable(dir, chosen.Name), rested
}

// openable is the name of a journal, or the next one with a number under which one can be opened or begun.
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

// journals are those in a directory; one that cannot be read has none.
func journals(dir string) []journal.Entry {
	entries, err := journal.List(dir)
	if err != nil {
		return nil
	}
	return entries
}

// chooseJournal is journalName among these; a new one has a name only.
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

// isOfRound says that a name is the round's own, or that with a number because its own was taken.
func isOfRound(name, round string) bool {
	number, ok := strings.CutPrefix(name, round)
	return ok && (number == "" || isNumber(number))
}

// isNumber says that this follows a name that was taken: --2, --3 ….
func isNumber(s string) bool {
	of, _, ok := journal.Beside("x" + s)
	return ok && of == "x"
}

const stampLayout = "20060102-150405"

// isStamp says that a name ends as those of a day do: with the time, and a number where the name was taken.
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
