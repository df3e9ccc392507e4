package emulator

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// pty is the master side of a pseudo terminal. One goroutine owns it.
type pty struct {
	fd   int
	path string // of the slave, which a host opens
}

// openPTY makes a pseudo terminal whose slave is raw before it can be opened: a terminal with echo would send the board
// its own bytes as commands.
func openPTY() (*pty, error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/ptmx: %w (is devpts mounted?)", err)
	}
	p := &pty{fd: fd}
	if err := p.unlock(); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// unlock does the work of grantpt, unlockpt and ptsname without the C library, and sets raw mode.
func (p *pty) unlock() error {
	n, err := unix.IoctlGetUint32(p.fd, unix.TIOCGPTN)
	if err != nil {
		return fmt.Errorf("number of the pseudo terminal: %w", err)
	}
	if err := unix.IoctlSetPointerInt(p.fd, unix.TIOCSPTLCK, 0); err != nil {
		return fmt.Errorf("unlock the pseudo terminal: %w", err)
	}
	p.path = fmt.Sprintf("/dev/pts/%d", n)
	slave, err := unix.Open(p.path, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", p.path, err)
	}
	return errors.Join(makeRaw(slave), unix.Close(slave))
}

// makeRaw sets 9600 8N1 without any processing. The settings stay as long as the
// master is open.
func makeRaw(fd int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return fmt.Errorf("terminal settings: %w", err)
	}
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON | unix.IXOFF
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag &^= unix.CSIZE | unix.PARENB | unix.CBAUD
	t.Cflag |= unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B9600
	t.Ispeed, t.Ospeed = unix.B9600, unix.B9600
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return fmt.Errorf("raw terminal: %w", err)
	}
	return nil
}

func (p *pty) close() error { return unix.Close(p.fd) }

// write sends bytes to the process that has the slave open. They are lost if there is none, or if it does not read, as
// with a real board.
func (p *pty) write(b []byte) {
	if p.deserted() {
		return
	}
	for len(b) > 0 {
		n, err := unix.Write(p.fd, b)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || n <= 0:
			return
		}
		b = b[n:]
	}
}

// deserted reports whether no process has the slave open.
func (p *pty) deserted() bool {
	poll := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLOUT}}
	_, err := unix.Poll(poll, 0)
	return err == nil && poll[0].Revents&unix.POLLHUP != 0
}

// read waits at most this long for bytes from the host; wakeFD ends the wait. Without a process at the slave the kernel
// does not wait at all, so the caller must.
func (p *pty) read(buf []byte, wait time.Duration, wakeFD int) (n int, deserted bool) {
	poll := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}, {Fd: int32(wakeFD), Events: unix.POLLIN}}
	ts := unix.NsecToTimespec(max(wait, 0).Nanoseconds())
	if _, err := unix.Ppoll(poll, &ts, nil); err != nil {
		return 0, false
	}
	if poll[0].Revents&unix.POLLIN != 0 {
		n, _ = unix.Read(p.fd, buf)
	}
	return max(n, 0), n <= 0 && poll[0].Revents&unix.POLLHUP != 0
}

// link makes a symbolic link to the slave. Only a link that is dangling or leads
// to a pseudo terminal is replaced: never a file, never a real port.
func (p *pty) link(name string) error {
	if name == "" {
		return nil
	}
	if target, err := os.Readlink(name); err == nil {
		if _, err := os.Stat(name); err == nil && !strings.HasPrefix(target, "/dev/pts/") {
			return fmt.Errorf("link %s: it leads to %s already; remove it or choose another name", name, target)
		}
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("replace link: %w", err)
		}
	}
	if err := os.Symlink(p.path, name); err != nil {
		return fmt.Errorf("link %s: %w", name, err)
	}
	return nil
}

// unlink removes the link if it still leads to this slave.
func (p *pty) unlink(name string) {
	if target, err := os.Readlink(name); err == nil && target == p.path {
		_ = os.Remove(name) // a remaining link is dangling and will be replaced
	}
}
