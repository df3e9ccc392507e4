package rules_test

import (
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// setClock changes the times on the clock while it stands, by seconds.
func (g *game) setClock(white, black int) {
	to := g.clock
	to.White, to.Black = to.White+white, to.Black+black
	g.step(rules.ClockSet{From: g.clock, To: to})
	g.clock = to
}

func (g *game) start() {
	g.seq++
	g.step(rules.Started{Seq: g.seq, Turn: g.pos.Turn(), Clock: g.clock})
}

// TestABonusThatIsTakenOffAgain: the arbiter undoes what the players have set, to set it by himself.
func TestABonusThatIsTakenOffAgain(t *testing.T) {
	g := begin(t, "fide-rapid", startFEN).knight()
	for _, change := range [][2]int{{-10, 60}, {10, -60}} {
		g.stop(false)
		g.setClock(change[0], change[1])
		g.start()
	}
	g.stop(false)
	e := g.entry(g.last)
	if got := words(&e); got != "illegal.knight confirmed now illegal_move restore +0/60 -10/0 #1/0" {
		t.Error(got)
	}
}

// TestASecondIsNoCorrection: the clock counts a second before it is read again; a small increment was not taken back by
// it.
func TestASecondIsNoCorrection(t *testing.T) {
	for _, increment := range []int{1, 2} {
		g := begin(t, "fide-blitz-supervised", startFEN)
		g.gain = increment
		g.knight()
		g.stop(false)
		g.setClock(0, 60)
		g.clock.White--
		g.start()
		g.stop(false)
		if back := g.entry(g.last).Ruling.TakeBack; back != [3]int{legal.White: increment} {
			t.Errorf("increment %d: %v", increment, back)
		}
	}
}

// TestTimesOfAnotherDecision: what was set for a decision about one illegal move is not the bonus of the next one.
func TestTimesOfAnotherDecision(t *testing.T) {
	for _, name := range []string{"caa-3strike", "uscf-regular"} {
		g := begin(t, name, startFEN).knight()
		first := g.last
		g.decide(first, "confirm")
		g.play("c7c6", "a2a3", "a7a6").wrong(kinds.IllegalKnight, "b1b3", "b1", "b1 - b3 N")
		g.stop(false)
		set, want := g.entry(first).Ruling.Clocks, g.entry(g.last).Ruling.Bonus
		g.setClock(set.White-g.clock.White, set.Black-g.clock.Black)
		g.start()
		g.stop(false)
		if got := g.entry(g.last).Ruling.Bonus; got != want || got == [3]int{} {
			t.Errorf("%s: bonus %v, want %v", name, got, want)
		}
	}
}

// TestAnAccidentHasNoPenaltyOnTheClock: the players have given the minute, and the arbiter decides that it was an
// accident.
func TestAnAccidentHasNoPenaltyOnTheClock(t *testing.T) {
	for _, stands := range []bool{true, false} { // the clock, when it is decided
		g := begin(t, "fide-rapid", startFEN).knight()
		g.stop(false)
		g.setClock(0, 60)
		g.start()
		if stands {
			g.stop(false)
		}
		g.decide(g.last, "accident")
		if !stands {
			g.stop(false)
		}
		want := rules.Clocks{White: g.clock.White - 10, Black: g.clock.Black - 60, Known: true}
		if r := g.entry(g.last).Ruling; r.Clocks != want || r.Bonus != [3]int{legal.Black: -60} {
			t.Errorf("stands %t: %+v, bonus %v; want %+v", stands, r.Clocks, r.Bonus, want)
		}
	}
}

// TestTimesOfADecisionAreThoseOfTheStop: a ruling that was confirmed while the clock ran asks for the same times as one
// that is confirmed at the stop; presses between the two have added time as well.
func TestTimesOfADecisionAreThoseOfTheStop(t *testing.T) {
	at := func(early bool) rules.Ruling {
		g := begin(t, "fide-standard", startFEN).knight()
		id := g.last
		if early {
			g.decide(id, "confirm")
		}
		g.play("c7c6", "a2a3", "a7a6", "a3a4", "a6a5").stop(false)
		if !early {
			g.decide(id, "confirm")
		}
		return *g.entry(id).Ruling
	}
	early, late := at(true), at(false)
	if early.Clocks != late.Clocks || early.TakeBack != late.TakeBack || early.Text.String() != late.Text.String() {
		t.Errorf("decided before the stop %+v, in it %+v", early, late)
	}
}
