package hub

import (
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// The hall ends what it sends for a board at once when the computer leaves, and when the computer was not told for long
// that the hall speaks, whatever the board's worker is at, and with a full queue.
func TestTheHallFallsSilentWithoutTheWorker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(*computer)
		here bool
	}{
		{"leaves", (*computer).markAway, false},
		{"unconfirmed", func(c *computer) { c.beat = time.Now(); c.h.missing(c.beat) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			speaks, here := true, true
			h := &Hub{computers: map[string]*computer{}, byShownName: map[string]*worker{}, names: &names{}, opt: Options{
				Log: zerolog.Nop(), Speak: func(_ string, s bool) { speaks = s }, Here: func(_ string, s bool) { here = s }, Changed: func() {},
			}}
			from := &computer{h: h, name: "table-1", beat: time.Now(), workers: map[string]*worker{}}
			h.computers["table-1"] = from
			w := newWorker(from, "1") // nothing runs it
			from.workers["1"] = w
			for w.put(task{here: "1-r1", epoch: w.epoch.Load()}) {
			}
			w.lastHere, w.lastSpeak = true, true
			c.do(from)
			if speaks || here != c.here {
				t.Errorf("speaks: %v, here: %v", speaks, here)
			}
			w.epochHeard = 1 // chunks queued before are ignored
			w.notifyReachable()
			if speaks || here != c.here {
				t.Errorf("after the queue: speaks: %v, here: %v", speaks, here)
			}
		})
	}
}
