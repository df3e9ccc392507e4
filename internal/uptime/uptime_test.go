package uptime_test

import (
	"testing"
	"time"

	"boardwatchd/internal/uptime"
)

// TestNow: it goes on at least as fast as Go's own time, and never back.
func TestNow(t *testing.T) {
	first, start := uptime.Now(), time.Now()
	last := first
	for time.Since(start) < 5*time.Millisecond {
		now := uptime.Now()
		if now < last {
			t.Fatalf("%v after %v", now, last)
		}
		last = now
	}
	const resolution = time.Millisecond
	if elapsed := time.Since(start); uptime.Now()-first+resolution < elapsed {
		t.Errorf("%v in %v", uptime.Now()-first, elapsed)
	}
}
