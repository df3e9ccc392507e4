package live

import (
	"encoding/json"
	"fmt"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/words"
)

// clockWrong is the word for a clock whose setting before the first move differs from the round's time control.
const clockWrong = "clock_set"

// clockSetUS is how long the pieces must be ready and the clock stopped before its time is compared: until then
// somebody may be setting it.
const clockSetUS = 20_000_000

// clockNoticePlies is how long the notice stays after the clock was started: a wrong setting is corrected until both
// players have made ten moves (FIDE Laws A.5.1.1).
const clockNoticePlies = 20

// clockset compares the clock with the round's time control before the first move. Afterwards nothing is compared: an
// arbiter may have set it (FIDE Laws 6.7, 7.5.5, 12.9), which also ends the notice. A clock that still shows the times
// of the last game is not set yet, and is reported only when it is started. Before the first press it is mostly unknown
// which side of the clock is White's; that does not matter, because both have the same time.
type clockset struct {
	base, increment int // s, of the first period; base 0: nothing is compared
	round, journal  string

	now, left [2]int // the times on the clock's left and right: as last read; as the last game left them
	known     bool   // now is known
	over      bool   // left is known
	ran       bool   // the clock ran at the last reading
	cut       bool   // the board has sent nothing since: the clock may have run
	started   bool   // since the pieces are ready
	since     int64  // time at which now was first read while the pieces were ready; 0: they are not
	reported  remark // since the clock was started, or earlier; reported.what is empty if nothing is wrong
}

// opened reads the settings of an opening record.
func (c *clockset) opened(r record.Record) {
	o, err := watch.ParseOpening(r.Body)
	var s struct {
		Round   string `json:"round"`
		Periods []struct {
			Base      int64 `json:"base"`
			Increment int64 `json:"increment"`
		} `json:"time_control"`
	}
	if err != nil || len(o.Config) > 0 && json.Unmarshal(o.Config, &s) != nil {
		return
	}
	c.base, c.increment, c.round, c.reported = 0, 0, s.Round, remark{}
	if o.Journal != c.journal { // whose times begin anew
		c.journal, c.since, c.started = o.Journal, 0, false
	}
	if len(s.Periods) > 0 {
		const second = 1_000_000
		c.base, c.increment = int(s.Periods[0].Base/second), int(s.Periods[0].Increment/second)
	}
}

// see evaluates the machine's view; plies are those of the game.
func (c *clockset) see(v *watch.View, plies int) {
	if c.cut = c.cut || v.Link != "up"; !v.Clock.Read {
		return
	}
	times, runs := [2]int{v.Clock.Left, v.Clock.Right}, v.Clock.Runs
	was, wasKnown, ran, cut := c.now, c.known, c.ran, c.cut
	c.now, c.known, c.ran, c.cut = times, true, runs, v.Link != "up"
	switch {
	case plies > 0:
		if runs || ran { // a setting made after the game is not the time that the game has left
			c.left, c.over = times, true
		}
		set := wasKnown && !runs && !ran && !cut && times != was
		if c.since, c.started = 0, false; set || plies >= clockNoticePlies {
			c.reported = remark{}
		}
	case !ready(v):
		if c.since = 0; !c.started {
			c.reported = remark{}
		}
	case c.started:
		if !runs && !c.wrong(times) { // the times were set and not played with
			c.since, c.started, c.reported = v.At, false, remark{}
		}
	case runs:
		c.started, c.reported.at = true, v.At
		if wasKnown && c.since != 0 && c.wrong(was) {
			c.describe(was, v)
		}
	default:
		if c.since == 0 || times != was {
			c.since, c.reported = v.At, remark{}
		}
		if c.reported.what == "" && v.At-c.since >= clockSetUS && c.wrong(times) && !(c.over && times == c.left) {
			c.describe(times, v)
		}
	}
}

// ready reports whether the pieces of both sides are on their ranks and nothing else is on the board.
func ready(v *watch.View) bool {
	const between = "/pppppppp/8/8/8/8/PPPPPPPP/"
	for i := range len(v.Placement) - len(between) + 1 {
		if v.Placement[i:i+len(between)] == between {
			return arrayed(v.Placement)
		}
	}
	return false
}

// wrong reports whether a clock does not show the round's time. Some clocks add the first increment before the game
// begins.
func (c *clockset) wrong(times [2]int) bool {
	if c.base <= 0 {
		return false
	}
	for _, t := range times {
		if t != c.base && t != c.base+c.increment {
			return true
		}
	}
	return false
}

// describe puts the clock's display into the notice, White's time first if White's side is known.
func (c *clockset) describe(times [2]int, v *watch.View) {
	shown, is := hours(times[0]), &v.Clock
	switch {
	case times[0] == times[1]:
	case !is.Known || is.Left == is.Right:
		c.setReported(words.Say("row.clock_set_sides", hours(times[0]), hours(times[1]), hours(c.base)), v.At)
		return
	case is.White == is.Left:
		shown += " / " + hours(times[1])
	default:
		shown = hours(times[1]) + " / " + shown
	}
	c.setReported(words.Say("row.clock_set", shown, hours(c.base)), v.At)
}

func (c *clockset) setReported(s words.Sentence, at int64) {
	c.reported = worded(clockWrong, s)
	c.reported.at = at
}

// hours writes a time as a clock shows it.
func hours(s int) string { return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60) }
