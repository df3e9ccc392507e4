package hub

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// mirroringHub is a hub with a mirror in dir, and the worker of the board 1 of table-1.
func mirroringHub(t *testing.T, dir string) (h *Hub, c *computer, w *worker) {
	t.Helper()
	h = namingHub(t, dir)
	h.store = mirror.Open(filepath.Join(dir, "mirror"))
	h.mu.Lock()
	defer h.mu.Unlock()
	c = h.computer("table-1")
	w = newWorker(c, "1")
	t.Cleanup(w.close)
	return h, c, w
}

// The board has every byte: what the hall's disk does not give is compared and fetched with the next beat, although it
// was found equal an hour ago.
func TestAMirrorThatCannotBeReadIsComparedAgain(t *testing.T) {
	t.Parallel()
	h, c, w := mirroringHub(t, t.TempDir())
	h.reading.free = 1
	h.opt.Here = func(string, bool) {}
	h.opt.Hear = func(string, string, int) view.Listener {
		return view.Listener{Recovered: func(record.Record) {}, Seen: func(watch.View, []watch.Touch) {}, Ready: func() {}}
	}
	if err := w.switchTo("1-r1"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.journal.Put(1, 0, []byte("\n"), false); err != nil {
		t.Fatal(err)
	}
	path := w.journal.Path(1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil { // whose reading is an error
		t.Fatal(err)
	}
	hour := time.Now().Add(-time.Hour)
	c.compare = hour
	w.comparedAt = map[string]time.Time{"1-r1 1 1": hour, "1-r10 1 1": hour}
	w.show()
	if _, other := w.comparedAt["1-r10 1 1"]; !c.compare.IsZero() || len(w.comparedAt) != 1 || !other {
		t.Errorf("compared at %v; %v", c.compare, w.comparedAt)
	}
	now := time.Now()
	c.compare = now
	w.show()
	if d := c.compare.Add(compareEvery).Sub(now); d < compareRest || d > compareRest+time.Minute {
		t.Errorf("unreadable still, it is compared in %v", d)
	}
}
