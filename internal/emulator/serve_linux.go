package emulator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// The interval at which the pump checks when nothing is due, and while the slave is not open and the kernel does
	// not let it wait.
	idleWait     = 250 * time.Millisecond
	desertedWait = 50 * time.Millisecond
)

// ServePTY runs a board on a pseudo terminal in real time, or faster, until the context ends. A host may connect and
// disconnect: the game continues, and a late host finds it in progress. The goroutine that calls it owns the terminal
// and the board.
func ServePTY(ctx context.Context, e Device, o PTYOptions) error {
	if o.Link != "" {
		abs, err := filepath.Abs(o.Link)
		if err != nil {
			return fmt.Errorf("link %s: %w", o.Link, err)
		}
		o.Link = abs
	}
	var wake [2]int
	if err := unix.Pipe2(wake[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	defer unix.Close(wake[0])
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		unix.Write(wake[1], []byte{0}) // ends a poll; a full pipe has ended it already
		close(stopped)
	})
	defer func() {
		if !stop() {
			<-stopped
		}
		unix.Close(wake[1])
	}()
	s := server{e: e, o: o, wake: wake[0], speed: int64(max(o.Speed, 1)), origin: e.Now()}
	_, s.pulls = e.Cable()
	if err := s.plug(); err != nil {
		return err
	}
	defer s.unplug()
	return s.loop(ctx)
}

// server is the pump of one board.
type server struct {
	e      Device
	o      PTYOptions
	pty    *pty // nil while the cable is out
	pulls  int  // how often the host has seen the cable pulled
	wake   int
	speed  int64
	begin  time.Time
	origin int64 // virtual time at begin
	buf    [256]byte
}

func (s *server) plug() error {
	p, err := openPTY()
	if err != nil {
		return err
	}
	if err := p.link(s.o.Link); err != nil {
		return errors.Join(err, p.close())
	}
	s.pty = p
	if s.o.Ready != nil {
		s.o.Ready(p.path)
	}
	return nil
}

func (s *server) unplug() {
	if s.pty != nil {
		s.pty.unlink(s.o.Link)
		_ = s.pty.close() // nothing written could still be lost
		s.pty = nil
	}
}

func (s *server) virtual() int64 {
	return s.origin + time.Since(s.begin).Microseconds()*s.speed
}

func (s *server) loop(ctx context.Context) error {
	s.begin = time.Now()
	done := false
	for ctx.Err() == nil {
		s.e.Advance(s.virtual(), func(_ int64, p []byte) {
			if s.pty != nil {
				s.pty.write(p)
			}
		})
		if !done && s.e.Done() {
			done = true
			if s.o.Done != nil {
				s.o.Done()
			}
		}
		if err := s.follow(); err != nil {
			return err
		}
		s.listen(ctx)
	}
	return nil
}

// follow makes the terminal follow the emulated cable: when the cable is pulled the terminal disappears, and later it
// appears under another number.
func (s *server) follow() error {
	in, pulls := s.e.Cable()
	if s.pulls != pulls || !in { // it may be plugged in again already: the host must see the loss
		s.pulls = pulls
		s.unplug()
	}
	if in && s.pty == nil {
		return s.plug()
	}
	return nil
}

// listen waits for the host or for the next event.
func (s *server) listen(ctx context.Context) {
	wait := idleWait
	if at, ok := s.e.NextEvent(); ok {
		due := time.Duration((at-s.virtual())/s.speed+1) * time.Microsecond
		wait = min(wait, due)
	}
	if s.pty == nil {
		s.rest(ctx, min(wait, desertedWait))
		return
	}
	n, deserted := s.pty.read(s.buf[:], wait, s.wake)
	if n > 0 {
		s.e.Advance(s.virtual(), func(_ int64, p []byte) { s.pty.write(p) })
		s.e.Input(s.e.Now(), s.buf[:n])
	}
	if deserted {
		s.rest(ctx, min(wait, desertedWait))
	}
}

func (s *server) rest(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
