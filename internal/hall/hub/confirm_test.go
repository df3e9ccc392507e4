package hub_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/sharedtest"
)

// A computer hears that the hall speaks for its board, and hears it no more when the mirror takes nothing, though both are connected.
func TestTheHallConfirmsWhatItHas(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	first := tb.up.Confirmed()
	sharedtest.Until(t, "the hall confirms", func() bool { return tb.up.Confirmed().After(first) })
	next := tb.up.Confirmed()
	sharedtest.Until(t, "and again", func() bool { return tb.up.Confirmed().After(next) })

	if err := os.MkdirAll(filepath.Join(h.dir, "mirror", "table-1", "1-r2.bwj"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := tb.w.Close(tb.at+1, "stop"); err != nil {
		t.Fatal(err)
	}
	tb.begin("1-r2")
	last := tb.up.Confirmed()
	for deadline := time.Now().Add(3 * uplink.BeatEvery); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if at := tb.up.Confirmed(); at.After(last) {
			t.Fatalf("confirmed at %v, after the mirror took nothing", at)
		}
	}
}
