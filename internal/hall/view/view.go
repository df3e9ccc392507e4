package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A Listener has the functions by which a station calls its listeners (station.Options).
type Listener struct {
	Recovered func(record.Record)
	Entered   func(record.Record)
	Seen      func(watch.View, []watch.Touch)
	Said      func(body []byte)
	Ready     func() // the journal is read; what comes next is live
}

// A View is one board's. It is used by one goroutine.
type View struct {
	hear     Listener
	log      zerolog.Logger
	observer watch.Observer
	parser   record.Parser

	seq     record.Seq
	chain   record.Chain
	segment int
	rest    []byte     // of a line whose end has not come
	last    watch.View // the last one seen, without its constantly changing parts
	opening watch.Opening
}

// Read reads a journal from its first record to its last. It fails on a mirror with an unreadable place. Counted is
// what is known of the board and in no record; it may be nil.
func Read(path string, hear Listener, counted *watch.Counted, log zerolog.Logger) (*View, error) {
	rd, err := journal.Open(path)
	if err != nil {
		return nil, err
	}
	defer rd.Close() // read only
	v := &View{hear: hear, log: log}
	if counted != nil {
		v.observer.Count(*counted)
	}
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		v.step(r)
		if r.Kind.Input() || r.Kind == record.Say {
			hear.Recovered(r)
		}
		if r.Kind.Input() && r.Kind != record.Wake {
			v.seeNews()
		}
	}
	v.see()
	for _, d := range rd.Damage() {
		if d.Cause == journal.Unreadable { // the board has it, so it may know more than could be read here
			return nil, fmt.Errorf("%s", d)
		}
		log.Warn().Stringer("damage", d).Msg("the mirrored journal is damaged here")
	}
	last := rd.Last()
	v.seq, v.chain, v.segment = last.Seq, last.Chain, last.Segment
	hear.Ready()
	return v, nil
}

// Seq is the number of the last record.
func (v *View) Seq() record.Seq { return v.seq }

// Opening is the last opening record.
func (v *View) Opening() watch.Opening { return v.opening }

// Count takes in what no record holds, as the board's computer reports it. It may belong to a record that is still to
// come.
func (v *View) Count(c watch.Counted) {
	v.observer.Count(c)
	if v.observer.Changed() {
		v.see()
	}
}

// Feed takes the next bytes of the same segment or of the next one. It returns false if the journal has to be read
// anew.
func (v *View) Feed(segment int, data []byte) bool {
	if segment != v.segment {
		if segment != v.segment+1 || len(v.rest) > 0 {
			return false
		}
		v.segment = segment
	}
	if len(v.rest) > 0 {
		data = append(v.rest, data...)
		v.rest = nil
	}
	for {
		n := bytes.IndexByte(data, '\n')
		if n < 0 {
			v.rest = bytes.Clone(data)
			break
		}
		if err := v.line(data[:n]); err != nil {
			if !errors.Is(err, errAnew) {
				v.log.Warn().Err(err).Int("segment", segment).Msg("reading the mirrored journal anew")
			}
			return false
		}
		data = data[n+1:]
	}
	if v.observer.Changed() { // by the last words
		v.see()
	}
	return len(v.rest) < record.MaxLine
}

// errAnew means that the board's program was started again: its journal has to be recovered here too.
var errAnew = errors.New("the board's program was started again")

func (v *View) line(text []byte) error {
	r, chain, err := v.parser.Parse(text)
	if err != nil {
		return err
	}
	if r.Seq != v.seq+1 {
		return fmt.Errorf("record %d follows record %d", r.Seq, v.seq)
	}
	if err := v.parser.Verify(text, v.chain); err != nil {
		return err
	}
	if r.Kind == record.Open {
		if o, err := watch.ParseOpening(r.Body); err != nil || o.Cause == "start" || o.Cause == "restart" {
			return errAnew
		}
	}
	v.seq, v.chain = r.Seq, chain
	v.step(r)
	switch {
	case r.Kind == record.Say:
		v.hear.Said(r.Body)
	case r.Kind.Input():
		if r.Kind == record.Instruct || r.Kind == record.Decide {
			v.hear.Entered(r)
		}
		v.see()
	}
	return nil
}

func (v *View) step(r record.Record) {
	if r.Kind == record.Open {
		var o watch.Opening
		if json.Unmarshal(r.Body, &o) == nil {
			v.opening = o
		}
	}
	v.observer.Step(r)
}

// seeNews calls see if something lasting has changed. Most records of a journal change no such thing.
func (v *View) seeNews() {
	now, touches := v.observer.View(), v.observer.Touches()
	v.last.At, v.last.Frames, v.last.Garbage = now.At, now.Frames, now.Garbage
	if len(touches) > 0 || now != v.last {
		v.last = now
		v.hear.Seen(now, touches)
	}
}

func (v *View) see() { v.hear.Seen(v.observer.View(), v.observer.Touches()) }
