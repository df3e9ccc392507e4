//go:build linux

package link

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/sharedtest"
)

// pty is the other end of the cable: the master of a pseudo-terminal, in raw mode from the start so that there is no
// echo.
type pty struct {
	*os.File
	path string
}

func newPTY(t *testing.T) *pty {
	t.Helper()
	m, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { _ = m.Close() })
	raw, err := m.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	var inner error
	err = raw.Control(func(fd uintptr) {
		if inner = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); inner != nil {
			return
		}
		if n, inner = unix.IoctlGetInt(int(fd), unix.TIOCGPTN); inner != nil {
			return
		}
		var s *unix.Termios
		if s, inner = unix.IoctlGetTermios(int(fd), unix.TCGETS); inner != nil {
			return
		}
		s.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
		s.Oflag &^= unix.OPOST
		inner = unix.IoctlSetTermios(int(fd), unix.TCSETS, s)
	})
	if err != nil || inner != nil {
		t.Fatal(err, inner)
	}
	return &pty{m, fmt.Sprintf("/dev/pts/%d", n)}
}

func (p *pty) unplug(t *testing.T) {
	t.Helper()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

// expect reads exactly len(want) bytes from the cable.
func (p *pty) expect(t *testing.T, want string) {
	t.Helper()
	if err := p.SetReadDeadline(sharedtest.Late(t)); err != nil {
		t.Fatal(err)
	}
	var got []byte
	b := make([]byte, len(want))
	for len(got) < len(want) {
		n, err := p.Read(b[:len(want)-len(got)])
		if err != nil {
			t.Fatalf("after %x: %v", got, err)
		}
		got = append(got, b[:n]...)
	}
	if string(got) != want {
		t.Fatalf("the board got %x, want %x", got, want)
	}
}

// board answers the requests in replies until its PTY is closed, and counts the requests.
type board struct {
	*pty
	replies map[byte]string
	done    chan struct{}

	mu    sync.Mutex
	asked []byte
}

func newBoard(t *testing.T, replies map[byte]string) *board {
	b := &board{pty: newPTY(t), replies: replies, done: make(chan struct{})}
	go b.answer()
	t.Cleanup(func() { _ = b.Close(); <-b.done })
	return b
}

func (b *board) answer() {
	defer close(b.done)
	var buf [64]byte
	for {
		n, err := b.Read(buf[:])
		if err != nil {
			if e, ok := err.(*os.PathError); ok && e.Err == unix.EIO {
				// The other end is not open: a cable without a computer. A PTY offers no event to wait for in this
				// case.
				time.Sleep(time.Millisecond)
				continue
			}
			return
		}
		b.mu.Lock()
		b.asked = append(b.asked, buf[:n]...)
		b.mu.Unlock()
		for _, c := range buf[:n] {
			if _, err := b.Write([]byte(b.replies[c])); err != nil {
				return
			}
		}
	}
}

func (b *board) questions() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.asked)
}

// open counts the descriptors of this process that lead to path, or all.
func openFDs(t *testing.T, path string) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc here")
	}
	n := 0
	for _, fd := range fds {
		to, err := os.Readlink("/proc/self/fd/" + fd.Name())
		if err == nil && (path == "" || strings.TrimSuffix(to, " (deleted)") == path) {
			n++
		}
	}
	return n
}
