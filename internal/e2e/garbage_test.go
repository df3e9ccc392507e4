//go:build linux

package e2e

import (
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// stateSize is how much the files of the state directory hold.
func (p place) stateSize(t testing.TB) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(p.state(), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestGarbageAtFullSpeed: a line sends garbage as fast as it is read, 16 MB of it. The disk does not fill up; page,
// metrics and doctor tell it; when it ends, the board goes on; and the journal verifies, all bytes accounted for.
func TestGarbageAtFullSpeed(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	p := newPort(t)
	v.configure(t, "boards: [{name: "+boardName+", port: "+p.path+"}]\ntiming: {settle: 0s}\n")
	v.open(t)
	a := answering{port: p, dump: startDump(), clock: []byte{0x8d, 0, 10, 0x20, 3, 0, 0x20, 3, 0, 8}}
	a.serveUntil(t, func() bool { return strings.Contains(v.out.String(), "game 1") })
	before := v.stateSize(t)
	ann := v.pair(t, "Ann")

	const chunks, size = 4096, 4096
	rng := rand.New(rand.NewPCG(17, 8))
	garbage := make([]byte, size)
	told, sent := false, 0
	for late := sharedtest.Late(t); sent < chunks || !told; sent++ {
		if sent%256 == 255 && !told {
			if time.Now().After(late) {
				t.Fatalf("the page never tells it; the board is %+v", ann.state(t).Board)
			}
			told = ann.state(t).Board.HealthWhat == "flood"
		}
		for i := range garbage {
			if garbage[i] = byte(rng.Uint32()); i > 0 && garbage[i-1] >= 0x80 {
				garbage[i] |= 0x40 // a length that no message has
			}
		}
		p.put(t, garbage)
	}
	v.err.await(t, "garbage fills the line", "check cable, adapter and port")
	if grown := v.stateSize(t) - before; grown > 1<<20 {
		t.Errorf("%d bytes of garbage take %d on the disk", sent*size, grown)
	}

	// On a busy machine the flood has pauses, and is over more than once.
	a.serveUntil(t, func() bool {
		left := value(v.metrics(t), "boardwatchd_garbage_left_out_bytes_total", "board", boardName)
		return strings.Contains(v.out.String(), "(flood_over)") && left >= float64(sent)*size*9/10
	})
	if r := v.place.run(t, "", "doctor", "-c", v.conf); !strings.Contains(r.out, "board "+boardName+" has sent") || !strings.Contains(r.out, "MB of garbage") {
		t.Errorf("doctor:\n%s", r.out)
	}
	for late := sharedtest.Late(t); ann.state(t).Board.HealthWhat == "flood"; {
		if time.Now().After(late) {
			t.Fatalf("after the garbage the board is %+v", ann.state(t).Board)
		}
		a.serve(t, p.commands(t, 50*time.Millisecond))
	}
	v.stopped(t)
	seen := v.judged(t) // verifies
	if len(seen.findings) != 0 {
		t.Errorf("findings %v", seen.findings)
	}
}
