package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A fake is a channel that follows its script and records the messages it was given.
type fake struct {
	name   string
	mu     sync.Mutex
	script func(ctx context.Context, m Message) error
	tries  []try
}

type try struct {
	at  time.Duration // since the rig began
	m   Message
	err error
}

func (f *fake) Name() string { return f.name }

func (f *fake) Send(ctx context.Context, m Message) error {
	f.mu.Lock()
	script := f.script
	f.mu.Unlock()
	at := time.Since(epoch)
	var err error
	if script != nil {
		err = script(ctx, m)
	}
	f.mu.Lock()
	f.tries = append(f.tries, try{at, m, err})
	f.mu.Unlock()
	return err
}

func (f *fake) does(script func(ctx context.Context, m Message) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = script
}

// all returns the attempts so far.
func (f *fake) all() []try {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.tries)
}

// got returns the accepted messages, as FINDING vVERSION STATE.
func (f *fake) got() (list []string) {
	for _, t := range f.all() {
		if t.err == nil {
			list = append(list, fmt.Sprintf("%s v%d %s", findingOf(t.m), t.m.Version, t.m.State))
		}
	}
	return list
}

func findingOf(m Message) string {
	var f struct{ ID string }
	_ = json.Unmarshal(m.Finding, &f)
	return f.ID
}

func fails(err error) func(context.Context, Message) error {
	return func(context.Context, Message) error { return err }
}

func hangs(ctx context.Context, _ Message) error {
	<-ctx.Done()
	return ctx.Err()
}

var away = &Temporary{Err: errors.New("connection refused")}

// epoch is the time at which every bubble of synctest begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A rig is an outbox with the journals of its boards, which outlive it.
type rig struct {
	t       *testing.T
	opt     Options
	box     *Outbox
	cancel  context.CancelFunc
	ended   chan struct{}
	mu      sync.Mutex
	records map[string][]record.Record
	names   map[string]string // of the boards' journals
	between time.Duration     // from a decision to its answers
	behind  time.Duration     // the wall clock of opening records
	disk    func(ctx context.Context, board string) error
	changes []Alert
	notices [][]Notice
}

func newRig(t *testing.T, opt Options, channels ...*fake) *rig {
	r := &rig{t: t, opt: opt, records: map[string][]record.Record{}, names: map[string]string{"12": "12-r1", "13": "13-r1"}}
	for _, c := range channels {
		step := 1
		if strings.HasSuffix(c.name, "2") {
			step = 2
		}
		r.opt.Channels = append(r.opt.Channels, Configured{Channel: c, Step: step})
	}
	if r.opt.Key == nil {
		r.opt.Key = []byte("a key of the rig, always the same")
	}
	r.opt.Journal, r.opt.Log = r, zerolog.Nop()
	r.opt.Changed = func(a Alert) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changes = append(r.changes, a)
	}
	r.opt.Noticed = func(n []Notice) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notices = append(r.notices, n)
	}
	r.opt.InForce = func(err error) bool { return errors.Is(err, errInForce) }
	r.opt.Unwatched = func(err error) bool { return errors.Is(err, errUnwatched) }
	for _, b := range []string{"12", "13"} {
		r.opening(b)
	}
	return r
}

var (
	errInForce   = errors.New("in force, but not on the disk yet")
	errUnwatched = errors.New("the board is not watched")
)

func (r *rig) opening(board string) {
	o := watch.Opening{Format: watch.Format, Board: board, Wall: time.Now().Add(-r.behind).Format(time.RFC3339Nano)}
	r.write(board, record.Open, o.Body())
}

// goOn writes what a station writes when its program has started again: the time line stood still, and the gap moves
// it.
func (r *rig) goOn(board string) {
	r.mu.Lock()
	list := r.records[board]
	last := list[len(list)-1].At
	r.mu.Unlock()
	o := watch.Opening{Format: watch.Format, Board: board, Cause: "restart", Wall: time.Now().Format(time.RFC3339Nano)}
	r.writeAt(board, record.Open, o.Body(), last)
	gap := watch.Annotation{Cause: "the program was restarted", Away: time.Since(epoch).Microseconds() - last}
	r.writeAt(board, record.Gap, gap.Body(), last)
}

// reopen simulates a station that has failed and is opened again in the same process.
func (r *rig) reopen(board string) {
	r.read(board)
	r.box.Ready(board)
}

// read is reopen up to the last record.
func (r *rig) read(board string) {
	r.mu.Lock()
	list, name := slices.Clone(r.records[board]), r.names[board]
	r.mu.Unlock()
	r.box.Begin(board, name)
	for _, rec := range list {
		r.box.Recovered(board, rec)
	}
}

// write puts a record into a board's journal.
func (r *rig) write(board string, k record.Kind, body []byte) record.Record {
	return r.writeAt(board, k, body, time.Since(epoch).Microseconds())
}

func (r *rig) writeAt(board string, k record.Kind, body []byte, at int64) record.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := record.Record{Seq: record.Seq(len(r.records[board]) + 1), At: at, Kind: k, Body: slices.Clone(body)}
	if err := rec.Check(); err != nil {
		r.t.Errorf("the journal refuses a record: %v", err)
	}
	r.records[board] = append(r.records[board], rec)
	return rec
}

// Instruct acts as the station: it journals, then reports to the outbox.
func (r *rig) Instruct(ctx context.Context, board string, body []byte) error {
	r.mu.Lock()
	disk := r.disk
	r.mu.Unlock()
	if disk != nil {
		if err := disk(ctx, board); err != nil {
			return err
		}
	}
	rec := r.write(board, record.Instruct, body)
	r.box.Entered(board, rec)
	return nil
}

func (r *rig) setDisk(disk func(ctx context.Context, board string) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.disk = disk
}

func (r *rig) start() *rig {
	r.box = New(r.opt)
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.ended = cancel, make(chan struct{})
	go func() {
		defer close(r.ended)
		_ = r.box.Run(ctx)
	}()
	for _, b := range []string{"12", "13"} {
		r.reopen(b)
	}
	return r
}

func (r *rig) stop() {
	r.cancel()
	<-r.ended
}

// restart begins again with only the journals, after some time. Changes given in meanwhile are in force before the
// outbox runs: it sends at once, so a change after restart may come before or after the first message.
func (r *rig) restart(away time.Duration, meanwhile ...func()) {
	r.stop()
	time.Sleep(away)
	for _, change := range meanwhile {
		change()
	}
	r.mu.Lock()
	r.changes = nil
	r.mu.Unlock()
	for _, b := range []string{"12", "13"} {
		r.goOn(b)
	}
	r.start()
}

// say acts as the machine's output about a finding; keys is more JSON. The station journals a step's input and all
// effects, reports the input if a person gave it, and only then the effects.
func (r *rig) say(board, finding, state, class, keys string) {
	r.write(board, record.Wake, nil)
	r.tell(board, r.answers(board, finding, state, class, keys))
}

// answers journals the machine's answers to the input before.
func (r *rig) answers(board, finding, state, class, keys string) [][]byte {
	kind := finding[strings.IndexByte(finding, ':')+1:]
	list := [][]byte{
		fmt.Appendf(nil, `{"type":"finding","seq":1,"t":1,"board":%q,"game":1,"id":%q,"kind":%q,"side":"white","state":%q,"alert":%q,"articles":["3.6","7.5.1"]%s}`,
			board, finding, kind, state, class, keys),
		fmt.Appendf(nil, `{"type":"ruling","board":%q,"finding":%q,"text":"Restore."}`, board, finding),
	}
	for _, body := range list {
		r.write(board, record.Say, body)
	}
	return list
}

func (r *rig) tell(board string, said [][]byte) {
	for _, body := range said {
		r.box.Said(board, body)
	}
}

// decide acts as the arbiter.
func (r *rig) decide(board, finding, decision, state string) {
	class := "now"
	if decision == "later" {
		class = "advise" // as the core does
	}
	r.decideAs(board, finding, decision, state, class)
}

func (r *rig) decideAs(board, finding, decision, state, class string) {
	decided := `,"decided":"` + decision + `"`
	if decision == "undo" {
		decided = `,"decided":null`
	}
	rec := r.write(board, record.Decide, watch.Decision{Finding: finding, Decision: decision, By: "Ada's phone"}.Body())
	said := r.answers(board, finding, state, class, decided)
	r.box.Entered(board, rec)
	if r.between > 0 {
		time.Sleep(r.between)
	}
	r.tell(board, said)
}

func (r *rig) alert(board, finding string) Alert {
	r.t.Helper()
	a, ok := r.box.Alert(ID(board, finding))
	if !ok {
		r.t.Fatalf("there is no alert for %s on board %s", finding, board)
	}
	return a
}

// events returns the outbox's own records of a board, as EVENT CHANNEL vVERSION.
func (r *rig) events(board string) (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rec := range r.records[board] {
		var ev event
		if rec.Kind == record.Instruct && json.Unmarshal(rec.Body, &ev) == nil {
			list = append(list, strings.Join(strings.Fields(fmt.Sprintf("%s %s v%d", ev.Event, ev.Channel, ev.Version)), " "))
		}
	}
	return list
}

func equal(t *testing.T, what string, have []string, want ...string) {
	t.Helper()
	if !slices.Equal(have, want) {
		t.Errorf("%s: %q, want %q", what, have, want)
	}
}

// bubble runs a test in virtual time, with goroutines that must all have ended at its end.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// rest lets time pass and all goroutines finish their work.
func rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

const knight = "961:illegal.knight"
