package link

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// mode is the only mode of DGT boards (DGT protocol notes, section 1.1). The modem lines are not changed: no document
// mentions them, and on a PTY setting them fails.
var mode = serial.Mode{BaudRate: 9600, DataBits: 8, Parity: serial.NoParity, StopBits: serial.OneStopBit}

// Open opens the port at path for this process alone, raw, at 9600 baud 8N1. Errors are *Failure.
func Open(path string) (*Port, error) {
	device, err := resolve(path)
	if err != nil {
		return nil, err
	}
	// O_NONBLOCK: without it open(2) waits for a carrier signal that boards do not send, and the runtime could not set
	// deadlines for writes.
	dev, err := os.OpenFile(device, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, openFailure(device, err)
	}
	p := &Port{path: device, dev: dev, limit: writeTimeout, released: make(chan struct{})}
	if err := p.take(); err != nil {
		_ = dev.Close() // the first error is the one to report
		return nil, err
	}
	p.ser, err = serial.Open(device, &mode)
	if err != nil {
		_ = dev.Close()
		return nil, openFailure(device, err)
	}
	if err := p.prepare(); err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

// resolve follows symbolic links to the device and refuses a non-terminal without opening it: opening alone can have
// effects, on a watchdog for instance.
func resolve(path string) (string, error) {
	if path == "" {
		return "", openFailure(`""`, fs.ErrNotExist)
	}
	device, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", openFailure(path, err)
	}
	info, err := os.Stat(device)
	if err != nil {
		return "", openFailure(device, err)
	}
	what := ""
	switch m := info.Mode(); {
	case m.IsDir():
		what = "it is a directory"
	case m.IsRegular():
		what = "it is a file; recordings are read by `boardwatchd replay`"
	case m&fs.ModeCharDevice == 0:
		what = "it is no character device"
	default:
		if st, ok := info.Sys().(*syscall.Stat_t); ok && !isTerminal(uint64(st.Rdev)) {
			what = "it is a device of another kind"
		}
	}
	if what != "" {
		return "", &Failure{Op: "open", Path: device, What: ErrNotPort, Hint: what + "; see `boardwatchd ports` for the ports of this computer"}
	}
	return device, nil
}

// isTerminal reports whether a device number is that of a terminal. PTYs are not in sysfs. For a device without an
// entry in sysfs it returns true, and open finds out.
func isTerminal(rdev uint64) bool {
	if isPTY(rdev) {
		return true
	}
	kind, err := os.Readlink(fmt.Sprintf("/sys/dev/char/%d:%d/subsystem", unix.Major(rdev), unix.Minor(rdev)))
	return err != nil || filepath.Base(kind) == "tty"
}

// isPTY reports whether a device is a pseudo-terminal: Linux gives the slaves of Unix98 PTYs the majors 136 to 143.
func isPTY(rdev uint64) bool { return unix.Major(rdev) >= 136 && unix.Major(rdev) <= 143 }

// take gives this process exclusive use of the device. flock excludes every other boardwatchd, root's included;
// TIOCEXCL, set by the library afterwards, excludes all other programs.
func (p *Port) take() error {
	return p.control(func(fd int) error {
		if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
			return err
		}
		// Only root gets here while another program has TIOCEXCL.
		if on, err := unix.IoctlGetInt(fd, unix.TIOCGEXCL); err == nil && on != 0 && !p.pty(fd) {
			return syscall.EBUSY
		}
		return nil
	})
}

// prepare checks the settings made by the library, and reads once.
func (p *Port) prepare() error {
	err := p.control(func(fd int) error {
		if p.pty(fd) {
			// The flag would outlive a killed process and lock out its successor (measured).
			if err := unix.IoctlSetInt(fd, unix.TIOCNXCL, 0); err != nil {
				return err
			}
		} else if err := unix.IoctlSetInt(fd, unix.TIOCEXCL, 0); err != nil {
			return err // the library ignores this one
		}
		t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return err
		}
		// With echo the board would receive its own messages and switch to bus mode (DGT protocol notes, section 1.1).
		if t.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) != 0 || t.Oflag&unix.OPOST != 0 || t.Iflag&(unix.IXON|unix.ICRNL|unix.ISTRIP) != 0 {
			return errors.New("the driver does not go into raw mode")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := p.dev.SetWriteDeadline(time.Time{}); err != nil {
		return &Failure{Op: "open", Path: p.path, What: ErrNotPort, Cause: err, Hint: "its driver cannot be waited for"}
	}
	lowLatency(p)
	return p.trial()
}

// trial reads once without waiting. The library's select panics on
// descriptors of 1024 and more, which a process with many clients reaches.
func (p *Port) trial() (err error) {
	// Only a run-time error of that call is recovered.
	defer func() {
		if r := recover(); r != nil {
			err = &Failure{Op: "open", Path: p.path, What: ErrTooMany, Cause: fmt.Errorf("%v", r),
				Hint: "start boardwatchd with LimitNOFILE=1024 or less"}
		}
	}()
	if err := p.ser.SetReadTimeout(0); err != nil {
		return openFailure(p.path, err)
	}
	b := make([]byte, 4096)
	n, err := p.ser.Read(b)
	if err != nil {
		return useFailure("open", p.path, err)
	}
	p.waking = b[:n:n]
	if err := p.ser.SetReadTimeout(readTimeout); err != nil {
		return openFailure(p.path, err)
	}
	return nil
}

// control runs an ioctl on this package's own descriptor without making it blocking, as File.Fd would.
func (p *Port) control(do func(fd int) error) error {
	raw, err := p.dev.SyscallConn()
	if err != nil {
		return openFailure(p.path, err)
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = do(int(fd)) }); err != nil {
		return openFailure(p.path, err)
	}
	if inner != nil {
		return openFailure(p.path, inner)
	}
	return nil
}

func (p *Port) pty(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && isPTY(uint64(st.Rdev))
}
