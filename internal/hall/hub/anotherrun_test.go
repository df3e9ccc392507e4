package hub

import (
	"path/filepath"
	"testing"
	"time"

	"boardwatchd/internal/hall/wire"
)

// A computer whose program is another one than in the beat before, although it was not away: its journals are compared.
// Where two speak with one key, each beat is of another program, and they are not compared all the time.
func TestAnotherProgramIsComparedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h, c, _ := mirroringHub(t, dir)
	var err error
	if h.homes, err = openHomes(filepath.Join(dir, "homes.json")); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	compares := func(run string) bool {
		c.compare, now = now, now.Add(time.Second)
		h.heard(c, &wire.BeatBody{Self: wire.Self{Run: run}}, now)
		return c.compare.IsZero()
	}
	for _, b := range []struct {
		run  string
		want bool
	}{{"a", true}, {"a", false}, {"b", true}, {"b", false}} {
		if got := compares(b.run); got != b.want {
			t.Errorf("run %s: compared is %v", b.run, got)
		}
	}
	for range 5 {
		compares("a")
		compares("b")
	}
	if compares("a") || compares("b") {
		t.Error("two programs are compared at each beat")
	}
}
