package alert

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/record"
)

// Options configure an outbox.
type Options struct {
	Channels []Configured
	Journal  Journal // nil: nothing is written, and a restart forgets
	// InForce reports whether an error of Journal means: accepted, and not on the disk yet. Such a record is not
	// written again. Nil: no error does.
	InForce func(error) bool
	// Unwatched reports whether an error of Journal means: the board is not watched at present. Its records are kept
	// until it is. Nil: no error does.
	Unwatched func(error) bool
	Now       func() time.Time // nil: time.Now
	Escalate  time.Duration    // 0: never
	Expire    time.Duration    // 0: 10 minutes
	Wording   string           // "full", or "look" (also "")
	Language  string
	URL       func() string   // the page's address; nil or "": messages have no links
	Changed   func(Alert)     // called from Run, in order; must not block
	Noticed   func([]Notice)  // called from Run when Notices has changed; must not block
	Gone      func(ch string) // called when a channel returned ErrGone and is not used any more; must not block
	// Said returns the text for an id of a journal, or its argument; nil: its argument.
	Said func(string) string
	// Table is the board's name for people; nil: its own name.
	Table func(board string) string
	// Silent begins with all boards silenced: see Silence.
	Silent bool
	// Refs makes Message.Ref if two outboxes have to produce the same ones; empty: Key does.
	Refs []byte
	Key  []byte // for tokens and refs, see LoadKey; empty: a random one
	Log  zerolog.Logger
}

// The bounds of the outbox.
const (
	maxOpen    = 1000 // alerts that need a person; beyond it the oldest are dropped
	maxKept    = 2000 // findings without need of attention that are remembered, because they may be raised again
	maxPending = 4096 // records that wait to be processed; beyond it the caller processes them itself
	maxShown   = 50   // closed alerts that Alerts still returns
)

const (
	defaultExpire = 10 * time.Minute
	sendTimeout   = 10 * time.Second
	// together is the time for which a new version waits for related output: the ruling, a withdrawal.
	together = 30 * time.Millisecond
	// stopWait is the time for which Run waits for channels that ignore their context.
	stopWait = 3 * time.Second
)

// An Outbox holds the alerts of all boards. Its methods may be called from any goroutine.
type Outbox struct {
	opt  Options
	wake chan struct{} // inputs are pending

	inbox    sync.Mutex // guards the next three; held for an append
	pending  []input
	readings map[string]*reading // by board, while journals are read

	mu            sync.Mutex // guards the rest; held for short work in memory, never across I/O
	desks         map[string]*boardState
	entries       map[string]*entry // by id
	refs          map[string]*entry
	active        []*entry        // raised, and live or recently changed; in the order of raising
	silent        map[string]bool // by board, if different from Options.Silent
	orders        int64
	raisedNew     bool // an alert was raised since the last round
	dirty         map[string]bool
	workers       map[string]*worker
	notes         []note  // to be written into journals
	lapsed        []Alert // of another journal than the present one; to be reported once
	droppedAlerts int     // number of dropped alerts
	notices       []Notice
	ctx           context.Context // of Run; nil: not running
	running       sync.WaitGroup  // workers
	recorder      *recorder
}

// A note is an event to be written to a board's journal.
type note struct {
	board, journal string
	ev             event
}

// New makes an outbox. Nothing is sent before Run.
func New(opt Options) *Outbox {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Table == nil {
		opt.Table = func(board string) string { return board }
	}
	if opt.Said == nil {
		opt.Said = func(s string) string { return s }
	}
	if opt.Expire <= 0 {
		opt.Expire = defaultExpire
	}
	if len(opt.Key) == 0 {
		opt.Key = make([]byte, keyBytes)
		_, _ = rand.Read(opt.Key) // never fails
	}
	if len(opt.Refs) == 0 {
		opt.Refs = opt.Key
	}
	o := &Outbox{
		silent: map[string]bool{},
		opt:    opt, wake: make(chan struct{}, 1), desks: map[string]*boardState{}, entries: map[string]*entry{}, refs: map[string]*entry{},
		dirty: map[string]bool{}, readings: map[string]*reading{}, workers: map[string]*worker{},
	}
	o.recorder = newRecorder(opt, o.kick)
	for _, c := range opt.Channels {
		o.Attach(c)
	}
	return o
}

// Recovered takes a record of a journal that is being read, in order, between Begin and Ready. Without a Begin for the
// board, nothing is sent until Ready, or the first Said or Entered, or a second without a record.
func (o *Outbox) Recovered(board string, r record.Record) { o.put(board, fromJournal, r) }

// Said takes the body of a Say record of the live loop.
func (o *Outbox) Said(board string, body []byte) {
	o.put(board, fromLoop, record.Record{Kind: record.Say, Body: body})
}

// Entered takes an Instruct or Decide record of the live loop, before the machine's answer to it is Said.
func (o *Outbox) Entered(board string, r record.Record) { o.put(board, fromLoop, r) }

func (o *Outbox) put(board string, from source, r record.Record) {
	if from == fromJournal && !o.reads(board, r) || from != fromJournal && !matters(r) {
		return
	}
	r.Body = slices.Clone(r.Body)
	o.append(input{board: board, from: from, r: r, at: o.opt.Now()})
}

// reads takes a record that is read, and reports whether it is needed: it matters, or it ends the answers to a decision
// that was read before it.
func (o *Outbox) reads(board string, r record.Record) bool {
	needed := matters(r)
	o.inbox.Lock()
	defer o.inbox.Unlock()
	d := o.reading(board)
	d.reached = r.At
	return needed || r.Kind.Input() && d.deciding
}

// A reading is how far the journal of a board was read.
type reading struct {
	reached  int64 // on the time line
	deciding bool  // the last input was a decision
}

// reading returns the reading of a board. The caller holds inbox.
func (o *Outbox) reading(board string) *reading {
	d := o.readings[board]
	if d == nil {
		d = &reading{}
		o.readings[board] = d
	}
	return d
}

func (o *Outbox) append(in input) {
	o.inbox.Lock()
	o.pending = append(o.pending, in)
	if in.from == fromJournal && in.r.Kind.Input() {
		o.reading(in.board).deciding = in.r.Kind == record.Decide
	}
	if in.from == fromBegin || in.from == fromEnd {
		delete(o.readings, in.board)
	}
	full := len(o.pending) >= maxPending
	o.inbox.Unlock()
	if full {
		o.mu.Lock()
		o.absorb()
		o.mu.Unlock()
	}
	o.kick()
}

func (o *Outbox) kick() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// errRuns means that Run was called twice.
var errRuns = errors.New("alert: the outbox runs already")

// Run sends, escalates and expires until ctx ends; then it waits for its goroutines, a few seconds at most.
func (o *Outbox) Run(ctx context.Context) error {
	o.mu.Lock()
	if o.ctx != nil {
		o.mu.Unlock()
		return errRuns
	}
	o.ctx = ctx
	for _, w := range o.workers {
		o.start(w)
	}
	o.mu.Unlock()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			o.round()
			return o.stop()
		case <-o.wake:
		case <-timer.C:
		}
		timer.Reset(o.round())
	}
}

// stop waits for the workers and for the remaining records.
func (o *Outbox) stop() error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.running.Wait()
		o.flush()
		o.recorder.finish(stopWait)
	}()
	limit := time.NewTimer(2 * stopWait)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		o.opt.Log.Warn().Msg("a channel does not end; going on without it")
	}
	return nil
}

// flush passes the last notes to the recorder.
func (o *Outbox) flush() {
	o.mu.Lock()
	notes := o.notes
	o.notes = nil
	o.mu.Unlock()
	for _, n := range notes {
		o.recorder.add(n)
	}
}

// longestRest bounds the sleep of the loop.
const longestRest = time.Minute

// round does the work that is due and returns the time until the next.
func (o *Outbox) round() time.Duration {
	o.mu.Lock()
	o.absorb()
	now := o.opt.Now()
	next := now.Add(longestRest)
	o.release(now, &next)
	o.watchTime(now, &next)
	o.makeRoom()
	o.prune(now)
	changed := o.takeDirty()
	if len(changed) > 0 {
		o.wakeAll(now, o.raisedNew)
		o.raisedNew = false
	}
	notices, told := o.listNotices(now, &next), false
	if !slices.EqualFunc(notices, o.notices, Notice.equal) {
		o.notices, told = notices, true
	}
	notes := o.notes
	o.notes = nil
	o.mu.Unlock()

	for _, n := range notes {
		o.recorder.add(n)
	}
	if o.opt.Changed != nil {
		for _, a := range changed {
			o.opt.Changed(a)
		}
	}
	if told && o.opt.Noticed != nil {
		o.opt.Noticed(slices.Clone(notices))
	}
	return max(next.Sub(now), time.Millisecond)
}

// release ends the hold of boards whose journal has been read, and the wait for the answer to a decision.
func (o *Outbox) release(now time.Time, next *time.Time) {
	for board, d := range o.desks {
		if d.ruling != nil && !d.held {
			if now.Before(d.ruledOff) {
				sooner(next, d.ruledOff)
			} else {
				o.answered(board, d)
			}
		}
		if !d.held || d.fresh != nil {
			continue
		}
		if now.Before(d.until) {
			sooner(next, d.until)
			continue
		}
		o.endHold(board, d)
	}
}

// watchTime escalates and expires alerts.
func (o *Outbox) watchTime(now time.Time, next *time.Time) {
	for _, e := range o.active {
		if !e.live() || e.over || o.desks[e.board].held || o.mute(e.board) {
			continue
		}
		if end := e.raised.Add(o.opt.Expire); now.Before(end) {
			sooner(next, end)
		} else {
			o.expire(e, now)
			continue
		}
		if e.step > 1 || e.seen || e.visible.level != Now || o.opt.Escalate <= 0 {
			continue
		}
		if at := e.raised.Add(o.opt.Escalate); now.Before(at) {
			sooner(next, at)
		} else {
			e.step = 2
			o.changed(e)
			o.note(e, event{Event: evEscalated}, now)
		}
	}
}

func (o *Outbox) expire(e *entry, now time.Time) {
	e.stopDelivery()
	o.changed(e)
	o.note(e, event{Event: evExpired}, now)
}

func sooner(next *time.Time, at time.Time) {
	if at.Before(*next) {
		*next = at
	}
}

func (o *Outbox) changed(e *entry) {
	if !e.notShownYet {
		o.dirty[e.id] = true
	}
}

// of reports whether records of a journal may still be written into it.
func (d *boardState) of(journal string) bool {
	return d.journal == journal || d.fresh != nil && d.next == journal
}

func (o *Outbox) note(e *entry, ev event, now time.Time) {
	ev.Do, ev.Finding, ev.RaisedMS, ev.WallMS = "alert", e.finding, milliseconds(e.raised), milliseconds(now)
	if ev.Version == 0 {
		ev.Version = e.version
	}
	if o.desks[e.board].of(e.journal) {
		o.notes = append(o.notes, note{e.board, e.journal, ev})
	}
}

// boardStateOf returns the state of an entry's board; nil for no entry.
func (o *Outbox) boardStateOf(e *entry) *boardState {
	if e == nil {
		return nil
	}
	return o.desks[e.board]
}

// takeDirty returns the alerts that changed, in the order of raising.
func (o *Outbox) takeDirty() []Alert {
	lapsed := o.lapsed
	o.lapsed = nil
	if len(o.dirty) == 0 {
		return lapsed
	}
	list := make([]*entry, 0, len(o.dirty))
	for id := range o.dirty {
		e := o.entries[id]
		if d := o.boardStateOf(e); d != nil && d.held && d.fresh == nil {
			continue
		}
		if delete(o.dirty, id); e != nil && e.version > 0 {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, byRaising)
	alerts := slices.Grow(lapsed, len(list))
	for _, e := range list {
		alerts = append(alerts, o.alert(e))
	}
	return alerts
}

// byRaising orders by time, alerts raised within one millisecond by board, then by sequence. Boards are recovered one
// after the other, so the sequence alone would differ after a restart.
func byRaising(a, b *entry) int {
	if c := cmp.Compare(a.raised.UnixMilli(), b.raised.UnixMilli()); c != 0 {
		return c
	}
	if c := cmp.Compare(a.board, b.board); c != 0 {
		return c
	}
	return cmp.Compare(a.order, b.order)
}

// page returns the address of the page without a slash at its end.
func (o *Outbox) page() string {
	if o.opt.URL == nil {
		return ""
	}
	return strings.TrimRight(o.opt.URL(), "/")
}
