package evidence

import "boardwatchd/rules/legal"

// Clock is the chess clock as last reported, with the side of it that is White's.
//
// The clock is beside the board and knows no colours. White's side is inferred: before the first move it is the side
// whose time runs; the press after the first move settles it. The turn is read from the lever alone: the status bits
// that also claim to show it are disputed (protocol notes 5.4).
type Clock struct {
	Last              ClockReading
	Valid             bool // Last is a reading of a connected clock
	Disconnected      bool // the board has reported that no clock is connected
	White             ClockSide
	SidesSettled      bool         // White is configured, or settled by the press of a first move
	ExchangeGainUS    int64        // how much better the presses would fit the plies if the sides were exchanged, µs: detector/sides.go
	AgainstUS         int64        // the same where White's side is configured: how much better the other one would fit, µs
	Turned            bool         // it fits so much better that the clock must stand the other way round
	ConfirmingPresses int          // presses for which the board showed exactly their ply, as when White's side is right
	Stopped           int64        // when the clock was last seen to stop
	AtStop            ClockReading // what it showed then
	Bonus             int          // the largest increment that a press of this game has added, s; 0: none is known

	UnchangedReadings int  // readings in a row in which the resting side's time has not changed
	RestingFell       bool // the last reading then showed less of it

	ReadAt  int64 // when it was last read
	regular bool  // the reading before that came within the second
}

// TickUS bounds the time between two readings of a running clock, which is read every second and at every press. A
// recording has a hole where that was so and a silence is longer than holeUS.
const (
	TickUS = 1_600_000
	holeUS = 2_500_000
)

// longestBonus is the most that counts as an increment, s: more is the time of the next period.
const longestBonus = 180

// Hole reports whether a running clock that was read every second was silent for a while before a reading. Where the
// reading waited while the program stood still, the clock's own seconds measure the silence.
func (c *Clock) Hole(st Stamp, r *ClockReading) bool {
	silent := st.At - c.ReadAt
	if st.Waited {
		silent = r.Since(&c.Last)
	}
	return c.Valid && c.Last.Running && c.regular && silent > holeUS
}

// Delayed reports whether a delay may be the reason why a running clock was silent before a reading: no press of the
// game has added time, and the clock has counted no more than the second that ends a delay.
func (c *Clock) Delayed(r *ClockReading) bool {
	counted := r.Since(&c.Last)
	return c.Bonus == 0 && (counted == 0 || counted == 1_000_000 && r.Up == c.Last.Up)
}

// Unheard is for how long a running clock has not been heard; 0: it stands.
func (c *Clock) Unheard(now int64) int64 {
	if !c.Running() {
		return 0
	}
	return now - c.ReadAt
}

// Silent reports whether such a hole is open now: plies may have been made in it that a dump shows as one.
func (c *Clock) Silent(st Stamp) bool {
	return c.Valid && c.Last.Running && c.regular && !st.Waited && st.At-c.ReadAt > holeUS
}

// A Lever is the change of the lever and of the running time that a new reading shows.
type Lever struct {
	Flipped bool
	Ticked  bool // a second was counted
	// The resting side's time has changed, or the other one's rose: two presses may have come as one.
	Merged bool
	// The side to move gained time, the other's ran, and the lever is as before: two presses came as one.
	TwoPresses bool
	// The resting side's time ran, and the lever is as before: two presses came as one, some readings ago.
	RestingSideRan  bool
	Pressed         ClockSide // the side that pressed; meaningful if Flipped
	Gained          int       // seconds that the press added to the presser's time; -1: unknown
	Begun           bool      // the clock was started, and the resting side has gained time: it has pressed since
	Known           bool      // there was a reading before
	Edited          bool      // the times were changed while the clock was stopped
	Before          ClockReading
	WasRunning      bool
	Earlier         int64 // when an earlier reading showed it; 0: this one did
	Running         bool
	WasDisconnected bool  // the clock was disconnected since the reading before, and ran at both
	Heard           int64 // when the reading before came
}

// Take stores a reading and returns what changed. The first reading after a loss only sets the state: it is never a
// press (reconstruction notes, row 65).
func (c *Clock) Take(r ClockReading, at int64) Lever {
	if r.Missing {
		c.Valid, c.Disconnected, c.UnchangedReadings, c.RestingFell = false, true, 0, false
		return Lever{}
	}
	l := c.found(&r)
	c.regular = c.Valid && c.Last.Running && r.Running && at-c.ReadAt <= TickUS && at > c.ReadAt
	c.ReadAt = at
	if c.Valid {
		l = r.turned(c.Last)
		c.ranUnseen(&l, &r)
		if l.Flipped && l.Gained <= longestBonus && l.Running && l.WasRunning {
			c.Bonus = max(c.Bonus, l.Gained)
		}
	}
	if !r.Running && (!c.Valid || c.Last.Running) {
		c.Stopped, c.AtStop = at, r
	}
	c.Last, c.Valid, c.Disconnected = r, true, false
	return l
}

// TurnedRound reports whether the clock was turned round while it stood: each side shows what the other one showed when it
// stopped, and the lever is the other way.
func (c *Clock) TurnedRound() bool {
	was, is := &c.AtStop, &c.Last
	return !is.Running && is.Left != is.Right && is.Left == was.Right && is.Right == was.Left && is.Up != was.Up
}

// found returns the Lever of the first reading of a clock.
func (c *Clock) found(r *ClockReading) Lever {
	return Lever{Running: r.Running, Gained: -1, WasDisconnected: c.Disconnected && c.Last.Running && r.Running, Before: c.Last, Heard: c.ReadAt}
}

// ranUnseen adds to l that the resting side's time ran while the lever stayed. A clock may show a time that is a second
// old, or a damaged one, so that the time must have been constant before, and must not change back.
func (c *Clock) ranUnseen(l *Lever, r *ClockReading) {
	rest := r.Up.Other()
	switch now, was := r.Seconds(rest), c.Last.Seconds(rest); {
	case l.Flipped || !l.Running || !l.WasRunning:
		c.UnchangedReadings, c.RestingFell = 0, false
	case now != was:
		c.UnchangedReadings, c.RestingFell = 0, now < was && c.UnchangedReadings > 0 && !l.TwoPresses
	default:
		l.RestingSideRan, c.RestingFell = c.RestingFell, false
		c.UnchangedReadings++
	}
}

// turned compares r with an older reading.
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
	gained, ran := r.Seconds(r.Up) > old.Seconds(r.Up), r.Seconds(resting) != old.Seconds(resting)
	l.Merged = both && (gained || ran)
	l.TwoPresses = both && gained && ran
	return l
}

// Player returns the player at a side of the clock.
func (c *Clock) Player(s ClockSide) legal.Side {
	switch {
	case c.White == NoClockSide || s == NoClockSide:
		return legal.NoSide
	case s == c.White:
		return legal.White
	}
	return legal.Black
}

// Turn returns the player whose time runs, or would run, by the lever.
func (c *Clock) Turn() legal.Side {
	if !c.Valid {
		return legal.NoSide
	}
	return c.Player(c.Last.Up)
}

// Running reports whether the time runs.
func (c *Clock) Running() bool { return c.Valid && c.Last.Running }

// Absent reports whether there is no clock to wait for.
func (c *Clock) Absent() bool { return !c.Valid }

// Flagged reports whether a time is used up.
func (c *Clock) Flagged() bool { return c.Valid && (c.Last.LeftFlag || c.Last.RightFlag) }

// Assume makes s White's side as long as nothing better is known.
func (c *Clock) Assume(s ClockSide) {
	if !c.SidesSettled && s != NoClockSide {
		c.White = s
	}
}

// DropAssumption forgets an assumed side.
func (c *Clock) DropAssumption() {
	if !c.SidesSettled {
		c.White = NoClockSide
	}
}

// Settle makes s White's side for the rest of the game.
func (c *Clock) Settle(s ClockSide) {
	if !c.SidesSettled && s != NoClockSide {
		c.White, c.SidesSettled = s, true
	}
}

// Times returns both players' times, where their sides are known.
func (c *Clock) Times() Times {
	if !c.Valid {
		return Times{}
	}
	return c.Named(c.Last)
}

// Named returns the times of a reading by player.
func (c *Clock) Named(r ClockReading) Times {
	if c.White == NoClockSide {
		return Times{}
	}
	return Times{White: r.Seconds(c.White), Black: r.Seconds(c.White.Other()), Known: true}
}

// Flags reports whose time is used up.
func (c *Clock) Flags() (white, black bool) {
	if !c.Valid || c.White == NoClockSide {
		return false, false
	}
	if c.White == LeftSide {
		return c.Last.LeftFlag, c.Last.RightFlag
	}
	return c.Last.RightFlag, c.Last.LeftFlag
}

// A ClockSide is a physical side of the clock beside the board, left or right. Which of them is White's is inferred
// from the play.
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

// A ClockReading is what the clock showed at one instant: whole seconds, the side whose lever is up (it is that side's
// turn) and whether the time runs. Missing means that the board reports no clock; the rest is then meaningless.
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

// Since returns the time that the displays have counted from an older reading to r, in µs; 0 where old is nil.
func (r *ClockReading) Since(old *ClockReading) int64 {
	if old == nil || !old.Running {
		return 0
	}
	return int64(max(old.Left-r.Left, 0)+max(old.Right-r.Right, 0)) * 1_000_000
}
