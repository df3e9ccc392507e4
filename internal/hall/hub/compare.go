package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/hall/wire"
)

// compareOne compares the next journal of the list. It returns false if there is none.
func (w *worker) compareOne(ctx context.Context) bool {
	w.mu.Lock()
	if len(w.jobs) == 0 {
		w.mu.Unlock()
		return false
	}
	job := w.jobs[0]
	w.jobs = w.jobs[1:]
	w.mu.Unlock()
	if n := len(job.Segments); n > 0 && w.journal != nil && w.journal.Name() == job.Name && w.epochHeard == w.epoch.Load() {
		// A large gap at the end of the journal that is being written needs no comparison: the computer was away and
		// sends the rest unasked. If it does not, the beats show that the board is behind.
		if last := &job.Segments[n-1]; last.Size-w.journal.Size(last.Number) > nearby {
			last.Size = w.journal.Size(last.Number)
		}
	}
	if err := w.compare(ctx, job); err != nil && !errors.Is(err, errFull) && ctx.Err() == nil {
		w.log.Warn().Err(err).Str("journal", job.Name).Msg("the mirror is compared with the board's journal later")
		w.h.compareAgain(w.computer)
	}
	return true
}

// compare makes the mirror of a journal like the board's.
func (w *worker) compare(ctx context.Context, job wire.Journal) (err error) {
	j := w.journal
	if j == nil || j.Name() != job.Name {
		if j, err = w.h.store.Journal(w.computer, job.Name); err != nil {
			return err
		}
		defer func() {
			if e := j.Close(); err == nil {
				err = e
			}
		}()
	}
	fetched := false
	defer func() {
		if fetched && w.view != nil { // otherwise it is read later, and is late then
			w.h.opt.Late(w.shownAs, w.late)
		}
	}()
	var unread error // of a segment that the board cannot read: the segments after it are compared all the same
	for i, s := range job.Segments {
		last := i == len(job.Segments)-1
		if err := w.compareSegment(ctx, j, s, last, &fetched); errors.Is(err, errNoBytes) {
			unread = err
		} else if err != nil {
			return err
		}
	}
	if len(job.Segments) > 0 && j.Last() > job.Segments[len(job.Segments)-1].Number {
		if err := w.dropUnknown(ctx, j); err != nil {
			return err
		}
	}
	if j == w.journal && w.view == nil && !j.Empty() {
		w.incomplete = false
		w.show()
	}
	return unread
}

// mistrust has the current journal compared byte by byte, because the disk does not give back its content: the
// unreadable part is fetched from the board again. A journal without an earlier comparison is left alone for a while.
func (w *worker) mistrust() {
	known := len(w.comparedAt)
	maps.DeleteFunc(w.comparedAt, func(id string, _ time.Time) bool { return strings.HasPrefix(id, w.journal.Name()+" ") })
	if len(w.comparedAt) < known {
		w.h.compareSoon(w.computer)
	} else {
		w.h.compareAgain(w.computer)
	}
}

// dropUnknown sets aside segments that the board does not have: another program with this computer's key has sent them.
// The board's list is read once more, because it may have begun a segment meanwhile.
func (w *worker) dropUnknown(ctx context.Context, j *mirror.Journal) error {
	a, _, err := w.h.ask(ctx, w.computer, wire.Question{Do: wire.DoList})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(a.Journals, func(o wire.Journal) bool { return o.Name == j.Name() && len(o.Segments) > 0 })
	if i < 0 { // the board's computer has removed the journal
		return nil
	}
	last := a.Journals[i].Segments[len(a.Journals[i].Segments)-1].Number
	if j.Last() <= last {
		return nil
	}
	err = j.DropAfter(last)
	w.log.Error().Err(err).Str("journal", j.Name()).Int("segment", last).Msg("the mirror has segments after the board's last one: they are set aside")
	if j == w.journal {
		w.lost()
	}
	return err
}

// compareSegment fetches the missing part of a segment, or all of it where it differs. It sets fetched if the board's
// output is late by that. The last segment may have grown since it was listed.
func (w *worker) compareSegment(ctx context.Context, j *mirror.Journal, s wire.Segment, last bool, fetched *bool) error {
	if w.tooLarge(j.Name(), s.Size) {
		return nil
	}
	if here := j.Size(s.Number); here > 0 {
		equal, err := w.equal(ctx, j, s, last)
		if errors.Is(err, errNoBytes) {
			equal, err = true, nil // the board has no better copy
		}
		if err != nil {
			return err
		}
		if !equal && w.h.full.Load() {
			return errFull // the present copy is better than none
		}
		if !equal {
			lost, err := j.Drop(s.Number)
			w.log.Error().Err(err).Str("file", lost).Msg("a segment of the mirror differs from the board's: it is set aside and fetched again")
			if err != nil {
				return err
			}
			if j == w.journal {
				w.lost()
			}
		}
	}
	if missing := s.Size - j.Size(s.Number); missing > 0 {
		if j == w.journal && missing > nearby {
			w.view = nil // it is read when it is complete
		}
		w.log.Debug().Str("journal", j.Name()).Int("segment", s.Number).Int64("bytes", missing).Msg("fetching from the board")
		if j == w.journal { // it did not come when it was written
			w.h.opt.Late(w.shownAs, true)
			*fetched = true
		}
		return w.fetch(ctx, j, s.Number, s.Size)
	}
	return nil
}

// equal compares, at most every 12 hours, the checksum of the present part of a segment with the board's.
func (w *worker) equal(ctx context.Context, j *mirror.Journal, s wire.Segment, last bool) (bool, error) {
	here := j.Size(s.Number)
	if here > s.Size && !last {
		return false, nil
	}
	id := fmt.Sprintf("%s %d %d", j.Name(), s.Number, here)
	if at, ok := w.comparedAt[id]; ok && time.Since(at) < compareEvery/2 {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*fetchTime)
	defer cancel()
	a, _, err := w.h.ask(ctx, w.computer, wire.Question{Do: wire.DoSum, Journal: j.Name(), Segment: s.Number, Length: here})
	if err != nil {
		return false, err
	}
	if a.Size < here {
		return false, nil
	}
	w.awaitsOthers.Store(true)
	w.h.summing <- struct{}{}
	w.awaitsOthers.Store(false)
	defer func() { <-w.h.summing }()
	sum, err := mirror.Sum(j.Path(s.Number), here)
	if err != nil || sum != a.Sum {
		return false, nil // an unreadable copy counts as different
	}
	w.comparedAt[id] = time.Now()
	return true, nil
}
