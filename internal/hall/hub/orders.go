package hub

import (
	"context"
	"errors"
	"time"

	"boardwatchd/internal/hall/wire"
)

// giveAgain is how long a computer that did not take the round is left alone.
const giveAgain = 20 * time.Second

// giveRound gives a computer the round, where what it says that it has is not that. A computer that was away says so
// with its first beat.
func (c *computer) giveRound(said string) {
	h := c.h
	if h.opt.Orders == nil {
		return
	}
	boards := map[string]string{} // all that it has had: one that is opened anew is not there for a moment
	h.mu.Lock()
	for _, o := range h.names.list {
		if o.Computer == c.name {
			boards[o.Board] = o.Shown
		}
	}
	h.mu.Unlock()
	body, mark := h.opt.Orders(boards)
	if mark == "" || mark == said {
		return
	}
	now := time.Now()
	h.mu.Lock()
	wait := now.Before(c.give)
	if !wait {
		c.give = now.Add(giveAgain)
	}
	h.mu.Unlock()
	if wait {
		return
	}
	h.background(func() {
		ctx, cancel := context.WithTimeout(h.ctx, fetchTime)
		defer cancel()
		_, _, err := h.ask(ctx, c.name, wire.Question{Do: wire.DoRound, Body: string(body), Mark: mark})
		log := h.opt.Log.With().Str("computer", c.name).Logger()
		var refused *RefusedError
		switch {
		case err == nil:
			h.mu.Lock()
			c.round, c.give = mark, time.Time{}
			h.mu.Unlock()
			log.Info().Msg("the computer has taken the round")
		case errors.As(err, &refused):
			log.Warn().Err(err).Msg("the computer does not take the round: set it there, or bring the program there to the hall's version")
		default:
			log.Debug().Err(err).Msg("the computer is given the round again")
		}
	})
}
