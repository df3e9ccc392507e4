package rules

import "boardwatchd/rules/legal"

// A clock is what is known of the chess clock: its time control, what it shows, and what presses have added.
type clock struct {
	base, increment, delay int // of the time control in seconds; -1: not known

	shows   Clocks
	start   Clocks // as the game began
	gain    int    // the greatest that a press has added
	hasGain bool

	idle  tally // presses since one without a move, while no move was made
	swung tally // presses by a lever that bounced while the last press was being judged
}

// newClock is a clock of which nothing is known.
func newClock() clock { return clock{base: -1, increment: -1, delay: -1} }

// begin is a new game; the time control and the times that are shown stay what they are.
func (c *clock) begin(start Clocks) {
	c.idle = tally{}
	c.shows, c.start = Clocks{}, start
	c.gain, c.hasGain = 0, false
}

// see notes what the clock shows. First: nothing was known before of the times that this game began with.
func (c *clock) see(shows Clocks) (first bool) {
	if !shows.Known {
		return false
	}
	c.shows = shows
	if first = !c.start.Known; first {
		c.start = shows
	}
	return first
}

// longestIncrement bounds what a press adds each time, in seconds: more is the time of the next period.
const longestIncrement = 180

// gained notes what a press added; -1: not known. Shown: it shows the increment better than anything before.
func (c *clock) gained(n int) (shown bool) {
	if n < 0 || n > longestIncrement {
		return false
	}
	if c.hasGain = true; n <= c.gain {
		return false
	}
	c.gain = n
	return c.increment < 0
}

// timeControl is the one that is set, or else the one that the clock shows.
func (c *clock) timeControl() (base, increment int) {
	base, increment = c.base, c.increment
	if base < 0 && c.start.Known {
		base = (max(c.start.White, c.start.Black) + 59) / 60 * 60 // some seconds have run already
	}
	if increment < 0 {
		increment = c.gain
	}
	return base, increment
}

// credited is what a press adds in seconds: the increment of the time control, or else the greatest gain that was seen,
// because the second that ran before a press hides in it. False where nobody knows.
func (c *clock) credited() (int, bool) {
	switch {
	case c.delay > 0:
		return 0, true
	case c.increment >= 0:
		return c.increment, true
	}
	return c.gain, c.hasGain
}

// tight says that time pressure begins under a rule set (US Chess 11A).
func (c *clock) tight(p *Profile) bool {
	return p.TimePressureS > 0 && c.shows.Known && max(c.increment, c.delay, 0) < p.TimePressureFreeS &&
		min(c.shows.White, c.shows.Black) < p.TimePressureS
}

// A tally counts presses by side, and those of them that are known to have added nothing.
type tally struct {
	presses [3]int
	noGain  [3]int
}

// add counts a press and what it added; -1: not known.
func (t *tally) add(s legal.Side, gained int) {
	t.presses[s]++
	if gained == 0 {
		t.noGain[s]++
	}
}

// join adds another tally.
func (t *tally) join(o tally) {
	for s := range t.presses {
		t.presses[s] += o.presses[s]
		t.noGain[s] += o.noGain[s]
	}
}

// credits is how many presses have added the increment. Where the increment is known every press has.
func (t *tally) credits(s legal.Side, increment bool) int {
	n := t.presses[s]
	if !increment {
		n -= t.noGain[s]
	}
	return max(n, 0)
}
