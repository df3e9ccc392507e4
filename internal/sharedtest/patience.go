package sharedtest

import (
	"context"
	"testing"
	"time"
)

// unbounded is what a test has that has no deadline of its own: a benchmark, or a run with -timeout 0.
const unbounded = 20 * time.Minute

// longest is more than any wait takes on a busy machine: one that hangs does not use up the time of the whole run.
const longest = 6 * time.Minute

// Patience is how long a wait may take that only guards against hanging: half of the time that the test has left, and
// no more than longest, so that the tests after one that hangs have time left to say what they find.
// How fast the program is belongs into a measurement, never into this. A test in virtual time needs none of it: what
// hangs there is found at once.
func Patience(t testing.TB) time.Duration {
	switch t := t.(type) {
	case interface{ Deadline() (time.Time, bool) }:
		if end, ok := t.Deadline(); ok {
			return min(time.Until(end)/2, longest)
		}
	case *testing.B, *testing.F:
	default:
		t.Fatalf("%T has a test in it and hides its deadline: a wait that hangs would use up the time of all tests; embed sharedtest.TB", t)
	}
	return unbounded
}

// TB is for a type of a test's helpers that has the test in it. An embedded testing.TB alone hides the test's deadline.
type TB struct{ testing.TB }

// Deadline is that of the test; false where it has none.
func (t TB) Deadline() (time.Time, bool) {
	if d, ok := t.TB.(interface{ Deadline() (time.Time, bool) }); ok {
		return d.Deadline()
	}
	return time.Time{}, false
}

// Late is the moment at which a wait has hung.
func Late(t testing.TB) time.Time { return time.Now().Add(Patience(t)) }

// Hung tells when a wait has hung, for a select.
func Hung(t testing.TB) <-chan time.Time { return time.After(Patience(t)) }

// Context ends when a wait has hung, or the test has ended.
func Context(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), Patience(t))
	t.Cleanup(cancel)
	return ctx
}

// firstLook and lastLook bound how long Until waits between two looks at what nothing tells, like another process or the
// page in a browser: short at first, then longer, because each look costs the process that answers.
const firstLook, lastLook = 5 * time.Millisecond, 150 * time.Millisecond

// Until looks again and again until holds, and fails the test where it never does.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	hung := Hung(t)
	for wait := firstLook; !holds(); wait = min(wait*3/2, lastLook) {
		select {
		case <-time.After(wait):
		case <-hung:
			t.Fatalf("never: %s", what)
		}
	}
}

// A Watch measures how late this machine is.
type Watch struct {
	stop  chan struct{}
	worst chan time.Duration
}

// tick is what a Watch waits for again and again.
const tick = 2 * time.Millisecond

// Lateness begins to measure how much later than it should a goroutine goes on after a wait. Where a test judges what
// depends on when something arrives, it says how far the machine can be believed.
func Lateness(t testing.TB) *Watch {
	w := &Watch{make(chan struct{}), make(chan time.Duration, 1)}
	go w.measure()
	t.Cleanup(func() { w.Worst() })
	return w
}

func (w *Watch) measure() {
	timer := time.NewTimer(tick)
	defer timer.Stop()
	worst := time.Duration(0)
	for due := time.Now().Add(tick); ; due = time.Now().Add(tick) {
		select {
		case <-w.stop:
			w.worst <- max(worst, time.Since(due))
			return
		case <-timer.C:
			worst = max(worst, time.Since(due))
			timer.Reset(tick)
		}
	}
}

// Worst ends the measurement and tells the worst delay.
func (w *Watch) Worst() time.Duration {
	select {
	case <-w.stop:
	default:
		close(w.stop)
	}
	worst := <-w.worst
	w.worst <- worst
	return worst
}
