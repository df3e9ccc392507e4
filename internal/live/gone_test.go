package live_test

import (
	"fmt"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

// A board that is not to be watched any more is shown as gone until it is watched again.
func TestABoardThatIsGone(t *testing.T) {
	bs := live.New(live.Options{})
	bs.Add("1", live.Info{}).Ready()
	for i, step := range []struct {
		what string
		do   func()
		gone bool
	}{
		{"watched, and in no list", func() { bs.Gone("1", true) }, false},
		{"its computer has left", func() { bs.Away("1", true) }, true},
		{"another board is in the list", func() { bs.Gone("2", false) }, true},
		{"watched again", func() { bs.Away("1", false) }, false},
		{"switched off", func() { bs.Gone("1", false); bs.Away("1", true) }, false},
		{"taken from the list", func() { bs.Gone("1", true) }, true},
		{"added anew", func() { bs.Add("1", live.Info{}).Ready() }, false},
		{"and removed", func() { bs.Remove("1") }, false},
	} {
		step.do()
		if s := summary(t, bs); s.Gone != step.gone {
			t.Errorf("step %d, %s: gone %t", i+1, step.what, s.Gone)
		}
	}
}

// TestABoardOfACopiedCard: while two programs speak for a board, one of which does not have it, nothing is said about
// cables and watching; a computer that cannot be reached is.
func TestABoardOfACopiedCard(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	b.Ready()
	b.Seen(watch.View{At: 1e6, Link: "up"}, nil)
	for i, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"the copy says that it has no board", func() { bs.Away("1", true) }, "bad not_watched up false"},
		{"the card was copied", func() { bs.Copied("1", true) }, "ok  up true"},
		{"the real one speaks", func() { bs.Away("1", false) }, "ok  up true"},
		{"the copy's record begins", func() { say(b, `{"type":"health","t":2,"what":"gap"}`); b.Seen(watch.View{At: 2e6, Link: "down"}, nil) }, "ok  up true"},
		{"nobody can be reached", func() { bs.Lost("1") }, "bad unreachable down false"},
		{"the copy is gone", func() { bs.Away("1", false); bs.Copied("1", false) }, "bad gap down true"},
	} {
		step.do()
		if s := summary(t, bs); fmt.Sprintf("%s %s %s %t", s.Health, s.HealthWhat, s.Link, s.Watching) != step.want {
			t.Errorf("step %d, %s: %s %s %s %t, want %s", i+1, step.what, s.Health, s.HealthWhat, s.Link, s.Watching, step.want)
		}
	}
}

// A board is called by its table and by a plain name as long as it has them.
func TestHowABoardIsCalled(t *testing.T) {
	bs := live.New(live.Options{})
	bs.Add("1@table-2", live.Info{}).Ready()
	for _, step := range [][2]string{{"", ""}, {"", "1"}, {"7", ""}, {"7", "1"}, {"", ""}} {
		bs.Called("1@table-2", step[0], step[1])
		bs.Called("another", "8", "2")
		if s := summary(t, bs); s.Board != "1@table-2" || s.Table != step[0] || s.Name != step[1] {
			t.Errorf("told %q: board %q, table %q, name %q", step, s.Board, s.Table, s.Name)
		}
	}
}
