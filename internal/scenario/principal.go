package scenario

import (
	"boardwatchd/rules/kinds"
)

// Words of contract section 3.
const (
	withdrawn      = "withdrawn"
	expired        = "expired"
	illegalMove    = "illegal_move"
	arbiterDecides = "arbiter_decides"
	noKind         = "none"
)

// Principal returns the finding to show first: the one that the command scenarios prints and a phone shows. Nil: there
// is nothing to show.
//
// Withdrawn findings, and those with the ruling "none" and no alert, are left out. The others have this order; within a
// class open ones come before expired ones, and later ones before earlier ones:
//
//  1. reports of people that the rule set makes an offence: a person waits for an answer
//  2. the end of the game with its result, alerted at once
//  3. a flag, alerted at once: it decides before later events
//  4. other findings alerted at once
//  5. quiet findings, a wrong bonus among them
//  6. the rest, and everything that the arbiter has decided
//
// The order of appearance is the order of the list.
func Principal(findings []*Finding) (first *Finding) {
	best := 0
	for _, f := range findings {
		if !f.shown() {
			continue
		}
		if r := rank(f); first == nil || r <= best {
			first, best = f, r
		}
	}
	return first
}

// shown reports whether the finding is to be shown.
func (f *Finding) shown() bool {
	if f.State == withdrawn {
		return false
	}
	quiet := f.Alert == "log" || f.Alert == "none" || f.Alert == ""
	return !(quiet && f.kind() == noKind)
}

// kind returns the kind of its ruling; a finding without one has none.
func (f *Finding) kind() string {
	if f.Ruling == nil {
		return ""
	}
	return string(f.Ruling.Kind)
}

// rank returns the class and the place in it: the lowest comes first.
func rank(f *Finding) int {
	r := 2 * class(f)
	if f.State == expired {
		r++
	}
	return r
}

func class(f *Finding) int {
	now := f.Alert == "now"
	switch {
	case f.Decided:
		return 7
	case f.Proof == "report" && (f.kind() == illegalMove || f.kind() == arbiterDecides):
		return 1
	case now && f.Kind.Family() == kinds.End && f.Ruling != nil && f.Ruling.Result != "":
		return 2
	case now && (f.Kind == kinds.FlagFallen || f.Kind == kinds.BothFlags):
		return 3
	case now:
		return 4
	case f.Alert == "advise" || f.Kind == kinds.BonusWrong:
		return 5
	}
	return 6
}
