package broadcast

import (
	"bytes"
	"encoding/json"
	"math"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// A Tape is the part of a board's journal on which its games depend. Its times are microseconds of board time since the
// journal began; in a simulation they run faster than real time.
type Tape struct {
	rate   int64 // of the board's time
	events []event

	at, shift int64 // of the latest record: its time in the journal, and the difference to the time that has passed
	away      int64 // an absence within the next record's time that only the wall clock shows
	opened    run   // the latest start of the program
	shownUpTo int64 // records up to this number were shown before the journal was read again
	last      int64 // number of the latest record
}

// A run is a start of the program, by the clock of the computer.
type run struct {
	boot   string
	uptime int64
	passed int64 // time of the tape at the start
}

// An event is a record from which games are made.
type event struct {
	seq  int64
	at   int64 // passed time
	kind record.Kind
	body []byte

	game, ply int // of a move; otherwise 0
	side      string
	gone      int64 // when the ply was taken back or replaced
}

// never is later than everything.
const never = math.MaxInt64

// NewTape returns an empty tape. Rate is how much faster than life the board's time runs; 0 is 1.
func NewTape(rate int64) *Tape { return &Tape{rate: max(rate, 1)} }

// Passed is the time of the latest record.
func (t *Tape) Passed() int64 { return t.at + t.shift }

// Reached notes that the board's journal has reached a time.
func (t *Tape) Reached(at int64) {
	if at <= t.at {
		return
	}
	t.shift -= min(t.away, at-t.at)
	t.at, t.away = at, 0
}

// Record takes an input or an output of the machine, in the order of the journal.
func (t *Tape) Record(r record.Record) {
	if r.Kind == record.Say {
		t.Reached(r.At)
		t.Said(r.Body)
		return
	}
	t.Reached(r.At)
	t.last = max(t.last, int64(r.Seq))
	switch r.Kind {
	case record.Open:
		t.open(r)
	case record.Gap:
		var a watch.Annotation
		if json.Unmarshal(r.Body, &a) == nil && a.Away > 0 {
			t.away = a.Away
		}
	case record.Instruct:
		if bytes.Contains(r.Body, []byte(`"names"`)) {
			t.add(event{seq: int64(r.Seq), kind: r.Kind, body: r.Body})
		}
	}
}

// open takes the opening record of a start; those of further segments add nothing.
func (t *Tape) open(r record.Record) {
	o, err := watch.ParseOpening(r.Body)
	if err != nil || o.Segment > 1 && o.Cause != "restart" {
		return
	}
	now := run{boot: o.Boot, uptime: o.Uptime, passed: t.Passed()}
	if now.boot != "" && now.boot == t.opened.boot && now.uptime > 0 && t.opened.uptime > 0 {
		now.passed = max(now.passed, t.opened.passed+(now.uptime-t.opened.uptime)*t.rate)
	}
	t.shift = now.passed - t.at
	t.opened = now
	t.add(event{seq: int64(r.Seq), kind: r.Kind, body: r.Body})
}

// Said takes an object of contract section 3, at the latest record's time.
func (t *Tape) Said(body []byte) {
	var s said.Any
	if json.Unmarshal(body, &s) != nil {
		return
	}
	t.last = max(t.last, s.Seq)
	e := event{seq: s.Seq, kind: record.Say, body: body}
	switch s.Type {
	case "game", "result":
	case "takeback":
		t.markGone(s.Game, s.Ply, math.MaxInt)
	case "move":
		if s.Corrects {
			t.markGone(s.Game, s.Ply-1, s.Ply)
		} else {
			t.markGone(s.Game, s.Ply-1, math.MaxInt)
		}
		e.game, e.ply, e.side = s.Game, s.Ply, s.Side
	case "press":
		if s.Judged != "ok_start" { // the first move's time begins there
			return
		}
	case "health":
		if s.What != "record_broken" && s.What != "not_known" && s.What != "filled" {
			return
		}
	default:
		return
	}
	t.add(e)
}

// markGone notes that the plies of a game after one, up to another, were taken back or replaced.
func (t *Tape) markGone(game, after, upTo int) {
	for i := range t.events {
		if e := &t.events[i]; e.ply > after && e.ply <= upTo && e.game == game && e.gone == never {
			e.gone = t.Passed()
		}
	}
}

func (t *Tape) add(e event) {
	e.at, e.gone, e.body = t.Passed(), never, bytes.Clone(e.body)
	t.events = append(t.events, e)
}
