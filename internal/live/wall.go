package live

import (
	"encoding/json"
	"time"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// wall converts moments of the board's time line to wall time. The zero value has no wall time yet.
type wall struct {
	known bool
	at    int64 // µs on the time line
	then  int64 // milliseconds after 1970 that correspond to at
	late  int64 // time line moment since which the wall clock has been ahead; 0: it is not
	live  bool  // a step of the live loop was received
	rate  int64 // of the time line, from the opening record; 0 is 1
}

// Bounds within which the wall clock is trusted while the board is watched.
const (
	driftMS = 1000       // beyond this the clock was set, or the computer slept
	lateUS  = 10_000_000 // a loop that waits for its disk is late as well, but by less
)

// opened reads the opening record of a segment.
func (w *wall) opened(r record.Record) {
	o, err := watch.ParseOpening(r.Body)
	if err != nil {
		return
	}
	if then, err := time.Parse(time.RFC3339Nano, o.Wall); err == nil {
		*w = wall{known: true, at: r.At, then: then.UnixMilli()}
	}
	w.rate = o.Rate
}

// gap handles a Gap record: the opening record of a restart precedes the absence, but has the wall time after it.
func (w *wall) gap(r record.Record) {
	var a watch.Annotation
	if json.Unmarshal(r.Body, &a) == nil && a.Away > 0 {
		w.at += a.Away
	}
}

// see compares with the wall time at a step of the live loop; last is the time of the step before.
func (w *wall) see(at, last int64, now time.Time, rate int64) {
	ms := now.UnixMilli()
	switch off := ms - w.ms(at, rate); {
	case !w.known:
	case at <= last && !w.live:
		return // the records of a start have the time of the last one before it
	case !w.live && (off < -driftMS || off > driftMS), off < -driftMS:
	case off > driftMS && w.late == 0:
		w.late = at
		return
	case off > driftMS && at-w.late < lateUS*rate:
		return
	case off > driftMS:
	default:
		w.late, w.live = 0, true
		return
	}
	*w = wall{known: true, at: at, then: ms, live: w.known, rate: w.rate}
}

// ms returns the wall time of a moment in milliseconds after 1970; 0 if not known.
func (w *wall) ms(at, rate int64) int64 {
	if !w.known {
		return 0
	}
	return w.then + (at-w.at)/(1000*rate)
}
