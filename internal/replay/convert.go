package replay

import (
	"fmt"
	"path/filepath"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A Copier writes a replay into a new journal: the inputs and the machine's effects. It turns a capture into a journal
// that can be verified.
type Copier struct {
	w   *journal.Writer
	at  int64
	err error

	pending int // inputs since the last flush
}

// flushEvery is the number of inputs that share one write.
const flushEvery = 64

// NewCopier begins the journal at path, which must end in .bwj and must not exist.
func NewCopier(path string) (*Copier, error) {
	dir, file := filepath.Split(path)
	name, number, ok := journal.ParseSegmentName(file)
	if !ok || number != 1 {
		return nil, fmt.Errorf("%s: a journal's name is letters, digits, - and _, and ends in %s", path, journal.Extension)
	}
	w, err := journal.Create(filepath.Clean(dir), name, journal.Options{})
	if err != nil {
		return nil, err
	}
	return &Copier{w: w}, nil
}

// Tee makes a replay with these options also write the journal.
func (c *Copier) Tee(o *Options) {
	effect := o.Effect
	o.Number = func(r record.Record) record.Seq {
		c.at = r.At
		seq := c.add(r.Kind, r.Body) // the journal's numbers count effects too
		if c.pending++; c.pending == flushEvery {
			c.pending = 0
			c.w.Flush()
		}
		return seq
	}
	o.Effect = func(cause record.Record, e watch.Effect) {
		c.add(e.Kind, e.Body)
		if effect != nil {
			effect(cause, e)
		}
	}
}

func (c *Copier) add(k record.Kind, body []byte) (seq record.Seq) {
	if c.err == nil {
		seq, c.err = c.w.Add(c.at, k, body)
	}
	return seq
}

// Close ends the journal.
func (c *Copier) Close() error {
	err := c.w.Close(c.at, "end of the recording")
	if c.err != nil {
		return c.err
	}
	return err
}
