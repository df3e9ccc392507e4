package alert

import (
	"encoding/json"
	"sort"
	"time"
)

// An entry is one finding with what people did about it. The outbox's lock guards it.
type entry struct {
	id, ref        string
	board, finding string
	journal        string // name of the board's journal; "": not known
	kind           string
	order          int64 // sequence of the last raising among those of the same time
	notShownYet    bool  // it is being rebuilt and not shown yet

	state             string // of the finding, as last reported
	class             string // its alert class
	level             string // its class while it was an alert
	decided           string // the decision in force
	decisionInFinding bool   // the decision stands in the finding itself
	articles          []string
	said              json.RawMessage
	ruling            json.RawMessage

	version        int // 0: never raised
	opened         int // the version with which it was last raised
	closedVersion  int // the version with which it last closed
	visible        visible
	raised         time.Time // while a journal is read, on its time line
	changed        time.Time // time of version; likewise
	raisedRecorded bool      // raised is the time in a record of the outbox
	seen           bool
	seenBy         string
	unsaved        bool // the record that it was seen may not be on the disk
	step           int
	late           bool // it was raised while the board had no connection
	over           bool // it was open for the whole time of expiry

	deliveries map[string]*delivery
}

// A visible is the visible content of a version: when it changes, so does the version.
type visible struct{ state, reason, level, kind string }

// A delivery is the state of an entry on one channel.
type delivery struct {
	version int // last delivered; 0: none
	gaveUp  int // the version that was given up; 0: none
	state   string
	at      time.Time
	problem string
	fails   int       // failed attempts of this message alone
	next    time.Time // no attempt before
}

// live reports whether the alert needs a person.
func (e *entry) live() bool { return e.needs() && e.version > 0 }

func (e *entry) needs() bool {
	return e.state == "confirmed" && (e.class == Now || e.class == Advise) && (e.decided == "" || e.decided == later)
}

const later = "later"

// currentVisible returns the visible content of the entry now.
func (e *entry) currentVisible() visible {
	f := visible{state: Closed, level: e.level, kind: e.kind}
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

// updateVersion updates version and visible content after a change and reports whether they changed.
func (e *entry) updateVersion(at time.Time, order int64) bool {
	if e.needs() {
		if e.level = e.class; e.version == 0 || e.visible.state == Decided || e.visible.state == Closed {
			e.raised, e.opened, e.order = at, e.version+1, order
			e.seen, e.seenBy, e.over, e.step, e.raisedRecorded = false, "", false, 1, false
		}
		if e.decided == later && !e.seen {
			e.seen = true
		}
	} else if e.version == 0 {
		return false
	}
	f := e.currentVisible()
	if f == e.visible {
		return false
	}
	e.version++
	if e.visible.state == Open || e.visible.state == Seen {
		if !e.needs() {
			e.closedVersion = e.version
		}
	}
	e.visible, e.changed = f, at
	return true
}

// stopDelivery ends an alert's time: channels without the newest version do not receive it any more.
func (e *entry) stopDelivery() {
	e.over = true
	for _, d := range e.deliveries {
		if d.version < e.version {
			d.state = GivenUp
		}
	}
}

// resetAttempts forgets failed attempts once no channel has to receive the alert any more.
func (e *entry) resetAttempts() {
	if e.visible.state == Open || e.visible.reason == Expired && !e.seen {
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

// alert returns the entry as the page shows it.
func (o *Outbox) alert(e *entry) Alert {
	a := Alert{
		ID: e.id, Ref: e.ref, Board: e.board, Finding: e.finding, Kind: e.kind, Level: e.visible.level, State: e.visible.state,
		Reason: e.visible.reason, Step: e.step, RaisedMS: milliseconds(e.raised), Over: e.over, Late: e.late, Version: e.version,
		Text: o.title(e), Channels: []Delivery{},
	}
	if e.seen {
		by := e.seenBy
		a.SeenBy = &by
	}
	for name, d := range e.deliveries {
		a.Channels = append(a.Channels, Delivery{name, d.state, milliseconds(d.at), d.problem})
	}
	if e.visible.state == Open && !e.over {
		for name, w := range o.workers {
			if e.deliveries[name] == nil && w.wants(e) {
				a.Channels = append(a.Channels, Delivery{Channel: name, State: Waiting})
			}
		}
	}
	sort.Slice(a.Channels, func(i, j int) bool { return a.Channels[i].Channel < a.Channels[j].Channel })
	return a
}
