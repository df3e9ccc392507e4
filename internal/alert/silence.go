package alert

import (
	"context"
	"time"
)

// This file lets two outboxes serve one board, one after the other: that of a hall, and that of the board's own
// computer while the hall is unreachable. Both read the same journal, in which each writes its actions, and count the
// same versions.

// Silence stops or resumes sending, escalating and expiring for a board. The state shown stays up to date. "" means all
// boards, also future ones.
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

// Settings are the settings of another outbox, which this one replaces.
type Settings struct {
	Refs              []byte
	Escalate, Expire  time.Duration
	Wording, Language string
}

// Adopt takes over the settings of another outbox.
func (o *Outbox) Adopt(m Settings) {
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

// mute reports whether a board is silenced. The caller holds the lock.
func (o *Outbox) mute(board string) bool {
	if silent, ok := o.silent[board]; ok {
		return silent
	}
	return o.opt.Silent
}

// Late sets whether the board's output from now on belongs to a time at which it had no connection.
func (o *Outbox) Late(board string, late bool) {
	o.append(input{board: board, from: fromLate, late: late, at: o.opt.Now()})
}

// settleEvery is the interval at which Settled checks.
const settleEvery = 20 * time.Millisecond

// Settled waits until nothing is being sent and all actions are written, as far as possible. It is for an outbox that
// was silenced.
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
