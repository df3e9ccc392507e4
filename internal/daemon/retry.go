package daemon

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
	"boardwatchd/rules/words"
)

// start begins to watch several boards at the same time: each has its journals to read, and those with the longest
// begin, so that all are ready soonest. A board that cannot be watched does not keep the others from it, so it is tried
// again. Only if no board can be watched the daemon ends with the reason.
func (d *Daemon) start(ctx context.Context, boards []config.Board) error {
	boards = d.longestFirst(boards)
	errs, some := make([]error, len(boards)), make(chan struct{})
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var first sync.WaitGroup
	for i, b := range boards {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		first.Add(1)
		d.running.Go(func() {
			ended, err := d.watchBoard(ctx, b)
			<-room
			errs[i] = err
			first.Done()
			select {
			case <-some: // only now: if no board can be watched, that is reported once
				d.keep(ctx, b, ended, err)
			case <-ctx.Done():
			}
		})
	}
	first.Wait()
	if !slices.Contains(errs, nil) {
		return errors.Join(errs...)
	}
	close(some)
	return nil
}

// longestFirst sorts boards by the size of the journals to be read.
func (d *Daemon) longestFirst(boards []config.Board) []config.Board {
	entries, now, sizes := journals(d.opt.Dir), time.Now(), map[string]int64{}
	for _, b := range boards {
		sizes[b.Name] = chooseJournal(entries, b.Name, d.confNow(b.Name).Round, now).Size
	}
	return slices.SortedStableFunc(slices.Values(boards), func(a, b config.Board) int { return cmp.Compare(sizes[b.Name], sizes[a.Name]) })
}

// Bounds of the pause between two attempts to watch a board.
const firstRetry, lastRetry = time.Second, time.Minute

// keep watches a board again after it could not be watched, or after its station gave up.
func (d *Daemon) keep(ctx context.Context, b config.Board, ended <-chan error, err error) {
	wait := firstRetry
	for ctx.Err() == nil {
		if err == nil {
			wait = firstRetry
			err = <-ended
			if err == nil && ctx.Err() == nil { // it continues under the settings of the round
				ended, err = d.watchBoard(ctx, b)
				continue
			}
			if err == nil {
				return // ctx has ended
			}
		} else {
			d.opt.Log.Error().Err(err).Str("board", b.Name).Stringer("again_in", wait).Msg("cannot watch")
		}
		if !pause(ctx, wait) {
			return
		}
		wait = min(2*wait, lastRetry)
		ended, err = d.watchBoard(ctx, b)
	}
}

func (d *Daemon) watchBoard(ctx context.Context, b config.Board) (<-chan error, error) {
	conf, settings := d.round.confOf(b.Name)
	round := conf.Round
	name, rested := journalName(d.opt.Dir, b.Name, round, time.Now())
	if round != "" && rested >= sameSession {
		d.frontend.addProblem("journal-rested-"+b.Name,
			words.Say("notice.journal_rested", b.Name, round, int64(rested.Round(time.Hour)/time.Hour)), words.Say("notice.journal_rested.do"))
		d.frontend.publishNotices()
	}
	return d.Watch(ctx, Target{
		Board: b, Link: link.Spec{Port: b.Port, Serial: b.Serial, Settle: d.opt.Config.Timing.Settle}, Journal: name, Core: conf.Core(b), Round: settings,
	})
}

// confNow is the configuration under which a board is to be watched.
func (d *Daemon) confNow(board string) config.Config {
	conf, _ := d.round.confOf(board)
	return conf
}

// pause waits. It returns false if ctx has ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
