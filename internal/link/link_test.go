//go:build linux

package link

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/uptime"
)

// bench runs a Link on a symbolic link whose target the test moves, as a
// replug does.
type bench struct {
	t      *testing.T
	name   string
	link   *Link
	events chan Event
	waits  chan time.Duration
	stop   func()
}

func newBench(t *testing.T, target string) *bench {
	ctx, cancel := context.WithCancel(t.Context())
	b := &bench{t: t, name: filepath.Join(t.TempDir(), "board"), events: make(chan Event, 100), waits: make(chan time.Duration)}
	if target != "" {
		b.plug(target)
	}
	b.link = New(Spec{Port: b.name, wait: func(ctx context.Context, d time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b.waits <- d: // the test decides when the time has passed
			return nil
		}
	}}, func(e Event) {
		if e.Kind == Bytes && len(e.Data) == 0 {
			return // this machine stood still, and no bytes had arrived
		}
		e.Data = slices.Clone(e.Data)
		b.events <- e
	})
	done := make(chan error)
	go func() { done <- b.link.Run(ctx) }()
	b.stop = func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
		b.stop = func() {}
	}
	t.Cleanup(func() { b.stop() })
	return b
}

func (b *bench) plug(target string) {
	b.t.Helper()
	next := b.name + ".new"
	if err := os.Symlink(target, next); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(next, b.name); err != nil {
		b.t.Fatal(err)
	}
}

// next returns the next event and demands its kind.
func (b *bench) next(kind Kind) Event {
	b.t.Helper()
	select {
	case e := <-b.events:
		if e.Kind != kind {
			b.t.Fatalf("event %v (%v), want %v", e.Kind, e.Err, kind)
		}
		return e
	case <-sharedtest.Hung(b.t):
		b.t.Fatalf("no event, want %v", kind)
		panic("unreachable")
	}
}

func (b *bench) pass() time.Duration {
	b.t.Helper()
	select {
	case d := <-b.waits:
		return d
	case <-sharedtest.Hung(b.t):
		b.t.Fatal("the link waits for nothing")
		panic("unreachable")
	}
}

func (b *bench) bytes(want string) {
	b.t.Helper()
	got := ""
	for len(got) < len(want) {
		got += string(b.next(Bytes).Data)
	}
	if got != want {
		b.t.Fatalf("%x arrived, want %x", got, want)
	}
}

func TestLinkSurvivesAReplugUnderAnotherNumber(t *testing.T) {
	first := newPTY(t)
	b := newBench(t, first.path)
	if e := b.next(Up); e.Device.Path != first.path {
		t.Errorf("up with %+v, want %s", e.Device, first.path)
	}
	if _, err := first.Write([]byte("\x8e\x00\x05")); err != nil { // in mid-frame
		t.Fatal(err)
	}
	b.bytes("\x8e\x00\x05")
	second := newPTY(t) // while the first is held, so the number is another one
	first.unplug(t)
	if e := b.next(Down); !errors.Is(e.Err, ErrGone) {
		t.Errorf("down because %v", e.Err)
	}
	if n := openFDs(t, first.path); n != 0 {
		t.Errorf("%d descriptors of the dead device are open when the link is reported down", n)
	}
	b.pass()
	if e := b.next(Trouble); !errors.Is(e.Err, ErrAbsent) {
		t.Errorf("trouble is %v", e.Err)
	}
	b.plug(second.path)
	b.pass()
	if e := b.next(Up); e.Device.Path != second.path {
		t.Errorf("up with %+v, want %s", e.Device, second.path)
	}
	if err := b.link.Send([]byte("B")); err != nil {
		t.Fatal(err)
	}
	second.expect(t, "B")
}

// Attempts are counted, not time: an absent board costs one stat each 100 ms.
func TestAbsentBoardIsLookedForGently(t *testing.T) {
	b := newBench(t, "")
	before := openFDs(t, "")
	b.next(Trouble)
	for range 50 {
		if d := b.pass(); d != lookEvery {
			t.Fatalf("the next look is after %v, want %v", d, lookEvery)
		}
	}
	b.stop()
	if len(b.events) != 0 {
		t.Errorf("the same trouble was told %d times more", len(b.events))
	}
	if after := openFDs(t, ""); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestFailingOpensBackOff(t *testing.T) {
	cable := newPTY(t)
	holder := mustOpen(t, cable.path)
	b := newBench(t, cable.path)
	if e := b.next(Trouble); !errors.Is(e.Err, ErrBusy) {
		t.Fatalf("trouble is %v", e.Err)
	}
	for i, full := range []time.Duration{100, 200, 400, 800, 1600, 2000, 2000, 2000} {
		full *= time.Millisecond
		if d := b.pass(); d > full || d < full*3/4 {
			t.Errorf("pause %d is %v, want %v less at most a quarter", i, d, full)
		}
	}
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	for up := false; !up; {
		select {
		case e := <-b.events:
			up = e.Kind == Up
		case <-b.waits: // one attempt may have been under way
		case <-sharedtest.Hung(t):
			t.Fatal("the link did not come up")
		}
	}
}

func TestJitterFollowsTheSeed(t *testing.T) {
	row := func(seed uint64) (all []time.Duration) {
		b := newBackoff(seed)
		for range 8 {
			all = append(all, b.next())
		}
		return all
	}
	if !reflect.DeepEqual(row(1), row(1)) {
		t.Error("one seed, two rows of pauses")
	}
	if reflect.DeepEqual(row(1), row(2)) {
		t.Error("two seeds, one row of pauses: the boards of a hub would come at once")
	}
}

func TestLooseContactBacksOff(t *testing.T) {
	b := newBackoff(1)
	for range 4 {
		if b.lasted(1000) {
			t.Fatal("a link of a millisecond counts as sound")
		}
		b.next()
	}
	if d := b.next(); d < time.Second {
		t.Errorf("after four short links the pause is %v", d)
	}
	if !b.lasted(steady.Microseconds()) || b.next() > firstPause {
		t.Error("a sound link does not reset the pause")
	}
}

func TestDescriptorsAreConstantOver200Replugs(t *testing.T) {
	cable := newPTY(t)
	b := newBench(t, cable.path)
	b.next(Up)
	before := openFDs(t, "")
	for i := range 200 {
		next := newPTY(t)
		b.plug(next.path)
		cable.unplug(t)
		b.next(Down)
		b.pass()
		b.next(Up)
		cable = next
		if after := openFDs(t, ""); after != before {
			t.Fatalf("%d descriptors at first, %d after %d replugs", before, after, i+1)
		}
	}
}

func TestSendRefusesWithoutALink(t *testing.T) {
	b := newBench(t, "")
	b.next(Trouble)
	if err := b.link.Send([]byte("E")); !errors.Is(err, ErrNotReady) {
		t.Error(err)
	}
}

func TestSendNeverBlocks(t *testing.T) {
	cable := newPTY(t) // without a reader
	b := newBench(t, cable.path)
	b.next(Up)
	var err error
	for i := 0; err == nil && i < 1000; i++ {
		err = b.link.Send(make([]byte, 4096))
	}
	if !errors.Is(err, ErrStuck) {
		t.Errorf("after a thousand messages: %v", err)
	}
}

func TestPortThatTakesNothingIsALostLink(t *testing.T) {
	cable := newPTY(t)
	b := newBench(t, cable.path)
	b.next(Up)
	b.link.mu.Lock()
	port := b.link.port
	b.link.mu.Unlock()
	port.limit = 20 * time.Millisecond // before the writer's first message
	for range 16 {
		_ = b.link.Send(make([]byte, 4096)) // refused at the end, which is fine
	}
	if e := b.next(Down); !errors.Is(e.Err, ErrStuck) {
		t.Errorf("down because %v", e.Err)
	}
}

func TestReopenBeginsAgain(t *testing.T) {
	cable := newPTY(t)
	b := newBench(t, cable.path)
	b.next(Up)
	silent := errors.New("no answer for 6 s")
	b.link.Reopen(silent)
	if e := b.next(Down); !errors.Is(e.Err, silent) {
		t.Errorf("down because %v", e.Err)
	}
	b.pass()
	b.next(Up)
	b.stop()
	if e := b.next(Down); !errors.Is(e.Err, context.Canceled) {
		t.Errorf("down because %v", e.Err)
	}
	b.link.Reopen(silent) // nothing to reopen, and nothing happens
	if n := openFDs(t, cable.path); n != 0 {
		t.Errorf("%d descriptors are open after Run returned", n)
	}
}

func TestStampsNeverDecrease(t *testing.T) {
	cable := newPTY(t)
	b := newBench(t, cable.path)
	last := b.next(Up).At
	for i := range 20 {
		msg := fmt.Sprintf("%02d", i)
		if _, err := cable.Write([]byte(msg)); err != nil {
			t.Fatal(err)
		}
		e := b.next(Bytes)
		if e.At < last {
			t.Fatalf("%d after %d", e.At, last)
		}
		last = e.At
	}
}

// The port is not read while the handler works. Bytes of that period are reported with the time since which they may
// have arrived.
func TestBytesThatWaitedSayHowLong(t *testing.T) {
	tty := newPTY(t)
	name := filepath.Join(t.TempDir(), "board")
	if err := os.Symlink(tty.path, name); err != nil {
		t.Fatal(err)
	}
	events, goOn := make(chan Event, 100), make(chan struct{})
	l := New(Spec{Port: name}, func(e Event) {
		e.Data = slices.Clone(e.Data)
		events <- e
		if string(e.Data) == "first" {
			<-goOn
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- l.Run(ctx) }()
	defer func() { cancel(); <-done }()
	if l.Behind() {
		t.Error("behind before a port is open")
	}
	next := func() Event {
		t.Helper()
		select {
		case e := <-events:
			return e
		case <-sharedtest.Hung(t):
			t.Fatal("no event")
			return Event{}
		}
	}
	if e := next(); e.Kind != Up {
		t.Fatalf("event %v, want up", e.Kind)
	}
	if _, err := tty.Write([]byte("first")); err != nil {
		t.Fatal(err)
	}
	first := next()
	for len(first.Data) == 0 { // a busy machine
		first = next()
	}
	if _, err := tty.Write([]byte("second")); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "behind while the handler works", l.Behind)
	<-time.After(lateRead) // Behind counts from the read before the first bytes
	close(goOn)
	e := next()
	if e.Since < first.At || e.Since >= e.At {
		t.Errorf("%q since %d at %d after the event at %d", e.Data, e.Since, e.At, first.At)
	}
	for len(e.Data) == 0 { // the kernel has not delivered them yet
		e = next()
	}
	if string(e.Data) != "second" {
		t.Errorf("%q arrived", e.Data)
	}
	sharedtest.Until(t, "not behind when the handler has ended", func() bool { return !l.Behind() })
}

// While the computer is suspended, Go's own time stands still, but the time of the game does not.
func TestTimeInWhichTheComputerWasSuspendedIsLost(t *testing.T) {
	tty := newPTY(t)
	name := filepath.Join(t.TempDir(), "board")
	if err := os.Symlink(tty.path, name); err != nil {
		t.Fatal(err)
	}
	var slept atomic.Int64
	now := func() time.Duration { return uptime.Now() + time.Duration(slept.Load()) }
	events := make(chan Event, 100)
	l := New(Spec{Port: name, uptime: now, Clock: func() int64 { return now().Microseconds() }}, func(e Event) { events <- e })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- l.Run(ctx) }()
	defer func() { cancel(); <-done }()
	sharedtest.Until(t, "the port is looked at", func() bool { return l.looked.Load() != notOpen })
	const half = 30 * time.Second
	slept.Store(int64(half))
	for hung := sharedtest.Hung(t); ; {
		select {
		case e := <-events:
			if e.Kind == Bytes && e.Since != 0 && e.At-e.Since >= half.Microseconds() {
				return
			}
		case <-hung:
			t.Fatal("nothing says that half a minute was lost")
		}
	}
}
