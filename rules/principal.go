package rules

import (
	"cmp"
	"slices"

	"boardwatchd/rules/kinds"
)

// Principal returns the entry to show first on a phone. The entries may be in any order. False: there is nothing to
// show.
//
// Withdrawn entries, and those without a ruling and an alert, are left out. Of the others, in this order, open ones
// before expired ones of the same class, later ones before earlier ones:
//
//  1. reports of people that the rule set makes an offence
//  2. the end of the game with its result, alerted at once
//  3. a flag, alerted at once
//  4. other entries alerted at once
//  5. quiet entries, a wrong bonus among them
//  6. the rest
//  7. entries that the arbiter has decided
func Principal(entries []Entry) (Entry, bool) {
	best := -1
	for i := range entries {
		if e := &entries[i]; e.shown() && (best < 0 || before(e, &entries[best]) < 0) {
			best = i
		}
	}
	if best < 0 {
		return Entry{}, false
	}
	return entries[best], true
}

// before compares two entries: the result is less than 0 if a is shown before b.
func before(a, b *Entry) int {
	if c := cmp.Compare(a.place(), b.place()); c != 0 {
		return c
	}
	return cmp.Compare(b.Order, a.Order)
}

// inOrder sorts entries: the principal one first, those that are not shown last.
func inOrder(entries []Entry) []Entry {
	slices.SortFunc(entries, func(a, b Entry) int { return before(&a, &b) })
	return entries
}

// shown reports whether the entry is to be shown.
func (e *Entry) shown() bool {
	return e.State != Withdrawn && (e.Alert > Log || e.kind() != kindNone)
}

func (e *Entry) kind() string {
	if e.Ruling == nil {
		return ""
	}
	return e.Ruling.Kind
}

// place returns the rank of an entry by its class: the lowest comes first.
func (e *Entry) place() int {
	n := 2 * e.class()
	if e.State == Expired {
		n++
	}
	return n
}

func (e *Entry) class() int {
	now := e.Alert == Now
	switch {
	case !e.shown():
		return 8
	case e.Decided != "" && e.Decided != doLater:
		return 7
	case e.Proof == Reported && (e.kind() == kindIllegal || e.kind() == kindDecides):
		return 1
	case now && e.Kind.Family() == kinds.End && e.Ruling != nil && e.Ruling.Result != "":
		return 2
	case now && (e.Kind == kinds.FlagFallen || e.Kind == kinds.BothFlags):
		return 3
	case now:
		return 4
	case e.Alert == Advise || e.Kind == kinds.BonusWrong:
		return 5
	}
	return 6
}
