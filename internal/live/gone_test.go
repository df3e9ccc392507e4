package live_test

import (
	"testing"

	"boardwatchd/internal/live"
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
