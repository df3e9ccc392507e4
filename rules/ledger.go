package rules

import "boardwatchd/rules/legal"

// A ledger counts strikes by side. The strikes given by decisions are counted by the caller (confirmed); a person may
// enter another number, which holds until decisions change it.
type ledger struct {
	given [3]int // entered by hand, less the strikes of decisions at that time
	fresh bool   // entered by hand, and no move has been played since
}

// strikes returns the count.
func (l *ledger) strikes(confirmed [3]int) (by [3]int) {
	for _, s := range [...]legal.Side{legal.White, legal.Black} {
		by[s] = max(l.given[s]+confirmed[s], 0)
	}
	return by
}

// write sets the count to the number entered by a person.
func (l *ledger) write(white, black int, confirmed [3]int) {
	l.given[legal.White] = max(white, 0) - confirmed[legal.White]
	l.given[legal.Black] = max(black, 0) - confirmed[legal.Black]
	l.fresh = true
}

// agree sets the count to the given value.
func (l *ledger) agree(want, confirmed [3]int) (changed bool) {
	for s, n := range l.strikes(confirmed) {
		if n != want[s] {
			l.given[s], changed = want[s]-confirmed[s], true
		}
	}
	return changed
}

// begin starts a new game: strikes entered before its first move belong to it.
func (l *ledger) begin() {
	if !l.fresh {
		l.given = [3]int{}
	}
}

// moved notes a played move.
func (l *ledger) moved() { l.fresh = false }
