package rules

import (
	"testing"

	"boardwatchd/rules/legal"
)

func TestWhatAPressAdds(t *testing.T) {
	for _, c := range []struct {
		claim string
		do    func(*clock)
		want  int
		known bool
	}{
		{"nothing is known", func(*clock) {}, 0, false},
		{"the increment is set", func(c *clock) { c.increment = 10 }, 10, true},
		{"with a delay a press adds nothing", func(c *clock) { c.increment, c.delay = 10, 5 }, 0, true},
		{"else the greatest gain", func(c *clock) { c.noteIncrement(9); c.noteIncrement(10); c.noteIncrement(8) }, 10, true},
		{"none, if no press has added anything", func(c *clock) { c.noteIncrement(0) }, 0, true},
		{"what is not known shows nothing", func(c *clock) { c.noteIncrement(-1) }, 0, false},
		{"the time of the next period is no increment", func(c *clock) { c.noteIncrement(900) }, 0, false},
		{"a new game shows it anew", func(c *clock) { c.noteIncrement(10); c.begin(Clocks{}) }, 0, false},
	} {
		k := newClock()
		c.do(&k)
		if got, known := k.credited(); got != c.want || known != c.known {
			t.Errorf("%s: %d, %v, want %d, %v", c.claim, got, known, c.want, c.known)
		}
	}
}

func TestTimeControl(t *testing.T) {
	k := newClock()
	if base, increment := k.timeControl(); base != -1 || increment != 0 {
		t.Errorf("nothing is known: %d+%d", base, increment)
	}
	if !k.see(Clocks{White: 5390, Black: 5400, Known: true}) || k.see(Clocks{White: 5380, Black: 5400, Known: true}) {
		t.Error("the first times are not the first ones")
	}
	if shown := k.noteIncrement(29); !shown || !k.noteIncrement(30) || k.noteIncrement(30) {
		t.Error("a greater gain shows the increment better, and the same one does not")
	}
	if base, increment := k.timeControl(); base != 5400 || increment != 30 {
		t.Errorf("%d+%d by the clock", base, increment)
	}
	if k.see(Clocks{}); k.shows.White != 5380 {
		t.Error("a clock that is not read shows what it showed")
	}
	k.base, k.increment = 300, 3
	if base, increment := k.timeControl(); base != 300 || increment != 3 || k.noteIncrement(60) {
		t.Errorf("what is set counts: %d+%d", base, increment)
	}
}

func TestTimePressure(t *testing.T) {
	us := &Profile{TimePressureS: 300, TimePressureFreeS: 30}
	for _, c := range []struct {
		claim      string
		p          *Profile
		white, inc int
		want       bool
	}{
		{"more than five minutes", us, 300, 5, false},
		{"less than five minutes", us, 299, 5, true},
		{"with an increment of half a minute there is none", us, 10, 30, false},
		{"a rule set that does not know it", &Profile{}, 10, 0, false},
	} {
		k := newClock()
		k.increment = c.inc
		k.see(Clocks{White: c.white, Black: 3000, Known: true})
		if got := k.tight(c.p); got != c.want {
			t.Errorf("%s: %v", c.claim, got)
		}
	}
}

func TestTally(t *testing.T) {
	var a, b tally
	a.add(legal.White, 10)
	a.add(legal.White, 0)
	a.add(legal.Black, -1)
	b.add(legal.White, 0)
	b.add(legal.Black, 0)
	a.join(b)
	if a.presses != [3]int{0, 3, 2} || a.noGain != [3]int{0, 2, 1} {
		t.Errorf("%+v", a)
	}
	if w, set := a.credits(legal.White, false), a.credits(legal.White, true); w != 1 || set != 3 {
		t.Errorf("White was credited %d times by what was seen, and %d times by the time control", w, set)
	}
}
