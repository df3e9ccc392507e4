package alert

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"boardwatchd/internal/record"
)

// This file lets a board be opened again in the same process: its journal is read anew separately from the state shown,
// and replaces that state when it has been read to its end.

// Begin announces that a board's journal will be read from its first record on: the state of the board is rebuilt from
// the records that follow, and shown from Ready on. Until then nothing is sent, escalated or expired for the board, and
// the state shown stays as it was: for good, if the journal cannot be opened and Ready is never called. journal is the
// journal's name: finding ids begin again in each.
func (o *Outbox) Begin(board, journal string) {
	o.append(input{board: board, from: fromBegin, journal: journal, at: o.opt.Now()})
}

// Renamed reports that the files of a board's journal have another name than Begin received: another journal has that
// one, with findings of its own.
func (o *Outbox) Renamed(board, journal string) {
	o.append(input{board: board, from: fromRename, journal: journal, at: o.opt.Now()})
}

func (o *Outbox) rename(board string, d *boardState, journal string) {
	was := &d.journal
	if d.fresh != nil {
		was = &d.next
	}
	from := *was
	*was = journal
	for _, e := range o.entries {
		if e.board == board && e.journal == from {
			delete(o.refs, e.ref)
			e.journal, e.ref = journal, refOf(o.opt.Refs, journal, e.id)
			o.refs[e.ref] = e
		}
	}
	for _, e := range d.fresh {
		e.journal, e.ref = journal, refOf(o.opt.Refs, journal, e.id)
	}
	for i := range o.notes {
		o.notes[i].rename(board, from, journal)
	}
	o.recorder.rename(board, from, journal)
}

func (n *note) rename(board, from, to string) {
	if n.board == board && n.journal == from {
		n.journal = to
	}
}

// Ready reports that a board's recovery is complete.
func (o *Outbox) Ready(board string) {
	o.inbox.Lock()
	end := record.Record{At: o.reading(board).reached}
	o.inbox.Unlock()
	o.append(input{board: board, from: fromEnd, r: end, at: o.opt.Now()})
}

func (o *Outbox) begin(d *boardState, in input) {
	o.answered(in.board, d)
	*d = boardState{begun: true, held: true, journal: d.journal, next: in.journal, late: d.late, began: d.began, fresh: map[string]*entry{}}
}

// absorbRecovered processes inputs between Begin and Ready: records of the journal, and effects of the machine that
// were not written before.
func (o *Outbox) absorbRecovered(d *boardState, in input) {
	d.read(in.r)
	in.from, in.at = fromJournal, onLine(d.line)
	o.learn(d, in)
}

// endHold ends a board's hold. Of the entries read, only those that need a person are sent.
func (o *Outbox) endHold(board string, d *boardState) {
	o.answered(board, d)
	d.held = false
	o.wakeAll(o.opt.Now(), false)
	if d.fresh != nil {
		o.replace(board, d)
		return
	}
	slices.SortFunc(o.active, byRaising) // records may have given a more exact time
	for id := range o.dirty {
		if e := o.entries[id]; e == nil || e.board == board && !e.live() {
			delete(o.dirty, id)
		}
	}
}

// replace shows the rebuilt state instead of the old one.
func (o *Outbox) replace(board string, d *boardState) {
	fresh, began := d.fresh, o.opt.Now().Add(-onLine(d.line).Sub(onLine(0)))
	if d.journal != d.next || d.began.IsZero() || began.Before(d.began) {
		d.began = began
	}
	d.fresh, d.journal = nil, d.next
	for _, e := range fresh {
		e.date(d.began)
	}
	o.catchUp(board, d.journal, fresh)
	before := map[string]Alert{}
	for _, e := range o.entries {
		if e.board != board {
			continue
		}
		if f := fresh[e.id]; f != nil && f.journal == e.journal {
			f.keep(e)
		}
		if e.version > 0 {
			before[e.id] = o.alert(e)
		}
		if fresh[e.id] == nil && e.live() { // another journal, or one whose end was lost
			e.visible.state, e.visible.reason = Closed, "quiet"
			e.version++
			o.lapsed = append(o.lapsed, o.alert(e))
		}
		o.drop(e)
	}
	now := o.opt.Now()
	for id, e := range fresh {
		e.notShownYet = false
		o.entries[id], o.refs[e.ref] = e, e
		if e.version == 0 {
			continue
		}
		if e.live() || now.Sub(e.changed) <= o.opt.Expire {
			o.active = append(o.active, e)
		}
		was, known := before[id]
		e.late = e.late || d.late && !known
		if known && !reflect.DeepEqual(was, o.alert(e)) || !known && e.live() {
			o.dirty[id] = true
		}
	}
	slices.SortFunc(o.active, byRaising)
	slices.SortFunc(o.lapsed, func(a, b Alert) int { return cmp.Compare(a.RaisedMS, b.RaisedMS) })
	for len(o.entries) > maxOpen+maxKept && o.forget(o.entries) {
	}
}

// onLine is a point of a journal's time line, which is given in µs.
func onLine(at int64) time.Time { return time.UnixMicro(at) }

// date turns the times of an entry from the journal's time line into this program's clock. The time line alone says how
// long ago something was: the clock of the opening record may have been wrong. began is when the time line began, at
// the latest: the journal may end some time before now.
func (e *entry) date(began time.Time) {
	if !e.raisedRecorded {
		e.raised = began.Add(e.raised.Sub(onLine(0)))
	}
	e.changed = began.Add(e.changed.Sub(onLine(0)))
}

// keep takes over from the replaced entry what no record holds, and earlier times, which are more exact.
func (e *entry) keep(was *entry) {
	e.late = was.late
	if e.opened == was.opened && was.raised.Before(e.raised) {
		e.raised = was.raised
	}
	if e.version == was.version && was.changed.Before(e.changed) {
		e.changed = was.changed
	}
}

// catchUp takes over actions that are not in the journal that was read, so that they are neither repeated nor lost:
// they are written once more.
func (o *Outbox) catchUp(board, journal string, fresh map[string]*entry) {
	missing := func(n note) bool {
		e := fresh[ID(board, n.ev.Finding)]
		if n.journal != journal || e == nil || e.version == 0 || e.knows(n.ev) {
			return false
		}
		o.recall(e, n.ev, o.opt.Now(), fromJournal)
		return true
	}
	o.recorder.resume(board, journal, missing)
	o.notes = slices.DeleteFunc(o.notes, func(n note) bool { return n.board == board && !missing(n) })
}

// knows reports whether an event is already part of the entry.
func (e *entry) knows(ev event) bool {
	d := e.deliveries[ev.Channel]
	old := ev.Version < e.opened
	switch ev.Event {
	case evSent:
		return d != nil && d.version >= ev.Version
	case evGivenUp:
		return d != nil && d.gaveUp >= ev.Version
	case evSeen:
		return old || e.seen || !e.needs()
	case evEscalated:
		return old || e.step > 1
	case evExpired:
		return old || e.over
	}
	return true
}

// present returns the current entry for e: a board that was opened again has new entries.
func (o *Outbox) present(e *entry) *entry {
	if p := o.entries[e.id]; p != nil && p.journal == e.journal {
		return p
	}
	return e
}
