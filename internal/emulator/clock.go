package emulator

import "boardwatchd/clockproto"

// second is the unit of every display.
const second int64 = 1_000_000

// ClockOptions describe the clock beside the board.
type ClockOptions struct {
	None      bool            // no clock is plugged in
	White     clockproto.Side // White's side of the clock, seen from the display; NoSide means left
	BaseSec   int             // time of the first period; 0 means 3:00+2, regardless of BonusSec
	BonusSec  int             // added at the start and with every press
	NextSec   int             // a second period that follows when the first is used up
	Lag       Lag             // the delay of the board's knowledge of the display
	LagUS     int64           // LagFixed: the delay; LagAsRecorded: 0 draws one per board
	AckUS     int64           // 0: 75–400 ms, drawn per command
	ZeroFirst bool            // Bluetooth 2.10: an all-zero message before an acknowledgement
	Refuse    bool            // not in the remote-control mode: set-and-run is answered with an error
}

// Period returns the first period's time and its increment, in seconds.
func (o ClockOptions) Period() (baseSec, bonusSec int) {
	if o.BaseSec == 0 {
		return 180, 2
	}
	return o.BaseSec, o.BonusSec
}

// flagShownUS is the time for which the end of a period stays marked. DGT protocol notes, section 6.8: about five
// minutes on a DGT2500.
const flagShownUS = 300 * second

// clock is a DGT clock. It counts in µs and shows whole seconds; left and right as seen from the display are index 0
// and 1.
type clock struct {
	absent  bool // there is no clock
	plugged bool // into the board; without it the clock runs on
	running bool
	up      int // the end of the lever that is up: that side's turn
	left    [2]int64
	bonus   [2]int64
	next    [2]int64 // a further period, 0 when there is none
	fallen  [2]bool
	shown   [2]int64 // flag of an earlier period is shown until then
	battery bool
	since   int64 // the instant for which left[up] is exact
}

func newClock(o ClockOptions) clock {
	baseSec, bonusSec := o.Period()
	base, bonus := int64(baseSec)*second, int64(bonusSec)*second
	c := clock{absent: o.None, plugged: !o.None}
	if o.White == clockproto.Right {
		c.up = 1 // White is to move
	}
	for side := range c.left {
		// In the recordings 3:00+2 begins at 3:02: the first increment is included before move 1.
		c.left[side], c.bonus[side] = base+bonus, bonus
		c.next[side] = int64(o.NextSec) * second
	}
	return c
}

// settle updates the running side's time to now.
func (c *clock) settle(now int64) {
	if c.counting() {
		c.left[c.up] -= now - c.since
		if c.left[c.up] < 0 {
			c.left[c.up] = 0
		}
	}
	c.since = now
}

func (c *clock) counting() bool { return c.running && !c.fallen[c.up] }

// nextChange returns the instant at which the display changes by itself.
func (c *clock) nextChange() int64 {
	due := never
	if c.counting() {
		whole := (c.left[c.up] - 1) / second * second // the remaining time at which the display changes next
		due = c.since + c.left[c.up] - whole
	}
	for side := range c.shown {
		if c.shown[side] > c.since && c.shown[side] < due {
			due = c.shown[side]
		}
	}
	return due
}

// tick is called at nextChange; it reports whether the last flag fell now.
func (c *clock) tick(now int64) (fell bool) {
	c.settle(now)
	for side := range c.shown {
		if c.shown[side] <= now {
			c.shown[side] = 0
		}
	}
	if !c.counting() || c.left[c.up] > 0 {
		return false
	}
	if c.next[c.up] > 0 { // FIDE Laws 6.3: the next period follows
		c.left[c.up], c.next[c.up] = c.next[c.up], 0
		c.shown[c.up] = now + flagShownUS
		return false
	}
	c.drop(now, c.up) // recordings: one message, hour byte bit 4 set and the running bit cleared
	return true
}

// press moves the lever down on a side; it has no effect if it is down already.
func (c *clock) press(now int64, side int) bool {
	c.settle(now)
	if c.up != side || c.absent {
		return false
	}
	if c.running {
		c.left[side] += c.bonus[side] // in the same message as the lever: 198 of 198 presses
	}
	c.up = 1 - side
	return true
}

func (c *clock) run(now int64, side int) {
	c.settle(now)
	if c.absent {
		return
	}
	c.up = side
	c.running = !c.fallen[side]
}

// drop makes a side's last flag fall, with any time left.
func (c *clock) drop(now int64, side int) {
	c.settle(now)
	c.left[side], c.next[side] = 0, 0
	c.fallen[side], c.running = true, false
}

func (c *clock) pause(now int64) {
	c.settle(now)
	c.running = false
}

func (c *clock) setTime(now int64, side int, left int64) {
	c.settle(now)
	c.left[side] = left
	c.fallen[side] = false
	c.shown[side] = 0
}

// reading returns the display.
func (c *clock) reading(now int64) clockproto.Reading {
	if !c.plugged {
		return clockproto.Reading{NoClock: true}
	}
	c.settle(now)
	face := func(side int) clockproto.Face {
		return clockproto.Face{
			Seconds:   int((c.left[side] + second - 1) / second), // in the recordings each second, 3:02 for instance, is shown in full
			PerMove:   c.bonus[side] > 0,
			FlagShown: c.shown[side] > now,
			Fallen:    c.fallen[side],
		}
	}
	r := clockproto.Reading{
		Left:       face(0),
		Right:      face(1),
		Running:    c.running,
		Up:         clockproto.Left,
		TurnBits:   clockproto.TurnLeft,
		BatteryLow: c.battery,
	}
	if c.up == 1 {
		r.Up, r.TurnBits = clockproto.Right, clockproto.TurnRight
	}
	return r
}
