package rules

import "testing"

func TestWindows(t *testing.T) {
	fide := &Profile{Window: byClass, Arbiter: "acts"}
	us := &Profile{Window: lastMoves, WindowMoves: 10, TimePressureMoves: 2}
	never := &Profile{Window: untilReply, Arbiter: "never"}
	for _, c := range []struct {
		claim   string
		w       windows
		until   string
		reply   bool // the opponent's next move ends it
		claimed bool // and also that of a claimed one
		passed  int  // after this number of plies the time has ended; -1: never
	}{
		{"classical play", windows{p: fide, class: Standard}, untilGameEnd, false, false, -1},
		{"fast play", windows{p: fide, class: Rapid}, untilReply, true, true, -1},
		{"fast play, only players act", windows{p: never, class: Blitz}, untilReply, true, false, -1},
		{"ten moves", windows{p: us, class: Standard}, lastMoves, false, false, 20},
		{"two in time pressure", windows{p: us, class: Standard, tight: true}, lastMoves, false, false, 4},
	} {
		passed := -1
		for n := 40; n >= 0; n-- {
			if c.w.tooManyMoves(7, 7+n) {
				passed = n
			}
		}
		if c.w.until() != c.until || c.w.endsByReply(false) != c.reply || c.w.endsByReply(true) != c.claimed || passed != c.passed {
			t.Errorf("%s: %s, %v, %v, %d", c.claim, c.w.until(), c.w.endsByReply(false), c.w.endsByReply(true), passed)
		}
	}
}
