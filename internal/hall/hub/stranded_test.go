package hub_test

import (
	"errors"
	"testing"
	"time"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/sharedtest"
)

// A computer was revoked, or has joined by another name, while a decision waited for its board: the decision is shown,
// also after the next start of the hall, and can be taken back.
func TestADecisionForAComputerThatIsNotInTheHallAnyMore(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-7"), t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-7", tb)
	listen := h.Addr().String()
	body := []byte(`{"request":"request-0001","finding":"1:illegal.knight"}`)
	tb.mute.Store(true)
	sharedtest.Until(t, "the board was asked and has not answered", func() bool {
		err := h.Decide(sharedtest.Context(t), "1", body)
		return err != nil && tb.decided == 1
	})
	tb.stop()
	sharedtest.Until(t, "it waits", func() bool { return errors.Is(h.Decide(sharedtest.Context(t), "1", body), hub.ErrWaits) })
	if list := h.Stranded(); len(list) != 0 {
		t.Errorf("while its computer is in the hall: %+v", list)
	}
	if left := h.Revoked(); len(left) != 0 {
		t.Errorf("nobody was revoked: %+v", left)
	}
	if err := h.files.Members().Change(func(r *members.Roll) error { return r.Revoke("table-7", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	seen := func(h *hall) {
		t.Helper()
		sharedtest.Until(t, "it is shown", func() bool { return len(h.Stranded()) == 1 })
		if o := h.Stranded()[0]; o.ShownAs != "1" || o.Computer != "table-7" || o.Request != "request-0001" {
			t.Errorf("%+v", o)
		}
		if left := h.Revoked(); len(left) != 1 || left[0].Name != "table-7" || left[0].Revoked.IsZero() || len(left[0].Boards) != 1 || left[0].Boards[0].ShownAs != "1" {
			t.Errorf("revoked are %+v", left)
		}
		if list := h.Waiting("1"); len(list) != 1 {
			t.Errorf("of the board: %+v", list)
		}
	}
	seen(h)
	h.stop()
	h = newHall(t, h.dir, listen)
	seen(h)
	if err := h.TakeBack("1", "request-0001"); err != nil { // although the board may have it: nobody can ask it
		t.Error(err)
	}
	if list := h.Stranded(); len(list) != 0 {
		t.Errorf("when it is taken back: %+v", list)
	}
}
