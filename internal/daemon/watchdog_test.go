package daemon

import (
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/station"
)

// TestStuck: a station whose loop does not go round is named, at the second look.
func TestStuck(t *testing.T) {
	s, err := station.Open(station.Options{
		Board: "b1", Dir: t.TempDir(), Journal: "b1", Wall: time.Now, Mono: func() int64 { return 0 }, Log: zerolog.Nop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &Daemon{stations: map[string]*station.Station{"b1": s}}
	last := map[string]int64{}
	if name := d.stuck(last); name != "" {
		t.Errorf("at the first look %q is stuck", name)
	}
	if name := d.stuck(last); name != "b1" {
		t.Errorf("at the second look %q is stuck; the loop has never run", name)
	}
}
