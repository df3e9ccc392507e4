package hub_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// A journal that was removed from the mirror is not fetched again when its computer appears, and one that is only
// missing is.
func TestARemovedJournalIsNotFetchedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0")
	listen := h.Addr().String()
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	tb.say(1)
	for _, name := range []string{"1-r2", "1-r3"} { // each with the round before at its end
		h.equal(t, "table-1", tb)
		_ = tb.w.Close(tb.at+1, "stop")
		tb.begin(name)
		tb.say(1)
	}
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the last one is shown", func() bool { return slices.Equal(h.ShownJournals("table-1"), []string{"1-r3"}) })
	h.stop()
	mirror := func(name string) string { return filepath.Join(dir, "mirror", "table-1", name+".bwj") }
	for _, name := range []string{"1-r1", "1-r2"} {
		if err := os.Remove(mirror(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "removed-1-r1"), nil, 0o600); err != nil { // newHall: Removed
		t.Fatal(err)
	}
	h = newHall(t, dir, listen)
	sharedtest.Until(t, "the missing one is there again", func() bool { _, err := os.Stat(mirror("1-r2")); return err == nil })
	tb.say(2)
	sharedtest.Until(t, "the board goes on", func() bool { return slices.Equal(h.ShownJournals("table-1"), []string{"1-r3"}) })
	if _, err := os.Stat(mirror("1-r1")); err == nil {
		t.Error("what was removed is there again")
	}
}
