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

// add says what is wrong. What is so stands in the texts as hall.WHAT, or as the page says it of a board (health.WHAT);
// what to do as hall.WHAT.do: the computer, the same arguments, and the computer as commands about the hall have it.
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
	p.Do, p.DoSay = sentence(do, slices.Concat([]string{r.Computer}, args, []string{config.Typed(r.file, r.Computer)}))
	r.Problems = append(r.Problems, p)
}

// unsaved says that the record is not saved, and what to do.
func (r *Row) unsaved(trouble string) {
	r.add(Bad, "journal_degraded")
	r.against(trouble)
}

// against gives the last problem the error of the disk, and what to do against it.
func (r *Row) against(trouble string) {
	p := &r.Problems[len(r.Problems)-1]
	p.Detail, p.DoSay = trouble, live.DiskRemedy(trouble, r.Computer)
	p.Do = page.English(p.DoSay)
}

// stored says what is wrong with what was saved before the board's program was started, or is lost since.
func (r *Row) stored(b *Board) {
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

// sentence returns a sentence in English, and as data from which it is made in other languages.
func sentence(key string, args []string) (text string, say words.Sentence) {
	say.Key = key
	for _, a := range args {
		say.Args = append(say.Args, words.Verbatim(a))
	}
	return page.English(say), say
}

// has says whether there is a text with this key.
func has(key string) bool { return page.English(words.Say(key)) != key }

// list are names for people.
func list(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
