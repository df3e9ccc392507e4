package uptime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now never goes back. Only differences have a meaning.
func Now() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) != nil {
		return time.Since(start)
	}
	return time.Duration(ts.Nano())
}

var start = time.Now()
