package station_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"golang.org/x/sys/unix"

	"boardwatchd/dgt"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
)

// terminal is a pseudo terminal: the board's end of it, and one of the host's that stays open, so that nothing of what
// is left there goes with the station's.
type terminal struct {
	board, left int
	path        string
}

func openTerminal(t *testing.T) terminal {
	t.Helper()
	const flags = unix.O_RDWR | unix.O_NOCTTY | unix.O_NONBLOCK | unix.O_CLOEXEC
	board, err := unix.Open("/dev/ptmx", flags, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	n, err := unix.IoctlGetInt(board, unix.TIOCGPTN)
	p := terminal{board: board, path: fmt.Sprintf("/dev/pts/%d", n)}
	if err = errors.Join(err, unix.IoctlSetPointerInt(board, unix.TIOCSPTLCK, 0)); err == nil {
		p.left, err = unix.Open(p.path, flags, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := unix.IoctlGetTermios(p.left, unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	raw.Iflag, raw.Oflag, raw.Lflag = 0, 0, 0
	if err := unix.IoctlSetTermios(p.left, unix.TCSETS, raw); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWhatWasReadIsInTheJournal: of a board that sends all the time nothing is lost or changed, nor when the station
// ends. What it has sent is in the journal, and what follows lies in the port still.
func TestWhatWasReadIsInTheJournal(t *testing.T) {
	for range 10 {
		p := openTerminal(t)
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open()
		s.Connect(link.Spec{Port: p.path})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		over, sent := make(chan struct{}), make(chan []byte, 1)
		go func() { sent <- p.chatter(over) }()
		before := s.Durable()
		sharedtest.Until(t, "the board is heard", func() bool { return s.Durable() > before+20 })
		stop()
		err := <-done
		close(over)
		want := <-sent
		if err != nil {
			t.Fatal(err)
		}
		have := received(t, b.path())
		known := len(have)
		if have = append(have, p.drain(t)...); !bytes.Equal(have, want) {
			same := 0
			for same < min(len(have), len(want)) && have[same] == want[same] {
				same++
			}
			t.Fatalf("%d bytes were sent; %d are in the journal and %d in the port, and from byte %d on they differ", len(want), known, len(have)-known, same)
		}
	}
}

// chatter sends messages, each another one, until over is closed, and returns what the port has taken.
func (p terminal) chatter(over <-chan struct{}) (sent []byte) {
	var next []byte
	for i := 0; ; {
		select {
		case <-over:
			return sent
		default:
		}
		for ; len(next) < 100; i++ {
			next = dgt.Battery{Percent: 50, OnHours: byte(i / 60 % 24), OnMinutes: byte(i % 60)}.AppendTo(next)
		}
		if n, err := unix.Write(p.board, next[:1+i%len(next)]); err == nil { // else it is full
			sent = append(sent, next[:n]...)
			next = next[n:]
		}
	}
}

// drain reads what lies in the port.
func (p terminal) drain(t *testing.T) (left []byte) {
	t.Helper()
	buf := make([]byte, 1<<16)
	for {
		k, err := unix.Read(p.left, buf)
		if errors.Is(err, unix.EAGAIN) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, buf[:k]...)
	}
	if err := errors.Join(unix.Close(p.left), unix.Close(p.board)); err != nil {
		t.Fatal(err)
	}
	return left
}

// received are the bytes in a journal.
func received(t *testing.T, path string) (got []byte) {
	t.Helper()
	rd, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == record.Rx {
			got = append(got, r.Body...)
		}
	}
}
