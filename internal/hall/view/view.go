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

// A Listener hears a board as the listeners of a station do (station.Options).
type Listener struct {
	Recovered func(record.Record)
	Told      func(record.Record)
	Seen      func(watch.View, []watch.Touch)
	Said      func(body []byte)
	Ready     func() // the journal is read; what comes next is live
}

// A View is one board's. It is used by one goroutine.
type View struct {
	hear    Listener
	log     zerolog.Logger
	machine *watch.Machine
	parser  record.Parser

	seq     record.Seq
	chain   record.Chain
	segment int
	rest    []byte // of a line whose end has not come
	opening watch.Opening
	owed    []watch.Effect // what the machine said and the journal has not yet shown
	differs bool           // told
}

// Read reads a journal from its first record to its last.
func Read(path string, hear Listener, log zerolog.Logger) (*View, error) {
	rd, err := journal.Open(path)
	if err != nil {
		return nil, err
	}
	defer rd.Close() // read only
	v := &View{hear: hear, log: log, machine: watch.New()}
	v.machine.Trace()
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
		if r.Kind.Input() {
			hear.Seen(v.machine.View(), v.machine.Touches())
		}
	}
	for _, d := range rd.Damage() {
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

// Feed takes what follows, of the same segment or the next one. False means that the journal has to be read anew.
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
			return len(data) < record.MaxLine
		}
		if err := v.line(data[:n]); err != nil {
			if !errors.Is(err, errAnew) {
				v.log.Warn().Err(err).Int("segment", segment).Msg("reading the mirrored journal anew")
			}
			return false
		}
		data = data[n+1:]
	}
}

// errAnew is for a board whose program was started again: its journal is recovered here too.
var errAnew = errors.New("the board's program was started again")

func (v *View) line(text []byte) error {
	r, chain, err := v.parser.Parse(text)
	if err != nil {
		return err
	}
	if r.Seq != v.seq+1 {
		return fmt.Errorf("record %d follows record %d", r.Seq, v.seq)
	}
	if err := record.Verify(text, v.chain); err != nil {
		return err
	}
	if o, err := watch.ParseOpening(r.Body); r.Kind == record.Open && (err != nil || o.Cause == "start" || o.Cause == "restart") {
		return errAnew
	}
	v.seq, v.chain = r.Seq, chain
	v.step(r)
	switch {
	case r.Kind == record.Say:
		v.hear.Said(r.Body)
	case r.Kind.Input():
		if r.Kind == record.Instruct || r.Kind == record.Decide {
			v.hear.Told(r)
		}
		v.hear.Seen(v.machine.View(), v.machine.Touches())
	}
	return nil
}

// step is what a station does with a record that it reads back (internal/station, replay).
func (v *View) step(r record.Record) {
	if r.Kind.Input() {
		var o watch.Opening
		if r.Kind == record.Open && json.Unmarshal(r.Body, &o) == nil {
			v.opening = o
		}
		if r.Kind != record.Open { // behind it stands what was owed before a start
			v.missing(r)
			v.owed = v.owed[:0]
		}
		v.owed = append(v.owed, v.machine.Step(r)...)
		return
	}
	if r.Kind == record.Say {
		v.machine.Step(r) // decisions about findings of another revision hold: internal/watch, A decision's life
	}
	switch {
	case len(v.owed) == 0:
		v.differ(r.Seq, "the journal has an effect that this program would not have")
	case v.owed[0].Kind != r.Kind || !bytes.Equal(v.owed[0].Body, r.Body):
		v.differ(r.Seq, "the journal has another effect than this program would have")
		v.owed = v.owed[1:]
	default:
		v.owed = v.owed[1:]
	}
}

func (v *View) missing(r record.Record) {
	if len(v.owed) > 0 && r.Kind != record.Gap {
		v.differ(r.Seq, "this program would have an effect before it that the journal does not have")
	}
}

// differ tells the first difference of a journal.
func (v *View) differ(seq record.Seq, what string) {
	if v.differs {
		return
	}
	v.differs = true
	e := v.log.Error()
	if v.opening.Core != watch.Revision {
		e = v.log.Info()
	}
	e.Int64("seq", int64(seq)).Str("core", v.opening.Core).Str("core_here", watch.Revision).Msg("replay differs: " + what + "; what is shown is what the board said")
}
