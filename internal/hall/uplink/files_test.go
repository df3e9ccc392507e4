package uplink

import (
	"os"
	"testing"

	"boardwatchd/internal/hall/wire"
)

// The board's disk was rolled back over the border of a segment: the journal is sent again, because segments
// before may have lost their ends.
func TestAfterAChunkOfALostSegment(t *testing.T) {
	f := files{t.TempDir(), "1-r1"}
	for n := 1; n <= 3; n++ {
		if err := os.WriteFile(f.path(n), []byte("line\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for segment := 1; segment <= 5; segment++ {
		c := wire.Chunk{Journal: f.name, Segment: segment, Data: []byte("lost\n")}
		if at := f.after(&c); at != (place{segment: 1}) {
			t.Errorf("after a chunk of segment %d: %+v, want the first", segment, at)
		}
	}
}
