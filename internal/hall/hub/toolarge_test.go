package hub

import (
	"path/filepath"
	"testing"

	"boardwatchd/internal/hall/wire"
)

// The hall does not request bytes that no board writes (here it has no board to ask), and the list names the computer
// until its program was started again.
func TestASegmentThatIsTooLarge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h, _, w := mirroringHub(t, dir)
	var err error
	if h.homes, err = openHomes(filepath.Join(dir, "homes.json")); err != nil {
		t.Fatal(err)
	}
	named := func() string {
		for _, c := range h.Roster() {
			if c.Name == "table-1" {
				return c.TooLarge
			}
		}
		return ""
	}
	if err := w.take(t.Context(), &wire.Chunk{Board: "1", Journal: "1-r1", Segment: 1, Offset: maxSegment, Data: []byte("a")}, func() {}); err != nil || named() != "1-r1" {
		t.Errorf("a chunk: %v, named is %q", err, named())
	}
	job := wire.Journal{Name: "1-r2", Board: "1", Segments: []wire.Segment{{Number: 1, Size: 1 << 60}}}
	if err := w.compare(t.Context(), job); err != nil || named() != "1-r2" {
		t.Errorf("a list: %v, named is %q", err, named())
	}
	for _, e := range h.store.List("table-1") {
		t.Errorf("taken was %+v", e)
	}
}
