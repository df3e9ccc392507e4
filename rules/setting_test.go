package rules_test

import (
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// pressAt sends a press after which the clock shows these times.
func (g *game) pressAt(s legal.Side, gained, white, black int) {
	g.clock = rules.Clocks{White: white, Black: black, Known: true}
	g.step(rules.Pressed{Side: s, Judged: "ok", Gained: gained, Clock: g.clock})
}

// wrongAt is an illegal move whose press adds so much, and leaves White's clock so.
func (g *game) wrongAt(gained, white int) {
	c := g.offence(kinds.IllegalKnight, "g1g3", "g1", "g1 - g3 N")
	c.Gained = gained
	g.clock.White, c.State = white, rules.Confirmed
	g.step(rules.Pressed{Side: legal.White, Judged: string(c.Kind), Gained: gained, Clock: g.clock})
	c.Clock = g.clock
	g.step(rules.Found{Case: c})
}

// A Bronstein delay gives back what the turn has used, at most the delay: nothing is to be taken off.
func TestADelayAfterTheTurnIsFoundOut(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	for i, used := range []int{4, 7, 12, 9, 3, 10} {
		s := []legal.Side{legal.White, legal.Black}[i%2]
		left := [2]int{g.clock.White, g.clock.Black}
		left[i%2] -= max(used-10, 0)
		g.pressAt(s, min(used, 10), left[0], left[1])
	}
	g.wrongAt(7, g.clock.White)
	g.wants("illegal.knight confirmed now illegal_move restore +0/120 #1/0")
}

// With an increment a short turn leaves more time than it began with.
func TestAnIncrementIsNoDelay(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	for i, used := range []int{4, 7, 12, 9, 10, 10} {
		s := []legal.Side{legal.White, legal.Black}[i%2]
		left := [2]int{g.clock.White, g.clock.Black}
		left[i%2] += 10 - used
		g.pressAt(s, 10, left[0], left[1])
	}
	g.wrongAt(10, g.clock.White+3)
	g.wants("illegal.knight confirmed now illegal_move restore +0/120 -10/0 #1/0")
}

// The press of an illegal move that begins the next period is taken off with the time of that period.
func TestTheNextPeriodIsTakenOff(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	g.pressAt(legal.White, 30, g.clock.White, g.clock.Black)
	g.pressAt(legal.Black, 30, g.clock.White, g.clock.Black)
	g.wrongAt(1830, g.clock.White+1800)
	if e := g.entry(g.last); e.Ruling.TakeBack[legal.White] != 1830 || e.Ruling.Clocks.White != g.clock.White-1830 {
		t.Errorf("%+v", e.Ruling)
	}
}

// A clock that was set otherwise, and is set right after a few moves, shows another class of time control.
func TestASettingThatIsCorrectedChoosesAgain(t *testing.T) {
	for _, tt := range []struct {
		from, white, black int
		want               string
	}{
		{1500, 5380, 5390, "fide-standard"}, {5400, 170, 175, "fide-blitz"}, {1500, 1480, 1600, "fide-rapid"}, {1500, 1490, 5400, "fide-rapid"},
	} {
		d := rules.NewDocketAuto([]rules.Profile{profile(t, "fide-standard"), profile(t, "fide-rapid"), profile(t, "fide-blitz")})
		at := func(w, b int) rules.Clocks { return rules.Clocks{White: w, Black: b, Known: true} }
		d.Step(rules.Begun{Game: 1, Position: position(t, startFEN), Clock: at(tt.from, tt.from)})
		d.Step(rules.Stopped{Clock: at(tt.from-10, tt.from-20)})
		d.Step(rules.ClockSet{From: at(tt.from-10, tt.from-20), To: at(tt.white, tt.black)})
		d.Step(rules.Started{Clock: at(tt.white, tt.black)})
		if got := d.Profile().Name; got != tt.want {
			t.Errorf("%d s, set to %d and %d: %s, want %s", tt.from, tt.white, tt.black, got, tt.want)
		}
	}
}

// In a stop a move is taken back, or made, and the lever is put for the player who then has the move: that is in order.
func TestTheLeverFollowsThePositionInAStop(t *testing.T) {
	for name, then := range map[string]func(g *game){
		"taken back": func(g *game) { g.step(rules.TakenBack{Ply: 2}) },
		"made":       func(g *game) { g.move("a7a6") },
	} {
		g := begin(t, "fide-standard", startFEN).play("e2e4", "e7e5", "g1f3")
		g.stop(false)
		g.seq++
		g.step(rules.LeverMoved{Seq: g.seq, Turn: legal.White, Clock: g.clock})
		id := kinds.ID(g.seq, kinds.LeverInPause)
		if e := g.entry(id); e.Alert != rules.Advise {
			t.Fatalf("%s: %v in the stop", name, e.Alert)
		}
		g.step(rules.Started{Turn: legal.White, Clock: g.clock})
		then(g)
		if e := g.entry(id); e.Alert != rules.Log {
			t.Errorf("%s: %v", name, e.Alert)
		}
	}
}
