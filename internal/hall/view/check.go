package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// Checked is the result of a check.
type Checked struct {
	Core            string     // the revision of the core that wrote the journal
	Last            record.Seq // the last record that was checked
	FirstDifference record.Seq // the first record that this program would have written otherwise; 0: none
	How             string
}

// Check replays a journal through the machine and compares the machine's output with the journal. It does not compare
// the output of another revision of the core. It calls rest before each record, which may wait, because a check takes
// long and is not urgent. An error of rest ends the check.
func Check(path string, rest func() error) (c Checked, err error) {
	rd, err := journal.Open(path)
	if err != nil {
		return c, err
	}
	defer rd.Close() // read only
	m := watch.New()
	var owed []watch.Effect // effects of the machine that the journal has not shown yet
	for {
		if err := rest(); err != nil {
			return c, err
		}
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		if len(rd.Damage()) > 0 {
			return c, fmt.Errorf("record %d stands after damage", r.Seq)
		}
		c.Last = r.Seq
		if r.Kind == record.Open {
			var o watch.Opening
			if json.Unmarshal(r.Body, &o) == nil {
				c.Core = o.Core
			}
			if c.Core != watch.Revision {
				return c, nil
			}
		}
		if owed, c.How = compare(m, r, owed); c.How != "" {
			c.FirstDifference = r.Seq
			return c, nil
		}
	}
}

// compare does with a record what a station does when it reads its journal back (internal/station, replay).
func compare(m *watch.Machine, r record.Record, owed []watch.Effect) (now []watch.Effect, differs string) {
	if r.Kind.Input() {
		if r.Kind != record.Open { // after it comes the output that was due before a start
			if len(owed) > 0 && r.Kind != record.Gap {
				return nil, "this program would have an effect before it that the journal does not have"
			}
			owed = owed[:0]
		}
		return append(owed, m.Step(r)...), ""
	}
	if r.Kind == record.Say {
		m.Step(r) // decisions about findings of another revision hold: internal/watch, A decision's life
	}
	switch {
	case len(owed) == 0:
		return nil, "the journal has an effect that this program would not have"
	case owed[0].Kind != r.Kind || !bytes.Equal(owed[0].Body, r.Body):
		return nil, "the journal has another effect than this program would have"
	}
	return owed[1:], ""
}
