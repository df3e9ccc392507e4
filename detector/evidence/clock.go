package evidence

import "boardwatchd/rules/legal"

// Clock is the chess clock as last reported, and which of its sides is White's.
//
// The clock stands beside the board and knows no colours. White's side is found out: before the first move it is the
// side whose time runs; the press after the first move settles it. The turn is read from the lever alone: the status
// bits that also claim to tell it are disputed (protocol notes 5.4).
type Clock struct {
	Last    ClockReading
	Valid   bool // Last is a reading of a connected clock
	None    bool // the board has reported that no clock is connected
	White   ClockSide
	Fixed   bool  // White is configured, or settled by the press of a first move
	Lean    int64 // how much better the presses would fit the plies if the sides were exchanged, µs: detector/sides.go
	Against int64 // the same where White's side is configured: how much better the other one would fit
	Turned  bool  // it fits so much better that the clock must stand the other way round
	Agreed  int   // presses that came when their ply stood there, and nothing more: as they do where White's side is right
	Stopped int64
	Bonus   int // the most that a press of this game has added, s; 0: nothing is known

	Rested int  // readings in a row in which the time of the side that rests has not changed
	Fell   bool // and then it was less, at the last reading

	Heard   int64 // when it was last read
	regular bool  // and the reading before that came within the second
}

// A running clock is read every second, and at every press: within TickUS. Where that was so and suddenly is not for
// holeUS, a recording has a hole.
const (
	TickUS = 1_600_000
	holeUS = 2_500_000
)

// longestBonus is the most that counts as an increment, s: more is the time of the next period.
const longestBonus = 180

// Hole says that a running clock that was read every second was not heard for a while before a reading. How long that
// was is counted by the clock itself where the reading waited while the program stood still.
func (c *Clock) Hole(st Stamp, r *ClockReading) bool {
	silent := st.At - c.Heard
	if st.Waited {
		silent = r.Since(&c.Last)
	}
	return c.Valid && c.Last.Running && c.regular && silent > holeUS
}

// Delayed says that a delay may be why a running clock was not heard before a reading: no press of the game has added
// time, and no more has been counted than the second that ends a delay.
func (c *Clock) Delayed(r *ClockReading) bool {
	counted := r.Since(&c.Last)
	return c.Bonus == 0 && (counted == 0 || counted == 1_000_000 && r.Up == c.Last.Up)
}

// Silent says that such a hole is open now: plies may have been made in it that a dump shows as one.
func (c *Clock) Silent(st Stamp) bool {
	return c.Valid && c.Last.Running && c.regular && !st.Waited && st.At-c.Heard > holeUS
}

// A Lever is what a new reading says about the lever and the run of time.
type Lever struct {
	Flipped    bool
	Ticked     bool      // a second was counted
	Merged     bool      // the time of the side that rests has changed: two presses may have reached us as one
	Twice      bool      // the side to move gained time, the other's ran, and the lever is where it was: two presses reached us as one
	Ran        bool      // the time of the side that rests ran, and the lever is where it was: two presses reached us as one, some readings ago
	Pressed    ClockSide // the side that pressed; meaningful when flipped
	Gained     int       // seconds that the press added to the presser's time; -1: not known
	Begun      bool      // the clock was started, and the side that rests has gained time: it has pressed since
	Known      bool      // there was a reading before
	Edited     bool      // the times were changed while the clock stood
	Before     ClockReading
	WasRunning bool
	Earlier    int64 // when a reading before this one told it; 0: this one did
	Running    bool
	Out        bool  // the clock was not connected since the reading before, and ran then
	Heard      int64 // when that reading came
}

// Take stores a reading and says what changed. The first reading after a loss only sets the state: it is never a
// press (reconstruction notes, row 65).
func (c *Clock) Take(r ClockReading, at int64) Lever {
	if r.Missing {
		c.Valid, c.None, c.Rested, c.Fell = false, true, 0, false
		return Lever{}
	}
	l := c.found(&r)
	c.regular = c.Valid && c.Last.Running && r.Running && at-c.Heard <= TickUS && at > c.Heard
	c.Heard = at
	if c.Valid {
		l = r.turned(c.Last)
		c.ranUnseen(&l, &r)
		if l.Flipped && l.Gained <= longestBonus && l.Running && l.WasRunning {
			c.Bonus = max(c.Bonus, l.Gained)
		}
	}
	if !r.Running && (!c.Valid || c.Last.Running) {
		c.Stopped = at
	}
	c.Last, c.Valid, c.None = r, true, false
	return l
}

// found is what the first reading of a clock says.
func (c *Clock) found(r *ClockReading) Lever {
	return Lever{Running: r.Running, Gained: -1, Out: c.None && c.Last.Running && r.Running, Before: c.Last, Heard: c.Heard}
}

// ranUnseen adds to l that the time of the side that rests ran while the lever was where it is. A clock may show a time
// that is a second old, or a damaged one, so that it must have stood still before, and must not change back.
func (c *Clock) ranUnseen(l *Lever, r *ClockReading) {
	rest := r.Up.Other()
	switch now, was := r.Seconds(rest), c.Last.Seconds(rest); {
	case l.Flipped || !l.Running || !l.WasRunning:
		c.Rested, c.Fell = 0, false
	case now != was:
		c.Rested, c.Fell = 0, now < was && c.Rested > 0 && !l.Twice
	default:
		l.Ran, c.Fell = c.Fell, false
		c.Rested++
	}
}

// turned is what r says of the lever and the run of time, after an older reading.
func (r ClockReading) turned(old ClockReading) Lever {
	resting, both := r.Up.Other(), r.Running && old.Running
	l := Lever{Running: r.Running, WasRunning: old.Running, Gained: -1, Known: true, Before: old}
	l.Edited = !r.Running && !old.Running && (r.Left != old.Left || r.Right != old.Right)
	l.Ticked = r.Left < old.Left || r.Right < old.Right
	if r.Up != old.Up {
		l.Flipped, l.Pressed = true, resting
		l.Gained = max(r.Seconds(resting)-old.Seconds(resting), 0)
		return l
	}
	l.Begun = r.Running && !old.Running && r.Seconds(resting) > old.Seconds(resting)
	l.Merged = both && r.Seconds(resting) != old.Seconds(resting)
	l.Twice = l.Merged && r.Seconds(r.Up) > old.Seconds(r.Up)
	return l
}

// Player returns whose side of the clock s is.
func (c *Clock) Player(s ClockSide) legal.Side {
	switch {
	case c.White == NoClockSide || s == NoClockSide:
		return legal.NoSide
	case s == c.White:
		return legal.White
	}
	return legal.Black
}

// Turn returns whose time runs, or would run, by the lever.
func (c *Clock) Turn() legal.Side {
	if !c.Valid {
		return legal.NoSide
	}
	return c.Player(c.Last.Up)
}

// Running says that the time runs.
func (c *Clock) Running() bool { return c.Valid && c.Last.Running }

// Absent says that there is no clock to wait for.
func (c *Clock) Absent() bool { return !c.Valid }

// Flagged says that a time is used up.
func (c *Clock) Flagged() bool { return c.Valid && (c.Last.LeftFlag || c.Last.RightFlag) }

// Assume takes s as White's side where nothing better is known.
func (c *Clock) Assume(s ClockSide) {
	if !c.Fixed && s != NoClockSide {
		c.White = s
	}
}

// DropAssumption drops an assumption.
func (c *Clock) DropAssumption() {
	if !c.Fixed {
		c.White = NoClockSide
	}
}

// Settle makes s White's side for the rest of the game.
func (c *Clock) Settle(s ClockSide) {
	if !c.Fixed && s != NoClockSide {
		c.White, c.Fixed = s, true
	}
}

// Times are both players' times, where it is known which side is whose.
func (c *Clock) Times() Times {
	if !c.Valid {
		return Times{}
	}
	return c.Named(c.Last)
}

// Named gives the sides of a reading to the players.
func (c *Clock) Named(r ClockReading) Times {
	if c.White == NoClockSide {
		return Times{}
	}
	return Times{White: r.Seconds(c.White), Black: r.Seconds(c.White.Other()), Known: true}
}

// Flags says whose time is used up.
func (c *Clock) Flags() (white, black bool) {
	if !c.Valid || c.White == NoClockSide {
		return false, false
	}
	if c.White == LeftSide {
		return c.Last.LeftFlag, c.Last.RightFlag
	}
	return c.Last.RightFlag, c.Last.LeftFlag
}

// A ClockSide is a side of the clock as it stands beside the board. Left and right are physical; which of them is
// White's is found out from the play.
type ClockSide uint8

const (
	NoClockSide ClockSide = iota
	LeftSide
	RightSide
)

// Other returns the opposite side, or NoClockSide.
func (s ClockSide) Other() ClockSide {
	switch s {
	case LeftSide:
		return RightSide
	case RightSide:
		return LeftSide
	}
	return NoClockSide
}

// String returns "left", "right" or "none".
func (s ClockSide) String() string {
	switch s {
	case LeftSide:
		return "left"
	case RightSide:
		return "right"
	}
	return "none"
}

// A ClockReading is what the clock showed at one instant: whole seconds, the side whose lever is up (it is that
// side's turn) and whether the time runs. Missing means that the board says no clock is connected; the rest is then
// meaningless.
type ClockReading struct {
	Left, Right         int
	LeftFlag, RightFlag bool
	Running, Missing    bool
	Up                  ClockSide
}

// Seconds returns what the given side shows.
func (r ClockReading) Seconds(s ClockSide) int {
	if s == RightSide {
		return r.Right
	}
	return r.Left
}

// Times are both players' displayed seconds; Known is false where no clock has been mapped to the players.
type Times struct {
	White, Black int
	Known        bool
}

// Since returns how many µs the displays have counted from a reading to r, nil: from none.
func (r *ClockReading) Since(old *ClockReading) int64 {
	if old == nil || !old.Running {
		return 0
	}
	return int64(max(old.Left-r.Left, 0)+max(old.Right-r.Right, 0)) * 1_000_000
}
