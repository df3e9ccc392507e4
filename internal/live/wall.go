package live

import (
	"encoding/json"
	"time"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// wall says which moment of the board's time line was when on the wall clock. The zero value does not know.
type wall struct {
	known bool
	at    int64 // µs on the time line …
	then  int64 // … was this many milliseconds after 1970
	late  int64 // since when, on the time line, the wall clock has been ahead; 0: it is not
	lives bool  // the live loop has been seen to go on
}

// Bounds of what is believed of the wall clock while the board is watched.
const (
	driftMS = 1000       // it was set, or the computer slept
	lateUS  = 10_000_000 // a loop that waits for its disk is late as well, but not for so long
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
}

// gap takes a Gap record: the opening record of a restart stands before the time of absence, its wall time behind it.
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
		return // the records of a start stand at the time of the last one before it
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
	*w = wall{known: true, at: at, then: ms, lives: w.known}
}

// ms is the wall time of a moment in milliseconds after 1970; 0 where it is not known.
func (w *wall) ms(at, rate int64) int64 {
	if !w.known {
		return 0
	}
	return w.then + (at-w.at)/(1000*rate)
}
