package detector

import "boardwatchd/rules/legal"

// clock is the chess clock as last reported, and which of its sides is White's.
//
// The clock stands beside the board and knows no colours. White's side is found out: before the first move it is the
// side whose time runs; the press after the first move settles it. The turn is read from the lever alone: the status
// bits that also claim to tell it are disputed (protocol notes 5.4).
type clock struct {
	last    ClockReading
	valid   bool // last is a reading of a connected clock
	none    bool // the board has reported that no clock is connected
	white   ClockSide
	fixed   bool  // white is configured, or settled by the press of a first move
	lean    int64 // how much better the presses would fit the plies if the sides were exchanged, µs: sides.go
	agreed  int   // presses that came when their ply stood there, and nothing more: as they do where White's side is right
	stopped int64
	bonus   int // the most that a press of this game has added, s; 0: nothing is known

	rested int  // readings in a row in which the time of the side that rests has not changed
	fell   bool // and then it was less, at the last reading

	heard   int64 // when it was last read
	regular bool  // and the reading before that came within the second
}

// A running clock is read every second, and at every press. Where that was so and suddenly is not for so long, a
// recording has a hole.
const (
	tickUS = 1_600_000
	holeUS = 2_500_000
)

// longestBonus is the most that counts as an increment, s: more is the time of the next period.
const longestBonus = 180

// hole says that a running clock that was read every second was not heard for a while before a reading. How long that
// was is told by the clock itself where the reading waited while the program stood still.
func (c *clock) hole(st Stamp, r *ClockReading) bool {
	silent := st.At - c.heard
	if st.Waited {
		silent = r.since(&c.last)
	}
	return c.valid && c.last.Running && c.regular && silent > holeUS
}

// delayed says that a delay may be why a running clock was not heard before a reading: no press of the game has added
// time, and no more has been counted than the second that ends a delay.
func (c *clock) delayed(r *ClockReading) bool {
	counted := r.since(&c.last)
	return c.bonus == 0 && (counted == 0 || counted == 1_000_000 && r.Up == c.last.Up)
}

// silent says that such a hole is open now: plies may have been made in it that a dump shows as one.
func (c *clock) silent(st Stamp) bool {
	return c.valid && c.last.Running && c.regular && !st.Waited && st.At-c.heard > holeUS
}

// A lever is what a new reading says about the lever and the run of time.
type lever struct {
	flipped    bool
	ticked     bool      // a second was counted
	merged     bool      // the time of the side that rests has changed: two presses may have reached us as one
	twice      bool      // the side to move gained time, the other's ran, and the lever is where it was: two presses reached us as one
	ran        bool      // the time of the side that rests ran, and the lever is where it was: two presses reached us as one, some readings ago
	pressed    ClockSide // the side that pressed; meaningful when flipped
	gained     int       // seconds that the press added to the presser's time; -1: not known
	begun      bool      // the clock was started, and the side that rests has gained time: it has pressed since
	known      bool      // there was a reading before
	edited     bool      // the times were changed while the clock stood
	before     ClockReading
	wasRunning bool
	earlier    int64 // when a reading before this one told it; 0: this one did
	running    bool
	out        bool  // the clock was not connected since the reading before, and ran then
	heard      int64 // when that reading came
}

// take stores a reading and says what changed. The first reading after a loss only sets the state: it is never a
// press (reconstruction notes, row 65).
func (c *clock) take(r ClockReading, at int64) lever {
	if r.Missing {
		c.valid, c.none, c.rested, c.fell = false, true, 0, false
		return lever{}
	}
	l := c.found(&r)
	c.regular = c.valid && c.last.Running && r.Running && at-c.heard <= tickUS && at > c.heard
	c.heard = at
	if c.valid {
		l = r.turned(c.last)
		c.ranUnseen(&l, &r)
		if l.flipped && l.gained <= longestBonus && l.running && l.wasRunning {
			c.bonus = max(c.bonus, l.gained)
		}
	}
	if !r.Running && (!c.valid || c.last.Running) {
		c.stopped = at
	}
	c.last, c.valid, c.none = r, true, false
	return l
}

// found is what the first reading of a clock says.
func (c *clock) found(r *ClockReading) lever {
	return lever{running: r.Running, gained: -1, out: c.none && c.last.Running && r.Running, before: c.last, heard: c.heard}
}

// ranUnseen adds to l that the time of the side that rests ran while the lever was where it is. A clock may show a time
// that is a second old, or a damaged one, so that it must have stood still before, and must not change back.
func (c *clock) ranUnseen(l *lever, r *ClockReading) {
	rest := r.Up.Other()
	switch now, was := r.seconds(rest), c.last.seconds(rest); {
	case l.flipped || !l.running || !l.wasRunning:
		c.rested, c.fell = 0, false
	case now != was:
		c.rested, c.fell = 0, now < was && c.rested > 0 && !l.twice
	default:
		l.ran, c.fell = c.fell, false
		c.rested++
	}
}

// turned is what r says of the lever and the run of time, after an older reading.
func (r ClockReading) turned(old ClockReading) lever {
	resting, both := r.Up.Other(), r.Running && old.Running
	l := lever{running: r.Running, wasRunning: old.Running, gained: -1, known: true, before: old}
	l.edited = !r.Running && !old.Running && (r.Left != old.Left || r.Right != old.Right)
	l.ticked = r.Left < old.Left || r.Right < old.Right
	if r.Up != old.Up {
		l.flipped, l.pressed = true, resting
		l.gained = max(r.seconds(resting)-old.seconds(resting), 0)
		return l
	}
	l.begun = r.Running && !old.Running && r.seconds(resting) > old.seconds(resting)
	l.merged = both && r.seconds(resting) != old.seconds(resting)
	l.twice = l.merged && r.seconds(r.Up) > old.seconds(r.Up)
	return l
}

// player returns whose side of the clock s is.
func (c *clock) player(s ClockSide) legal.Side {
	switch {
	case c.white == NoClockSide || s == NoClockSide:
		return legal.NoSide
	case s == c.white:
		return legal.White
	}
	return legal.Black
}

// turn returns whose time runs, or would run, by the lever.
func (c *clock) turn() legal.Side {
	if !c.valid {
		return legal.NoSide
	}
	return c.player(c.last.Up)
}

func (c *clock) running() bool { return c.valid && c.last.Running }

// absent says that there is no clock to wait for.
func (c *clock) absent() bool { return !c.valid }

func (c *clock) flagged() bool { return c.valid && (c.last.LeftFlag || c.last.RightFlag) }

// assume takes s as White's side where nothing better is known.
func (c *clock) assume(s ClockSide) {
	if !c.fixed && s != NoClockSide {
		c.white = s
	}
}

// assumeNone drops an assumption.
func (c *clock) assumeNone() {
	if !c.fixed {
		c.white = NoClockSide
	}
}

// settle makes s White's side for the rest of the game.
func (c *clock) settle(s ClockSide) {
	if !c.fixed && s != NoClockSide {
		c.white, c.fixed = s, true
	}
}

func (c *clock) times() Times {
	if !c.valid {
		return Times{}
	}
	return c.named(c.last)
}

// named gives the sides of a reading to the players.
func (c *clock) named(r ClockReading) Times {
	if c.white == NoClockSide {
		return Times{}
	}
	return Times{White: r.seconds(c.white), Black: r.seconds(c.white.Other()), Known: true}
}

// flags says whose time is used up.
func (c *clock) flags() (white, black bool) {
	if !c.valid || c.white == NoClockSide {
		return false, false
	}
	if c.white == LeftSide {
		return c.last.LeftFlag, c.last.RightFlag
	}
	return c.last.RightFlag, c.last.LeftFlag
}
