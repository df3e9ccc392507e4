package watch

import "boardwatchd/detector"

// Params returns the tracker's parameters for an opening record.
func (o Opening) Params() detector.Params { return o.settings().params() }
