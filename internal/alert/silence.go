package alert

import (
	"context"
	"time"
)

// This file lets two outboxes serve one board, one after the other: that of a hall, and that of the board's own computer where the hall
// is away. Both read the same journal, in which each writes what it did, and count the same versions.

// Silence has nothing sent, escalated or expired for a board, or again. What is shown goes on. "" is all boards, also those that come.
func (o *Outbox) Silence(board string, silent bool) {
	o.mu.Lock()
	if board == "" {
		o.opt.Silent = silent
		clear(o.silent)
	} else {
		o.silent[board] = silent
	}
	if !silent {
		o.wakeAll(o.opt.Now(), true)
	}
	o.mu.Unlock()
	if !silent {
		o.recorder.retry(board)
	}
	o.kick()
}

// A Manner is how another outbox does it, for which this one stands in.
type Manner struct {
	Refs              []byte
	Escalate, Expire  time.Duration
	Wording, Language string
}

// Adopt goes on in the manner of another outbox.
func (o *Outbox) Adopt(m Manner) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.absorb()
	if len(m.Refs) > 0 {
		o.opt.Refs = m.Refs
	}
	if m.Expire > 0 {
		o.opt.Expire = m.Expire
	}
	o.opt.Escalate, o.opt.Wording, o.opt.Language = m.Escalate, m.Wording, m.Language
	clear(o.refs)
	for _, e := range o.entries {
		e.ref = refOf(o.opt.Refs, e.journal, e.id)
		o.refs[e.ref] = e
	}
	for _, d := range o.desks {
		for _, e := range d.fresh {
			e.ref = refOf(o.opt.Refs, e.journal, e.id)
		}
	}
}

// mute says that nothing is done for a board. The caller holds the lock.
func (o *Outbox) mute(board string) bool {
	if silent, ok := o.silent[board]; ok {
		return silent
	}
	return o.opt.Silent
}

// Late says whether what a board says from now on is of a time at which it could not be heard.
func (o *Outbox) Late(board string, late bool) {
	o.append(input{board: board, from: fromLate, late: late, at: o.opt.Now()})
}

// settleEvery is how often Settled looks.
const settleEvery = 20 * time.Millisecond

// Settled waits until nothing is being sent and all that was done is written down, as far as it can be. It is for an outbox that was
// silenced.
func (o *Outbox) Settled(ctx context.Context) error {
	tick := time.NewTicker(settleEvery)
	defer tick.Stop()
	for o.busy() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (o *Outbox) busy() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.notes) > 0 {
		return true
	}
	for _, w := range o.workers {
		if w.sending {
			return true
		}
	}
	return o.recorder.busy()
}
