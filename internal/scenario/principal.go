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

// Principal chooses the finding that answers the question "what is the matter at this board?": the one that the command
// scenarios prints and that a phone shows first. Nil: there is nothing to show.
//
// Withdrawn findings, and those whose ruling is "none" and that are told to nobody, are left out. The others stand in
// this order; within a class open ones come before expired ones, and later ones before earlier ones:
//
//  1. reports of people that the rule set makes an offence: somebody waits for an answer
//  2. the end of the game with its result, told at once
//  3. a flag, told at once: time decides before what happened after it
//  4. what is told at once
//  5. what is told quietly, a wrong bonus among it
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

// shown says that there is something to show.
func (f *Finding) shown() bool {
	if f.State == withdrawn {
		return false
	}
	quiet := f.Alert == "log" || f.Alert == "none" || f.Alert == ""
	return !(quiet && f.kind() == noKind)
}

// kind is the kind of its ruling; a finding without one rules nothing.
func (f *Finding) kind() string {
	if f.Ruling == nil {
		return ""
	}
	return string(f.Ruling.Kind)
}

// rank is the class, with a place in it: the lowest comes first.
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
