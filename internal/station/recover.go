package station

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// longestAway bounds how far the wall clock is believed about the time the daemon was away.
const longestAway = 24 * time.Hour

// recover reads the journal through the machine, exactly as a replay does, and begins a new segment behind it. Recovery
// is replay: there is no snapshot that could disagree with the record.
func (s *Station) recover() error {
	path := filepath.Join(s.opt.Dir, s.opt.Journal+journal.Extension)
	rd, err := journal.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.begin()
	case errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
		return err // no fault of the journal: it is tried again
	case err != nil: // the disk is to blame: a damaged journal can be opened
		s.opt.Log.Error().Err(err).Msg("the journal cannot be read; going on with a new one, in memory until the disk takes it")
		return s.beginBeside()
	}
	owed := s.replay(rd)
	if err := rd.Close(); err != nil {
		s.opt.Log.Warn().Err(err).Msg("close the journal that was read")
	}
	for _, d := range rd.Damage() {
		s.opt.Log.Warn().Str("damage", d.String()).Msg("the journal is damaged; what is readable was read, the file is kept as it is")
	}
	return s.resume(rd, owed)
}

// beginBeside starts a new journal beside one that cannot be read, under the next name that is free.
func (s *Station) beginBeside() error {
	name := s.opt.Journal
	err := s.begin()
	for n := 2; errors.Is(err, journal.ErrExists) && n < 100; n++ {
		s.opt.Journal = fmt.Sprintf("%s--%d", name, n)
		err = s.begin()
	}
	return err
}

// begin starts a new journal.
func (s *Station) begin() error {
	w, err := journal.Create(s.opt.Dir, s.opt.Journal, s.journalOptions())
	if err != nil {
		return err
	}
	s.writer = w
	s.offset = -s.opt.Mono()
	return s.step(Input{Kind: record.Open, Body: s.opening(1, "start", s.scanBefore())})
}

// scanBefore looks for the scan of this board in its last journals: without one nothing changes.
func (s *Station) scanBefore() *watch.ScanBefore {
	const newest, most = 64, 32 << 20 // journals, and bytes of a segment
	list, err := journal.List(s.opt.Dir)
	if err != nil {
		return nil
	}
	slices.SortStableFunc(list, func(a, b journal.Entry) int { return b.LastWrite.Compare(a.LastWrite) })
	for _, e := range list[:min(len(list), newest)] {
		if len(e.Segments) == 0 || e.Name == s.opt.Journal || !s.mine(e.Segments[0].Path) {
			continue
		}
		var b watch.ScanBefore
		for _, f := range slices.Backward(e.Segments) {
			data, err := os.ReadFile(f.Path)
			if err != nil || f.Size > most {
				break
			}
			if b.FindScan(data) {
				return &b
			}
		}
	}
	return nil
}

// mine tells whether a journal is of the same board.
func (s *Station) mine(path string) bool {
	rd, err := journal.Open(path)
	if err != nil {
		return false
	}
	r, err := rd.Next()
	_ = rd.Close() // nothing was written
	o, perr := watch.ParseOpening(r.Body)
	return err == nil && perr == nil && o.Board == s.opt.Board
}

// replay steps every readable input and returns the effects that were never written: the daemon died between a step and
// its record.
func (s *Station) replay(rd *journal.Reader) (owed []watch.Effect) {
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return owed
		}
		if err != nil {
			// A disk that gives back only part of the journal must not keep the board from being watched.
			s.opt.Log.Error().Err(err).Msg("the journal cannot be read to its end; going on behind what was read")
			return owed
		}
		s.last = max(s.last, r.At)
		if r.Kind.Input() {
			if r.Kind != record.Open {
				owed = owed[:0]
			} else if o, err := watch.ParseOpening(r.Body); err == nil {
				s.opened, s.openedAt = o, r.At
			}
			// The opening record of a restart stands before the time of absence, its wall time behind it.
			var gap watch.Annotation
			if r.Kind == record.Gap && json.Unmarshal(r.Body, &gap) == nil {
				s.openedAt += gap.Away
			}
			owed = append(owed, s.machine.Step(r)...)
			s.recovered(r)
			s.show()
			continue
		}
		if r.Kind == record.Say {
			s.recovered(r)
			s.machine.Step(r) // decisions about findings of another revision hold: internal/watch, A decision's life
		}
		// The effects of another revision may differ: they count by their order, as in verify.
		if len(owed) > 0 && (s.opened.Core != watch.Revision || owed[0].Kind == r.Kind && bytes.Equal(owed[0].Body, r.Body)) {
			owed = owed[1:]
		}
	}
}

func (s *Station) recovered(r record.Record) {
	if s.opt.Recovered != nil {
		s.opt.Recovered(r)
	}
}

// resume begins the next segment: the opening record, with what is owed behind it, and the gap.
func (s *Station) resume(rd *journal.Reader, owed []watch.Effect) error {
	last := rd.Last()
	w, err := journal.Continue(s.opt.Dir, s.opt.Journal, last, s.journalOptions())
	if err != nil {
		return err
	}
	s.writer = w
	away, known := s.away()
	s.offset = s.last - s.opt.Mono()
	s.owed = append([]watch.Effect(nil), owed...) // Step reuses its slice
	// All of this stands at the time of the last record: only behind the gap does the time line go on. Otherwise the
	// machine would live through hours in which nobody watched.
	if err := s.step(Input{At: s.last, Kind: record.Open, Body: s.opening(last.Segment+1, "restart", nil)}); err != nil {
		return err
	}
	cause := fmt.Sprintf("the daemon was restarted after an unknown time; the journal before it is %v", rd.Verdict())
	if known {
		cause = fmt.Sprintf("the daemon was restarted after %v; the journal before it is %v", away.Round(time.Second), rd.Verdict())
	}
	if err := s.step(Input{At: s.last, Kind: record.Gap, Body: watch.Annotation{Cause: cause, Away: away.Microseconds()}.Body()}); err != nil {
		return err
	}
	s.offset += away.Microseconds()
	return nil
}

// away is how long the daemon was not running, by the wall clock if that is believable; otherwise a second, so that the
// time line goes on.
func (s *Station) away() (d time.Duration, known bool) {
	then, err := time.Parse(time.RFC3339Nano, s.opened.Wall)
	if err != nil {
		return time.Second, false
	}
	ran := time.Duration(s.last-s.openedAt) * time.Microsecond
	if d := s.opt.Wall().Sub(then) - ran; d >= 0 && d < longestAway {
		return d, true
	}
	return time.Second, false
}

func (s *Station) opening(segment int, cause string, scan *watch.ScanBefore) []byte {
	o := watch.Opening{
		Format: watch.Format, Journal: s.opt.Journal, Segment: segment, Core: watch.Revision, Software: s.opt.Software,
		Source: watch.Live, Board: s.opt.Board, Boot: s.opt.Boot, Wall: s.opt.Wall().UTC().Format(time.RFC3339Nano),
		Cause: cause, Config: s.opt.Config, Scan: scan,
	}
	return o.Body()
}

func (s *Station) journalOptions() journal.Options {
	return journal.Options{
		SyncDelay: s.opt.Sync, SegmentBytes: s.opt.Segment,
		OpenBody: func(segment int, cause string) []byte { return s.opening(segment, cause, nil) },
	}
}
