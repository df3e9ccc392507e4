package replay

import (
	"errors"
	"io"

	"boardwatchd/internal/config"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/watch"
	"boardwatchd/rules"
)

// A Source yields the records of a recording in order and io.EOF at its end; recording.Source is one.
type Source interface {
	Next() (recording.Item, error)
	Journal() bool // the records are a journal's: inputs and effects, with an opening record
}

// Options configure a replay.
type Options struct {
	Board  string // the name for a capture's board
	Config []byte // canonical configuration for a capture
	// Rules replace those in every opening record, to answer "what if?", and Profile is the name for all of them. None:
	// a journal's own, which may have none.
	Rules   []rules.Profile
	Profile string
	// Number gives an input record its sequence number before it is stepped. May be nil: the recording's own.
	Number func(r record.Record) record.Seq
	// Input is called before each input record is stepped; it may wait (replay in real time). May be nil.
	Input func(r record.Record)
	// Effect is called for each effect, in order. Its cause is an input, or an effect of another revision of the core.
	// May be nil.
	Effect func(cause record.Record, e watch.Effect)
	// Recorded is called for each effect in the journal. May be nil.
	Recorded func(r record.Record)
}

// Summary counts the records and bytes of a run.
type Summary struct {
	Bytes, Frames, Garbage int64
	Records                int64
	LastAt                 int64
	LastSeq                record.Seq
}

// Run steps every input of the recording through a new machine and returns it with the counts. On an error of the
// source everything before it has been stepped.
func Run(src Source, o Options) (*watch.Machine, Summary, error) {
	m := watch.New()
	var sum Summary
	step := func(r record.Record) {
		if r.Kind == record.Open && len(o.Rules) > 0 {
			r.Body = o.whatIf(r.Body)
		}
		if o.Number != nil {
			r.Seq = o.Number(r)
		}
		if o.Input != nil {
			o.Input(r)
		}
		for _, e := range m.Step(r) {
			if o.Effect != nil {
				o.Effect(r, e)
			}
		}
		sum.Records++
		sum.LastAt, sum.LastSeq = r.At, r.Seq
	}
	if !src.Journal() {
		step(record.Record{Seq: 1, Kind: record.Open, Body: opening(o)})
	}
	err := each(src, func(r record.Record) {
		if r.Kind.Input() {
			step(r)
			return
		}
		if o.Recorded != nil {
			o.Recorded(r)
		}
		for _, e := range m.Step(r) { // effects of another revision of the core
			if o.Effect != nil {
				o.Effect(r, e)
			}
		}
	})
	if err == nil && !src.Journal() {
		step(record.Record{
			Seq: sum.LastSeq + 1, At: sum.LastAt, Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoFinish}.Body(),
		})
	}
	st := m.Stats()
	sum.Bytes, sum.Frames, sum.Garbage = st.Bytes, st.Frames, st.Garbage
	return m, sum, err
}

func each(src Source, f func(record.Record)) error {
	for {
		it, err := src.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f(it.Record)
	}
}

// whatIf returns the body of an opening record with the rules of the options. One that cannot be read stays unchanged:
// the machine reports it.
func (o Options) whatIf(body []byte) []byte {
	open, err := watch.ParseOpening(body)
	if err != nil {
		return body
	}
	conf, err := config.WithRules(open.Config, o.Profile, o.Rules)
	if err != nil {
		return body
	}
	open.Config = conf
	open.Core = watch.Revision // effects of another revision were made under other rules, and are not carried over
	return open.Body()
}

func opening(o Options) []byte {
	return watch.Opening{
		Format: watch.Format, Journal: "recording", Segment: 1, Core: watch.Revision, Source: watch.Capture,
		Board: o.Board, Config: o.Config,
	}.Body()
}

// Inputs calls f for each input record of a recording.
func Inputs(src Source, f func(record.Record)) error {
	return each(src, func(r record.Record) {
		if r.Kind.Input() {
			f(r)
		}
	})
}
