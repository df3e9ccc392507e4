package hint

import (
	"testing"

	"boardwatchd/rules/legal"
)

func TestAdjustedInTheOtherPlayersTime(t *testing.T) {
	const afterE4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	for _, c := range []struct {
		claim, acts string
		wait        string
		want        string
	}{
		{"a piece lifted and returned, and then quiet", "g1 -, g1 N", "2", "irreg.adjust_off_turn hint g1"},
		{"not yet quiet", "g1 -, g1 N", "1.9", ""},
		{"not returned", "g1 -", "9", ""},
		{"returned to another square", "g1 -, f3 N", "9", ""},
		{"an own piece of the player who has the move", "d7 -, d7 p", "9", ""},
		{"a flicker", "g1 -, +0.25 g1 N", "9", ""},
		{"touched by the player who then moves", "g1 -, g1 N, d7 -, d5 p", "9", ""},
		{"adjusted long before the move", "g1 -, g1 N, +2.5 d7 -, d5 p", "0", "irreg.adjust_off_turn hint g1"},
		{"two pieces, in the order of their lifts", "g1 -, g1 N, +4 b1 -, b1 N", "3",
			"irreg.adjust_off_turn hint g1; irreg.adjust_off_turn hint b1"},
		{"the same piece twice", "g1 -, g1 N, g1 -, g1 N", "3", "irreg.adjust_off_turn hint g1"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			pos := positionOf(t, afterE4)
			v := turnView(t, &pos, c.acts)
			wait, err := microseconds(c.wait)
			if err != nil {
				t.Fatal(err)
			}
			v.Now += wait
			found := OffTurn(&v)
			if got := hinted(found); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, s := range found {
				if s.Side != legal.NoSide {
					t.Errorf("%s names %s", s.Kind, s.Side)
				}
			}
			v.Now += 60 * secondUS
			if later := OffTurn(&v); len(later) < len(found) || hinted(later[:len(found)]) != hinted(found) {
				t.Errorf("%q became %q", hinted(found), hinted(later))
			}
		})
	}
}
