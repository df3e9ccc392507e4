package hub

import (
	"context"
	"time"

	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/watch"
)

// This file replays each journal of the mirror through the hall's own machine, one journal at a time and with long
// rests, so that it takes a small part of a core and delays no other work. Its memory is given back after each journal.
// Nothing that is shown depends on it.

const (
	// checkWork is how long it works between two rests. On one core, each step by which a finding reaches a phone may
	// have to wait that long.
	checkWork  = time.Millisecond
	checkRest  = 9 // times as long as the work
	checkAgain = time.Second
	checkEvery = 10 * time.Minute // for a journal that grows
)

// checking checks one board after the other, while no board waits to be read and shown.
func (h *Hub) checking(ctx context.Context) {
	for ctx.Err() == nil {
		if w := h.nextCheck(time.Now()); w != nil && !h.reading.queued() {
			h.checkOne(ctx, w)
		}
		select {
		case <-ctx.Done():
		case <-time.After(checkAgain):
		}
	}
}

// nextCheck returns the board whose last check is oldest, among those with new records.
func (h *Hub) nextCheck(now time.Time) (next *worker) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.byShownName {
		if w.checkDue(now) && (next == nil || w.checked.at.Before(next.checked.at)) {
			next = w
		}
	}
	return next
}

// checked is the result of the last check of a board. The hub's lock guards it.
type checked struct {
	journal  string
	seq      int64
	at       time.Time
	reported bool // it differs, or another revision of the core wrote it: reported once
}

func (w *worker) checkDue(now time.Time) bool {
	w.mu.Lock()
	name, seq := w.name, w.seq
	w.mu.Unlock()
	c := &w.checked
	if name == "" || name == c.journal && (c.reported || seq == c.seq) {
		return false
	}
	return now.Sub(c.at) >= checkEvery
}

func (h *Hub) checkOne(ctx context.Context, w *worker) {
	w.mu.Lock()
	name, path := w.name, w.path
	w.mu.Unlock()
	begun := time.Now()
	c, err := view.Check(path, func() error {
		worked := time.Since(begun)
		if worked < checkWork {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(checkRest * worked):
			begun = time.Now()
			return nil
		}
	})
	if ctx.Err() != nil {
		return
	}
	log := w.log.With().Str("journal", name).Str("core", c.Core).Str("core_here", watch.Revision).Logger()
	over := true
	switch {
	case err != nil:
		log.Warn().Err(err).Msg("the mirrored journal was not checked to its end")
		over = false
	case c.FirstDifference > 0:
		log.Error().Int64("seq", int64(c.FirstDifference)).Msg("replay differs: " + c.How + "; what is shown is what the board said")
	case c.Core != watch.Revision:
		log.Info().Msg("another revision of the core has written the journal: it is not checked; what is shown is what the board said")
	default:
		log.Debug().Int64("seq", int64(c.Last)).Msg("the mirrored journal is what this program would have written")
		over = false
	}
	h.mu.Lock()
	w.checked = checked{name, int64(c.Last), time.Now(), over}
	h.mu.Unlock()
}
