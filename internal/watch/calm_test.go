package watch_test

import (
	"testing"

	"boardwatchd/internal/watch"
)

// For an honest finished game the only alert is how the board or the clock has ended it, and its result is asked for
// once.
func TestAnHonestGameEndsCalmly(t *testing.T) {
	for _, where := range rooms {
		first, last := seeds(t, 8)
		for seed := first; seed <= last; seed++ {
			o := where.honest(seed)
			o.Innocents.PerMille = 0
			tr := try(t, live, rulesConfig(t, where.rules), o)
			for _, v := range tr.rig.said {
				asks := v.Type == "finding" && v.State == "confirmed" && (v.Alert == "now" || v.Alert == "advise")
				if asks && v.Kind != "end.checkmate" && v.Kind != "end.stalemate" && v.Kind != "end.dead" && v.Kind != "clock.flag" {
					t.Errorf("%s, seed %d: told of %s", where.name, seed, v.Kind)
				}
			}
			if f := tr.rig.m.View().Finish; !f.Asked || f == (watch.FinishView{}) {
				t.Errorf("%s, seed %d: the game is over, and nobody is asked for its result", where.name, seed)
			}
		}
	}
}
