package alert

import (
	"encoding/json"
	"sort"
	"time"
)

// An entry is one finding and what people know of it. It belongs to the outbox's lock.
type entry struct {
	id, ref        string
	board, finding string
	journal        string // the board's, by name; "": nobody told it
	kind           string
	order          int64 // of the last raising among those of the same time
	loose          bool  // it is being rebuilt and not shown yet

	state    string // of the finding, as said last
	class    string // its alert class
	level    string // its class while it was an alert
	decided  string // the decision in force
	field    bool   // the finding says itself what was decided
	articles []string
	said     json.RawMessage
	ruling   json.RawMessage

	version int // 0: never raised
	opened  int // the version with which it was raised last
	shut    int // the version with which it closed last
	face    face
	raised  time.Time
	changed time.Time // of version
	seen    bool
	seenBy  string
	unsaved bool // that it was seen is perhaps not on the disk
	step    int
	late    bool // it was raised when the board could not be heard
	over    bool // it stood open for the whole time of expiry

	deliveries map[string]*delivery
}

// A face is what a version shows: when it changes, so does the version.
type face struct{ state, reason, level, kind string }

// A delivery is what one channel knows of an entry.
type delivery struct {
	version int // told last; 0: none
	gaveUp  int // the version that was given up; 0: none
	state   string
	at      time.Time
	problem string
	fails   int       // attempts that failed on this message alone
	next    time.Time // not before
}

// live says that a person is needed.
func (e *entry) live() bool { return e.needs() && e.version > 0 }

func (e *entry) needs() bool {
	return e.state == "confirmed" && (e.class == Now || e.class == Advise) && (e.decided == "" || e.decided == later)
}

const later = "later"

// look is the face that the entry has now.
func (e *entry) look() face {
	f := face{state: Closed, level: e.level, kind: e.kind}
	switch {
	case e.needs():
		if f.state = Open; e.seen {
			f.state = Seen
		}
	case e.decided != "" && e.decided != later:
		f.state, f.reason = Decided, e.decided
	case e.state == Withdrawn, e.state == Expired:
		f.reason = e.state
	default:
		f.reason = "quiet"
	}
	return f
}

// settle brings version and face up to date after a change and tells whether they changed.
func (e *entry) settle(at time.Time, order int64) bool {
	if e.needs() {
		if e.level = e.class; e.version == 0 || e.face.state == Decided || e.face.state == Closed {
			e.raised, e.opened, e.order = at, e.version+1, order
			e.seen, e.seenBy, e.over, e.step = false, "", false, 1
		}
		if e.decided == later && !e.seen {
			e.seen = true
		}
	} else if e.version == 0 {
		return false
	}
	f := e.look()
	if f == e.face {
		return false
	}
	e.version++
	if e.face.state == Open || e.face.state == Seen {
		if !e.needs() {
			e.shut = e.version
		}
	}
	e.face, e.changed = f, at
	return true
}

// end ends an alert's time: who has not the newest version is told no more.
func (e *entry) end() {
	e.over = true
	for _, d := range e.deliveries {
		if d.version < e.version {
			d.state = GivenUp
		}
	}
}

// tidy forgets the attempts that failed once nobody has to be told any more.
func (e *entry) tidy() {
	if e.face.state == Open || e.face.reason == Expired && !e.seen {
		return
	}
	for name, d := range e.deliveries {
		if d.version < e.opened && d.state == Failed {
			switch {
			case d.version == 0 && d.gaveUp == 0:
				delete(e.deliveries, name)
			case d.gaveUp > d.version:
				d.state = GivenUp
			default:
				d.state = Sent
			}
		}
	}
}

func (e *entry) delivery(channel string) *delivery {
	d := e.deliveries[channel]
	if d == nil {
		d = &delivery{state: Waiting}
		if e.deliveries == nil {
			e.deliveries = map[string]*delivery{}
		}
		e.deliveries[channel] = d
	}
	return d
}

// alert is the entry as the page shows it.
func (o *Outbox) alert(e *entry) Alert {
	a := Alert{
		ID: e.id, Ref: e.ref, Board: e.board, Finding: e.finding, Kind: e.kind, Level: e.face.level, State: e.face.state,
		Reason: e.face.reason, Step: e.step, RaisedMS: milliseconds(e.raised), Over: e.over, Late: e.late, Version: e.version,
		Text: o.title(e), Channels: []Delivery{},
	}
	if e.seen {
		by := e.seenBy
		a.SeenBy = &by
	}
	for name, d := range e.deliveries {
		a.Channels = append(a.Channels, Delivery{name, d.state, milliseconds(d.at), d.problem})
	}
	if e.face.state == Open && !e.over {
		for name, w := range o.workers {
			if e.deliveries[name] == nil && w.wants(e) {
				a.Channels = append(a.Channels, Delivery{Channel: name, State: Waiting})
			}
		}
	}
	sort.Slice(a.Channels, func(i, j int) bool { return a.Channels[i].Channel < a.Channels[j].Channel })
	return a
}
