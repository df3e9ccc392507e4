package emulator

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"boardwatchd/dgt"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/rules/legal"
)

// serve runs an emulator on a pseudo terminal until the test ends and returns
// the path of each slave as it comes.
func serve(t *testing.T, o Options, p PTYOptions) (slaves chan string, stop func() error) {
	t.Helper()
	e := New(o)
	ctx, cancel := context.WithCancel(t.Context())
	slaves = make(chan string, 8)
	p.Ready = func(path string) { slaves <- path }
	ended := make(chan error, 1)
	go func() { ended <- ServePTY(ctx, e, p) }()
	var result error
	stopped := false
	stop = func() error {
		if !stopped {
			stopped = true
			cancel()
			result = <-ended
		}
		return result
	}
	t.Cleanup(func() { _ = stop() })
	select {
	case path := <-slaves:
		slaves <- path
	case err := <-ended:
		ended <- err
		t.Skipf("no pseudo terminal here: %v", err)
	}
	return slaves, stop
}

// played returns a table at which the play begins a second after a host has connected: the e-pawn first, and then a
// knight goes out and back repeatedly.
func played(seed uint64) Options {
	s := script{table: legal.StartSetup(518).Placement}
	s.Wait(second)
	s.fly(legal.E2, legal.E4)
	for range 1000 {
		s.Wait(second)
		s.fly(legal.G1, legal.F3)
		s.Wait(second)
		s.fly(legal.F3, legal.G1)
	}
	return Options{
		Seed: seed, Table: legal.StartSetup(518).Placement, Script: s.acts, WaitForHost: true, Line: LineOptions{Baud: Unpaced},
	}
}

// dial opens a slave as a host does, with deadlines.
func dial(t *testing.T, path string) *os.File {
	t.Helper()
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), path)
	if err := f.SetDeadline(sharedtest.Late(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// until reads frames until one satisfies want.
func until(t *testing.T, f *os.File, d *dgt.Decoder, want func(dgt.Frame) bool) {
	t.Helper()
	buf := make([]byte, 512)
	for {
		for fr, ok := d.Next(); ok; fr, ok = d.Next() { // the rest of a chunk is lost with the next Feed
			if want(fr) {
				return
			}
		}
		n, err := f.Read(buf)
		if err != nil {
			t.Fatalf("read the slave: %v", err)
		}
		d.Feed(buf[:n])
	}
}

// send writes all commands at once: on a busy machine much virtual time may pass between two writes.
func send(t *testing.T, f *os.File, cs ...dgt.Command) {
	t.Helper()
	var b []byte
	for _, c := range cs {
		b = c.AppendTo(b)
	}
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
}

func TestAHostOnTheTerminalSeesTheGame(t *testing.T) {
	link := filepath.Join(t.TempDir(), "board")
	_, stop := serve(t, played(3), PTYOptions{Speed: 200, Link: link})
	f := dial(t, link)
	send(t, f, dgt.SetUpdateNice, dgt.RequestBoard)
	var d dgt.Decoder
	until(t, f, &d, func(fr dgt.Frame) bool {
		p, ok := fr.Board()
		return ok && p == startCodes
	})
	fields := 0
	until(t, f, &d, func(fr dgt.Frame) bool {
		if fr.ID == dgt.MsgField {
			fields++
		}
		return fields == 20
	})
	if g := d.Stats().Garbage; g != 0 {
		t.Errorf("%d bytes of garbage: is the terminal raw?", g)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(link); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the link stays behind: %v", err)
	}
}

func TestAHostThatComesLateFindsTheGameInTheMiddle(t *testing.T) {
	slaves, _ := serve(t, played(4), PTYOptions{Speed: 500})
	path := <-slaves
	first := dial(t, path)
	send(t, first, dgt.SetUpdateNice)
	var d dgt.Decoder
	fields := 0
	until(t, first, &d, func(fr dgt.Frame) bool {
		if fr.ID == dgt.MsgField {
			fields++
		}
		return fields == 10
	})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := dial(t, path)
	send(t, second, dgt.RequestBoard)
	var d2 dgt.Decoder
	until(t, second, &d2, func(fr dgt.Frame) bool {
		p, ok := fr.Board()
		return ok && p != startCodes
	})
}

func TestAnUnpluggedCableTakesTheTerminalAway(t *testing.T) {
	link := filepath.Join(t.TempDir(), "board")
	fault := Fault{Kind: UnplugInFrame, Frame: dgt.MsgSerial, N: 2, For: 5 * second} // once the host is connected
	o := Options{Seed: 5, Faults: Faults{At: []Fault{fault}}}
	slaves, _ := serve(t, o, PTYOptions{Speed: 50, Link: link})
	f := dial(t, <-slaves)
	send(t, f, dgt.RequestSerial)
	buf := make([]byte, 64)
	for {
		if _, err := f.Read(buf); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("the terminal never went away")
		} else if err != nil {
			break // EIO or EOF: hung up
		}
	}
	path := <-slaves
	if target, err := os.Readlink(link); err != nil || target != path {
		t.Errorf("link leads to %q (%v), want %q", target, err, path)
	}
	var d dgt.Decoder
	again := dial(t, link)
	send(t, again, dgt.RequestSerial)
	until(t, again, &d, func(fr dgt.Frame) bool { return fr.ID == dgt.MsgSerial })
}

func TestAForeignLinkIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "board")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if err := ServePTY(t.Context(), New(Options{}), PTYOptions{Link: link}); err == nil {
		t.Fatal("served over somebody else's link")
	}
	if target, err := os.Readlink(link); err != nil || target != dir {
		t.Errorf("the link was changed to %q (%v)", target, err)
	}
}

func TestTheTerminalIsRawForTheFirstHost(t *testing.T) {
	p, err := openPTY()
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	defer p.close()
	f := dial(t, p.path)
	settings, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if settings.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) != 0 || settings.Iflag&(unix.IXON|unix.ICRNL|unix.ISTRIP) != 0 {
		t.Errorf("cooked: iflag %o lflag %o", settings.Iflag, settings.Lflag)
	}
}
