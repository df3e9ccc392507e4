package link

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/uptime"
)

// Kind is the kind of an Event.
type Kind uint8

// The kinds of events.
const (
	NoKind  Kind = iota
	Up           // the port is open; Device describes it
	Bytes        // Data arrived
	Down         // the port is closed again; Err is the reason
	Trouble      // there is no link, and Err is a new reason
)

func (k Kind) String() string {
	switch k {
	case Up:
		return "up"
	case Bytes:
		return "bytes"
	case Down:
		return "down"
	case Trouble:
		return "trouble"
	}
	return "invalid"
}

// Event is an event of the link with its time.
type Event struct {
	Kind   Kind
	At     int64    // Spec.Clock, read directly after the event
	Data   []byte   // Bytes only; valid until the handler returns
	Since  int64    // Bytes only: begin of an unusually long time without a read, during which the data arrived; else 0
	Device Device   // Up only
	Found  Identity // Up only, and only with Port "auto"
	Err    error    // Down and Trouble
}

// Auto is the Spec.Port for a search of a board.
const Auto = "auto"

// Spec describes the wanted port.
type Spec struct {
	Port   string        // a path, resolved anew for every attempt, or Auto
	Serial string        // Auto only: the number of the board; empty: the first to answer, and then only that one
	Settle time.Duration // Auto only: pause between opening and asking
	Seed   uint64        // of the jitter, so that a run can be repeated
	System System        // the system that Auto searches; the zero value is this computer

	// Clock stamps the events, in microseconds that never decrease. Nil:
	// microseconds since New.
	Clock func() int64

	wait   func(context.Context, time.Duration) error // tests count the waits
	uptime func() time.Duration                       // tests suspend the computer with it
}

// queue is the number of messages that may wait to be sent. The longest is 20 bytes; 16 of them take a third of a
// second at 9600 baud.
const queue = 16

// Link keeps one port open. The goroutine of Run owns the port; another one of
// its own writes and has ended before the port is opened again.
type Link struct {
	spec        Spec
	handle      func(Event)
	finder      Finder
	retry       backoff
	lastTrouble string // the last Trouble event
	been        bool   // the board has been found before

	looked atomic.Int64 // uptime in ns when the port was last read empty and the bytes passed on; or notOpen

	mu    sync.Mutex // never held across I/O
	port  *Port      // nil while there is no link
	out   chan []byte
	cause error // the reason why the port was closed from outside
}

// New makes a Link that calls handle with its events, in the goroutine of Run.
func New(spec Spec, handle func(Event)) *Link {
	if spec.Clock == nil {
		start := uptime.Now()
		spec.Clock = func() int64 { return (uptime.Now() - start).Microseconds() }
	}
	if spec.wait == nil {
		spec.wait = pause
	}
	if spec.uptime == nil {
		spec.uptime = uptime.Now
	}
	l := &Link{
		spec: spec, handle: handle, retry: newBackoff(spec.Seed),
		finder: Finder{System: spec.System, Settle: spec.Settle},
	}
	l.looked.Store(notOpen)
	return l
}

// notOpen replaces the time of the last read while there is no open port.
const notOpen = -1

// lateRead is the time without a read of the open port after which this process has stood still: a Read without bytes
// lasts readTimeout.
const lateRead = readTimeout + 150*time.Millisecond

// Behind reports whether the port is open and has not been read for unusually long: this process stood still, and bytes
// that have arrived meanwhile are still to be passed on. No conclusion should be drawn from their absence. It may be
// called from any goroutine.
func (l *Link) Behind() bool {
	at := l.looked.Load()
	return at != notOpen && l.spec.uptime()-time.Duration(at) > lateRead
}

// Run opens the port, passes on the bytes that it reads, and begins again whenever the port is lost, until ctx ends. It
// returns ctx's error. After it has returned the port is closed and no handler runs.
func (l *Link) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		port, up, err := l.connect(ctx)
		if err == nil {
			l.lastTrouble = ""
			began := l.spec.Clock()
			l.serve(ctx, port, up)
			if l.retry.lasted(l.spec.Clock() - began) {
				continue
			}
		} else if ctx.Err() == nil && err.Error() != l.lastTrouble {
			l.lastTrouble = err.Error()
			l.handle(Event{Kind: Trouble, At: l.spec.Clock(), Err: err})
		}
		if err := l.spec.wait(ctx, l.pauseAfter(err)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// The intervals at which an absent device is looked for: one stat(2), or one listing of sysfs. A link must be restored
// 300 ms after its device (reliability notes, F01).
const lookEvery, listEvery = 100 * time.Millisecond, 250 * time.Millisecond

// pauseAfter returns the pause before the next attempt. Only attempts that touched a device back off.
func (l *Link) pauseAfter(err error) time.Duration {
	switch {
	case err != nil && l.spec.Port == Auto:
		return listEvery // the Finder skips the ports that it has asked
	case errors.Is(err, ErrAbsent):
		l.retry.reset()
		return lookEvery
	}
	return l.retry.next()
}

// connect makes one attempt. The Event is the Up to be reported.
func (l *Link) connect(ctx context.Context) (*Port, Event, error) {
	up := Event{Kind: Up}
	if l.spec.Port == Auto {
		port, board, err := l.finder.find(ctx, l.spec.Serial, !l.been)
		if err != nil {
			return nil, up, err
		}
		// One journal is about one board: after a replug, another board that happens to be first must not continue it.
		if l.spec.Serial == "" {
			l.spec.Serial = board.Serial
		}
		l.been = true
		up.Device, up.Found = board.Device, board.Identity
		return port, up, nil
	}
	port, err := Open(l.spec.Port)
	if err != nil {
		return nil, up, err
	}
	up.Device = l.spec.System.Describe(port.Path())
	return port, up, nil
}

// serve reads until the port is lost. When it returns, both descriptors are closed and the writer has ended: only then
// may the name be looked up again, because otherwise the kernel gives the replugged board another one.
func (l *Link) serve(ctx context.Context, port *Port, up Event) {
	out := l.publish(port)
	stop := context.AfterFunc(ctx, func() { l.fail(port, context.Cause(ctx)) })
	defer stop()
	var writer sync.WaitGroup
	writer.Go(func() { l.write(port, out) })

	up.At = l.spec.Clock()
	l.handle(up)
	err := l.read(port)

	l.fail(port, err)
	close(l.withdraw())
	writer.Wait()
	l.handle(Event{Kind: Down, At: l.spec.Clock(), Err: l.failure()})
}

func (l *Link) read(port *Port) error {
	buf := make([]byte, 4096)
	defer l.looked.Store(notOpen)
	looked, at := l.spec.uptime(), l.spec.Clock()
	for {
		l.looked.Store(int64(looked))
		n, err := port.Read(buf)
		e := Event{Kind: Bytes, At: l.spec.Clock(), Data: buf[:n]}
		now := l.spec.uptime()
		if now-looked > lateRead {
			e.Since = at
		}
		looked, at = now, e.At
		if n > 0 || e.Since != 0 {
			l.handle(e)
		}
		if err != nil {
			return err
		}
	}
}

// write sends queued messages. A port that fails is closed, which ends read.
func (l *Link) write(port *Port, out <-chan []byte) {
	for b := range out {
		if _, err := port.Write(b); err != nil {
			l.fail(port, err)
			for range out { // they cannot be sent; let Send fail instead of wait
			}
			return
		}
	}
}

// Send queues bytes for the port and never blocks. It refuses with ErrNotReady while there is no link and with ErrStuck
// when 16 messages wait already. Success means queued: messages not sent when the link goes down are dropped.
func (l *Link) Send(b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil {
		return fmt.Errorf("send to %s: %w", l.spec.Port, ErrNotReady)
	}
	select {
	case l.out <- slices.Clone(b):
		return nil
	default:
		return fmt.Errorf("send to %s: %w (%d messages wait)", l.spec.Port, ErrStuck, queue)
	}
}

// Reopen closes the port, if it is open, and lets Run begin again, as after unplugging. It is for callers that know
// that the board does not answer.
func (l *Link) Reopen(cause error) {
	l.mu.Lock()
	port := l.port
	l.mu.Unlock()
	if port != nil {
		go l.fail(port, cause) // a Close waits for the Read, which a driver may not end
	}
}

// Path returns the device of the open port; "" while there is none. It may be called from any goroutine.
func (l *Link) Path() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.port == nil {
		return ""
	}
	return l.port.Path()
}

func (l *Link) publish(port *Port) chan []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.port, l.cause = port, nil
	l.out = make(chan []byte, queue)
	return l.out
}

// withdraw makes Send refuse. It returns the queue to be closed, which is no longer in use.
func (l *Link) withdraw() chan []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.out
	l.out, l.port = nil, nil
	return out
}

// fail closes the port and remembers the first cause: later errors, such as that of the read that finds the port
// closed, are not reported.
func (l *Link) fail(port *Port, cause error) {
	l.blame(port, cause)
	if err := port.Close(); err != nil {
		l.blame(port, fmt.Errorf("close %s: %w", port.Path(), err))
	}
}

// blame ignores errors of a port that is no longer the present one.
func (l *Link) blame(port *Port, cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.port == port && l.cause == nil {
		l.cause = cause
	}
}

func (l *Link) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}
