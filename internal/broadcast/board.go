package broadcast

import (
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/record"
)

// A Board is the listener of one board's station. One goroutine calls it; none of the calls waits.
type Board struct {
	caster *Caster
	name   string

	mu        sync.Mutex
	journal   string
	shownTape *Tape // the shown state; nil: none yet
	nextTape  *Tape // being read, and replaces tape then; nil: there is none

	// The present: this much board time had passed at that moment of the monotonic clock.
	passed int64
	since  time.Duration

	next  int64 // when something else becomes due
	dirty bool  // something may be due that is not in sheet
	sheet Sheet
}

// begin reads a journal from its beginning.
func (b *Board) begin(journal string, rate int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nextTape = NewTape(rate)
	if b.shownTape != nil && b.journal == journal {
		n, _ := b.shownTape.due(b.now(), b.delay())
		if n > 0 {
			b.nextTape.shownUpTo = b.shownTape.events[n-1].seq
		}
	}
	b.journal = journal
}

// Renamed reports another name of the journal's files than the one given to Add.
func (b *Board) Renamed(journal string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.journal = journal
}

// receivingTape is the tape that receives records now.
func (b *Board) receivingTape() *Tape {
	if b.nextTape != nil {
		return b.nextTape
	}
	return b.shownTape
}

// delay is the delay in the board's time.
func (b *Board) delay() int64 { return b.caster.opt.Delay.Microseconds() * b.receivingTape().rate }

// now is a lower bound of the board's present time.
func (b *Board) now() int64 {
	return b.passed + (b.caster.opt.Now()-b.since).Microseconds()*b.shownTape.rate
}

// Recovered takes a record of the journal that is being read.
func (b *Board) Recovered(r record.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receivingTape().Record(r)
}

// Ready reports that the journal was read to its end.
func (b *Board) Ready() {
	b.mu.Lock()
	if b.nextTape != nil {
		b.shownTape, b.nextTape = b.nextTape, nil
		b.passed, b.since, b.dirty = b.shownTape.Passed(), b.caster.opt.Now(), true
	}
	b.mu.Unlock()
	b.caster.ready(b.name)
}

// Entered takes a record of the live loop.
func (b *Board) Entered(r record.Record) {
	b.passOn(func(t *Tape) { t.Record(r) })
}

// Seen takes the journal's time after a step.
func (b *Board) Seen(at int64) {
	b.mu.Lock()
	t := b.receivingTape()
	t.Reached(at)
	due := false
	if b.nextTape == nil && t.Passed() > b.now() { // records of another computer may come late
		b.passed, b.since = t.Passed(), b.caster.opt.Now()
		due = b.passed >= b.next
	}
	b.mu.Unlock()
	if due {
		b.caster.poke()
	}
}

// Said takes an object from the machine's live loop.
func (b *Board) Said(body []byte) {
	b.passOn(func(t *Tape) { t.Said(body) })
}

// passOn passes a record to the tape and wakes Run when it becomes due. The games that are due do not change at once,
// except for a result that is not delayed.
func (b *Board) passOn(take func(*Tape)) {
	b.mu.Lock()
	t := b.receivingTape()
	before := len(t.events)
	take(t)
	look := false
	if len(t.events) > before && b.nextTape == nil {
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

// update makes the sheet of what is due, if it may have changed. It reports whether it did, and when to call it again.
func (b *Board) update() (changed bool, wait time.Duration) {
	b.mu.Lock()
	if b.shownTape == nil {
		b.mu.Unlock()
		return false, time.Hour
	}
	now := b.now()
	changed = b.dirty || now >= b.next
	if !changed {
		defer b.mu.Unlock()
		return false, b.until(now)
	}
	tape := *b.shownTape
	tape.events = slices.Clone(tape.events)
	opt := &b.caster.opt
	terms := Terms{DelayUS: opt.Delay.Microseconds() * tape.rate, ResultAtOnce: opt.ResultAtOnce, Name: opt.Name}
	b.dirty = false
	b.mu.Unlock()

	sheet := tape.Due(now, terms) // takes milliseconds: without the lock, so that the board does not wait

	b.mu.Lock()
	defer b.mu.Unlock()
	b.sheet, b.next = sheet, sheet.Next
	if n := len(tape.events); len(b.shownTape.events) > n { // records have come meanwhile
		b.next = min(b.next, b.shownTape.events[n].at+terms.DelayUS)
	}
	return true, b.until(now)
}

// until is the time until something else becomes due.
func (b *Board) until(now int64) time.Duration {
	if b.next == never {
		return time.Hour
	}
	wait := time.Duration((b.next-now)/b.shownTape.rate+1) * time.Microsecond
	return min(max(wait, time.Millisecond), time.Hour)
}

func (b *Board) due() Sheet {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sheet
}
