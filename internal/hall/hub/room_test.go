package hub_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/sharedtest"
)

// mirrored is the size of a computer's mirror.
func (h *hall) mirrored(t *testing.T, computer string) (size int64) {
	t.Helper()
	list, err := journal.List(filepath.Join(h.dir, "mirror", computer))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		size += e.Size
	}
	return size
}

// Without room the hall takes nothing from the boards, whether they send it or are asked for it; what they have waits
// there, and comes by itself when there is room again. A decision is the board's meanwhile.
func TestAHallWithoutRoom(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	for n := range 20 {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the board is shown", func() bool { return !h.Behind("1") })
	readings, _ := h.readings("1")

	h.fills(t, true)
	size := h.mirrored(t, "table-1")
	for n := range 200 { // several segments
		tb.say(20 + n)
	}
	body := []byte(`{"finding":"1:illegal.knight","decision":"confirm","request":"0123456789"}`)
	if err := h.Decide(sharedtest.Context(t), "1", body); err != nil || tb.decided != 1 {
		t.Errorf("a decision: %v, %d times", err, tb.decided)
	}
	if err := h.Decide(sharedtest.Context(t), "1", body); err != nil || tb.decided != 1 {
		t.Errorf("the second time: %v, %d times", err, tb.decided)
	}
	sharedtest.Until(t, "the board is known to have more", func() bool { return h.Behind("1") })
	if now := h.mirrored(t, "table-1"); now != size {
		t.Errorf("the mirror has grown from %d bytes to %d", size, now)
	}

	h.fills(t, false)
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the board is shown again", func() bool { return !h.Behind("1") })
	if now, _ := h.readings("1"); now != readings {
		t.Errorf("its journal was read %d times, before %d", now, readings)
	}
}

// A round that ended while there was no room is fetched although its board says nothing of it any more.
func TestAnEarlierJournalAfterTheHallHadNoRoom(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	h.fills(t, true)
	for n := range 100 {
		tb.say(1 + n)
	}
	if err := tb.w.Close(tb.at+1, "stop"); err != nil {
		t.Fatal(err)
	}
	tb.begin("1-r2")
	sharedtest.Until(t, "the next round is known", func() bool { return h.Head("1").Journal == "1-r2" })
	if _, err := os.Stat(filepath.Join(h.dir, "mirror", "table-1", "1-r2.bwj")); err == nil {
		t.Error("the next round's journal was taken")
	}
	h.fills(t, false)
	h.equal(t, "table-1", tb)
}

// A hall that begins while its directory takes no file shows what it has and reaches the boards; the boards keep what
// they write meanwhile, and bring it when there is room.
func TestAHallThatBeginsInMemory(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	listen := h.Addr().String()
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	h.stop()
	stream := filepath.Join(h.dir, "jetstream")
	if err := errors.Join(os.RemoveAll(stream), os.WriteFile(filepath.Join(h.dir, "in-memory"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	h = newHall(t, h.dir, listen)
	h.fills(t, true)
	for n := range 50 {
		tb.say(1 + n)
	}
	sharedtest.Until(t, "the board is reached", func() bool {
		return h.Decide(sharedtest.Context(t), "1", []byte(`{"request":"request-0001"}`)) == nil
	})
	if _, err := os.Stat(stream); err == nil {
		t.Error("the stream is on the disk")
	}
	h.fills(t, false)
	h.equal(t, "table-1", tb)
	h.stop()
	if err := os.Remove(filepath.Join(h.dir, "in-memory")); err != nil {
		t.Fatal(err)
	}
	h = newHall(t, h.dir, listen)
	tb.say(60)
	h.equal(t, "table-1", tb)
}
