package config

import (
	"fmt"
	"strconv"
	"strings"
)

// TimeControl is each player's time, period by period. The zero value means not given.
type TimeControl struct{ Periods []Period }

// Period is one period of a time control.
type Period struct {
	Moves        int // moves to be made in it; 0: the rest of the game
	BaseSec      int
	IncrementSec int // added for each move (FIDE Laws, Glossary: increment)
	DelaySec     int // waited before each move (US Chess: d5); never both
}

const (
	maxPeriods = 4
	maxMinutes = 600 // ten hours: longer than any control in use
	maxBonus   = 600
)

// ParseTimeControl reads "90+30", "40/90+30, 30+30", "60d5": minutes, then
// "+" and the increment in seconds, or "d" and the delay in seconds; "40/"
// before it means for the first 40 moves; periods are separated by commas.
func ParseTimeControl(s string) (TimeControl, error) {
	var tc TimeControl
	if strings.TrimSpace(s) == "" {
		return tc, nil
	}
	parts := strings.Split(s, ",")
	if len(parts) > maxPeriods {
		return tc, fmt.Errorf("has %d periods, at most %d are supported", len(parts), maxPeriods)
	}
	for i, part := range parts {
		p, err := parsePeriod(strings.TrimSpace(part))
		if err != nil {
			return TimeControl{}, err
		}
		last := i == len(parts)-1
		if last && p.Moves != 0 {
			return TimeControl{}, fmt.Errorf("ends with a period of %d moves; the last period is for the rest of the game, like 40/90+30, 30+30", p.Moves)
		}
		if !last && p.Moves == 0 {
			return TimeControl{}, fmt.Errorf("period %d needs a number of moves, like 40/%s", i+1, strings.TrimSpace(part))
		}
		tc.Periods = append(tc.Periods, p)
	}
	return tc, nil
}

func parsePeriod(s string) (Period, error) {
	var p Period
	rest := s
	if moves, after, ok := strings.Cut(rest, "/"); ok {
		n, err := number(moves, 1, 200, "moves")
		if err != nil {
			return p, err
		}
		p.Moves, rest = n, after
	}
	bonus, unit := "0", ""
	if i := strings.IndexAny(rest, "+d"); i >= 0 {
		unit, bonus, rest = rest[i:i+1], rest[i+1:], rest[:i]
	}
	minutes, err := number(rest, 0, maxMinutes, "minutes")
	if err != nil {
		return p, err
	}
	sec, err := number(bonus, 0, maxBonus, "seconds per move")
	if err != nil {
		return p, err
	}
	if p.BaseSec = minutes * 60; unit == "d" {
		p.DelaySec = sec
	} else {
		p.IncrementSec = sec
	}
	if minutes == 0 && sec == 0 {
		return p, fmt.Errorf("%q gives no time at all", s)
	}
	return p, nil
}

// Total returns the time of all periods together, and the greatest increment and delay of a period, in seconds: they
// determine the class of play (FIDE Laws A.1, B.1). The base is -1 if not given.
func (tc TimeControl) Total() (baseSec, incrementSec, delaySec int) {
	if len(tc.Periods) == 0 {
		return -1, 0, 0
	}
	for _, p := range tc.Periods {
		baseSec += p.BaseSec
		incrementSec, delaySec = max(incrementSec, p.IncrementSec), max(delaySec, p.DelaySec)
	}
	return baseSec, incrementSec, delaySec
}

// number is stricter than Atoi: no signs, no blanks, no underscores.
func number(s string, least, most int, what string) (int, error) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			s = ""
			break
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("needs the %s as a whole number from %d to %d, in the form MINUTES+SECONDS like 90+30, or 40/90+30, 30+30", what, least, most)
	}
	return n, nil
}

// String returns the form that ParseTimeControl reads, with all non-zero parts.
func (tc TimeControl) String() string {
	var b strings.Builder
	for i, p := range tc.Periods {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.Moves > 0 {
			fmt.Fprintf(&b, "%d/", p.Moves)
		}
		switch b.WriteString(strconv.Itoa(p.BaseSec / 60)); {
		case p.DelaySec > 0:
			fmt.Fprintf(&b, "d%d", p.DelaySec)
		default:
			fmt.Fprintf(&b, "+%d", p.IncrementSec)
		}
	}
	return b.String()
}
