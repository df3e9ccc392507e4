package broadcast

import (
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/record"
)

// A Board hears one board, as a station tells it. One goroutine tells it; none of the calls waits.
type Board struct {
	caster *Caster
	name   string

	mu      sync.Mutex
	journal string
	tape    *Tape // what is shown; nil: nothing yet
	fresh   *Tape // is being read and takes its place when it is; nil: none is

	// The present: so much had passed at that moment of the monotonic clock.
	passed int64
	since  time.Duration

	next  int64 // when something else is due
	dirty bool  // something may be due that is not in sheet
	sheet Sheet
}

// begin reads a journal from its beginning.
func (b *Board) begin(journal string, rate int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fresh = NewTape(rate)
	if b.tape != nil && b.journal == journal {
		n, _ := b.tape.due(b.now(), b.delay())
		if n > 0 {
			b.fresh.shownUpTo = b.tape.events[n-1].seq
		}
	}
	b.journal = journal
}

// Renamed says that the files of the journal have another name than the caster was told.
func (b *Board) Renamed(journal string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.journal = journal
}

// hearing is the tape that gets what is said.
func (b *Board) hearing() *Tape {
	if b.fresh != nil {
		return b.fresh
	}
	return b.tape
}

// delay is that of the board's time.
func (b *Board) delay() int64 { return b.caster.opt.Delay.Microseconds() * b.hearing().rate }

// now is a time that has passed for certain.
func (b *Board) now() int64 {
	return b.passed + (b.caster.opt.Now()-b.since).Microseconds()*b.tape.rate
}

// Recovered takes a record of the journal that is read.
func (b *Board) Recovered(r record.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hearing().Record(r)
}

// Ready says that the journal was read to its end.
func (b *Board) Ready() {
	b.mu.Lock()
	if b.fresh != nil {
		b.tape, b.fresh = b.fresh, nil
		b.passed, b.since, b.dirty = b.tape.Passed(), b.caster.opt.Now(), true
	}
	b.mu.Unlock()
	b.caster.ready(b.name)
}

// Entered takes a record of the live loop.
func (b *Board) Entered(r record.Record) {
	b.hear(func(t *Tape) { t.Record(r) })
}

// Seen takes the time of the journal after a step.
func (b *Board) Seen(at int64) {
	b.mu.Lock()
	t := b.hearing()
	t.Reached(at)
	due := false
	if b.fresh == nil && t.Passed() > b.now() { // what comes from another computer may be late
		b.passed, b.since = t.Passed(), b.caster.opt.Now()
		due = b.passed >= b.next
	}
	b.mu.Unlock()
	if due {
		b.caster.poke()
	}
}

// Said takes an object of the machine in the live loop.
func (b *Board) Said(body []byte) {
	b.hear(func(t *Tape) { t.Said(body) })
}

// hear lets the tape take something, and Run look when it is due. What is due already is the same as before, but for a
// result that is reported at once.
func (b *Board) hear(take func(*Tape)) {
	b.mu.Lock()
	t := b.hearing()
	before := len(t.events)
	take(t)
	look := false
	if len(t.events) > before && b.fresh == nil {
		due := t.Passed() + b.delay()
		look = due < b.next || b.caster.opt.ResultAtOnce
		b.next = min(b.next, due)
		b.dirty = b.dirty || b.caster.opt.ResultAtOnce
	}
	b.mu.Unlock()
	if look {
		b.caster.poke()
	}
}

// update makes the sheet of what is due, if it may have changed. It returns whether it did, and when to call it again.
func (b *Board) update() (changed bool, wait time.Duration) {
	b.mu.Lock()
	if b.tape == nil {
		b.mu.Unlock()
		return false, time.Hour
	}
	now := b.now()
	changed = b.dirty || now >= b.next
	if !changed {
		defer b.mu.Unlock()
		return false, b.until(now)
	}
	tape := *b.tape
	tape.events = slices.Clone(tape.events)
	opt := &b.caster.opt
	terms := Terms{DelayUS: opt.Delay.Microseconds() * tape.rate, ResultAtOnce: opt.ResultAtOnce, Name: opt.Name}
	b.dirty = false
	b.mu.Unlock()

	sheet := tape.Due(now, terms) // takes milliseconds: the board does not wait for it

	b.mu.Lock()
	defer b.mu.Unlock()
	b.sheet, b.next = sheet, sheet.Next
	if n := len(tape.events); len(b.tape.events) > n { // meanwhile
		b.next = min(b.next, b.tape.events[n].at+terms.DelayUS)
	}
	return true, b.until(now)
}

// until is how long it takes until something else is due.
func (b *Board) until(now int64) time.Duration {
	if b.next == never {
		return time.Hour
	}
	wait := time.Duration((b.next-now)/b.tape.rate+1) * time.Microsecond
	return min(max(wait, time.Millisecond), time.Hour)
}

func (b *Board) due() Sheet {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sheet
}
