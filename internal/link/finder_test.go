//go:build linux

package link

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

const (
	serial12345 = "\x91\x00\x0812345"
	serial777   = "\x91\x00\x0800777"
	version18   = "\x93\x00\x05\x01\x08"
	long        = "\xa2\x00\x0d0000012345"
)

// pluggedIn returns a system with boards on its USB ports.
func pluggedIn(t *testing.T, boards map[string]string) System {
	files := map[string]string{}
	for name := range boards {
		usb(files, name, "0403", "6001", "ftdi_sio")
		delete(files, "/dev/"+name)
	}
	files["/dev/null"] = ""
	s := tree(t, files)
	for name, path := range boards {
		if err := os.Symlink(path, filepath.Join(s.Root, "dev", name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestHandshakeBelievesOnlyAReply(t *testing.T) {
	for name, tc := range map[string]struct {
		replies map[byte]string
		want    Identity
		err     error
	}{
		"the serial number":          {map[byte]string{'E': serial12345}, Identity{Serial: "12345"}, nil},
		"and the long one":           {map[byte]string{'E': serial12345, 'U': long}, Identity{Serial: "12345", LongSerial: "0000012345"}, nil},
		"only the version":           {map[byte]string{'M': version18}, Identity{Version: "1.08"}, nil},
		"a reply after garbage":      {map[byte]string{'E': "\x00\xff\x91\x00" + serial12345}, Identity{Serial: "12345"}, nil},
		"a board in update mode":     {map[byte]string{'E': "\x8e\x00\x05\x0c\x01" + serial12345 + "\x8e\x00\x05\x1c\x00"}, Identity{Serial: "12345"}, nil},
		"an echo is no reply":        {map[byte]string{'E': "E", 'M': "M"}, Identity{}, ErrSilent},
		"a cut reply is none":        {map[byte]string{'E': "\x91\x00\x08123", 'M': "\x93\x00"}, Identity{}, ErrSilent},
		"other frames are no reply":  {map[byte]string{'E': "\x8e\x00\x05\x0c\x01", 'M': "\x8e\x00\x05\x0c\x01"}, Identity{}, ErrSilent},
		"text of another device":     {map[byte]string{'E': "ok\r\n", 'M': "echo: unknown command\r\n"}, Identity{}, ErrSilent},
		"silence":                    {nil, Identity{}, ErrSilent},
		"a long number is no answer": {map[byte]string{'E': long, 'M': long}, Identity{}, ErrSilent},
	} {
		t.Run(name, func(t *testing.T) {
			var b *board
			var got Identity
			var err error
			patiently(t, func(patience time.Duration) bool {
				b = newBoard(t, tc.replies)
				got, err = handshake(t.Context(), mustOpen(t, b.path), patience, true)
				return got == tc.want
			})
			if got != tc.want || !errors.Is(err, tc.err) {
				t.Errorf("got %+v, %v; want %+v, %v", got, err, tc.want, tc.err)
			}
			if asked := b.questions(); strings.Trim(asked, "EMU") != "" {
				t.Errorf("the device was sent %q; only harmless requests are allowed before it is recognised", asked)
			}
			if tc.err != nil && len(b.questions()) > 6 {
				t.Errorf("a stranger was sent %d bytes", len(b.questions()))
			}
		})
	}
}

// The computer was busy elsewhere until the time for the reply was over, although the reply arrived in time.
func TestHandshakeHearsWhatCameWhileTheComputerWasBusy(t *testing.T) {
	cable := newPTY(t)
	p := mustOpen(t, cable.path)
	if _, err := cable.Write([]byte(serial12345)); err != nil {
		t.Fatal(err)
	}
	if got, err := handshake(t.Context(), p, time.Nanosecond, false); got.Serial != "12345" || err != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestIdentityIs(t *testing.T) {
	id := Identity{Serial: "00777", LongSerial: "0000012345"}
	for serial, want := range map[string]bool{"": true, "00777": true, "777": true, "0000012345": true, "12345": true, "77": false, "1": false} {
		if id.Is(serial) != want {
			t.Errorf("%q: %v", serial, !want)
		}
	}
	if (Identity{Version: "1.08"}).Is("777") {
		t.Error("a board that did not tell its number passes for any")
	}
}

func TestScanFindsTheBoardsAmongThePorts(t *testing.T) {
	a, b := newBoard(t, map[byte]string{'E': serial12345}), newBoard(t, map[byte]string{'E': serial777})
	printer := newBoard(t, nil)
	held := newPTY(t)
	mustOpen(t, held.path)
	s := pluggedIn(t, map[string]string{"ttyUSB0": a.path, "ttyUSB1": b.path, "ttyUSB2": printer.path, "ttyUSB3": held.path})
	var found []Found
	var err error
	patiently(t, func(patience time.Duration) bool {
		found, err = (&Finder{System: s, Patience: patience}).Scan(t.Context())
		return len(found) == 2
	})
	if len(found) != 2 || found[0].Serial != "12345" || found[0].Path != "/dev/ttyUSB0" || found[1].Serial != "00777" {
		t.Errorf("found %+v", found)
	}
	if !errors.Is(err, ErrBusy) {
		t.Errorf("%v; want the busy port named", err)
	}
	for _, path := range []string{a.path, b.path, printer.path} {
		if n := openFDs(t, path); n != 0 {
			t.Errorf("%d descriptors of %s are left open", n, path)
		}
	}
}

func TestSilentPortIsLeftAlone(t *testing.T) {
	printer := newBoard(t, nil)
	now := time.Unix(1000, 0)
	s := pluggedIn(t, map[string]string{"ttyUSB0": printer.path})
	f := &Finder{System: s, Patience: time.Millisecond, Now: func() time.Time { return now }}
	scans := 0
	asked := func() bool {
		silent := f.silent["/dev/ttyUSB0"]
		var before time.Time
		if silent != nil {
			before = silent.until
		}
		if _, err := f.Scan(t.Context()); !errors.Is(err, ErrSilent) {
			t.Fatalf("scan: %v", err)
		}
		if f.silent["/dev/ttyUSB0"].until.Equal(before) {
			return false
		}
		scans++
		return true
	}
	defer func() { // sent bytes are still on the way to the printer for a while
		const each = 2 * rounds
		sharedtest.Until(t, "each scan asks", func() bool { return len(printer.questions()) >= each*scans })
		if n := len(printer.questions()); n != each*scans {
			t.Errorf("%d scans have sent %d requests", scans, n)
		}
	}()
	if !asked() {
		t.Fatal("never asked")
	}
	for _, wait := range []time.Duration{2, 4} {
		now = now.Add(wait*time.Second - 1)
		if asked() {
			t.Fatalf("asked again before %v s", wait)
		}
		if now = now.Add(1); !asked() {
			t.Fatalf("not asked after %v s", wait)
		}
	}
	// Replugged: the port disappears and appears.
	dev := filepath.Join(s.Root, "sys/class/tty/ttyUSB0")
	if err := os.Rename(dev, dev+"gone"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Scan(t.Context()); !errors.Is(err, ErrAbsent) {
		t.Fatalf("nothing plugged in: %v", err)
	}
	if err := os.Rename(dev+"gone", dev); err != nil {
		t.Fatal(err)
	}
	if !asked() {
		t.Error("not asked after it was replugged")
	}
}

func TestPausesOfASilentPortAreBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	f := &Finder{Now: func() time.Time { return now }}
	for i, want := range []time.Duration{2, 4, 8, 16, 32, 60, 60} {
		f.skip("/dev/ttyUSB0", ErrSilent)
		if got := f.silent["/dev/ttyUSB0"].until.Sub(now); got != want*time.Second {
			t.Errorf("pause %d is %v, want %v s", i, got, want)
		}
	}
}

func TestAutoLinkTakesTheWantedBoard(t *testing.T) {
	a, b := newBoard(t, map[byte]string{'E': serial12345}), newBoard(t, map[byte]string{'E': serial777})
	s := pluggedIn(t, map[string]string{"ttyUSB0": a.path, "ttyUSB1": b.path})
	if up := firstEvent(t, Spec{Port: Auto, Serial: "777", System: s}, Up); up.Kind != Up || up.Found.Serial != "00777" || up.Device.Path != "/dev/ttyUSB1" {
		t.Errorf("%+v", up)
	}
	if e := firstEvent(t, Spec{Port: Auto, Serial: "999", System: s}, Trouble); e.Kind != Trouble || !errors.Is(e.Err, ErrOther) || !strings.Contains(e.Err.Error(), "wanted is 999") {
		t.Errorf("%+v", e)
	}
}

// A journal is about one board: after a replug only the same board is accepted.
func TestAutoLinkStaysWithItsBoard(t *testing.T) {
	a := newBoard(t, map[byte]string{'E': serial12345})
	s := pluggedIn(t, map[string]string{"ttyUSB0": a.path})
	events := make(chan Event, 10)
	ctx, cancel := context.WithCancel(t.Context())
	l := New(Spec{Port: Auto, System: s, wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}, func(e Event) { events <- e })
	l.finder.Patience = sharedtest.Patience(t) // this board answers every request
	done := make(chan error)
	if e := oneEvent(t, l, ctx, done, events); e.Kind != Up {
		t.Fatalf("%+v", e)
	}
	// The bytes read by the handshake are passed on: every byte belongs to the journal.
	if e := <-events; e.Kind != Bytes || !bytes.Equal(e.Data, []byte(serial12345)) {
		t.Fatalf("%+v", e)
	}
	b := newBoard(t, map[byte]string{'E': serial777})
	name := filepath.Join(s.Root, "dev/ttyUSB0")
	if err := errors.Join(os.Remove(name), os.Symlink(b.path, name), a.Close()); err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Kind != Down {
		t.Fatalf("%+v", e)
	}
	if e := <-events; e.Kind != Trouble || !errors.Is(e.Err, ErrOther) {
		t.Errorf("after a swap: %+v", e)
	}
	cancel()
	<-done
}

// patiently tries again with a longer time limit until it succeeds: on a busy machine the boards of a test answer late,
// and a device without an answer would use up a long time limit.
func patiently(t *testing.T, try func(patience time.Duration) bool) {
	t.Helper()
	late := sharedtest.Late(t)
	for patience := 20 * time.Millisecond; !try(patience) && time.Now().Before(late); patience *= 2 {
	}
}

// firstEvent returns the first event of a link. If no board answered in time, it is tried again with a longer time
// limit.
func firstEvent(t *testing.T, spec Spec, want Kind) (e Event) {
	t.Helper()
	patiently(t, func(patience time.Duration) bool {
		ctx, cancel := context.WithCancel(t.Context())
		events := make(chan Event, 10)
		done := make(chan error)
		l := New(spec, func(e Event) { events <- e })
		l.finder.Patience = patience
		e = oneEvent(t, l, ctx, done, events)
		cancel()
		<-done
		return e.Kind == want && !errors.Is(e.Err, ErrSilent)
	})
	return e
}

func oneEvent(t *testing.T, l *Link, ctx context.Context, done chan<- error, events <-chan Event) Event {
	t.Helper()
	go func() { done <- l.Run(ctx) }()
	select {
	case e := <-events:
		return e
	case <-sharedtest.Hung(t):
		t.Fatal("no event")
		panic("unreachable")
	}
}

// Several boards answer with the wanted number: none is taken, and their ports are named. A board that was found before
// is found with a shorter search.
func TestBoardsWithOneNumberAreRefused(t *testing.T) {
	boards, ports := map[string]string{}, []string{}
	for _, name := range []string{"ttyUSB0", "ttyUSB1", "ttyUSB2"} {
		b := newBoard(t, map[byte]string{'E': serial12345})
		boards[name], ports = b.path, append(ports, b.path)
	}
	s := pluggedIn(t, boards)
	var err error
	patiently(t, func(patience time.Duration) bool {
		f := &Finder{System: s, Patience: patience}
		var p *Port
		if p, _, err = f.find(t.Context(), "12345", true); err == nil {
			t.Errorf("%s is taken", p.Path())
			_ = p.Close()
		}
		return strings.Contains(err.Error(), "/dev/ttyUSB2")
	})
	if !errors.Is(err, ErrSeveral) || !strings.Contains(err.Error(), "12345") || !strings.Contains(err.Error(), "/dev/ttyUSB0, /dev/ttyUSB1") {
		t.Errorf("%v", err)
	}
	for _, path := range ports {
		if n := openFDs(t, path); n != 0 {
			t.Errorf("%d descriptors of %s are left open", n, path)
		}
	}
	var again Found
	patiently(t, func(patience time.Duration) bool {
		var p *Port
		if p, again, err = (&Finder{System: s, Patience: patience}).find(t.Context(), "12345", false); err == nil {
			_ = p.Close()
		}
		return err == nil
	})
	if again.Serial != "12345" {
		t.Errorf("%+v, %v", again, err)
	}
}
