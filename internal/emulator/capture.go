package emulator

// Directions of the chunks that Record reports.
const (
	FromBoard byte = 'r' // bytes received by the host
	FromHost  byte = 't' // bytes sent by the host
	LinkDown  byte = '-' // the cable was pulled; no bytes
	LinkUp    byte = '+' // the cable is plugged in again; no bytes
)

// Host is a program at the other end of the cable, called with each chunk it receives and, without bytes, whenever the
// time it asked for has come or the link has changed (see Emulator.OnLink). The returned bytes are sent; Never means
// that it needs no waking.
type Host func(at int64, rx []byte) (tx []byte, wakeAt int64)

// Never, as a waking time, means none.
const Never = never

// Run runs an emulator and a host together in virtual time, as fast as the machine can, until the people are gone and
// linger more µs have passed, or until the limit. It returns the instant at which it stopped.
func Run(e *Emulator, host Host, linger, limit int64) int64 {
	wake := e.now
	end := limit
	call := func(at int64, rx []byte) {
		tx, next := host(at, rx)
		if len(tx) > 0 {
			e.Input(at, tx)
		}
		wake = max(next, at+1) // a host that always asks for the present would stop the time
	}
	for {
		at, ok := e.NextEvent()
		if !ok {
			at = never
		}
		if end == limit && e.Done() {
			end = min(limit, e.now+linger)
		}
		if at = min(at, wake); at > end {
			e.Advance(end, call)
			return end
		}
		linked := e.linked
		e.Advance(at, call)
		if wake <= at || linked != e.linked {
			call(at, nil)
		}
	}
}

// Watcher is a minimal Host: it puts the board into the update mode and requests the clock and the board at the
// beginning, after the link has been restored, and whenever Ask returns a request.
type Watcher struct {
	Rx   func(at int64, p []byte) // may be nil
	Tx   func(at int64, p []byte) // may be nil
	Ask  func(at int64) []byte    // called after each chunk; nil for none
	todo [][]byte
	next int64
}

// watcherPaceUS is the pause between two commands. DGT protocol notes, section 9: at least 100 ms, and 500 ms after the
// port was opened.
const watcherPaceUS = 150_000

// NewWatcher returns a host that begins with the first call.
func NewWatcher() *Watcher {
	w := &Watcher{}
	w.Restart(0)
	return w
}

// Restart begins again from the start, after the link was restored.
func (w *Watcher) Restart(at int64) {
	w.todo = [][]byte{{0x40}, {0x4B}, {0x42}, {0x41}}
	w.next = at + watcherPaceUS
}

// Host is the function for Run.
func (w *Watcher) Host(at int64, rx []byte) (tx []byte, wakeAt int64) {
	if len(rx) > 0 && w.Rx != nil {
		w.Rx(at, rx)
	}
	if len(rx) > 0 && w.Ask != nil {
		if p := w.Ask(at); len(p) > 0 {
			w.todo = append(w.todo, p)
		}
	}
	if len(w.todo) == 0 {
		return nil, never
	}
	if at < w.next {
		return nil, w.next
	}
	tx, w.todo = w.todo[0], w.todo[1:]
	w.next = at + watcherPaceUS
	if w.Tx != nil {
		w.Tx(at, tx)
	}
	if len(w.todo) > 0 {
		return tx, w.next
	}
	return tx, never
}

// Record runs the emulator with a Watcher, as fast as the machine can, and reports each chunk with its direction.
func Record(e *Emulator, w func(at int64, dir byte, p []byte)) {
	host := NewWatcher()
	host.Rx = func(at int64, p []byte) { w(at, FromBoard, p) }
	host.Tx = func(at int64, p []byte) { w(at, FromHost, p) }
	e.OnLink(func(at int64, up bool) {
		if !up {
			w(at, LinkDown, nil)
			return
		}
		w(at, LinkUp, nil)
		host.Restart(at)
	})
	Run(e, host.Host, 2*second, recordLimitUS)
}

// recordLimitUS ends a recording whose people never leave: a week.
const recordLimitUS = 7 * 24 * 3600 * second
