package retention

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"boardwatchd/internal/filelock"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/secretfile"
)

const (
	rest       = 7 * 24 * time.Hour // journals of these last days are not removed
	noticeDays = 3                  // days of announcement
	dayLayout  = time.DateOnly
	// longestRest is the longest plausible time between two looks in days, from one yearly event to the next. After a
	// longer time the clock may be wrong.
	longestRest = 400
	// together is the time between two looks within which the clock cannot have been set unnoticed.
	together = 10 * time.Minute
	// firstDay is before this program had lists: an earlier day is that of a computer whose clock had not been set.
	firstDay = "2026-01-01"
)

// Limits state the available room.
type Limits struct {
	Journals int64                  // bytes that all journals may take
	Free     int64                  // bytes of the disk that are kept free
	IsFree   int64                  // bytes of the disk that are free; below zero: not known
	Days     int                    // age at which a journal is removed; 0: never
	Current  func(name string) bool // reports whether a journal is of the round of the configuration; nil: none is
}

// An Outcome is the result of a look.
type Outcome struct {
	Bytes     int64     // of all journals, before this look
	Due       []Due     // announced today
	Left      int       // days until the first of them can go; 0: it can go today
	Removed   []Removed // at this look
	Over      bool      // there is less room than required, and removing all that may be removed is not enough
	Undecided int       // journals that would be removed if they had no findings that wait for a decision
	Unknown   int       // journals that would be removed if they were whole
	Unread    int       // journals to be read at the next looks; until then none is removed, and announcements hold
}

// A Keeper removes journals of a directory. It is used by one goroutine.
type Keeper struct {
	dir      string
	now      func() time.Time
	contents map[string]contents
	before   time.Time // when it last looked, by the wall clock

	maxRead int64 // bytes read at a look
}

// Open makes a keeper; it does not look at the directory yet.
func Open(dir string, now func() time.Time) *Keeper {
	return &Keeper{dir: dir, now: now, contents: map[string]contents{}, maxRead: maxRead}
}

// Run announces journals, and removes those that were announced for long enough. It does nothing if another program is
// just doing that, or if ctx ends.
func (k *Keeper) Run(ctx context.Context, limits Limits) (o Outcome, err error) {
	steady := k.steady()
	entries, err := journal.List(k.dir)
	if err != nil {
		return o, err
	}
	path := filepath.Join(k.dir, File)
	list, err := Read(k.dir)
	if err != nil {
		return o, err
	}
	k.recall(entries, list.Due)
	due := k.due(ctx, entries, limits, &o)
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	o.Over = limits.need(o.Bytes, limits.Journals, limits.Free) > 0
	if len(due) == 0 && len(list.Due) == 0 && !slices.ContainsFunc(list.Removed, unfinished) {
		return o, nil
	}
	release, err := hold(path + ".lock")
	if errors.Is(err, filelock.ErrHeld) {
		return Outcome{}, nil
	}
	if err != nil {
		return o, err
	}
	defer release()
	if list, err = Read(k.dir); err != nil { // another program may have been quicker
		return o, err
	}
	failed := k.finish(&list, len(list.Removed), limits) // a failure does not keep other journals from being removed
	defer func() { err = errors.Join(err, failed) }()
	ready := k.announce(&list, due, limits, steady, &o)
	if err = k.write(path, list); err != nil || len(ready) == 0 {
		return o, err
	}
	err = k.remove(path, &list, ready, limits, &o)
	return o, err
}

// steady reports whether the wall clock was certainly not set since the look before. At the first look it is not
// certain: a computer may set its clock just after it was switched on.
func (k *Keeper) steady() bool {
	now := k.now().Round(0) // without the monotonic clock, which a change of the clock does not affect
	since := now.Sub(k.before)
	k.before = now
	return since >= 0 && since < together
}

func unfinished(r Removed) bool { return r.Unfinished }

func hold(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, secretfile.Mode)
	if err != nil {
		return nil, err
	}
	secretfile.GiveToOwner(f, path)
	if err := filelock.Try(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // nothing was written
}

func (k *Keeper) write(path string, l List) error {
	body, err := l.encode()
	if err != nil {
		return err
	}
	if is, err := os.ReadFile(path); err == nil && bytes.Equal(is, body) {
		return nil
	}
	return secretfile.Replace(path, body)
}

// announce counts today as an announcement of the due journals, and returns those that may be removed now.
func (k *Keeper) announce(l *List, due []Due, limits Limits, steady bool, o *Outcome) (ready []Removed) {
	now := k.now().UTC()
	today := now.Format(dayLayout)
	if steady && (l.Looked < now.AddDate(0, 0, -longestRest).Format(dayLayout) || today < l.Looked || today < firstDay) {
		l.Doubted = today
	}
	sure := steady && l.Doubted != today
	if steady && len(due) > 0 {
		l.Looked = today
	}
	need := limits.need(o.Bytes, limits.Journals, limits.Free)
	var stay []Due
	for _, d := range due {
		if i := slices.IndexFunc(l.Due, func(was Due) bool { return was.same(d.Journal) }); i >= 0 {
			d.Announced = l.Due[i].Announced
		}
		old := limits.Days > 0 && now.Sub(d.Written) >= days(limits.Days)
		told := len(d.Announced) >= noticeDays && !slices.Contains(d.Announced, today)
		if sure && told && o.Unread == 0 && (old || need > 0) {
			need -= d.Bytes
			ready = append(ready, Removed{Journal: d.Journal, At: now.Truncate(time.Second), Unfinished: true})
			continue
		}
		if len(d.Announced) < noticeDays && !slices.Contains(d.Announced, today) && (sure || len(d.Announced) == 0) {
			d.Announced = append(slices.Clone(d.Announced), today)
		}
		stay = append(stay, d)
	}
	o.Over = need > 0
	l.Due, o.Due = stay, stay
	o.Left = l.Left(now)
	return ready
}

// same reports whether a journal has not changed since it was announced.
func (j Journal) same(as Journal) bool {
	return j.Name == as.Name && j.Bytes == as.Bytes && j.Seq == as.Seq && j.Chain == as.Chain && j.Written.Equal(as.Written)
}

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// remove notes journals as removed, removes them, and notes that their files are gone.
func (k *Keeper) remove(path string, l *List, ready []Removed, limits Limits, o *Outcome) error {
	before := len(l.Removed)
	l.Removed = append(l.Removed, ready...)
	if err := k.write(path, *l); err != nil {
		return fmt.Errorf("nothing is removed because it could not be noted: %w", err)
	}
	err := k.finish(l, before, limits)
	for _, r := range l.Removed[before:] {
		if !r.Unfinished {
			o.Removed = append(o.Removed, r)
		}
	}
	return errors.Join(err, k.write(path, *l))
}

// finish removes the files of journals that are noted as removed. From index from on they are new: a new one that was
// written to meanwhile stays, and its note is dropped.
func (k *Keeper) finish(l *List, from int, limits Limits) error {
	var errs []error
	kept := l.Removed[:0:0]
	for i, r := range l.Removed {
		if r.Unfinished {
			if i < from && limits.Current != nil && limits.Current(r.Name) { // of that round by now
				kept = append(kept, r)
				continue
			}
			err := journal.Remove(k.dir, r.Name, r.Written)
			changed := errors.Is(err, journal.ErrChanged) || errors.Is(err, journal.ErrLocked)
			switch {
			case changed && i >= from:
				continue
			case err == nil, changed:
				r.Unfinished = false
			default:
				errs = append(errs, err)
			}
		}
		kept = append(kept, r)
	}
	l.Removed = kept
	return errors.Join(errs...)
}
