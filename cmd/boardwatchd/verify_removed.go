package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/retention"
)

// A missing journal may have been removed by this program, for room or at the end of its time: a list of removed
// journals is kept beside them.

func removed(dir, name string) (retention.Removed, bool) {
	l, err := retention.Read(dir)
	if err != nil {
		return retention.Removed{}, false // it is not known what was removed
	}
	return l.Lookup(name)
}

func removedWords(r retention.Removed) string {
	why := "to make room"
	if r.Why == retention.Age {
		why = "at the end of its time"
	}
	return fmt.Sprintf("the journal %s was removed by boardwatchd on %s %s; its last record was %d:%s", r.Name, r.At.Local().Format(time.DateTime), why, r.Seq, r.Chain)
}

// withRemoval adds to the error of a missing file what is known of its removal.
func withRemoval(file string, err error) error {
	name, _, ok := journal.ParseSegmentName(filepath.Base(file))
	if !ok || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if r, ok := removed(filepath.Dir(file), name); ok {
		return fmt.Errorf("%w: %s", err, removedWords(r))
	}
	return err
}

// markNamesake marks a head that a journal does not hold as belonging to a removed journal of the same name: rounds
// have the same names each year. Without its last record the two cannot be told apart. The remains of a removal that a
// crash interrupted were not cut by a person.
func markNamesake(h *replay.HeadResult) {
	if h.Journal == nil || h.File == nil || h.Seq == nil {
		return
	}
	l, err := retention.Read(filepath.Dir(*h.File))
	if err != nil {
		return // it is not known what was removed
	}
	for _, r := range slices.Backward(l.Removed) {
		switch {
		case r.Name != *h.Journal || *h.Seq > r.Seq:
		case *h.Seq == r.Seq && h.Chain == r.Chain:
			h.State, h.Detail = replay.HeadRemoved, removedWords(r)+", which is this head; "+*h.File+" is not all of it, or another journal of that name"
			return
		case *h.Seq < r.Seq:
			h.Detail += "; or the head is of an earlier one: " + removedWords(r)
			return
		}
	}
}

// whereRemoved notes, for a head of a journal that was not read, whether that journal was removed, and whether the head
// can belong to it.
func (v *verifying) whereRemoved(h *replay.HeadResult) {
	if h.State == replay.HeadMissing || h.State == replay.HeadChanged {
		markNamesake(h)
		return
	}
	if h.State != replay.HeadOther || h.Journal == nil {
		return
	}
	for _, dir := range v.dirs {
		r, ok := removed(dir, *h.Journal)
		if !ok {
			continue
		}
		h.State, h.Detail = replay.HeadRemoved, removedWords(r)
		switch {
		case h.Seq == nil || *h.Seq < r.Seq:
		case *h.Seq > r.Seq:
			h.State, h.Detail = replay.HeadMissing, fmt.Sprintf("%s, and record %d of the head was missing by then", h.Detail, *h.Seq)
		case h.Chain != r.Chain:
			h.State, h.Detail = replay.HeadChanged, h.Detail+", and the head has another chain: the journal was changed before, or it was another one of that name"
		default:
			h.Detail += ", which is this head"
		}
	}
}
