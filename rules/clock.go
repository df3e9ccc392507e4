package rules

import "boardwatchd/rules/legal"

// A clock holds the facts known about the chess clock: its time control, the displayed times, and the time that presses
// have added.
type clock struct {
	base, increment, delay int // of the time control in seconds; -1: not known

	shows   Clocks
	start   Clocks // at the beginning of the game
	gain    int    // the most that one press has added
	hasGain bool

	atPress  Clocks // what the last press showed
	rose     bool   // a press has left its player more time than the turn began with: the clock adds an increment
	returned int    // presses that gave the time of the turn back, all of it and not more
	least    int    // the least that one of them has given back, in seconds

	idle    tally // presses since one without a move, while no move was made
	bounces tally // presses by a lever that bounced while the last press was being judged
}

// newClock returns a clock with nothing known.
func newClock() clock { return clock{base: -1, increment: -1, delay: -1} }

// begin starts a new game; the time control and the displayed times are kept.
func (c *clock) begin(start Clocks) {
	c.idle = tally{}
	c.shows, c.start = Clocks{}, start
	c.gain, c.hasGain = 0, false
	c.atPress, c.rose, c.returned, c.least = Clocks{}, false, 0, 0
}

// see notes the displayed times. It returns true if the times at the beginning of this game were unknown before.
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

// longestIncrement bounds the increment of a press, in seconds: a larger gain is the time of the next period.
const longestIncrement = 180

// noteIncrement notes the seconds that a press added; -1: not known. It returns true if the press shows the increment
// better than all before.
func (c *clock) noteIncrement(n int) (shown bool) {
	if n < 0 || n > longestIncrement {
		return false
	}
	if c.hasGain = true; n <= c.gain {
		return false
	}
	c.gain = n
	return c.increment < 0
}

// notePress notes whether a press gave the time of the turn back, as a delay does, or more, as an increment does.
func (c *clock) notePress(s legal.Side, gained int, shows Clocks) {
	before, after := c.atPress.Of(s), shows.Of(s)
	switch {
	case !shows.Known:
		return
	case !c.atPress.Known || gained <= 0 || gained > longestIncrement:
	case after > before+1:
		c.rose = true
	case after >= before-1:
		if c.returned == 0 || gained < c.least {
			c.least = gained
		}
		c.returned++
	}
	c.atPress = shows
}

// delays reports whether the clock shows that it adds a delay after the turn (Bronstein) and no increment: no press has
// left its player more time than the turn began with, and short turns have been given back whole.
func (c *clock) delays() bool { return !c.rose && c.returned >= 2 && c.least+2 <= c.gain }

// timeControl returns the time control that was set, or else the one that the clock shows.
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

// credited returns the seconds that a press adds to what the turn began with: none with a delay, the increment of the time control, or else the greatest gain
// observed, because a second that ran before a press hides part of the gain. False: not known.
func (c *clock) credited() (int, bool) {
	switch {
	case c.delay > 0:
		return 0, true
	case c.increment >= 0:
		return c.increment, true
	case c.delays():
		return 0, true
	}
	return c.gain, c.hasGain
}

// tight reports whether time pressure has begun under the rule set (US Chess 11A).
func (c *clock) tight(p *Profile) bool {
	return p.TimePressureS > 0 && c.shows.Known && max(c.increment, c.delay, 0) < p.TimePressureFreeS &&
		min(c.shows.White, c.shows.Black) < p.TimePressureS
}

// A tally counts presses by side: those that are known to have added no time, and the seconds of those that have begun
// the next period.
type tally struct {
	presses [3]int
	noGain  [3]int
	period  [3]int
}

// add counts a press and the seconds it added; -1: not known.
func (t *tally) add(s legal.Side, gained int) {
	t.presses[s]++
	switch {
	case gained == 0:
		t.noGain[s]++
	case gained > longestIncrement:
		t.period[s] += gained
	}
}

// join adds another tally.
func (t *tally) join(o tally) {
	for s := range t.presses {
		t.presses[s] += o.presses[s]
		t.noGain[s] += o.noGain[s]
		t.period[s] += o.period[s]
	}
}

// credits returns the number of presses that added the increment. With a known increment every press has.
func (t *tally) credits(s legal.Side, increment bool) int {
	n := t.presses[s]
	if !increment {
		n -= t.noGain[s]
	}
	return max(n, 0)
}
