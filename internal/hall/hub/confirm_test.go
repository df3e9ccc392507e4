package hub_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/sharedtest"
)

// confirmed is when the hall last said that it speaks for the board.
func (tb *table) confirmed() time.Time { return tb.up.Confirmed()[tb.board] }

// A computer hears that the hall speaks for its board, and hears it no more when the mirror takes nothing, though both
// are connected.
func TestTheHallConfirmsWhatItHas(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	first := tb.confirmed()
	sharedtest.Until(t, "the hall confirms", func() bool { return tb.confirmed().After(first) })
	next := tb.confirmed()
	sharedtest.Until(t, "and again", func() bool { return tb.confirmed().After(next) })

	if err := os.MkdirAll(filepath.Join(h.dir, "mirror", "table-1", "1-r2.bwj"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := tb.w.Close(tb.at+1, "stop"); err != nil {
		t.Fatal(err)
	}
	tb.begin("1-r2")
	last := tb.confirmed()
	for deadline := time.Now().Add(3 * uplink.BeatEvery); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if at := tb.confirmed(); at.After(last) {
			t.Fatalf("confirmed at %v, after the mirror took nothing", at)
		}
	}
}

// The hall does not confirm a board that says that its disk takes nothing: it cannot have what the board says now. It
// goes on when the disk takes it.
func TestTheHallDoesNotConfirmABoardWithoutADisk(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	first := tb.confirmed()
	sharedtest.Until(t, "the hall confirms", func() bool { return tb.confirmed().After(first) })
	tb.trouble.Store(true)
	begun := time.Now()
	sharedtest.Until(t, "the hall confirms no more", func() bool { return time.Since(tb.confirmed()) > 2*uplink.BeatEvery+uplink.BeatEvery/2 })
	if at := tb.confirmed(); at.After(begun.Add(uplink.BeatEvery + uplink.BeatEvery/2)) {
		t.Errorf("confirmed %v after the disk's trouble", at.Sub(begun))
	}
	if got := h.trouble("1"); got != "no space left on device" {
		t.Errorf("the hall shows the trouble %q", got)
	}
	tb.trouble.Store(false)
	sharedtest.Until(t, "the hall confirms again", func() bool { return time.Since(tb.confirmed()) < uplink.BeatEvery })
	sharedtest.Until(t, "the trouble is over", func() bool { return h.trouble("1") == "" })
}

// trouble is what the hall shows of a board's disk.
func (h *hall) trouble(board string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.disk[board]
}

// A hall whose stream is damaged so that NATS does not open it starts with a new one, and has all journals again.
func TestAStreamThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	listen := h.Addr().String()
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	for n := range 50 {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	h.stop()
	state := filepath.Join(h.dir, "jetstream", "jetstream", "$G", "streams", wire.Stream, "obs", "hall", "o.dat")
	b, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	b[0] ^= 0xff
	if err := os.WriteFile(state, b, 0o600); err != nil {
		t.Fatal(err)
	}
	tb.say(50)
	h = newHall(t, h.dir, listen)
	tb.say(51)
	h.equal(t, "table-1", tb)
	if _, err := os.Stat(filepath.Join(h.dir, "jetstream.lost")); err != nil {
		t.Error(err)
	}
}

// A stream that is gone, or gives nothing, while the hall runs is made anew, and what the boards write goes through it
// again.
func TestAStreamThatIsLost(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(jetstream.JetStream) error{
		"the stream":   func(js jetstream.JetStream) error { return js.DeleteStream(t.Context(), wire.Stream) },
		"its consumer": func(js jetstream.JetStream) error { return js.DeleteConsumer(t.Context(), wire.Stream, "hall") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHall(t, t.TempDir(), "127.0.0.1:0")
			m := h.invite(t, "table-1")
			tb := newTable(t, m, t.TempDir(), "1")
			tb.say(0)
			h.equal(t, "table-1", tb)
			js := h.jetStream(t, m)
			if err := harm(js); err != nil {
				t.Fatal(err)
			}
			sharedtest.Until(t, "the stream is there again", func() bool {
				c, err := js.Consumer(t.Context(), wire.Stream, "hall")
				if err != nil {
					return false
				}
				info, err := c.Info(t.Context())
				return err == nil && info.Delivered.Stream > 0 && info.NumPending == 0
			})
			for n := range 10 {
				tb.say(1 + n)
			}
			h.equal(t, "table-1", tb)
		})
	}
}

// A board that cannot be mirrored is one that its computer alerts for, and no other of that computer is.
func TestOneBoardOfTwoIsConfirmed(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	if err := os.MkdirAll(filepath.Join(h.dir, "mirror", "table-1", "2-r1.bwj"), 0o700); err != nil {
		t.Fatal(err)
	}
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	tb.up.Watch("2", "2-r1")
	tb.up.Ready("2")
	first := tb.confirmed()
	sharedtest.Until(t, "the hall confirms one", func() bool { return tb.confirmed().After(first.Add(2 * uplink.BeatEvery)) })
	if at := tb.up.Confirmed()["2"]; at.After(first.Add(uplink.BeatEvery)) {
		t.Errorf("the other one was confirmed %v later", at.Sub(first))
	}
}

// A mirror's segment that cannot be written in the round, while those after it can: the board stands still, and the
// hall does not confirm it, so that its computer alerts, until the hall has all.
func TestABoardWhoseMirrorCannotBeWritten(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	in := filepath.Join(h.dir, "mirror", "table-1", "1-r1.2.bwj")
	if err := os.Mkdir(in, 0o700); err != nil { // in the place of the next segment
		t.Fatal(err)
	}
	for n := range 200 {
		tb.say(1 + n)
	}
	stands := func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return !h.still["1"].IsZero()
	}
	sharedtest.Until(t, "it stands still", stands)
	if since := h.of("table-1").Boards[0].StalledSince; since.IsZero() || time.Since(tb.confirmed()) < 4*uplink.BeatEvery {
		t.Errorf("in the list since %v; last confirmed at %v", since, tb.confirmed())
	}
	if after, err := filepath.Glob(filepath.Join(filepath.Dir(in), "1-r1.[3-9].bwj")); err != nil || len(after) > 0 {
		t.Errorf("the mirror has a hole before %q, %v", after, err)
	}
	if err := os.Remove(in); err != nil {
		t.Fatal(err)
	}
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "that is over", func() bool { return !stands() && h.of("table-1").Boards[0].StalledSince.IsZero() })
	sharedtest.Until(t, "the hall confirms again", func() bool { return time.Since(tb.confirmed()) < uplink.BeatEvery })
}

// At the start of the hall a segment is missing and cannot be written: those after it are set aside, because what is
// shown of a journal with a hole looks as if it were all, and everything is fetched when that is over.
func TestAMirrorWithAHoleThatCannotBeFilled(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	for n := range 200 {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	listen := h.Addr().String()
	h.stop()
	in := filepath.Join(h.dir, "mirror", "table-1", "1-r1.2.bwj")
	if err := errors.Join(os.Remove(in), os.Mkdir(in, 0o700)); err != nil {
		t.Fatal(err)
	}
	h = newHall(t, h.dir, listen)
	sharedtest.Until(t, "what follows is set aside", func() bool {
		after, err := filepath.Glob(filepath.Join(filepath.Dir(in), "1-r1.[3-9].bwj"))
		return err == nil && len(after) == 0
	})
	if !h.Behind("1") {
		t.Error("the hall has all")
	}
	if err := os.Remove(in); err != nil {
		t.Fatal(err)
	}
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the hall has all", func() bool { return !h.Behind("1") })
}
