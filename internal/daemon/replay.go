package daemon

import (
	"context"
	"path/filepath"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/playback"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/web"
)

// Replay reads the journal of a board for the page, one journal at a time, so that the boards have precedence. At a
// hall it is the mirrored journal.
func (f *frontend) Replay(ctx context.Context, board, profile string) (*playback.Recording, error) {
	path := f.journalOf(board)
	if path == "" {
		return nil, web.ErrNoJournal
	}
	o := replay.Options{Board: board}
	if profile != "" {
		p, err := config.Profile(profile) // a name, never a file
		if err != nil {
			return nil, web.ErrNoProfile
		}
		o.Rules, o.Profile = append(o.Rules, p), profile
	}
	select {
	case f.reading <- struct{}{}:
		defer func() { <-f.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	open := func() (replay.Reading, error) {
		src, err := recording.Open(path, nil)
		if err != nil {
			return nil, err
		}
		return until{src, ctx}, nil
	}
	if profile != "" {
		return f.whatIf(open, o)
	}
	src, err := open()
	if err != nil {
		return nil, err
	}
	rec, err := replay.Playback(src, o, f.people)
	if e := src.Close(); err == nil {
		err = e
	}
	return rec, err
}

// whatIf is a recording that holds only the differences.
func (f *frontend) whatIf(open func() (replay.Reading, error), o replay.Options) (*playback.Recording, error) {
	w, err := replay.WhatIf(open, o)
	if err != nil {
		return nil, err
	}
	return &playback.Recording{Board: o.Board, WhatIf: w}, nil
}

// journalOf is the first file of a board's journal; "": there is none.
func (f *frontend) journalOf(board string) string {
	if f.d.hub != nil {
		return f.d.hub.Path(board)
	}
	name := f.boards.Journal(board)
	if name == "" {
		return ""
	}
	return filepath.Join(f.d.opt.Dir, journal.SegmentName(name, 1))
}

// until is a recording whose reading ends with a context.
type until struct {
	*recording.Source
	ctx context.Context
}

func (u until) Next() (recording.Item, error) {
	if err := u.ctx.Err(); err != nil {
		return recording.Item{}, err
	}
	return u.Source.Next()
}
