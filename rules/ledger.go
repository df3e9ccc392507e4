package rules

import "boardwatchd/rules/legal"

// A ledger counts strikes by side. Decisions give strikes, and the count of those is the caller's (confirmed); people may write
// another number in, which then holds until decisions change it.
type ledger struct {
	given [3]int // written in by hand, less those of decisions at that time
	fresh bool   // written in, and no move has been played since
}

// strikes is the count.
func (l *ledger) strikes(confirmed [3]int) (by [3]int) {
	for _, s := range [...]legal.Side{legal.White, legal.Black} {
		by[s] = max(l.given[s]+confirmed[s], 0)
	}
	return by
}

// write makes the count what a person says.
func (l *ledger) write(white, black int, confirmed [3]int) {
	l.given[legal.White] = max(white, 0) - confirmed[legal.White]
	l.given[legal.Black] = max(black, 0) - confirmed[legal.Black]
	l.fresh = true
}

// agree makes the count what it has to be.
func (l *ledger) agree(want, confirmed [3]int) (changed bool) {
	for s, n := range l.strikes(confirmed) {
		if n != want[s] {
			l.given[s], changed = want[s]-confirmed[s], true
		}
	}
	return changed
}

// begin is a new game: what was written in before its first move belongs to it.
func (l *ledger) begin() {
	if !l.fresh {
		l.given = [3]int{}
	}
}

// moved is a move that was played.
func (l *ledger) moved() { l.fresh = false }
