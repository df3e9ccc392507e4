package helpmate_test

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
)

// Boards shortly before the draw by 9.6.2: the oracle visits everything that can be reached before it, counters
// included.
func TestLastMovesBefore9_6_2AgainstTheOracle(t *testing.T) {
	boards := 3 * setting("", 40)
	if testing.Short() {
		boards = min(boards, 40)
	}
	c := newCourt(t, helpmate.DefaultLimit, 8000)
	r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), 150))
	judged, counted := 0, 0
	for n := 0; n < boards; {
		family := mateoracle.Families[r.IntN(len(mateoracle.Families))]
		if r.IntN(2) == 0 {
			family = mateoracle.Families[r.IntN(2)*10] // few pieces, plain chains
		}
		b, ok := family.Make(r)
		if !ok || !admitted(&b) || b.EnPassant() {
			continue
		}
		n++
		b = b.WithClock(150 - r.IntN(r.IntN(24)+1))
		truth := mateoracle.Clocked(b, c.most)
		for side := range sides {
			a := c.ask(b, side)
			if a.Reason == helpmate.Counted {
				counted++
			}
			switch {
			case a.Verdict == helpmate.Never && truth.Mates(sides[side]):
				c.wrong("%s %s: never (%s), but there is a mate in time", side, b.FEN(), a.Reason)
			case a.Verdict == helpmate.Never && truth.Closed:
				c.confirmed++
				judged++
			case a.Verdict == helpmate.Possible && truth.Never(sides[side]):
				c.wrong("%s %s: possible, but there is no mate in time", side, b.FEN())
			case a.Verdict == helpmate.Possible && truth.Closed:
				judged++
			case a.Verdict == helpmate.Unknown:
				known := "open"
				if truth.Mates(sides[side]) {
					known = "can"
					c.openCan++
				} else if truth.Closed {
					known = "never"
					c.openNo++
				}
				c.note("open.txt", "%-5s %s %s", side, b.FEN(), known)
			}
		}
	}
	c.report("last moves")
	t.Logf("%d answers judged, %d counted", judged, counted)
	if judged == 0 {
		t.Error("no answer was judged: the test proves nothing")
	}
}
