package hub

import (
	"context"
	"errors"
	"time"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/wire"
)

// giveAgain is the pause after a computer did not take the round, and writeAgain the pause after its disk did not take
// it.
const (
	giveAgain  = 20 * time.Second
	writeAgain = 5 * time.Second
)

// giveRound sends a computer the round if the mark that it reports is not that of the round. A computer that was away
// reports its mark with its first beat.
func (c *computer) giveRound(said string) {
	h := c.h
	if h.opt.Orders == nil {
		return
	}
	boards := map[string]string{} // all that it has had: one that is opened anew is missing for a moment
	h.mu.Lock()
	for _, o := range h.names.list {
		if o.Computer == c.name {
			boards[o.Board] = o.Shown
		}
	}
	h.mu.Unlock()
	body, mark := h.opt.Orders(boards)
	now := time.Now()
	h.mu.Lock()
	if mark == "" || mark == said {
		c.noRound = roster.NoRound{}
		h.mu.Unlock()
		return
	}
	wait := now.Before(c.giveRoundAt)
	if !wait {
		c.giveRoundAt = now.Add(giveAgain)
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
		var unwritten *unwrittenError
		h.mu.Lock()
		before := c.noRound
		switch {
		case err == nil:
			c.round, c.giveRoundAt, c.noRound = mark, time.Time{}, roster.NoRound{}
		case errors.As(err, &unwritten):
			c.giveRoundAt, c.noRound = now.Add(writeAgain), roster.NoRound{Why: unwritten.why, Disk: true}
		case errors.As(err, &refused):
			c.noRound = roster.NoRound{Why: refused.Why}
		}
		told := c.noRound == before
		h.mu.Unlock()
		switch {
		case err == nil:
			log.Info().Msg("the computer has taken the round")
		case told:
			log.Debug().Err(err).Msg("the computer is given the round again")
		case errors.As(err, &unwritten):
			log.Warn().Err(err).Msg("the computer has not taken the round: make room on its disk, or mend it; the round is given again")
		case errors.As(err, &refused):
			log.Warn().Err(err).Msg("the computer does not take the round: bring the program there to the hall's version, or set the round with rules that it knows")
		default:
			log.Debug().Err(err).Msg("the computer is given the round again")
		}
	})
}
