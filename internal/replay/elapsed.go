package replay

import (
	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
)

// This file computes the time of a move from the clock's own times: the mover's display after the move before, the
// display after this one, and the time that the press has added.

// of returns one side's time.
func of(c *said.Sides, s legal.Side) int {
	if s == legal.Black {
		return c.Black
	}
	return c.White
}

// A period is one of the configured time control, in microseconds.
type period struct{ Base, Increment, Delay int64 }

// added is the time that every press adds for the player who presses.
type added struct {
	sec     int
	known   bool
	baseSec int // at the beginning of the game
}

// addedByPress reads it from the configured time control; it is known only if it is the same in all periods.
func addedByPress(periods []period) added {
	if len(periods) == 0 {
		return added{}
	}
	for _, p := range periods {
		if p.Delay != 0 || p.Increment != periods[0].Increment || p.Increment%second != 0 {
			return added{}
		}
	}
	return added{int(periods[0].Increment / second), true, int(periods[0].Base / second)}
}

// first returns the time that White's first move took, if nobody pressed the clock to begin: the increment is
// configured, and Black's time, which has not run yet, is the configured one, with or without the increment of the
// first move.
func (a added) first(s said.Any) (sec int, ok bool) {
	const late = 2 // Black's time has run since the press, which is reported up to a second late
	if !a.known || s.Ply != 1 {
		return 0, false
	}
	for _, begun := range [...]int{a.baseSec, a.baseSec + a.sec} {
		if off := begun - s.Clock.Black; off >= 0 && off <= late {
			sec = begun + a.sec - s.Clock.White
			return sec, sec >= 0
		}
	}
	return 0, false
}

// agreeSec is the largest difference between the time by the clock and the time between the two presses: each is shown
// in whole seconds, and reported up to a second late. A larger difference means that the clock was stopped or set
// meanwhile, or adds another time than configured.
const agreeSec = 3

// elapsed returns the time that the move s took, after the two plies before it. It is known by the clock if all three
// plies were pressed, one after the other, and the increment is configured. If the increment is not known, it is the
// time between the two presses, each of which is reported up to a second late. It is not known if the clock was set or
// stopped meanwhile.
func (g *game) elapsed(before [2]said.Any, s said.Any, mover legal.Side) (sec int, ok bool) {
	own, reply := before[0], before[1]
	if !pressed(s) {
		return 0, false
	}
	between := int64(s.T - reply.T)
	switch {
	case pressed(reply) && reply.Ply == s.Ply-1:
	case reply.Type == "" && g.started != nil: // the first move: the clock was started for it
		between = int64(s.T - *g.started)
	case reply.Type == "":
		return g.adds.first(s)
	default:
		return 0, false
	}
	sec = int((between + second/2) / second)
	if !g.adds.known || !pressed(own) || own.Ply != s.Ply-2 {
		return sec, between >= 0 && (reply.Clock == nil || ran(of(reply.Clock, mover)-of(s.Clock, mover), between))
	}
	sec = of(own.Clock, mover) + g.adds.sec - of(s.Clock, mover)
	off := int64(sec)*second - between
	return sec, sec >= 0 && off <= agreeSec*second && off >= -agreeSec*second
}

// maxAdded is the longest increment or delay that is assumed of a clock whose settings are not known.
const maxAdded = 60

// ran reports whether a clock that went down by downSec can have run for all the time between two presses.
func ran(downSec int, between int64) bool {
	added := between - int64(downSec)*second
	return added >= -agreeSec*second && added <= (maxAdded+agreeSec)*second
}

const second = 1_000_000

// pressed reports whether its player completed the move with the clock, in its first report.
func pressed(s said.Any) bool {
	return s.Type == "move" && s.Clock != nil && s.CommittedBy == "press" && !s.Corrects
}
