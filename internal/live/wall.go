package live

import (
	"encoding/json"
	"time"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// wall converts moments of the board's time line to wall time. The zero value knows nothing.
type wall struct {
	known bool
	at    int64 // µs on the time line …
	then  int64 // … corresponds to this number of milliseconds after 1970
	late  int64 // time line moment since when the wall clock has been ahead; 0: it is not
	lives bool  // a step of the live loop was seen
	rate  int64 // of the time line, as the opening record has it; 0 is 1
}

// Bounds within which the wall clock is trusted while the board is watched.
const (
	driftMS = 1000       // beyond it the clock was set, or the computer slept
	lateUS  = 10_000_000 // a loop that waits for its disk is late as well, but less
)

// opened takes the opening record of a segment.
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

// gap takes a Gap record: the opening record of a restart comes before the absence, its wall time is after it.
func (w *wall) gap(r record.Record) {
	var a watch.Annotation
	if json.Unmarshal(r.Body, &a) == nil && a.Away > 0 {
		w.at += a.Away
	}
}

// see takes the wall time at a step of the live loop; last is the time of the step before.
func (w *wall) see(at, last int64, now time.Time, rate int64) {
	ms := now.UnixMilli()
	switch off := ms - w.ms(at, rate); {
	case !w.known:
	case at <= last && !w.lives:
		return // the records of a start have the time of the last one before it
	case !w.lives && (off < -driftMS || off > driftMS), off < -driftMS:
	case off > driftMS && w.late == 0:
		w.late = at
		return
	case off > driftMS && at-w.late < lateUS*rate:
		return
	case off > driftMS:
	default:
		w.late, w.lives = 0, true
		return
	}
	*w = wall{known: true, at: at, then: ms, lives: w.known, rate: w.rate}
}

// ms returns the wall time of a moment in milliseconds after 1970; 0 if not known.
func (w *wall) ms(at, rate int64) int64 {
	if !w.known {
		return 0
	}
	return w.then + (at-w.at)/(1000*rate)
}
