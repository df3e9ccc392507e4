package uplink

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestWhatIsLate: what a board wrote while the hall was away for long is late once, whether its follower hears of the
// connection before the uplink does, and also where the connection breaks a second time before anything was brought.
func TestWhatIsLate(t *testing.T) {
	u := New(Options{Dir: t.TempDir()})
	f := &follower{u: u, files: u.files("1-r1")}
	if err := os.WriteFile(f.files.path(1), []byte("while it was away\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	end := place{segment: 1, offset: int64(len("while it was away\n"))}
	late := func(want place, when string) {
		t.Helper()
		if f.afterAbsence(context.Background()); f.lateUntil != want {
			t.Errorf("%s: late is what stands before %+v, want %+v", when, f.lateUntil, want)
		}
	}
	away := func(d time.Duration) { u.gone(nil); u.awaySince = time.Now().Add(-d) }

	u.connected()
	late(place{}, "at a start without delay")
	away(time.Minute)
	late(end, "the connection works, and the uplink does not know it yet")
	f.lateUntil = place{}
	u.connected()
	late(place{}, "the same absence, when the uplink knows that it is over")

	away(time.Hour)
	u.connected()
	away(time.Second)
	u.connected()
	late(end, "a long absence and a short one, with nothing brought in between")
	f.lateUntil = place{}
	away(time.Second)
	u.connected()
	late(place{}, "a short absence")
}
