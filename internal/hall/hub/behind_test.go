package hub_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/sharedtest"
)

// A hall whose mirror was rolled back says that it is behind until it has what the board has written: what it does not
// show is no proof that there is none.
func TestAMirrorThatIsBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	const words = 20
	for n := range words {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the hall has all", func() bool { return !h.Behind("1") })
	if !h.Behind("2") {
		t.Error("of a board that is not known the hall has all")
	}
	tb.stop()
	listen := h.Addr().String()
	h.stop()
	if err := os.RemoveAll(filepath.Join(dir, "jetstream")); err != nil {
		t.Fatal(err)
	}
	for n := 2; os.Remove(filepath.Join(dir, "mirror", "table-1", journal.SegmentName("1-r1", n))) == nil; n++ {
	}
	path := filepath.Join(dir, "mirror", "table-1", "1-r1.bwj")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := slices.Index(whole, '\n') + 1 // of the opening record
	if err := os.Truncate(path, int64(end)); err != nil {
		t.Fatal(err)
	}

	h = newHall(t, dir, listen)
	sharedtest.Until(t, "the mirror is read", func() bool { n, _ := h.readings("1"); return n > 0 })
	h.mu.Lock()
	if !slices.Equal(h.known, []string{"1"}) {
		t.Errorf("expected were %q", h.known)
	}
	h.mu.Unlock()
	if !h.Behind("1") {
		t.Error("before the board is heard, the hall has all")
	}
	const head = "41:00112233445566778899aabbccddeeff"
	h.speak(t, m, func() wire.BeatBody {
		return wire.BeatBody{Version: "1", Core: "1", Boards: []wire.BoardBeat{{Board: "1", Journal: "1-r1", Head: head}}}
	})
	sharedtest.Until(t, "the board is heard", func() bool { return h.Head("1").Seq == 41 })
	if !h.Behind("1") {
		t.Error("the board has more than the hall, and the hall has all")
	}
}
