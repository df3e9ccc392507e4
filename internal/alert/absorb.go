package alert

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// This file reads records. Whatever cannot be read says nothing.

// An input is a record on its way to the outbox.
type input struct {
	board string
	from  source
	r     record.Record // of a live Say only kind and body
	at    time.Time
}

type source uint8

const (
	fromJournal source = iota + 1 // read in recovery
	fromLoop                      // of the live loop
	fromEnd                       // recovery is complete
)

// A desk is what the outbox knows of one board.
type desk struct {
	held  bool      // its journal is being read: nothing is sent or concluded yet
	until time.Time // when held ends by itself
	wall  time.Time // the wall clock at …
	at    int64     // … this point of the journal's time line

	decision   *input // read, and not taken in before its answers were
	decisionAt time.Time
}

// holdFor is how long after the last record of a recovery the recovery is taken as complete, if nobody says so.
const holdFor = time.Second

// matters says whether a record can be about alerts. It is asked by the station's goroutine for every record.
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

// absorb takes in what is pending. The caller holds the lock.
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
		d = &desk{}
		o.desks[in.board] = d
	}
	at := in.at
	if in.from == fromJournal {
		d.held, d.until = true, in.at.Add(holdFor)
		if then := d.read(in.r); !then.IsZero() && then.Before(at) {
			at = then
		}
		if in.r.Kind != record.Say {
			o.answered(d)
		}
		if in.r.Kind == record.Decide {
			d.decision, d.decisionAt = &in, at
			return
		}
	} else if d.held {
		o.letGo(in.board, d)
	}
	switch in.r.Kind {
	case record.Say:
		o.heard(in.board, in.r.Body, at)
	case record.Decide:
		o.ruled(in, at)
	case record.Instruct:
		o.recalled(in, at)
	}
}

// letGo ends a board's hold. Of what was read nobody is told but what needs a person.
func (o *Outbox) letGo(board string, d *desk) {
	d.held = false
	o.answered(d)
	slices.SortFunc(o.active, byRaising) // records may have told better when it was
	for id := range o.dirty {
		if e := o.entries[id]; e == nil || e.board == board && !e.live() {
			delete(o.dirty, id)
		}
	}
}

// answered takes in the decision whose answers were read. The live loop tells a decision behind the machine's answers, a
// journal has it before them: both must count the same versions.
func (o *Outbox) answered(d *desk) {
	if in := d.decision; in != nil {
		d.decision = nil
		o.ruled(*in, d.decisionAt)
	}
}

// read follows the wall clock along the journal: the opening record has it, and a gap moves the time line without it.
func (d *desk) read(r record.Record) time.Time {
	switch r.Kind {
	case record.Open:
		var opening watch.Opening
		if json.Unmarshal(r.Body, &opening) == nil {
			if wall, err := time.Parse(time.RFC3339Nano, opening.Wall); err == nil {
				d.wall, d.at = wall, r.At
			}
		}
	case record.Gap:
		var gap watch.Annotation
		if json.Unmarshal(r.Body, &gap) == nil && gap.Away > 0 {
			d.at += gap.Away
		}
	}
	if d.wall.IsZero() {
		return time.Time{}
	}
	return d.wall.Add(time.Duration(r.At-d.at) * time.Microsecond)
}

// findingHead are the keys of a finding or a ruling (contract section 3) that the outbox reads.
type findingHead struct {
	Type     string   `json:"type"`
	ID       string   `json:"id"`      // of a finding
	Finding  string   `json:"finding"` // of a ruling
	Kind     string   `json:"kind"`
	State    string   `json:"state"`
	Alert    string   `json:"alert"`
	Articles []string `json:"articles"`
}

// longestRaw bounds the objects that are kept for channels that pass them on.
const longestRaw = 16 << 10

func raw(body []byte) json.RawMessage {
	if len(body) > longestRaw {
		return nil
	}
	return json.RawMessage(body)
}

func (o *Outbox) heard(board string, body []byte, at time.Time) {
	var h findingHead
	if json.Unmarshal(body, &h) != nil {
		return
	}
	switch {
	case h.Type == "finding" && h.ID != "":
		e := o.entry(board, h.ID, at)
		e.kind, e.state, e.class, e.articles, e.said = h.Kind, h.State, h.Alert, h.Articles, raw(body)
		if decided, there := decidedIn(body); there {
			e.decided, e.field = decided, true
		}
		o.settle(e, at)
	case h.Type == "ruling":
		if e := o.entries[ID(board, h.Finding)]; e != nil {
			e.ruling = raw(body)
		}
	}
}

// decidedIn tells what a finding says was decided, and whether it says so at all: journals of earlier programs do not.
func decidedIn(body []byte) (decided string, there bool) {
	var d struct {
		Decided json.RawMessage `json:"decided"`
	}
	if json.Unmarshal(body, &d) != nil || d.Decided == nil {
		// encoding/json gives null to a RawMessage as the four letters, so nil is a key that is missing.
		return "", false
	}
	_ = json.Unmarshal(d.Decided, &decided) // null leaves it empty
	return decided, true
}

// ruled takes in a decision. Where findings say themselves what was decided, an undo is theirs to tell.
func (o *Outbox) ruled(in input, at time.Time) {
	var d watch.Decision
	if json.Unmarshal(in.r.Body, &d) != nil {
		return
	}
	e := o.entries[ID(in.board, d.Finding)]
	if e == nil {
		return
	}
	switch d.Decision {
	case "confirm", "reject", "accident", "sensor", "unseen", later:
		e.decided = d.Decision
	case "undo":
		if e.field {
			return
		}
		e.decided = ""
	default:
		return
	}
	o.settle(e, at)
	if d.Decision != "undo" && e.seenBy == "" && e.version > 0 {
		e.seen, e.seenBy = true, clean(d.By, longestName)
		o.dirty[e.id] = true
	}
}

const longestName = 80

// An event is a record of the outbox's own: the body of an Instruct record that the core ignores.
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

// recalled takes in one of the outbox's own records. Live ones are known already, but for a "seen" that another part of
// the program wrote.
func (o *Outbox) recalled(in input, at time.Time) {
	var ev event
	if json.Unmarshal(in.r.Body, &ev) != nil || ev.Do != "alert" || ev.Version < 1 || ev.Version > maxVersion {
		return
	}
	e := o.entries[ID(in.board, ev.Finding)]
	if e == nil || e.version == 0 || in.from == fromLoop && ev.Event != evSeen {
		return
	}
	e.version = max(e.version, ev.Version)
	current := ev.Version >= e.opened
	wall := time.UnixMilli(ev.WallMS)
	if raised := time.UnixMilli(ev.RaisedMS); current && in.from == fromJournal && ev.RaisedMS > 0 && raised.Before(in.at) {
		e.raised = raised
	}
	switch {
	case ev.Event == evSent && ev.Channel != "":
		d := e.delivery(ev.Channel)
		d.version, d.state, d.at, d.problem = max(d.version, ev.Version), Sent, wall, ""
	case ev.Event == evGivenUp && ev.Channel != "":
		d := e.delivery(ev.Channel)
		d.gaveUp, d.state, d.at, d.problem = max(d.gaveUp, ev.Version), GivenUp, wall, clean(ev.Error, longestProblem)
	case ev.Event == evSeen && current && e.needs():
		o.saw(e, ev.By, at)
	case ev.Event == evEscalated && current:
		e.step = 2
	case ev.Event == evExpired && current:
		e.end()
	}
	o.dirty[e.id] = true
}

// maxVersion is beyond what a finding can reach; a number that is greater was not written here.
const maxVersion = 1 << 30

// saw notes that a person has seen an entry.
func (o *Outbox) saw(e *entry, by string, at time.Time) {
	if e.seen {
		return
	}
	e.seen, e.seenBy = true, clean(by, longestName)
	o.settle(e, at)
	o.dirty[e.id] = true
}

func (o *Outbox) settle(e *entry, at time.Time) {
	o.orders++
	opened := e.opened
	if !e.settle(at, o.orders) {
		return
	}
	o.dirty[e.id] = true
	o.raisedNew = o.raisedNew || e.opened != opened
	e.tidy()
	o.activate(e)
}
