package hub_test

import (
	"errors"
	"fmt"
	"testing"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/sharedtest"
)

// A computer whose disk does not take the round is in the list with the reason until it has it; it is given the round
// again by itself. One that refuses the round is another case.
func TestARoundThatAComputerDoesNotTake(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-7"), t.TempDir(), "7")
	full := fmt.Errorf("%w: write round.json: no space left on device", uplink.ErrUnwritten)
	wrong := errors.New("the round of the hall cannot hold here")
	tb.noRound.Store(&full)
	h.mu.Lock()
	h.round = "a"
	h.mu.Unlock()
	sharedtest.Until(t, "the list has the reason", func() bool { return h.of("table-7").NoRound == roster.NoRound{Why: full.Error(), Disk: true} })
	tb.noRound.Store(nil)
	sharedtest.Until(t, "the round is given again, and taken", func() bool { return *tb.round.Load() == "a" && h.of("table-7").NoRound == roster.NoRound{} })
	tb.noRound.Store(&wrong)
	h.mu.Lock()
	h.round = "b"
	h.mu.Unlock()
	sharedtest.Until(t, "it is refused", func() bool { return h.of("table-7").NoRound == roster.NoRound{Why: wrong.Error()} })
	h.mu.Lock()
	h.round = "a"
	h.mu.Unlock()
	sharedtest.Until(t, "what it has is set again", func() bool { return h.of("table-7").NoRound == roster.NoRound{} })
}
