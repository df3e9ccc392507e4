package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/disk"
	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/retention"
	"boardwatchd/rules/words"
)

// The mirrored journals of a hall are removed by the same rules (internal/retention) and settings as a computer's own.
// budgets.journals and budgets.free apply to all of them together, and each computer's journals give up the same share.
// Each computer's directory has its own list.

// mirrors are the directories of mirrored journals.
type mirrors struct {
	dir     string
	store   *mirror.Store
	keepers map[string]*retention.Keeper
	now     func() time.Time
}

func newMirrors(dir string) *mirrors {
	return &mirrors{dir: dir, store: mirror.Open(dir), keepers: map[string]*retention.Keeper{}, now: time.Now}
}

// A mirrorSweep is the result of one sweep over the mirrored journals.
type mirrorSweep struct {
	removed []retention.Removed
	aside   []string       // files that had been set aside, removed with their journals
	list    retention.List // the lists of all computers as one
	goes    int            // files that were set aside, of journals that will be removed
}

// sweep announces and removes journals.
func (m *mirrors) sweep(ctx context.Context, of map[string]int64, limits retention.Limits, current func(computer, journal string) bool) (l mirrorSweep, err error) {
	total, names := sum(of), slices.Sorted(maps.Keys(of))
	var failed []string
	for _, computer := range names {
		k := m.keepers[computer]
		if k == nil {
			k = retention.Open(filepath.Join(m.dir, computer), m.now)
			m.keepers[computer] = k
		}
		own := limits.Share(of[computer], total)
		own.Current = func(journal string) bool { return current(computer, journal) }
		o, err := k.Run(ctx, own)
		if err != nil {
			failed = append(failed, err.Error())
		}
		for _, r := range o.Removed {
			r.Name = computer + "/" + r.Name
			l.removed = append(l.removed, r)
		}
		aside, goes, err := m.dropAside(computer, o.Due)
		if err != nil {
			failed = append(failed, err.Error())
		}
		l.aside, l.goes = append(l.aside, aside...), l.goes+goes
	}
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	if l.list, err = retention.Under(m.dir, names); err == nil && len(failed) > 0 {
		err = fmt.Errorf("%s", strings.Join(failed, "; "))
	}
	return l, err
}

// dropAside removes the files that were set aside of removed journals, even of those removed before a crash. While a
// journal still exists they stay, because they may be all that is left of it. It counts the files of journals that will
// be removed.
func (m *mirrors) dropAside(computer string, due []retention.Due) (dropped []string, goes int, err error) {
	aside := m.store.SetAside(computer)
	if len(aside) == 0 {
		return nil, 0, nil
	}
	for _, d := range due {
		goes += len(aside[d.Name])
	}
	for _, e := range m.store.List(computer) {
		delete(aside, e.Name)
	}
	removed := m.removedOf(computer)
	for name, files := range aside {
		if !removed(name) {
			continue
		}
		for _, file := range files {
			if e := os.Remove(file); e != nil {
				err = errors.Join(err, e)
				continue
			}
			dropped = append(dropped, file)
		}
	}
	return dropped, goes, err
}

// sum is the total size.
func sum(of map[string]int64) (total int64) {
	for _, size := range of {
		total += size
	}
	return total
}

// removedOf returns a function that reports which journals of a computer were removed here.
func (m *mirrors) removedOf(computer string) func(journal string) bool {
	l, err := retention.Read(filepath.Join(m.dir, computer))
	return func(journal string) bool {
		_, gone := l.Lookup(journal)
		return err == nil && gone
	}
}

// retainMirrored is retain for a hall's mirrored journals.
func (d *Daemon) retainMirrored(ctx context.Context, m *mirrors, of map[string]int64, u diskUse) {
	conf := d.opt.Config
	shown := map[string][]string{}
	l, err := m.sweep(ctx, of, retention.Limits{
		Journals: conf.Budgets.Journals, Free: conf.Budgets.Free, IsFree: u.free, Days: conf.Journal.Keep,
	}, func(computer, journal string) bool {
		if _, asked := shown[computer]; !asked {
			shown[computer] = d.hub.ShownJournals(computer)
		}
		return d.isCurrent(journal) || slices.Contains(shown[computer], journal)
	})
	if ctx.Err() != nil {
		return
	}
	d.used.due.Store(int64(len(l.list.Due)))
	d.used.removed.Add(int64(len(l.removed)))
	for _, r := range l.removed {
		d.opt.Log.Warn().Str("journal", r.Name).Int64("bytes", r.Bytes).Str("head", fmt.Sprintf("%d:%s", r.Seq, r.Chain)).
			Time("written", r.Written).Str("why", string(r.Why)).Msg("a mirrored journal was removed, as announced")
	}
	for _, file := range l.aside {
		d.opt.Log.Warn().Str("file", file).Msg("a file that had been set aside was removed with its journal")
	}
	d.frontend.mirrored(&l, err, m.dir)
}

// mirrored reports the removal of mirrored journals.
func (f *frontend) mirrored(l *mirrorSweep, err error, dir string) {
	due := retention.Announcement(l.list.Due, l.list.Left(time.Now()), time.Now())
	if l.goes > 0 {
		due = words.List(" ", []words.Sentence{due, words.Say("notice.due_aside", l.goes)})
	}
	f.setNotice("mirrored-due", due, retention.RemedyUnder(dir))
	var gone []words.Sentence
	if len(l.removed) > 0 {
		gone = append(gone, retention.Report(dir, l.removed))
	}
	if len(l.aside) > 0 {
		gone = append(gone, words.Say("notice.removed_aside", len(l.aside)))
	}
	if len(gone) > 0 {
		f.addProblem("mirrored-removed", words.List(" ", gone), words.Say("notice.removed_mirrored.do"))
		f.publishNotices()
	}
	var stay words.Sentence
	if err != nil {
		stay = words.Say("notice.stay_mirrored", disk.WhyAt(err))
	}
	f.setNotice("mirrored-stay", stay, words.Say("notice.stay_mirrored.do"))
}
