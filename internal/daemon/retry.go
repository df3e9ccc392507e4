package daemon

import (
	"context"
	"errors"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
)

// start begins to watch. What is wrong with one board must not keep the others from being watched, so it is tried again;
// only when none can be watched the daemon says why and ends.
func (d *Daemon) start(ctx context.Context) error {
	if len(d.opt.Config.Boards) == 0 {
		d.running.Go(func() { d.discover(ctx) })
		return nil
	}
	if err := checkNames(d.opt.Config.Boards); err != nil {
		return err
	}
	var errs []error
	var keepers []func()
	for _, b := range d.opt.Config.Boards {
		ended, err := d.watchBoard(ctx, b)
		if err != nil {
			errs = append(errs, err)
		}
		keepers = append(keepers, func() { d.keep(ctx, b, ended, err) })
	}
	if len(errs) == len(d.opt.Config.Boards) {
		return errors.Join(errs...)
	}
	for _, k := range keepers { // only now: when nothing can be watched, that is said once
		d.running.Go(k)
	}
	return nil
}

// Back-off between two attempts to watch a board.
const firstRetry, lastRetry = time.Second, time.Minute

// keep watches a board again when it could not be, or when its station gave up.
func (d *Daemon) keep(ctx context.Context, b config.Board, ended <-chan error, err error) {
	wait := firstRetry
	for ctx.Err() == nil {
		if err == nil {
			wait = firstRetry
			err = <-ended
			if err == nil {
				return // ctx has ended
			}
		} else {
			d.opt.Log.Error().Err(err).Str("board", b.Name).Stringer("again_in", wait).Msg("cannot watch")
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, lastRetry)
		ended, err = d.watchBoard(ctx, b)
	}
}

func (d *Daemon) watchBoard(ctx context.Context, b config.Board) (<-chan error, error) {
	return d.Watch(ctx, Target{
		Board: b, Link: link.Spec{Port: b.Port, Serial: b.Serial, Settle: d.opt.Config.Timing.Settle},
		Journal: journalName(d.opt.Dir, b.Name, d.opt.Config.Round, time.Now()), Core: d.opt.Config.Core(b),
	})
}
