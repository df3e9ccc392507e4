package retention

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"boardwatchd/rules/words"
)

// maxNames is the largest number of journals named in a sentence.
const maxNames = 5

// The sentences belong to the page's texts (texts/notice).

// Number returns a number with its noun.
func Number(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// Report says which journals were removed.
func Report(dir string, list []Removed) words.Sentence {
	age := 0
	for _, r := range list {
		if r.Why == Age {
			age++
		}
	}
	return words.Say("notice.removed", len(list), reason(age, len(list)), names(len(list), func(i int) string { return list[i].Name }), filepath.Join(dir, File))
}

// reason returns the reason of the removal of all journals, some of which are removed because of their age.
func reason(age, all int) words.Sentence {
	switch age {
	case 0:
		return words.Say("notice.why_room")
	case all:
		return words.Say("notice.why_age")
	}
	return words.Say("notice.why_both")
}

// names returns some of many names.
func names(n int, at func(int) string) words.Sentence {
	var all []string
	for i := range min(n, maxNames) {
		all = append(all, at(i))
	}
	list := words.Verbatim(strings.Join(all, ", "))
	if n > maxNames {
		return words.Say("notice.names", list, n-maxNames)
	}
	return list
}

// Announcement says which journals will be removed, and when the first can be; empty if none will be.
func Announcement(due []Due, left int, now time.Time) (say words.Sentence) {
	if len(due) == 0 {
		return say
	}
	bytes, age := int64(0), 0
	for _, d := range due {
		bytes += d.Bytes
		if d.Why == Age {
			age++
		}
	}
	when, last := due[0].Written.Local().Format(time.DateOnly), due[len(due)-1].Written.Local().Format(time.DateOnly)
	if when != last {
		when += " – " + last
	}
	begins := words.Say("notice.due_today")
	if left > 0 { // the days are those of UTC, and people use those of their place
		y, m, d := now.UTC().Date()
		first := time.Date(y, m, d+left, 0, 0, 0, 0, time.UTC).In(now.Location())
		begins = words.Say("notice.due_from", first.Format(time.DateOnly))
	}
	return words.Say("notice.due", len(due), when, (bytes+1<<20-1)>>20, reason(age, len(due)), begins,
		names(len(due), func(i int) string { return due[i].Name }))
}

// RemedyUnder returns advice about journals in directories below one.
func RemedyUnder(dir string) words.Sentence {
	return words.Say("notice.due_mirrored.do", "cp -a "+quoted(dir)+" DIRECTORY")
}

// Remedy returns a command that copies the journals.
func Remedy(dir string, due []Due) (do words.Sentence) {
	if len(due) == 0 {
		return do
	}
	last := due[len(due)-1].Written.Local().Add(time.Second).Format("2006-01-02 15:04:05")
	return words.Say("notice.due.do", fmt.Sprintf("mkdir -p journals && find %s -maxdepth 1 -name '*.bwj*' ! -newermt '%s' -exec cp -p {} journals ';'", quoted(dir), last))
}

// quoted returns a path quoted for a shell.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
