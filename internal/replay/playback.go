package replay

import (
	"boardwatchd/internal/people"
	"boardwatchd/internal/playback"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A Reading is a recording that is open.
type Reading interface {
	Source
	Close() error
}

// Playback reads a recording for the replay page. A journal is shown as it was recorded, by whatever revision; a
// capture is judged now. On an error of the source the result has everything before it.
func Playback(src Source, o Options, book *people.Book) (*playback.Recording, error) {
	b := playback.New(book)
	var err error
	if src.Journal() {
		err = each(src, b.Record)
	} else {
		err = played(b, src, o)
	}
	return b.Recording(), err
}

// played judges a recording, and passes everything to a builder.
func played(b *playback.Builder, src Source, o Options) error {
	o.Input = b.Record
	o.Effect = func(cause record.Record, e watch.Effect) {
		b.Record(record.Record{Seq: cause.Seq, At: cause.At, Kind: e.Kind, Body: e.Body})
	}
	_, _, err := Run(src, o)
	return err
}

// WhatIf judges a recording under the rules of the options, and lists the differences from its own rules. The recording
// is opened twice, and judged by this revision both times.
func WhatIf(open func() (Reading, error), o Options) (*playback.WhatIf, error) {
	own := o
	own.Rules = nil
	var both [2]*playback.Recording
	for i, o := range [...]Options{own, o} {
		src, err := open()
		if err != nil {
			return nil, err
		}
		b := playback.New(nil)
		err = played(b, src, o)
		if e := src.Close(); err == nil {
			err = e
		}
		if err != nil {
			return nil, err
		}
		both[i] = b.Recording()
	}
	return playback.Compare(both[0], both[1], o.Profile), nil
}
