//go:build linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/sharedtest"
)

// port is a pseudo terminal whose master the test holds.
type port struct {
	*os.File        // the master: what the board writes and reads
	path     string // of the slave: what the daemon opens
}

// newPort makes a raw pseudo terminal.
func newPort(t testing.TB) *port {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	p := &port{File: os.NewFile(uintptr(fd), "/dev/ptmx")}
	t.Cleanup(func() { _ = p.Close() })
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	var t9 *unix.Termios
	if err == nil {
		t9, err = unix.IoctlGetTermios(fd, unix.TCGETS)
	}
	if err == nil {
		t9.Iflag, t9.Oflag = 0, 0
		t9.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG | unix.IEXTEN
		err = unix.IoctlSetTermios(fd, unix.TCSETS, t9)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.path = fmt.Sprintf("/dev/pts/%d", n)
	return p
}

// put writes everything, waiting while the daemon does not read.
func (p *port) put(t testing.TB, b []byte) {
	t.Helper()
	err := p.SetWriteDeadline(sharedtest.Late(t))
	if err == nil {
		_, err = p.Write(b)
	}
	if err != nil {
		t.Fatalf("write to the port: %v", err)
	}
}

// commands returns what the daemon has sent, and waits so long for the first
// byte of it.
func (p *port) commands(t testing.TB, wait time.Duration) []byte {
	t.Helper()
	if err := p.SetReadDeadline(time.Now().Add(wait)); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 256)
	n, err := p.Read(buf)
	// EIO: nobody holds the slave.
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, syscall.EIO) {
		t.Fatalf("read from the port: %v", err)
	}
	return buf[:max(n, 0)]
}

// answering is a board made of a recording: it sends the recorded messages, and
// answers requests with what the recording has shown until then.
type answering struct {
	port  *port
	dump  []byte // the last dump, with the updates since
	clock []byte // the last clock message
	lever byte
}

// note follows the recording.
func (a *answering) note(m []byte) (press bool) {
	switch m[0] {
	case 0x86: // the whole board
		a.dump = bytes.Clone(m)
	case 0x8e: // square, piece
		a.dump[3+m[3]] = m[4]
	case 0x8d: // bit 1 of the last byte is the lever, bit 0 says that the clock runs
		press = len(a.clock) > 0 && m[9]&1 != 0 && m[9]&2 != a.lever
		a.clock, a.lever = bytes.Clone(m), m[9]&2
	}
	return press
}

// serve answers what was asked.
func (a *answering) serve(t testing.TB, asked []byte) {
	t.Helper()
	for _, c := range asked {
		switch c {
		case 0x42:
			a.port.put(t, a.dump)
		case 0x41:
			a.port.put(t, a.clock)
		case 0x45:
			a.port.put(t, append([]byte{0x91, 0, 8}, "31415"...))
		case 0x4d:
			a.port.put(t, []byte{0x93, 0, 5, 1, 8})
		case 0x55:
			a.port.put(t, append([]byte{0xa2, 0, 13}, "3.14159265"...))
		}
	}
}

// serveUntil goes on answering until the test has seen what it wants.
func (a *answering) serveUntil(t testing.TB, seen func() bool) {
	t.Helper()
	for late := sharedtest.Late(t); !seen(); {
		if time.Now().After(late) {
			t.Fatal("what the board waits for is never seen")
		}
		a.serve(t, a.port.commands(t, 20*time.Millisecond))
	}
}

// emulated is an emulated board on a pseudo terminal, in the test's process.
type emulated struct {
	ports  chan string   // the slaves, one after each plugging in
	played chan struct{} // closed when the people have gone home
	stop   func()        // returns when the port is gone
}

// A held board stands still while a test wants it so: its players wait. It is given time from outside, and passes on
// what of it was not held.
type heldBoard struct {
	emulator.Device
	presses int          // it holds itself after this many more presses, however slow the machine is; 0: it does not
	from    atomic.Int64 // the wall time, in Unix ns, from which it is held; 0: it is not
	behind  int64        // µs it was held so far; of the goroutine that serves it
	clock   []byte       // its last clock message; of that goroutine as well
}

// holdIn holds the board a while from now, free lets its players go on.
func (b *heldBoard) holdIn(d time.Duration) { b.from.Store(time.Now().Add(d).UnixNano()) }
func (b *heldBoard) free()                  { b.from.Store(0) }

func (b *heldBoard) held() bool {
	from := b.from.Load()
	return from != 0 && time.Now().UnixNano() >= from
}

// whileHeld is how soon a held board looks whether it still is, in µs of its own time.
const whileHeld = second / 10

func (b *heldBoard) Now() int64 { return b.Device.Now() + b.behind }

func (b *heldBoard) NextEvent() (at int64, ok bool) {
	if b.held() {
		return b.Now() + whileHeld, true
	}
	at, ok = b.Device.NextEvent()
	return at + b.behind, ok
}

func (b *heldBoard) Advance(to int64, emit func(at int64, p []byte)) {
	for !b.held() {
		step := to - b.behind
		if next, ok := b.Device.NextEvent(); ok && b.presses > 0 {
			step = min(step, next) // one thing after the other: it may be what the board is held after
		}
		b.Device.Advance(step, func(at int64, p []byte) {
			b.count(p)
			emit(at+b.behind, p)
		})
		if step == to-b.behind {
			return
		}
	}
	b.behind = max(b.behind, to-b.Device.Now())
}

// count holds the board after the last of its presses: a clock message that turns the lever while the clock runs.
func (b *heldBoard) count(p []byte) {
	if b.presses == 0 || len(p) != 10 || p[0] != 0x8d {
		return
	}
	press := len(b.clock) > 0 && p[9]&1 != 0 && (p[9]^b.clock[9])&2 != 0
	if b.clock = bytes.Clone(p); !press {
		return
	}
	if b.presses--; b.presses == 0 {
		b.holdIn(0)
	}
}

func (b *heldBoard) Input(at int64, p []byte) { b.Device.Input(at-b.behind, p) }

// serveBoard starts an emulated board.
func serveBoard(t testing.TB, em emulator.Device, speed int, symlink string) *emulated {
	t.Helper()
	b := &emulated{ports: make(chan string, 100), played: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- emulator.ServePTY(ctx, em, emulator.PTYOptions{
			Speed: speed, Link: symlink,
			Ready: func(path string) { b.ports <- path },
			Done:  func() { close(b.played) },
		})
	}()
	stopped := false
	b.stop = func() {
		cancel()
		if !stopped {
			stopped = true
			if err := <-ended; err != nil {
				t.Errorf("emulated board: %v", err)
			}
		}
	}
	t.Cleanup(b.stop)
	return b
}

// plugged returns the path of the port that was plugged in next.
func (b *emulated) plugged(t testing.TB) string {
	t.Helper()
	select {
	case path := <-b.ports:
		return path
	case <-sharedtest.Hung(t):
		t.Fatal("the emulated board is not plugged in")
		return ""
	}
}
