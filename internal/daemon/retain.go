package daemon

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/retention"
	"boardwatchd/rules/words"
)

// retain removes journals of closed rounds if the configuration asks for it, and reports it before and after.
func (d *Daemon) retain(ctx context.Context, k *retention.Keeper, u diskUse) {
	conf := d.opt.Config
	o, err := k.Run(ctx, retention.Limits{
		Journals: conf.Budgets.Journals, Free: conf.Budgets.Free, IsFree: u.free, Days: conf.Journal.Keep, Current: d.isCurrent,
	})
	if ctx.Err() != nil {
		return
	}
	d.used.due.Store(int64(len(o.Due)))
	d.used.announced.Store(dueOf(&o))
	d.used.removed.Add(int64(len(o.Removed)))
	for _, r := range o.Removed {
		d.opt.Log.Warn().Str("journal", r.Name).Int64("bytes", r.Bytes).Str("head", fmt.Sprintf("%d:%s", r.Seq, r.Chain)).
			Time("written", r.Written).Str("why", string(r.Why)).Msg("a journal was removed, as announced")
	}
	d.frontend.retention(o, err, d.opt.Dir)
}

// dueOf returns the coming removals for the operator's list; nil: none.
func dueOf(o *retention.Outcome) *wire.Due {
	if len(o.Due) == 0 {
		return nil
	}
	due := wire.Due{Journals: len(o.Due), Days: o.Left}
	for _, j := range o.Due {
		due.Bytes += j.Bytes
	}
	return &due
}

// isCurrent reports whether a journal is of the configured round, of any board.
func (d *Daemon) isCurrent(name string) bool {
	state := d.round.now()
	rounds := []string{d.round.round()}
	for _, s := range state.Before {
		rounds = append(rounds, cmp.Or(s.Round, d.opt.Config.Round))
	}
	return slices.ContainsFunc(rounds, func(round string) bool { return round != "" && isRound(name, round) })
}

// isRound reports whether a journal is of a round, of any board.
func isRound(name, round string) bool {
	i := strings.LastIndex(name, "-r"+fileName(round))
	return i > 0 && isOfRound(name[i:], "-r"+fileName(round))
}

// retention reports the removal of journals.
func (f *frontend) retention(o retention.Outcome, err error, dir string) {
	f.setNotice("journals-due", retention.Announcement(o.Due, o.Left, time.Now()), retention.Remedy(dir, o.Due))
	if len(o.Removed) > 0 {
		f.addProblem("journals-removed", retention.Report(dir, o.Removed), words.Say("notice.removed.do"))
		f.publishNotices()
	}
	var stay words.Sentence
	switch {
	case f.denied(err): // it is reported for the directory
	case err != nil:
		stay = words.Say("notice.stay", disk.WhyAt(err))
	case o.Over && len(o.Due) == 0 && o.Unread == 0:
		stay = words.Say("notice.stay_over", o.Undecided, o.Unknown)
	}
	f.setNotice("journals-stay", stay, words.Say("notice.stay.do"))
}
