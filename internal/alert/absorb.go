package alert

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// This file reads records. A record that cannot be read is ignored.

// An input is a record on its way to the outbox.
type input struct {
	board   string
	from    source
	r       record.Record // of a live Say only kind and body
	at      time.Time
	journal string // of fromBegin and fromRename
	late    bool   // of fromLate
}

type source uint8

const (
	fromJournal source = iota + 1 // read in recovery
	fromLoop                      // of the live loop
	fromBegin                     // recovery begins
	fromEnd                       // recovery is complete
	fromLate                      // the following records are late, or no longer
	fromRename                    // the journal that is written has another name
)

// A boardState is the outbox's state for one board.
type boardState struct {
	late  bool      // its present output was produced while the board had no connection
	held  bool      // its journal is being read: nothing is sent or concluded yet
	until time.Time // time at which held ends by itself; not used after Begin

	begun   bool              // Begin was called
	journal string            // the journal of the entries shown
	next    string            // the journal that is being read
	fresh   map[string]*entry // entries rebuilt from it, by id; nil: no journal is being read after a Begin
	line    int64             // how far its time line was read, in µs
	began   time.Time         // when the time line of the journal shown began, at the latest

	ruling   *watch.Decision // a decision, applied together with the answer to it
	ruledAt  time.Time
	ruledOff time.Time // live: time after which no answer to it will come
}

// holdFor is the time after the last record of a recovery after which the recovery counts as complete, if neither Ready
// nor Begin was called.
const holdFor = time.Second

// matters reports whether a record can be about alerts. The station's goroutine calls it for every record.
func matters(r record.Record) bool {
	switch r.Kind {
	case record.Open, record.Gap, record.Decide:
		return true
	case record.Instruct:
		return bytes.Contains(r.Body, []byte(`"alert"`))
	case record.Say:
		return bytes.Contains(r.Body, []byte(`"finding"`))
	}
	return false
}

// absorb processes the pending inputs. The caller holds the lock.
func (o *Outbox) absorb() {
	o.inbox.Lock()
	list := o.pending
	o.pending = nil
	o.inbox.Unlock()
	for _, in := range list {
		o.take(in)
	}
}

func (o *Outbox) take(in input) {
	d := o.desks[in.board]
	if d == nil {
		d = &boardState{}
		o.desks[in.board] = d
	}
	switch {
	case in.from == fromBegin:
		o.begin(d, in)
	case in.from == fromEnd:
		if d.held {
			d.read(in.r)
			o.endHold(in.board, d)
		}
	case in.from == fromLate:
		d.late = in.late
	case in.from == fromRename:
		o.rename(in.board, d, in.journal)
	case d.fresh != nil:
		o.absorbRecovered(d, in)
	case in.from == fromJournal && d.begun:
		// The station also reports the openings and gaps of its live loop through this callback.
	case in.from == fromJournal:
		d.held, d.until = true, in.at.Add(holdFor)
		o.learn(d, in)
	default:
		if d.held {
			o.endHold(in.board, d)
		}
		o.learn(d, in)
	}
}

// learn processes a record at the time that in gives.
func (o *Outbox) learn(d *boardState, in input) {
	if in.r.Kind != record.Say {
		o.answered(in.board, d)
	}
	switch in.r.Kind {
	case record.Say:
		o.heard(d, in)
	case record.Decide:
		var dec watch.Decision
		if json.Unmarshal(in.r.Body, &dec) == nil {
			d.ruling, d.ruledAt, d.ruledOff = &dec, in.at, in.at.Add(together)
		}
	case record.Instruct:
		o.recalled(d, in)
	}
}

// answered processes a decision to which the machine gave no answer.
func (o *Outbox) answered(board string, d *boardState) {
	dec := d.ruling
	if dec == nil {
		return
	}
	d.ruling = nil
	if e := o.find(d, ID(board, dec.Finding)); e != nil && e.decide(dec) {
		o.settle(e, d.ruledAt)
		o.decidedBy(e, dec)
	}
}

// find returns the entry of an id, among those that are being rebuilt if the board's journal is being read.
func (o *Outbox) find(d *boardState, id string) *entry {
	if d.fresh != nil {
		return d.fresh[id]
	}
	return o.entries[id]
}

// read follows the time line of the journal that is read. A gap moves it by the time for which the board was not
// watched.
func (d *boardState) read(r record.Record) {
	d.line = max(d.line, r.At)
	var gap watch.Annotation
	if r.Kind == record.Gap && json.Unmarshal(r.Body, &gap) == nil && gap.Away > 0 {
		d.line = max(d.line, r.At+gap.Away)
	}
}

// longestRaw bounds the objects that are kept for channels that pass them on.
const longestRaw = 16 << 10

func raw(body []byte) json.RawMessage {
	if len(body) > longestRaw {
		return nil
	}
	return json.RawMessage(body)
}

func (o *Outbox) heard(d *boardState, in input) {
	var h said.Brief
	body := in.r.Body
	if said.ReadBrief(body, &h) != nil {
		return
	}
	switch {
	case h.Type == "finding" && h.ID != "":
		var more struct {
			Articles []string `json:"articles"`
		}
		if json.Unmarshal(body, &more) != nil {
			return
		}
		e := o.entry(d, in.board, h.ID, in.at)
		// The station reports a decision, and then the machine's answer to it; a journal has the same order. Both
		// together are one change.
		dec := d.ruling
		if dec != nil && dec.Finding == h.ID {
			d.ruling = nil
			if !e.decide(dec) {
				dec = nil
			}
		} else {
			dec = nil
		}
		e.kind, e.state, e.class, e.articles, e.said = string(h.Kind), h.State, h.Alert, more.Articles, raw(body)
		if h.Decided != nil { // journals of earlier programs do not contain it
			e.decided, e.decisionInFinding = h.Decision(), true
		}
		opened := e.opened
		o.settle(e, in.at)
		if e.opened != opened {
			e.late = d.late && in.from == fromLoop
		}
		if dec != nil {
			o.decidedBy(e, dec)
		}
	case h.Type == "ruling":
		if e := o.find(d, ID(in.board, h.Finding)); e != nil {
			e.ruling = raw(body)
		}
	}
}

// decide notes the decision's value, and reports whether there is one. If findings themselves state their decision, an
// undo is taken from them.
func (e *entry) decide(d *watch.Decision) bool {
	switch d.Decision {
	case "confirm", "reject", "accident", "sensor", "unseen", later:
		e.decided = d.Decision
	case "undo":
		if e.decisionInFinding {
			return false
		}
		e.decided = ""
	default:
		return false
	}
	return true
}

// decidedBy notes that the person who decided has seen the alert.
func (o *Outbox) decidedBy(e *entry, d *watch.Decision) {
	if d.Decision != "undo" && e.seenBy == "" && e.version > 0 {
		e.seen, e.seenBy = true, clean(o.opt.Said(cmp.Or(d.By, d.Device)), longestName)
		o.changed(e)
	}
}

const longestName = 80

// An event is a record of the outbox itself: the body of an Instruct record that the core ignores.
type event struct {
	Do       string `json:"do"` // alert
	Finding  string `json:"finding"`
	Event    string `json:"event"` // sent, seen, escalated, expired, given_up
	Channel  string `json:"channel,omitempty"`
	Version  int    `json:"version"`
	By       string `json:"by,omitempty"`
	Error    string `json:"error,omitempty"`
	RaisedMS int64  `json:"raised_ms"`
	WallMS   int64  `json:"wall_ms"`
}

const (
	evSent      = "sent"
	evSeen      = "seen"
	evEscalated = "escalated"
	evExpired   = "expired"
	evGivenUp   = "given_up"
)

// recalled processes one of the outbox's own records. Live ones are known already, except a "seen" written by another
// part of the program, and the records of another outbox.
func (o *Outbox) recalled(d *boardState, in input) {
	var ev event
	if json.Unmarshal(in.r.Body, &ev) != nil || ev.Do != "alert" || ev.Version < 1 || ev.Version > maxVersion {
		return
	}
	e := o.find(d, ID(in.board, ev.Finding))
	if e == nil || e.version == 0 || in.from == fromLoop && ev.Event != evSeen && e.knows(ev) {
		return
	}
	o.recall(e, ev, in.at, in.from)
}

func (o *Outbox) recall(e *entry, ev event, at time.Time, from source) {
	e.version = max(e.version, ev.Version)
	current := ev.Version >= e.opened
	wall := time.UnixMilli(ev.WallMS)
	raised := time.UnixMilli(ev.RaisedMS)
	reached := ev.Event == evSent || ev.Event == evSeen || ev.Event == evExpired // it was not over before
	if current && from == fromJournal && reached && ev.RaisedMS > 0 && raised.Before(o.opt.Now()) {
		e.raised, e.raisedRecorded = raised, true
	}
	switch {
	case ev.Event == evSent && o.remembers(e, ev.Channel):
		d := e.delivery(ev.Channel)
		d.version, d.state, d.at, d.problem = max(d.version, ev.Version), Sent, wall, ""
	case ev.Event == evGivenUp && o.remembers(e, ev.Channel):
		d := e.delivery(ev.Channel)
		d.gaveUp, d.state, d.at, d.problem = max(d.gaveUp, ev.Version), GivenUp, wall, clean(ev.Error, longestProblem)
	case ev.Event == evSeen && current && e.needs():
		o.noteSeen(e, ev.By, at)
	case ev.Event == evEscalated && current:
		e.step = 2
	case ev.Event == evExpired && current:
		e.stopDelivery()
	}
	o.changed(e)
}

// maxStrangers bounds the channels of a journal that an entry remembers: the names in it are arbitrary. A channel that
// is attached is always remembered.
const maxStrangers = 512

func (o *Outbox) remembers(e *entry, channel string) bool {
	if channel == "" || e.deliveries[channel] != nil || o.workers[channel] != nil {
		return channel != ""
	}
	return len(e.deliveries) < maxStrangers && len(channel) <= longestChannel
}

// longestChannel bounds the name of a channel from a journal, in bytes.
const longestChannel = 256

// maxVersion is higher than any real version of a finding; a greater number was not written by this program.
const maxVersion = 1 << 30

// noteSeen notes that a person has seen the alert of an entry.
func (o *Outbox) noteSeen(e *entry, by string, at time.Time) {
	if e.seen {
		return
	}
	e.seen, e.seenBy = true, clean(o.opt.Said(by), longestName)
	o.settle(e, at)
	o.changed(e)
}

func (o *Outbox) settle(e *entry, at time.Time) {
	o.orders++
	opened := e.opened
	if !e.updateVersion(at, o.orders) {
		return
	}
	e.resetAttempts()
	if e.notShownYet {
		return
	}
	o.changed(e)
	o.raisedNew = o.raisedNew || e.opened != opened
	o.activate(e)
}
