package station

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
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
	case err != nil:
		return err
	}
	owed, err := s.replay(rd)
	closeErr := rd.Close()
	if err := errors.Join(err, closeErr); err != nil {
		return err
	}
	for _, d := range rd.Damage() {
		s.opt.Log.Warn().Str("damage", d.String()).Msg("the journal is damaged; what is readable was read, the file is kept as it is")
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
	return s.step(Input{Kind: record.Open, Body: s.opening(1, "start")})
}

// replay steps every readable input and returns the effects that were never written: the daemon died between a step and
// its record.
func (s *Station) replay(rd *journal.Reader) (owed []watch.Effect, err error) {
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return owed, nil
		}
		if err != nil {
			return nil, err
		}
		s.last = max(s.last, r.At)
		if r.Kind.Input() {
			if r.Kind != record.Open {
				owed = owed[:0]
			}
			if o, err := watch.ParseOpening(r.Body); r.Kind == record.Open && err == nil {
				s.opened, s.openedAt = o, r.At
			}
			owed = append(owed, s.machine.Step(r)...)
			continue
		}
		if len(owed) > 0 && owed[0].Kind == r.Kind && bytes.Equal(owed[0].Body, r.Body) {
			owed = owed[1:]
		}
	}
}

// resume begins the next segment: the opening record, what is owed, and the gap.
func (s *Station) resume(rd *journal.Reader, owed []watch.Effect) error {
	last := rd.Last()
	w, err := journal.Continue(s.opt.Dir, s.opt.Journal, last, s.journalOptions())
	if err != nil {
		return err
	}
	s.writer = w
	away := s.away()
	s.last += away.Microseconds()
	s.offset = s.last - s.opt.Mono()
	kept := append([]watch.Effect(nil), owed...) // Step reuses its slice
	if err := s.step(Input{At: s.last, Kind: record.Open, Body: s.opening(last.Segment+1, "restart")}); err != nil {
		return err
	}
	if err := s.effects(kept); err != nil {
		return err
	}
	cause := fmt.Sprintf("the daemon was restarted after %v; the journal before it is %v", away.Round(time.Second), rd.Verdict())
	return s.step(Input{At: s.last, Kind: record.Gap, Body: watch.Annotation{Cause: cause}.Body()})
}

// away is how long the daemon was not running, by the wall clock if that is believable.
func (s *Station) away() time.Duration {
	then, err := time.Parse(time.RFC3339Nano, s.opened.Wall)
	if err != nil {
		return time.Second
	}
	ran := time.Duration(s.last-s.openedAt) * time.Microsecond
	if d := s.opt.Wall().Sub(then) - ran; d > 0 && d < longestAway {
		return d
	}
	return time.Second
}

func (s *Station) opening(segment int, cause string) []byte {
	o := watch.Opening{
		Format: watch.Format, Journal: s.opt.Journal, Segment: segment, Core: watch.Revision, Software: s.opt.Software,
		Source: watch.Live, Board: s.opt.Board, Boot: s.opt.Boot, Wall: s.opt.Wall().UTC().Format(time.RFC3339Nano),
		Cause: cause, Config: s.opt.Config,
	}
	return o.Body()
}

func (s *Station) journalOptions() journal.Options {
	return journal.Options{
		SyncDelay: s.opt.Sync, SegmentBytes: s.opt.Segment,
		OpenBody: func(segment int, cause string) []byte { return s.opening(segment, cause) },
	}
}
