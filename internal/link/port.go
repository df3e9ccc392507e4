package link

import (
	"os"
	"sync"
	"time"

	"go.bug.st/serial"
)

const (
	// readTimeout is the duration of a Read without bytes: 0.09 % of a core idle (measured; 10 ms would cost 0.56 %),
	// and the longest wait of Close.
	readTimeout = 100 * time.Millisecond
	// writeTimeout is the time after which a port that accepts no bytes is given up. The longest command is 20 bytes,
	// 21 ms at 9600 baud.
	writeTimeout = 2 * time.Second
)

// Port is one open serial port or PTY. One goroutine reads, one writes; Close may be called from any goroutine and any
// number of times.
type Port struct {
	path   string
	dev    *os.File      // for the lock, the settings and all writes
	ser    serial.Port   // for all reads
	waking []byte        // bytes of the trial read in Open
	limit  time.Duration // of one Write

	mu       sync.Mutex // never held across I/O
	closed   bool
	reading  bool
	released chan struct{} // closed when the descriptors are free
	err      error         // of releasing them; set before released is closed
}

// Path returns the device itself, with symbolic links resolved.
func (p *Port) Path() string { return p.path }

// Read returns 0, nil if no bytes arrived for 100 ms. After any error the port cannot be used further.
func (p *Port) Read(b []byte) (int, error) {
	if !p.enter() {
		return 0, &Failure{Op: "read", Path: p.path, What: ErrClosed}
	}
	defer p.leave()
	if len(p.waking) > 0 {
		n := copy(b, p.waking)
		p.waking = p.waking[n:]
		return n, nil
	}
	n, err := p.ser.Read(b)
	if err != nil {
		return n, useFailure("read", p.path, err)
	}
	return n, nil
}

// Write sends all of b or returns an error; the port takes at most 2 s.
func (p *Port) Write(b []byte) (int, error) {
	// Open has checked that deadlines work, so the only reason for an error is that the port was closed, perhaps in
	// this moment.
	if err := p.dev.SetWriteDeadline(time.Now().Add(p.limit)); err != nil {
		return 0, &Failure{Op: "write", Path: p.path, What: ErrClosed}
	}
	n, err := p.dev.Write(b)
	if err != nil {
		return n, useFailure("write", p.path, err)
	}
	return n, nil
}

// Close releases the device. It returns when the descriptors are free, which is after a running Read has returned. A
// running Write ends at once.
func (p *Port) Close() error {
	p.mu.Lock()
	first, busy := !p.closed, p.reading
	p.closed = true
	p.mu.Unlock()
	if first && !busy {
		p.release()
	}
	<-p.released
	return p.err
}

func (p *Port) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.reading {
		return false
	}
	p.reading = true
	return true
}

// leave ends a Read. If Close was called meanwhile, the reader closes the port: the library must not do so during a
// Read.
func (p *Port) leave() {
	p.mu.Lock()
	p.reading = false
	last := p.closed
	p.mu.Unlock()
	if last {
		p.release()
	}
}

func (p *Port) release() {
	// The library clears TIOCEXCL, then closes; this package's own descriptor keeps the flock until nothing of the port
	// is left.
	p.err = p.ser.Close()
	if err := p.dev.Close(); p.err == nil {
		p.err = err
	}
	close(p.released)
}
