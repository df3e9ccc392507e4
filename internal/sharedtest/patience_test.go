package sharedtest

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestPatienceLeavesTimeForTheTestsAfter(t *testing.T) {
	end, ok := t.Deadline()
	if !ok {
		if got := Patience(t); got != unbounded {
			t.Errorf("%v without a deadline", got)
		}
		return
	}
	before := time.Until(end)
	if got := Patience(t); got > before/2 || got < min(time.Until(end)/2, longest) {
		t.Errorf("%v of %v", got, before)
	}
	if late := Late(t); !late.Before(end) {
		t.Errorf("hung at %v, after the deadline %v", late, end)
	}
	if at, ok := Context(t).Deadline(); !ok || !at.Before(end) {
		t.Errorf("the context ends at %v, after the deadline %v", at, end)
	}
}

func TestLatenessIsThatOfTheMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in virtual time a machine is never late
		w := Lateness(t)
		time.Sleep(time.Second)
		if got := w.Worst(); got != 0 || w.Worst() != got {
			t.Errorf("%v late, and then %v", got, w.Worst())
		}
	})
}

func TestUntilEndsWithTheEvent(t *testing.T) {
	looks := 0
	Until(t, "the third look", func() bool { looks++; return looks == 3 })
	if looks != 3 {
		t.Errorf("%d looks", looks)
	}
}

func TestAHelperWithATestInItHasItsDeadline(t *testing.T) {
	most := Patience(t)
	helper := struct{ TB }{TB{t}}
	if got := Patience(helper); got > most {
		t.Errorf("%v, and the test itself has %v", got, most)
	}
}
