package roster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// add adds a problem. The sentence about the state is the text hall.WHAT, or health.WHAT, which the page uses for
// boards. The remedy is the text hall.WHAT.do: its arguments are the computer, those of the state, and the
// command that takes the computer out of the hall, or brings one that was revoked back.
func (r *Row) add(level, what string, args ...string) {
	p := Problem{What: what, Level: level}
	if r.has(what) {
		return
	}
	key := "hall." + what
	if !has(key) {
		key = "health." + what
	}
	p.Text, p.Say = sentence(key, args)
	do := "hall." + what + ".do"
	if !has(do) {
		do = "hall.look.do"
	}
	verb := "hall revoke"
	if what == "revoked" {
		verb = "hall invite"
	}
	p.Do, p.DoSay = sentence(do, slices.Concat([]string{r.Computer}, args, []string{config.Typed(r.file, verb, r.Computer)}))
	r.Problems = append(r.Problems, p)
}

// addUnsaved adds the problem that the record is not saved.
func (r *Row) addUnsaved(trouble string) {
	r.add(Bad, "journal_degraded")
	r.addDiskError(trouble)
}

// addDiskError adds the disk's error to the last problem, and its remedy.
func (r *Row) addDiskError(trouble string) {
	p := &r.Problems[len(r.Problems)-1]
	p.Detail, p.DoSay = trouble, live.DiskRemedy(trouble, r.Computer)
	p.Do = page.English(p.DoSay)
}

// addStored adds the problems of what was saved before the start of the board's program, or was lost since.
func (r *Row) addStored(b *Board) {
	if b.Damage != "" {
		r.add(Warn, "journal_damaged")
		r.Problems[len(r.Problems)-1].Detail = b.Damage
	}
	if len(b.Lost) > 0 {
		r.add(Bad, "saved_lost", fmt.Sprint(len(b.Lost)))
		r.Problems[len(r.Problems)-1].Detail = list(b.Lost, "")
	}
	if of, _, ok := journal.Beside(b.Journal); ok {
		r.add(Warn, "journal_beside", of)
	}
}

func (r *Row) has(what string) bool {
	return what != "twice" && what != "claimed" && slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.What == what })
}

// finish orders the problems and gives the row the level of the worst.
func (r *Row) finish() Row {
	r.Level = Good
	slices.SortStableFunc(r.Problems, func(a, b Problem) int { return cmp.Compare(ranks[a.Level], ranks[b.Level]) })
	if len(r.Problems) > 0 {
		r.Level = r.Problems[0].Level
	} else {
		r.Problems = []Problem{}
	}
	return *r
}

// sentence returns a sentence in English, and as data from which it can be made in other languages.
func sentence(key string, args []string) (text string, say words.Sentence) {
	say.Key = key
	for _, a := range args {
		say.Args = append(say.Args, words.Verbatim(a))
	}
	return page.English(say), say
}

// has reports whether there is a text with this key.
func has(key string) bool { return page.English(words.Say(key)) != key }

// list joins names for people.
func list(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
