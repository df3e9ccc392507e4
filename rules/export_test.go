package rules

import (
	"fmt"
	"strings"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// WhyPossible returns the sentence for the verdict Possible.
func WhyPossible(pos *legal.Position, side legal.Side, a helpmate.Answer) words.Sentence {
	return asSentence(whyPossible(pos, side, &a))
}

// Stale returns the identity of a matter whose entry differs from a full new judgement; "": none.
func (d *Docket) Stale() string {
	for _, m := range d.matters {
		if e := d.judge(m); !sameEntry(&m.entry, &e) {
			return m.c.ID
		}
	}
	return ""
}

// Hurry bounds the search for mates, for tests that ask thousands of questions.
func (d *Docket) Hurry() { d.budget = 50 }

// ValuesOfKeys returns what may be written for the keys of a profile that have a list of words or a range: "`a`, `b`"
// or "0 to 9".
func ValuesOfKeys() map[string]string {
	values := map[string]string{}
	for _, w := range vocabulary {
		values[w.key] = "`" + strings.Join(w.allowed, "`, `") + "`"
	}
	for _, n := range numbers {
		values[n.key] = fmt.Sprintf("%d to %d", n.low, n.high)
	}
	return values
}
