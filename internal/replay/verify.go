package replay

import (
	"bytes"
	"cmp"
	"fmt"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A Difference is the first place where the present effect differs from the recorded one.
type Difference struct {
	Seq  record.Seq // the record in the journal, or the input whose effect is missing
	Then string     // as recorded; empty: nothing was recorded
	Now  string     // the present effect; empty: none
}

func (d Difference) String() string {
	show := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return s
	}
	return fmt.Sprintf("record %d\n  then: %s\n  now:  %s", d.Seq, show(d.Then), show(d.Now))
}

// A Comparison is the result of verifying a journal.
type Comparison struct {
	Summary
	Effects int64       // compared and equal
	First   *Difference // nil: equal
	Core    string      // the first other revision that wrote a part of it, or this one
	Lost    int64       // records that the journal reports as dropped (a full disk)
	Missing bool        // the journal does not begin with its first record
	Unread  string      // the part that could not be read at a start before the first difference; "": none
	Owed    int         // effects of the last input that were not written, because the writer died
}

// Verify replays a journal and compares every effect, byte for byte. Effects may be missing only after the last input
// before an end: the writer died between a step and its record, and recovery writes them first in the next segment.
func Verify(src Source) (Comparison, error) {
	var c Comparison
	v := verifier{c: &c}
	_, sum, err := Run(src, Options{Input: v.input, Effect: v.effect, Recorded: v.recorded})
	c.Summary = sum
	c.Owed = len(v.due)
	return c, err
}

type verifier struct {
	c     *Comparison
	begun bool
	due   []record.Record // present effects that the journal has not shown yet
}

func (v *verifier) input(r record.Record) {
	if !v.begun {
		v.begun = true
		v.c.Missing = r.Seq != 1
	}
	switch r.Kind {
	case record.Open:
		o, err := watch.ParseOpening(r.Body)
		if err == nil && (v.c.Core == "" || v.c.Core == watch.Revision) {
			v.c.Core = o.Core
		}
		if err == nil && v.c.First == nil {
			v.c.Unread = cmp.Or(v.c.Unread, o.Unread)
		}
		return // owed effects follow the opening record of the next segment
	case record.Gap:
		v.c.Lost += journal.Dropped(r.Body)
	}
	if len(v.due) > 0 {
		v.differ(Difference{Seq: v.due[0].Seq, Now: v.text(v.due[0])})
		v.due = v.due[:0]
	}
}

func (v *verifier) effect(cause record.Record, e watch.Effect) {
	if !cause.Kind.Input() {
		return // carried over from another revision
	}
	v.due = append(v.due, record.Record{Seq: cause.Seq, Kind: e.Kind, Body: e.Body})
}

func (v *verifier) recorded(r record.Record) {
	if len(v.due) == 0 {
		v.differ(Difference{Seq: r.Seq, Then: v.text(r)})
		return
	}
	d := v.due[0]
	v.due = v.due[1:]
	if d.Kind != r.Kind || !bytes.Equal(d.Body, r.Body) {
		v.differ(Difference{Seq: r.Seq, Then: v.text(r), Now: v.text(d)})
		return
	}
	v.c.Effects++
}

func (v *verifier) differ(d Difference) {
	if v.c.First == nil {
		v.c.First = &d
	}
}

func (v *verifier) text(r record.Record) string {
	if r.Kind == record.Tx {
		return fmt.Sprintf("tx %x", r.Body)
	}
	return r.Kind.String() + " " + string(r.Body)
}
