package live_test

import (
	"testing"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

// TestABoardWhoseComputerIsLost: the board may still be watched there, so its last state is shown until it is heard
// again.
func TestABoardWhoseComputerIsLost(t *testing.T) {
	now := time.Date(2026, 11, 24, 21, 43, 0, 0, time.Local)
	bs := live.New(live.Options{Wall: func() time.Time { return now }})
	b := bs.Add("1", live.Info{})
	b.Ready()
	b.Seen(watch.View{At: 1, Link: "up"}, nil)
	for _, step := range []struct {
		do           func()
		what, detail string
	}{
		{func() { bs.Lost("1") }, "unreachable",
			"its computer cannot be reached since 21:43, the last that came of the board is from 21:43; as far as is known it is watched there all the same"},
		{func() { bs.Away("1", false) }, "", ""},
		{func() { bs.Lost("1"); bs.Away("1", true) }, "not_watched", "this board is not watched any more"},
	} {
		step.do()
		if s := summary(t, bs); s.HealthWhat != step.what || s.HealthDetail != step.detail || s.Watching != (step.what == "") {
			t.Errorf("told is %s: %q, want %s: %q", s.HealthWhat, s.HealthDetail, step.what, step.detail)
		}
	}
}
