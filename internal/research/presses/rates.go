package presses

import "boardwatchd/rules/legal"

// Rate is the frequency of a class.
type Rate struct {
	Name       string
	Count      int
	PerMillion int // plies
}

// Rates plays the given number of games with consecutive seeds and counts, in a fixed order of classes. The first entry
// is the number of plies. All other options are unchanged.
func Rates(o Options, games int) []Rate {
	var c counter
	for range games {
		t := New(o)
		o.Seed++
		c.count(t.Truth())
		c.add("field updates", len(t.fields))
		c.add("clock messages", len(t.clocks))
	}
	plies := max(c.list[0].Count, 1)
	for i := range c.list {
		c.list[i].PerMillion = c.list[i].Count * 1_000_000 / plies
	}
	return c.list
}

type counter struct{ list []Rate }

func (c *counter) add(name string, n int) {
	for i := range c.list {
		if c.list[i].Name == name {
			c.list[i].Count += n
			return
		}
	}
	c.list = append(c.list, Rate{Name: name, Count: n})
}

func (c *counter) when(is bool, name string) {
	n := 0
	if is {
		n = 1
	}
	c.add(name, n)
}

func (c *counter) count(t Truth) {
	c.add("plies", len(t.Plies))
	c.when(t.Reason == "flag", "games ended by a flag")
	for i, ply := range t.Plies {
		c.when(ply.Class == Pressed, "pressed")
		c.when(ply.Class == Late, "pressed after the reply")
		c.when(ply.Class == Forgotten, "forgotten")
		c.when(ply.Class == Dead, "pressed in vain")
		c.when(ply.Scramble, "in a scramble")
		var press Press
		if ply.Press >= 0 {
			press = t.Presses[ply.Press]
		}
		c.when(press.SeenAt != 0 && press.SeenAt < ply.Scanned, "press known before the last square is scanned")
		if i+1 < len(t.Plies) {
			next := t.Plies[i+1]
			c.when(ply.PressAt > next.FirstTouch, "reply begun before the press")
			c.when(press.SeenAt > next.FirstTouch, "reply begun before the board knows of the press")
			c.when(press.SeenAt > next.Placed, "reply placed before the board knows of the press")
			c.when(silent(t, i) && silent(t, i+1), "two plies without a movement of the lever")
			c.when(i+3 < len(t.Plies) && silent(t, i) && silent(t, i+1) && silent(t, i+2) && silent(t, i+3),
				"four plies without a movement of the lever")
		}
	}
	for _, press := range t.Presses {
		c.when(press.Moved && press.Merged, "movements of the lever reported together with another")
		c.when(press.Swallowed, "movements of the lever swallowed")
		c.when(press.Swallowed && first(press), "first press of the game swallowed")
		c.when(press.Moved && press.SeenAt-press.At > 250*ms, "movements known later than 0.25 s")
		c.when(press.Moved && press.SeenAt-press.At > sec, "movements known later than 1 s")
		c.when(press.Kind == BounceBack, "bounces")
		c.when(press.Kind == SecondTap, "double taps")
		c.when(press.Kind == InPause, "lever moved in a pause or before the start")
		c.when(press.Kind == StartWhite, "Black starts White's clock")
		c.when(press.Kind == Correction, "lever corrected after a pause")
	}
	for _, reason := range []string{"pause while a player thinks", "stopped by the opponent after a press"} {
		n := 0
		for _, stop := range t.Stops {
			if stop.Reason == reason {
				n++
			}
		}
		c.add(reason, n)
	}
	for _, reason := range []string{"touched and put back", "adjusted", "adjusted in a pause"} {
		n := 0
		for _, touch := range t.Touches {
			if touch.Reason == reason {
				n++
			}
		}
		c.add(reason, n)
	}
	c.offences(t)
	c.add("gaps", len(t.Gaps))
	c.add("standstills of the host", len(t.Standstills))
}

func (c *counter) offences(t Truth) {
	c.add("offences", len(t.Offences))
	var pairs, on, restored, completed int
	kinds := make([]int, len(offenceWeights))
	for _, o := range t.Offences {
		if o.AfterPair {
			pairs++
		}
		switch o.Outcome {
		case PlayedOn:
			on++
		case Restored:
			restored++
		case Completed:
			completed++
		}
		for i, w := range offenceWeights {
			if w.kind == o.Kind {
				kinds[i]++
			}
		}
	}
	c.add("offences directly after a pair", pairs)
	c.add("offences played on", on)
	c.add("offences restored", restored)
	c.add("offences completed with a queen", completed)
	for i, w := range offenceWeights {
		c.add(string(w.kind), kinds[i])
	}
}

// silent reports whether the ply moved no lever, then or later.
func silent(t Truth, i int) bool {
	return t.Plies[i].Class == Forgotten || t.Plies[i].Class == Dead
}

// first reports whether the press ended White's first ply.
func first(press Press) bool {
	return press.Ply == 0 && press.Side == legal.White
}
