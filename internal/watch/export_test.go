package watch

import "boardwatchd/detector"

// Params are what an opening record makes of the tracker.
func (o Opening) Params() detector.Params { return o.settings().params() }
