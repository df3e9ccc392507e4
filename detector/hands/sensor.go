package hands

const (
	// beyondUS is what the way from the board to the host may add to a scan (timing notes 3.4: T + 30 ms).
	beyondUS = 30_000
	// wideJitters is how many times its scatter a report may be late on a line with more jitter than that: a delay
	// anywhere between nothing and J has the scatter J/3.5.
	wideJitters = 4
)

// LatestUS returns the longest time from a change on the board to its report: one scan and the way to the host. It
// applies only to a sensor that is Trusted.
func (s Sensor) LatestUS() int64 {
	scans := int64(1)
	if s.Order == Batch {
		scans = 2 // missed at the beginning of a scan, seen at the next one's, and reported at its end
	}
	return scans*s.PeriodUS + max(beyondUS, wideJitters*s.JitterUS)
}
