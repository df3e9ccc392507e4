package watch

import (
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
)

// answers measures how late a board answers the program's own requests for its number and its position. An answer is
// measured only if no other request of its kind waited with it: two cannot be told apart, and one may have been lost.
// Nothing but the View depends on it.
type answers struct {
	number, position asked

	since int64 // µs: time of the first late answer in a row; 0: the last one was in time
	late  int64 // µs: of the last one
	count int   // in a row
}

// asked is one kind of request.
type asked struct {
	at      int64 // µs: time of the last one
	waiting int
	several bool // more than one has waited since none did
}

const (
	slowUS      = 1_000_000  // an answer is late after this time: timing.clock_lag, by default
	slowForUS   = 60_000_000 // late answers are reported when they have come for this time
	forgottenUS = 10_000_000 // a request without an answer for this time is forgotten
)

// sent notes a command to the board.
func (a *answers) sent(command byte, at int64) {
	k := &a.number
	switch dgt.Short(command) {
	case dgt.RequestBoard:
		k = &a.position
	case dgt.RequestSerial:
	default:
		return
	}
	if at-k.at > forgottenUS {
		*k = asked{}
	}
	k.at = at
	k.waiting++
	k.several = k.several || k.waiting > 1
}

// heard notes a message of the board.
func (a *answers) heard(id dgt.ID, at int64) {
	k := &a.number
	switch id {
	case dgt.MsgBoard:
		k = &a.position
	case dgt.MsgSerial:
	default:
		return
	}
	if k.waiting == 0 {
		return
	}
	k.waiting--
	if k.several {
		k.several = k.waiting > 0
		return
	}
	if a.late = at - k.at; a.late < slowUS {
		a.since, a.count = 0, 0
		return
	}
	if a.count++; a.since == 0 {
		a.since = at
	}
}

// step handles a record: commands to the board, and inputs after which nothing is known of the answers to come, because
// the link was lost, or this program was.
func (a *answers) step(r record.Record) {
	switch r.Kind {
	case record.Tx:
		for _, c := range r.Body {
			a.sent(c, r.At)
		}
	case record.Up, record.Down, record.Gap, record.Late:
		*a = answers{}
	}
}

// slow is how late the board answers, if it has done so for a minute; 0: it does not.
func (a *answers) slow(now int64) int64 {
	if a.count < 2 || now-a.since < slowForUS {
		return 0
	}
	return a.late
}
