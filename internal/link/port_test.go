//go:build linux

package link

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"

	"boardwatchd/internal/sharedtest"
)

func mustOpen(t *testing.T, path string) *Port {
	t.Helper()
	p, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// readAll reads until n bytes have arrived.
func readAll(t *testing.T, p *Port, n int) []byte {
	t.Helper()
	var got []byte
	b := make([]byte, 4096)
	for end := sharedtest.Late(t); len(got) < n && time.Now().Before(end); {
		k, err := p.Read(b)
		if err != nil {
			t.Fatalf("after %d bytes: %v", len(got), err)
		}
		got = append(got, b[:k]...)
	}
	return got
}

func TestEveryByteValuePassesBothWays(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	if _, err := cable.Write(all); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, p, 256); !bytes.Equal(got, all) {
		t.Errorf("read %x", got)
	}
	if n, err := p.Write(all); n != 256 || err != nil {
		t.Fatal(n, err)
	}
	cable.expect(t, string(all))
}

func TestBytesThatWaitedAtOpenAreKept(t *testing.T) {
	cable := newPTY(t)
	if _, err := cable.Write([]byte("\x8e\x00\x05\x0c\x01")); err != nil {
		t.Fatal(err)
	}
	p := mustOpen(t, cable.path)
	b := make([]byte, 3) // smaller than the waiting bytes: none are lost in between
	n1, err1 := p.Read(b)
	first := string(b[:n1])
	n2, err2 := p.Read(b)
	if got := first + string(b[:n2]); got != "\x8e\x00\x05\x0c\x01" || err1 != nil || err2 != nil {
		t.Errorf("read %x, %v, %v", got, err1, err2)
	}
}

func TestQuietReadIsNoError(t *testing.T) {
	p := mustOpen(t, newPTY(t).path)
	if n, err := p.Read(make([]byte, 10)); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestSecondOpenIsRefusedUntilTheFirstIsClosed(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	_, err := Open(cable.path)
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "in use by another program") || !strings.Contains(err.Error(), "fuser") {
		t.Fatalf("second open: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, cable.path)
}

// A refused open must not disturb the port for its owner.
func TestRefusedOpenLeavesTheOwnerAlone(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	if _, err := Open(cable.path); err == nil {
		t.Fatal("opened twice")
	}
	if _, err := p.Write([]byte("B")); err != nil {
		t.Fatal(err)
	}
	cable.expect(t, "B")
}

// TIOCEXCL stays on a PTY after the process that set it is killed; the successor, who is not root, would be locked out.
func TestNoExclusiveFlagStaysOnAPTY(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	if err := p.control(func(fd int) error {
		on, err := unix.IoctlGetInt(fd, unix.TIOCGEXCL)
		if err == nil && on != 0 {
			err = errors.New("TIOCEXCL is set")
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "game.bwj")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(dir, "board")
	if err := os.Symlink(filepath.Join(dir, "none"), dangling); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		path string
		is   error
		hint string
	}{
		"a device that is not there":   {filepath.Join(dir, "ttyUSB0"), ErrAbsent, "boardwatchd ports"},
		"a link that leads nowhere":    {dangling, ErrAbsent, "plug the board in"},
		"a directory":                  {dir, ErrNotPort, "it is a directory"},
		"a file":                       {file, ErrNotPort, "boardwatchd replay"},
		"a device that is no terminal": {"/dev/null", ErrNotPort, "of another kind"},
		"an empty path":                {"", ErrAbsent, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(tc.path)
			var f *Failure
			if !errors.Is(err, tc.is) || !errors.As(err, &f) || !strings.Contains(err.Error(), tc.hint) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v; want %v and %q in one line", err, tc.is, tc.hint)
			}
		})
	}
}

func TestErrorsOfTheSystemAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ttyUSB0")
	if err := os.WriteFile(path, nil, 0); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		err  error
		is   error
		hint string
	}{
		"permission of open":       {&fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}, ErrDenied, "sudo usermod -aG dialout"},
		"permission by the cgroup": {syscall.EPERM, ErrDenied, "SupplementaryGroups=dialout"},
		"exclusive use":            {syscall.EBUSY, ErrBusy, "close it"},
		"a lock":                   {syscall.EWOULDBLOCK, ErrBusy, "close it"},
		"no device behind a node":  {syscall.ENXIO, ErrAbsent, "plug the board in"},
		"too many files":           {syscall.EMFILE, ErrTooMany, "LimitNOFILE"},
		"a dead device":            {syscall.EIO, ErrGone, "plug it in again"},
		"no terminal":              {syscall.ENOTTY, ErrNotPort, "boardwatchd ports"},
		"the library's busy":       {portError(t), ErrNotPort, "boardwatchd ports"},
	} {
		t.Run(name, func(t *testing.T) {
			err := openFailure(path, tc.err)
			if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.hint) || !strings.HasPrefix(err.Error(), "open "+path+": ") {
				t.Errorf("%v; want %v, %q", err, tc.is, tc.hint)
			}
		})
	}
}

// portError gets a *serial.PortError, which cannot be made outside its package.
func portError(t *testing.T) error {
	t.Helper()
	_, err := serial.Open("/dev/null", &mode)
	var pe *serial.PortError
	if !errors.As(err, &pe) {
		t.Fatalf("%T %v", err, err)
	}
	return err
}

func TestUnplugEndsTheRead(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	cable.unplug(t)
	for range 3 { // the same again each time, and never 0, nil
		if n, err := p.Read(make([]byte, 10)); n != 0 || !errors.Is(err, ErrGone) {
			t.Fatalf("%d, %v", n, err)
		}
	}
	if _, err := p.Write([]byte("E")); !errors.Is(err, ErrGone) {
		t.Errorf("write: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestUnplugWakesABlockedRead(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	done := make(chan error)
	go func() {
		for {
			if _, err := p.Read(make([]byte, 10)); err != nil {
				done <- err
				return
			}
		}
	}()
	cable.unplug(t)
	if err := <-done; !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

func TestCloseWaitsForTheReader(t *testing.T) {
	p := mustOpen(t, newPTY(t).path)
	reading := make(chan struct{})
	done := make(chan error)
	go func() {
		for close(reading); ; {
			if _, err := p.Read(make([]byte, 10)); err != nil {
				done <- err
				return
			}
		}
	}()
	<-reading
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if n := openFDs(t, p.Path()); n != 0 {
		t.Errorf("%d descriptors are open after Close", n)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// go.bug.st/serial 1.8.0 wrote into any file that had got the descriptor.
func TestUseAfterCloseTouchesNoOtherFile(t *testing.T) {
	p := mustOpen(t, newPTY(t).path)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	var files []*os.File
	for i := range 6 { // enough to use every descriptor that the port had
		f, err := os.Create(filepath.Join(t.TempDir(), string(rune('a'+i))))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files = append(files, f)
	}
	if _, err := p.Write([]byte("CORRUPT")); !errors.Is(err, ErrClosed) {
		t.Errorf("write: %v", err)
	}
	if _, err := p.Read(make([]byte, 10)); !errors.Is(err, ErrClosed) {
		t.Errorf("read: %v", err)
	}
	for _, f := range files {
		if info, err := f.Stat(); err != nil || info.Size() != 0 {
			t.Errorf("%s has %d bytes, %v", f.Name(), info.Size(), err)
		}
	}
}

func TestPortThatTakesNothingIsGivenUp(t *testing.T) {
	p := mustOpen(t, newPTY(t).path)
	p.limit = 20 * time.Millisecond
	var err error
	for sent := 0; err == nil; sent += 4096 {
		if sent > 1<<20 {
			t.Fatal("a PTY that nobody reads swallowed a megabyte")
		}
		_, err = p.Write(make([]byte, 4096))
	}
	if !errors.Is(err, ErrStuck) {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestHighDescriptorIsRefusedWithoutPanic(t *testing.T) {
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil || was.Max < 1100 {
		t.Skipf("cannot have 1100 descriptors here: %v", err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1100, Max: was.Max}); err != nil {
		t.Skip(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &was) // restores the limit
	cable := newPTY(t)
	null, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var high []int
	defer func() {
		for _, fd := range high {
			_ = unix.Close(fd)
		}
	}()
	for {
		fd, err := unix.Dup(int(null.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		high = append(high, fd)
		if fd >= 1023 {
			break
		}
	}
	before := openFDs(t, "")
	if _, err := Open(cable.path); !errors.Is(err, ErrTooMany) || !strings.Contains(err.Error(), "LimitNOFILE") {
		t.Errorf("%v", err)
	}
	if after := openFDs(t, ""); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestFourDescriptorsPerPort(t *testing.T) {
	cable := newPTY(t)
	before := openFDs(t, "")
	p := mustOpen(t, cable.path)
	if n := openFDs(t, "") - before; n != 4 {
		t.Errorf("%d descriptors; doc.go says 4", n)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if n := openFDs(t, ""); n != before {
		t.Errorf("%d descriptors before, %d after", before, n)
	}
}
