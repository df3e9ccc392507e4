package sharedtest

import (
	"context"
	"testing"
	"time"
)

// unbounded is the time of a test without a deadline: a benchmark, or a run with -timeout 0.
const unbounded = 20 * time.Minute

// longest is longer than any wait on a busy machine, so that a hanging wait does not use up the time of the whole run.
const longest = 6 * time.Minute

// Patience is the bound of a wait that only guards against hanging: half of the time that the test has left, and at
// most longest, so that the tests after a hanging one can still report. It must not be used to check the speed of the
// program. A test in virtual time does not need it, because a hang is found at once there.
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

// TB is for types of test helpers that embed the test. An embedded testing.TB alone hides the test's deadline.
type TB struct{ testing.TB }

// Deadline is the deadline of the test; false if it has none.
func (t TB) Deadline() (time.Time, bool) {
	if d, ok := t.TB.(interface{ Deadline() (time.Time, bool) }); ok {
		return d.Deadline()
	}
	return time.Time{}, false
}

// Late is the time at which a wait counts as hung.
func Late(t testing.TB) time.Time { return time.Now().Add(Patience(t)) }

// Hung returns a channel that fires when a wait has hung, for a select.
func Hung(t testing.TB) <-chan time.Time { return time.After(Patience(t)) }

// Context ends when a wait has hung, or the test has ended.
func Context(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), Patience(t))
	t.Cleanup(cancel)
	return ctx
}

// firstLook and lastLook bound the pause of Until between two looks at a state without notification, such as another
// process or the page in a browser: short at first, then longer, because each look costs the process that answers.
const firstLook, lastLook = 5 * time.Millisecond, 150 * time.Millisecond

// Until calls holds until it returns true, and fails the test if it never does.
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

// tick is the wait that a Watch measures.
const tick = 2 * time.Millisecond

// Lateness begins to measure how late a goroutine continues after a wait. If the result of a test depends on when
// something arrives, it shows how reliable the machine's timing is.
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

// Worst ends the measurement and returns the longest delay.
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
