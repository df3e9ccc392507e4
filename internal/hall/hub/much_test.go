package hub_test

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/sharedtest"
)

// A board that comes back with much to bring goes on where its mirror ends, past the stream, of which the server would
// keep all in memory for a while; what it writes then goes through the stream again.
func TestABoardWithMuchToBring(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	tb.stop()
	js := h.jetStream(t, m)
	stored := func() uint64 {
		t.Helper()
		stream, err := js.Stream(sharedtest.Context(t), wire.Stream)
		if err != nil {
			t.Fatal("the stream:", err)
		}
		state, err := stream.Info(sharedtest.Context(t), jetstream.WithSubjectFilter(wire.Records("table-1", "1")))
		if err != nil {
			t.Fatal("the stream:", err)
		}
		return state.State.Subjects[wire.Records("table-1", "1")]
	}
	before := stored()
	const words = 2000 // 300 KiB
	for n := range words {
		tb.say(n + 1)
	}
	tb.saved()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = tb.up.Run(ctx, m) }()
	t.Cleanup(func() { cancel(); <-done })
	h.equal(t, "table-1", tb)
	if n := stored() - before; n > 1 { // not even the end of a segment that it had begun
		t.Errorf("%d chunks went through the stream", n)
	}
	said := words + 1 // the hall may have fetched the end by itself, before the board has brought it
	sharedtest.Until(t, "what is written now goes through the stream", func() bool { tb.say(said); said++; return stored() > before })
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "all is shown", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return len(h.heard["1"]) == said })
}
