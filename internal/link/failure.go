package link

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"go.bug.st/serial"
)

// Errors of a port. Callers decide with errors.Is; people read the Failure around it.
var (
	ErrAbsent   = errors.New("no such device")
	ErrBusy     = errors.New("in use by another program")
	ErrDenied   = errors.New("permission denied")
	ErrNotPort  = errors.New("not a serial port")
	ErrGone     = errors.New("unplugged")
	ErrClosed   = errors.New("closed")
	ErrStuck    = errors.New("takes no bytes")
	ErrTooMany  = errors.New("too many open files for a serial port")
	ErrSilent   = errors.New("no board answers")
	ErrOther    = errors.New("another board")
	ErrSeveral  = errors.New("several boards answer with one serial number")
	ErrNotReady = errors.New("no link")
)

// Failure names an error, its port, and the remedy if one is known.
type Failure struct {
	Op    string // open, read, write, identify
	Path  string
	What  error // one of the sentinels, or nil for an error without a name
	Cause error // of the operating system; may be nil
	Hint  string
	// Of ErrSeveral: the serial number, and where boards answer with it.
	Serial string
	At     []string
}

func (f *Failure) Error() string {
	s := f.Op + " " + f.Path + ": "
	switch {
	case f.What != nil && f.Cause != nil && f.What.Error() != f.Cause.Error():
		s += fmt.Sprintf("%v (%v)", f.What, f.Cause)
	case f.What != nil:
		s += f.What.Error()
	default:
		s += f.Cause.Error()
	}
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return s
}

// Unwrap returns the sentinel and the cause for errors.Is.
func (f *Failure) Unwrap() []error {
	var all []error
	for _, e := range []error{f.What, f.Cause} {
		if e != nil {
			all = append(all, e)
		}
	}
	return all
}

// openFailure names an error of the operating system or the library at open.
func openFailure(path string, err error) error {
	f := &Failure{Op: "open", Path: path, Cause: bare(err)}
	var pe *serial.PortError
	code := serial.PortErrorCode(-1)
	if errors.As(err, &pe) {
		code = pe.Code()
	}
	// The library uses PortNotFound only in lists: a missing device is a bare ENOENT (measured), so the system's errors
	// are checked first.
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV), code == serial.PortNotFound:
		f.What, f.Cause = ErrAbsent, nil
		f.Hint = "plug the board in, or see `boardwatchd ports` for what is there"
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EWOULDBLOCK), code == serial.PortBusy:
		f.What, f.Cause = ErrBusy, nil
		f.Hint = "close it (`sudo fuser -v " + path + "` names it); ModemManager and brltty are kept away by the udev rule of deploy/systemd"
	case errors.Is(err, fs.ErrPermission), code == serial.PermissionDenied:
		f.What, f.Cause = ErrDenied, nil
		f.Hint = permissionHint(path)
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		f.What = ErrTooMany
		f.Hint = "raise LimitNOFILE, or watch fewer boards with one process"
	case errors.Is(err, syscall.EIO):
		f.What = ErrGone
		f.Hint = "unplug the board and plug it in again"
	case errors.Is(err, syscall.ENOTTY), code == serial.InvalidSerialPort:
		f.What = ErrNotPort
		f.Hint = "see `boardwatchd ports` for the ports of this computer"
	}
	return f
}

// permissionHint names the group that may use the device on this machine:
// dialout on Debian, uucp on Arch.
func permissionHint(path string) string {
	group, name := "dialout", "USER"
	if info, err := os.Stat(path); err == nil {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Gid != 0 {
			if g, err := user.LookupGroupId(strconv.FormatUint(uint64(st.Gid), 10)); err == nil {
				group = g.Name
			}
		}
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	return fmt.Sprintf("add the user to the group %s: sudo usermod -aG %s %s, then log in again (in a service: SupplementaryGroups=%s)", group, group, name, group)
}

// bare removes operation and path, which the Failure names.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// useFailure names an error that occurred while an open port was read or written. After any such error the port has to
// be closed.
func useFailure(op, path string, err error) error {
	f := &Failure{Op: op, Path: path, Cause: bare(err)}
	var pe *serial.PortError
	switch {
	case errors.Is(err, os.ErrClosed):
		f.What, f.Cause = ErrClosed, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		f.What, f.Cause = ErrStuck, nil
		f.Hint = "unplug the board and plug it in again"
	case errors.As(err, &pe) && pe.Code() == serial.PortClosed:
		f.What, f.Cause = ErrGone, nil
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		f.What = ErrGone
	}
	return f
}
