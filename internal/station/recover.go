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
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// longestAway bounds the absence of the daemon for which a clock is trusted.
const longestAway = 24 * time.Hour

// recover reads the journal through the machine, exactly as a replay does, and begins a new segment after it. Recovery
// is replay: there is no snapshot that could contradict the record.
func (s *Station) recover() error {
	path := filepath.Join(s.opt.Dir, s.opt.Journal+journal.Extension)
	rd, err := journal.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.begin()
	case journal.Passing(err):
		return err // not a fault of the journal: it is tried again
	case err != nil: // a fault of the disk: a damaged journal can be opened
		s.opt.Log.Error().Err(err).Msg("the journal cannot be opened; a new one is begun, in memory until the disk takes it")
		return s.begin() // which fails if the journal exists: the caller then chooses another name for all listeners
	}
	owed, err := s.replay(rd)
	if err := rd.Close(); err != nil {
		s.opt.Log.Warn().Err(err).Msg("close the journal that was read")
	}
	if err != nil {
		return err
	}
	for _, d := range rd.Damage() {
		s.opt.Log.Warn().Str("damage", d.String()).Msg("the journal is damaged; what is readable was read, the file is kept as it is")
		if s.damage == "" && d.Cause != journal.TornTail { // which a power cut leaves
			s.damage = d.String()
		}
	}
	return s.resume(rd, owed)
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

// scanBefore looks for the scan of this board in its last journals: without one the default stays.
func (s *Station) scanBefore() *watch.ScanBefore {
	const newest, most = 64, 32 << 20 // journals, and bytes of a segment
	list, err := journal.List(s.opt.Dir)
	if err != nil {
		return nil
	}
	slices.SortStableFunc(list, func(a, b journal.Entry) int { return b.LastWrite.Compare(a.LastWrite) })
	for _, e := range list[:min(len(list), newest)] {
		if len(e.Segments) == 0 || e.Name == s.opt.Journal || !s.sameBoard(e.Segments[0].Path) {
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

// sameBoard reports whether a journal is of the same board.
func (s *Station) sameBoard(path string) bool {
	rd, err := journal.Open(path)
	if err != nil {
		return false
	}
	r, err := rd.Next()
	_ = rd.Close() // nothing was written
	o, perr := watch.ParseOpening(r.Body)
	return err == nil && perr == nil && o.Board == s.opt.Board
}

// replay steps every readable input and returns the effects that were never written, because the daemon ended between a
// step and its record.
func (s *Station) replay(rd *journal.Reader) (owed []watch.Effect, err error) {
	for {
		r, err := rd.Next()
		switch {
		case errors.Is(err, io.EOF):
			return owed, nil
		case journal.Passing(err):
			return nil, err // to go on here would leave out what can be read in a moment
		case err != nil:
			// The board must be watched even if the disk returns only part of the journal.
			s.opt.Log.Error().Err(err).Msg("the journal cannot be read to its end; going on after what was read")
			return owed, nil
		}
		s.last = max(s.last, r.At)
		if r.Kind.Input() {
			if r.Kind != record.Open {
				owed = owed[:0]
			} else if o, err := watch.ParseOpening(r.Body); err == nil {
				s.opened, s.openedAt = o, r.At
			}
			// The opening record of a restart comes before the absence, its wall time is after it.
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
		// The effects of another revision may differ: they are matched by their order, as in verify.
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

// resume begins the next segment: the opening record, the unwritten effects, and the gap.
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
	// All of this has the time of the last record: the time continues only after the gap. Otherwise the machine would
	// pass hours in which the board was not watched.
	if err := s.step(Input{At: s.last, Kind: record.Open, Body: s.opening(last.Segment+1, "restart", nil)}); err != nil {
		return err
	}
	after := "an unknown time"
	if known {
		after = away.Round(time.Second).String()
	}
	cause := fmt.Sprintf("the daemon was restarted after %s; the journal before it is %v", after, rd.Verdict())
	if rd.GoesOn() { // the file that is begun now has its name, so that nobody can see it later
		cause += ", and the file with which it goes on is not there: it was removed, or the daemon was killed as it began it"
		s.opt.Log.Warn().Str("file", journal.SegmentName(s.opt.Journal, last.Segment+1)).
			Msg("the journal announces another file, which is not there: it was removed, or the program was killed as it began it")
	}
	if err := s.step(Input{At: s.last, Kind: record.Gap, Body: watch.Annotation{Cause: cause, Away: away.Microseconds()}.Body()}); err != nil {
		return err
	}
	s.offset += away.Microseconds()
	return nil
}

// away returns the time for which the daemon did not run: by the computer's uptime, which nobody sets, where that goes
// on since the last opening record; else by the wall clock if that is plausible; otherwise a second, so that the time
// continues.
func (s *Station) away() (d time.Duration, known bool) {
	ran := time.Duration(s.last-s.openedAt) * time.Microsecond
	if s.opt.Uptime != nil && s.opt.Boot != "" && s.opened.Boot == s.opt.Boot && s.opened.Uptime > 0 {
		up := time.Duration(s.opt.Uptime()-s.opened.Uptime) * time.Microsecond
		if d := up - ran; d >= 0 && d < longestAway {
			return d, true
		}
	}
	then, err := time.Parse(time.RFC3339Nano, s.opened.Wall)
	if err != nil {
		return time.Second, false
	}
	if d := s.opt.Wall().Sub(then) - ran; d >= 0 && d < longestAway {
		return d, true
	}
	return time.Second, false
}

func (s *Station) opening(segment int, cause string, scan *watch.ScanBefore) []byte {
	uptime := int64(0)
	if s.opt.Uptime != nil && s.opt.Boot != "" {
		uptime = s.opt.Uptime()
	}
	o := watch.Opening{
		Format: watch.Format, Journal: s.opt.Journal, Segment: segment, Core: watch.Revision, Software: s.opt.Software,
		Source: watch.Live, Board: s.opt.Board, Boot: s.opt.Boot, Uptime: uptime, Wall: s.opt.Wall().UTC().Format(time.RFC3339Nano),
		Cause: cause, Unread: s.unreadFor(cause), Config: s.opt.Config, Scan: scan,
	}
	if s.opt.Rate > 1 {
		o.Rate = s.opt.Rate
	}
	return o.Body()
}

// unreadFor is the part of the opening record about damage that was found at the start: a replay that finds no damage
// gives other results from there on.
func (s *Station) unreadFor(cause string) string {
	if cause != "restart" {
		return ""
	}
	return s.damage
}

func (s *Station) journalOptions() journal.Options {
	return journal.Options{
		SyncDelay: s.opt.Sync, SegmentBytes: s.opt.Segment, Backlog: s.opt.Backlog,
		OpenBody: func(segment int, cause string) []byte { return s.opening(segment, cause, nil) },
	}
}
