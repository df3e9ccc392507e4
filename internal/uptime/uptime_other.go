//go:build !linux

package uptime

import "time"

// Now never goes back. Only differences have a meaning.
func Now() time.Duration { return time.Since(start) }

var start = time.Now()
