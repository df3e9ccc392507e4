package retention

import (
	"fmt"
	"strings"
	"time"
)

// mostNames is how many journals are named in a sentence.
const mostNames = 5

// Number is a number with its noun.
func Number(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// Report says which journals have gone.
func Report(dir string, list []Removed) string {
	age := 0
	for _, r := range list {
		if r.Why == Age {
			age++
		}
	}
	return fmt.Sprintf("%s removed %s, as announced: %s. %s in %s has their names and last records.", Number(len(list), "journal was", "journals were"),
		reason(age, len(list)), names(len(list), func(i int) string { return list[i].Name }), File, dir)
}

// reason is why journals go, of which some do because of their age.
func reason(age, all int) string {
	switch age {
	case 0:
		return "to make room"
	case all:
		return "at the end of the time for which they are kept"
	}
	return "to make room, or at the end of the time for which they are kept"
}

// names are some names of many.
func names(n int, at func(int) string) string {
	var all []string
	for i := range min(n, mostNames) {
		all = append(all, at(i))
	}
	text := strings.Join(all, ", ")
	if n > mostNames {
		text += fmt.Sprintf(" and %d more", n-mostNames)
	}
	return text
}

// Announcement says which journals will go, and when the first can; "" where none will.
func Announcement(due []Due, left int, now time.Time) string {
	if len(due) == 0 {
		return ""
	}
	bytes, age := int64(0), 0
	for _, d := range due {
		bytes += d.Bytes
		if d.Why == Age {
			age++
		}
	}
	const day = "2 January 2006"
	first, last := due[0].Written.Local().Format(day), due[len(due)-1].Written.Local().Format(day)
	when := "of " + first
	if first != last {
		when = "of " + first + " to " + last
	}
	begins := "from today on"
	if left > 0 { // days are those of UTC, and people live by those of the place
		y, m, d := now.UTC().Date()
		first := time.Date(y, m, d+left, 0, 0, 0, 0, time.UTC).In(now.Location())
		begins = fmt.Sprintf("not before %s (in about %s)", first.Format(day), Number(left, "day", "days"))
	}
	return fmt.Sprintf("%s %s (%d MB) will be removed %s, %s: %s.", Number(len(due), "journal", "journals"), when, (bytes+1<<20-1)>>20,
		reason(age, len(due)), begins, names(len(due), func(i int) string { return due[i].Name }))
}

// RemedyUnder is what can be done about journals in directories below one.
func RemedyUnder(dir string) string {
	return fmt.Sprintf("Leave them room (budgets.journals, budgets.free, journal.keep_days in the configuration), or copy them before: "+
		"cp -a '%s' to another disk. The boards' computers have their own, unless they have removed them.", strings.ReplaceAll(dir, "'", `'\''`))
}

// Remedy is a command that copies them.
func Remedy(dir string, due []Due) string {
	if len(due) == 0 {
		return ""
	}
	last := due[len(due)-1].Written.Local().Add(time.Second).Format("2006-01-02 15:04:05")
	return fmt.Sprintf("Leave them room (budgets.journals, budgets.free, journal.keep_days in the configuration), or copy them before, with all that is as old: "+
		"mkdir -p journals && find '%s' -maxdepth 1 -name '*.bwj*' ! -newermt '%s' -exec cp -p {} journals ';'", strings.ReplaceAll(dir, "'", `'\''`), last)
}
