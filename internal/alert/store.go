package alert

import (
	"context"
	"crypto/hmac"
	"fmt"
	"slices"
	"time"
)

// entry returns the entry of a finding, and makes it if necessary.
func (o *Outbox) entry(d *boardState, board, finding string, at time.Time) *entry {
	id := ID(board, finding)
	if e := o.find(d, id); e != nil {
		return e
	}
	e := &entry{id: id, board: board, finding: finding, journal: d.journal, changed: at, step: 1}
	if d.fresh != nil {
		e.journal, e.notShownYet = d.next, true
	}
	e.ref = refOf(o.opt.Refs, e.journal, id)
	among := o.entries
	if e.notShownYet {
		among = d.fresh
	} else {
		o.refs[e.ref] = e
	}
	if len(among) >= maxOpen+maxKept {
		o.forget(among)
	}
	among[id] = e
	return e
}

// forget drops a tenth of the findings that need no attention, those that changed longest ago, and reports whether
// there were any. If there are none, and too many are being rebuilt, the oldest alerts are dropped.
func (o *Outbox) forget(among map[string]*entry) bool {
	var idle, loose []*entry
	for _, e := range among {
		switch {
		case !e.live():
			idle = append(idle, e)
		case e.notShownYet:
			loose = append(loose, e)
		}
	}
	slices.SortFunc(idle, func(a, b *entry) int { return a.changed.Compare(b.changed) })
	if len(idle) == 0 {
		idle = loose
		slices.SortFunc(idle, byRaising)
		o.droppedAlerts += min(len(idle), maxKept/10)
	}
	for _, e := range idle[:min(len(idle), maxKept/10)] {
		if e.notShownYet {
			delete(among, e.id)
		} else {
			o.drop(e)
		}
	}
	return len(idle) > 0
}

func (o *Outbox) drop(e *entry) {
	delete(o.entries, e.id)
	delete(o.refs, e.ref)
	delete(o.dirty, e.id)
	o.active = slices.DeleteFunc(o.active, func(a *entry) bool { return a == e })
}

// activate adds a changed entry to the list of the workers, and makes room if the list is too long.
func (o *Outbox) activate(e *entry) {
	o.active = append(slices.DeleteFunc(o.active, func(a *entry) bool { return a == e }), e)
	slices.SortFunc(o.active, byRaising)
	if len(o.active) > 2*maxOpen {
		o.makeRoom()
	}
}

// makeRoom drops the oldest open alerts if there are too many. The page still has their findings.
func (o *Outbox) makeRoom() {
	live := 0
	for _, e := range o.active {
		if e.live() {
			live++
		}
	}
	for i := 0; live > maxOpen && i < len(o.active); {
		if e := o.active[i]; e.live() {
			o.drop(e)
			o.droppedAlerts++
			live--
			continue
		}
		i++
	}
}

// prune removes finished entries from the list of the workers.
func (o *Outbox) prune(now time.Time) {
	o.active = slices.DeleteFunc(o.active, func(e *entry) bool { return !e.live() && now.Sub(e.changed) > o.opt.Expire })
}

// Alerts returns the alerts that need a person, and those whose need ended within the time of expiry (at most 50), in
// the order of raising.
func (o *Outbox) Alerts() []Alert {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.absorb()
	now := o.opt.Now()
	o.prune(now)
	o.makeRoom()
	closed := 0
	for _, e := range o.active {
		if !e.live() {
			closed++
		}
	}
	list := make([]Alert, 0, len(o.active))
	for _, e := range o.active {
		if !e.live() {
			if closed--; closed >= maxShown {
				continue
			}
		}
		list = append(list, o.alert(e))
	}
	return list
}

// Alert returns the alert with that id, also a closed one as long as it is remembered.
func (o *Outbox) Alert(id string) (Alert, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.absorb()
	e := o.entries[id]
	if e == nil || e.version == 0 {
		return Alert{}, false
	}
	return o.alert(e), true
}

// Seen notes that a person has seen an alert: it is not escalated, and channels that have not delivered it yet need
// not. The error is ErrUnknown, or the journal's: in that case "seen" is in force and written as soon as possible, and
// a restart before that forgets it. Repeating the call changes nothing.
func (o *Outbox) Seen(ctx context.Context, id, by string) (Alert, error) {
	o.mu.Lock()
	o.absorb()
	e := o.entries[id]
	if e == nil || e.version == 0 {
		o.mu.Unlock()
		return Alert{}, ErrUnknown
	}
	return o.recordSeen(ctx, e, by)
}

// Ack is Seen by the holder of a token: the button of a notification. The error is ErrToken if no alert belongs to it,
// ErrOver if the alert needs no attention any more, or the journal's. The channel counts as the person.
func (o *Outbox) Ack(ctx context.Context, token string) (Alert, error) {
	ref, mac, ok := splitToken(token)
	if !ok {
		return Alert{}, ErrToken
	}
	o.mu.Lock()
	o.absorb()
	e := o.refs[ref]
	if e == nil || e.version == 0 {
		o.mu.Unlock()
		return Alert{}, ErrToken
	}
	channel, ok := o.holder(e, mac)
	if !ok {
		o.mu.Unlock()
		return Alert{}, ErrToken
	}
	if !e.live() {
		a := o.alert(e)
		o.mu.Unlock()
		return a, ErrOver
	}
	return o.recordSeen(ctx, e, channel)
}

// holder returns the channel that a token was made for.
func (o *Outbox) holder(e *entry, mac []byte) (string, bool) {
	for name := range o.workers {
		if hmac.Equal(mac, keyed(o.opt.Key, "ack", e.journal, e.id, name)[:macBytes]) {
			return name, true
		}
	}
	for name := range e.deliveries {
		if hmac.Equal(mac, keyed(o.opt.Key, "ack", e.journal, e.id, name)[:macBytes]) {
			return name, true
		}
	}
	return "", false
}

// recordSeen is called with the lock held and releases it. The record goes to the disk first; if that fails "seen" is
// in force all the same, because not waking a second arbiter for an alert that the first one has seen is the lesser
// evil. A repeated call reports again whether it is on the disk.
func (o *Outbox) recordSeen(ctx context.Context, e *entry, by string) (Alert, error) {
	if e.seen && !e.unsaved || !e.live() {
		defer o.mu.Unlock()
		return o.alert(e), nil
	}
	version, now := e.version, o.opt.Now()
	ev := event{
		Do: "alert", Finding: e.finding, Event: evSeen, Version: version, By: clean(by, longestName),
		RaisedMS: milliseconds(e.raised), WallMS: milliseconds(now),
	}
	board, was := e.board, e
	o.mu.Unlock()
	err := o.recorder.write(ctx, board, ev)
	o.mu.Lock()
	o.absorb()
	if e = o.present(e); e == o.entries[e.id] && e.live() && version >= e.opened {
		o.noteSeen(e, by, now)
		e.unsaved = err != nil
	}
	switch n := (note{board, was.journal, ev}); {
	case err == nil || !o.desks[board].of(n.journal):
	case o.recorder.inForce(err):
		o.recorder.keepUnsure(n)
	default:
		o.notes = append(o.notes, n) // it is written when it can be
	}
	a := o.alert(e)
	o.mu.Unlock()
	o.kick()
	if err != nil {
		return a, fmt.Errorf("write down that alert %s was seen: %w", a.ID, err)
	}
	return a, nil
}

// Notices returns facts about the channels that a person should know.
func (o *Outbox) Notices() []Notice {
	o.mu.Lock()
	defer o.mu.Unlock()
	later := time.Time{}
	return o.listNotices(o.opt.Now(), &later)
}
