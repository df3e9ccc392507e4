package daemon

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/retention"
)

// The mirrored journals of a hall are removed by the rules of the board's own (internal/retention), by the same
// settings: budgets.journals and budgets.free are of all of them together, of which each computer's give up the same
// part; each computer's directory has its list.

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

// look announces and removes. It returns what was removed, and all lists as one.
func (m *mirrors) look(ctx context.Context, of map[string]int64, limits retention.Limits, current func(computer, journal string) bool) (removed []retention.Removed, list retention.List, err error) {
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
		o, err := k.Look(ctx, own)
		if err != nil {
			failed = append(failed, err.Error())
		}
		for _, r := range o.Removed {
			r.Name = computer + "/" + r.Name
			removed = append(removed, r)
		}
	}
	if ctx.Err() != nil {
		return removed, list, ctx.Err()
	}
	if list, err = retention.Under(m.dir, names); err == nil && len(failed) > 0 {
		err = fmt.Errorf("%s", strings.Join(failed, "; "))
	}
	return removed, list, err
}

// sum is the size of all.
func sum(of map[string]int64) (total int64) {
	for _, size := range of {
		total += size
	}
	return total
}

// removedOf says which journals of a computer were removed here.
func (m *mirrors) removedOf(computer string) func(journal string) bool {
	l, err := retention.Read(filepath.Join(m.dir, computer))
	return func(journal string) bool {
		_, gone := l.Lookup(journal)
		return err == nil && gone
	}
}

// retainMirrored is retain of a hall's mirrored journals.
func (d *Daemon) retainMirrored(ctx context.Context, m *mirrors, of map[string]int64, u diskUse) {
	conf := d.opt.Config
	shown := map[string][]string{}
	removed, list, err := m.look(ctx, of, retention.Limits{
		Journals: conf.Budgets.Journals, Free: conf.Budgets.Free, IsFree: u.free, Days: conf.Journal.Keep,
	}, func(computer, journal string) bool {
		if _, asked := shown[computer]; !asked {
			shown[computer] = d.hub.Shown(computer)
		}
		return d.isCurrent(journal) || slices.Contains(shown[computer], journal)
	})
	if ctx.Err() != nil {
		return
	}
	d.used.due.Store(int64(len(list.Due)))
	d.used.removed.Add(int64(len(removed)))
	for _, r := range removed {
		d.opt.Log.Warn().Str("journal", r.Name).Int64("bytes", r.Bytes).Str("head", fmt.Sprintf("%d:%s", r.Seq, r.Chain)).
			Time("written", r.Written).Str("why", string(r.Why)).Msg("a mirrored journal was removed, as announced")
	}
	d.frontend.mirrored(removed, list, err, m.dir)
}

// mirrored tells what becomes of mirrored journals.
func (f *frontend) mirrored(removed []retention.Removed, list retention.List, err error, dir string) {
	f.standing("mirrored-due", retention.Announcement(list.Due, list.Left(time.Now()), time.Now()), retention.RemedyUnder(dir))
	if len(removed) > 0 {
		f.problem("mirrored-removed", retention.Report(dir, removed), "Nothing is to be done: the boards' computers have their own journals, and verify --head knows these by that list.")
		f.tellNotices()
	}
	text := ""
	if err != nil {
		text = fmt.Sprintf("Mirrored journals that are to make room cannot be removed: %v.", err)
	}
	f.standing("mirrored-stay", text, "Mend or rename the file that is named, or copy old journals to another computer and delete them here.")
}
