package replay

import (
	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
)

// This file says how long a move has taken, by the clock's own times: what the mover's clock showed after the move before, what it shows after
// this one, and what the press has added.

// of is one side's time.
func of(c *said.Sides, s legal.Side) int {
	if s == legal.Black {
		return c.Black
	}
	return c.White
}

// A period is one of the configured time control, in microseconds.
type period struct{ Increment, Delay int64 }

// added is what every press adds to the time of the player who presses.
type added struct {
	sec   int
	known bool
}

// addedByPress takes it from the configured time control: it is known where it is the same throughout.
func addedByPress(periods []period) added {
	const second = 1_000_000
	if len(periods) == 0 {
		return added{}
	}
	for _, p := range periods {
		if p.Delay != 0 || p.Increment != periods[0].Increment || p.Increment%second != 0 {
			return added{}
		}
	}
	return added{int(periods[0].Increment / second), true}
}

// agreeSec is how much the time by the clock may differ from the time between the two presses: each is shown in whole seconds, and reported up to a
// second late. Where it differs more, the clock was stopped or set meanwhile, or adds something else than is configured.
const agreeSec = 3

// elapsed returns how long the move took that was told as s, after the two plies before it. It is known where all three plies were pressed, one
// after the other.
func (g *game) elapsed(before [2]said.Any, s said.Any, mover legal.Side) (sec int, ok bool) {
	own, reply := before[0], before[1]
	if !g.adds.known || own.Ply != s.Ply-2 || reply.Ply != s.Ply-1 {
		return 0, false
	}
	for _, p := range [...]said.Any{own, reply, s} {
		if p.Type != "move" || p.Clock == nil || p.CommittedBy != "press" || p.Corrects {
			return 0, false
		}
	}
	sec = of(own.Clock, mover) + g.adds.sec - of(s.Clock, mover)
	between := float64(s.T-reply.T) / 1e6
	return sec, sec >= 0 && float64(sec) <= between+agreeSec && float64(sec) >= between-agreeSec
}
