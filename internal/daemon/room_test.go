package daemon

import (
	"testing"

	"boardwatchd/internal/hall/roster"
)

func TestWhenAHallHasNoRoom(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		free, least, files, freeFiles int64
		told, want                    roster.NoRoom
	}{
		"enough":                              {600 * mb, 512 * mb, 1e6, 1e5, "", ""},
		"too little":                          {511 * mb, 512 * mb, 1e6, 1e5, "", roster.NoSpace},
		"a little more again":                 {600 * mb, 512 * mb, 1e6, 1e5, roster.NoSpace, roster.NoSpace},
		"clearly more again":                  {640 * mb, 512 * mb, 1e6, 1e5, roster.NoSpace, ""},
		"few files":                           {600 * mb, 512 * mb, 1e6, 999, "", roster.NoFiles},
		"a few more again":                    {640 * mb, 512 * mb, 1e6, 1500, roster.NoFiles, roster.NoFiles},
		"many again":                          {640 * mb, 512 * mb, 1e6, 2000, roster.NoFiles, ""},
		"a file system without such a number": {600 * mb, 512 * mb, 0, 0, "", ""},
		"no bound":                            {0, 0, 0, 0, "", ""},
	} {
		if got := lacking(c.free, c.least, c.files, c.freeFiles, c.told); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The disk of this test has less than any budget asks for.
func TestTheListSaysThatAHallHasNoRoom(t *testing.T) {
	r := room{dir: t.TempDir(), least: 1 << 60}
	if r.why() != "" || !r.full() || r.why() != roster.NoSpace {
		t.Errorf("it is %q", r.why())
	}
	if n := r.mirrored("") + r.mirrored("table-1"); n != 0 {
		t.Errorf("%d bytes before the first look", n)
	}
	r.sizes.Store(&map[string]int64{"table-1": 1, "table-2": 2})
	if r.mirrored("") != 3 || r.mirrored("table-2") != 2 || r.mirrored("x") != 0 {
		t.Errorf("%d bytes, %d of table-2", r.mirrored(""), r.mirrored("table-2"))
	}
}
