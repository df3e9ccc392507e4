//go:build linux

package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// This file holds the harms of the campaign that befall boards, ports, phones and the configuration; those that befall
// the program and its disk are in campaign_test.go.

// A plight is what befalls a board, between its generator and its port.
type plight struct {
	mute    atomic.Bool  // it neither sends nor hears
	noClock atomic.Bool  // its clock is unplugged
	away    atomic.Bool  // its cable is out
	noise   atomic.Int64 // bytes of garbage that it sends next
}

// noClockStatus is the status of a clock message without a clock, whose other bytes say nothing (protocol notes 6.3).
const noClockStatus = 0x20

// pass returns what is sent of a message.
func (p *plight) pass(message []byte) []byte {
	switch {
	case p.mute.Load():
		return nil
	case p.noClock.Load() && len(message) == 10 && message[0] == 0x8d:
		return append(append([]byte{}, message[:3]...), 0, 0, 0, 0, 0, 0, noClockStatus)
	}
	return message
}

// garbage is what the board sends besides.
func (p *plight) garbage() []byte {
	list := make([]byte, p.noise.Swap(0))
	for i := range list {
		list[i] = byte(i*i*7 + i>>3) // any bytes
	}
	return list
}

func (b *hallBoard) Input(at int64, p []byte) {
	if !b.plight.mute.Load() {
		b.Table.Input(at, p)
	}
}

// hubFails pulls all cables at once; the boards come back one after the other, at ports with other numbers.
func hubFails(t *testing.T, r *hallRunner) {
	var back sync.WaitGroup
	for _, b := range r.tables {
		b.plight.away.Store(true)
		b.more.Add(1)
		out := r.between(300*time.Millisecond, 3*time.Second)
		back.Go(func() {
			<-time.After(out)
			b.plight.away.Store(false)
		})
	}
	for range r.tables {
		r.d.err.await(t, `"message":"board lost; looking for it"`)
	}
	back.Wait()
}

// muted lets all boards fall silent for longer than a board may be.
func muted(_ *testing.T, r *hallRunner) {
	r.befall(func(p *plight) *atomic.Bool { return &p.mute }, 8*time.Second, 12*time.Second)
}

// clocksOut unplugs all clocks for a while.
func clocksOut(_ *testing.T, r *hallRunner) {
	r.befall(func(p *plight) *atomic.Bool { return &p.noClock }, 2*time.Second, 10*time.Second)
}

// befall lets the same befall all boards for a time between the two.
func (r *hallRunner) befall(which func(*plight) *atomic.Bool, least, most time.Duration) {
	for _, now := range []bool{true, false} {
		for _, b := range r.tables {
			which(&b.plight).Store(now)
		}
		if now {
			<-time.After(r.between(least, most))
		}
	}
}

// babbled lets all boards send garbage, as much at once as a port takes that nobody reads for a moment.
func babbled(_ *testing.T, r *hallRunner) {
	for range 5 {
		for _, b := range r.tables {
			b.plight.noise.Store(r.rng.Int64N(1500))
		}
		<-time.After(300 * time.Millisecond)
	}
}

// intruders reads at every port for a while, as another program of root's could. A pseudo terminal has no owner that
// keeps others out; that a real port is refused is tested in internal/link.
func intruders(t *testing.T, r *hallRunner) {
	ctx, cancel := context.WithTimeout(t.Context(), r.between(time.Second, 3*time.Second))
	defer cancel()
	var all sync.WaitGroup
	for _, b := range r.tables {
		if port, err := os.Readlink(r.w.path(b.name)); err == nil {
			all.Go(func() { _ = exec.CommandContext(ctx, "cat", port).Run() }) // it is killed, or the cable is pulled
		}
	}
	all.Wait()
}

// misconfigured starts the program with a wrong configuration, which it refuses by file, line and key.
func misconfigured(t *testing.T, r *hallRunner) {
	text, err := os.ReadFile(r.config)
	if err != nil {
		t.Fatal(err)
	}
	r.away(func() {
		r.d.kill()
		if err := os.WriteFile(r.config, append(slices.Clone(text), "rownd: \"2\"\n"...), 0o600); err != nil {
			t.Fatal(err)
		}
		a := r.w.run(t, "", "run", "-c", r.config)
		if want := fmt.Sprintf("%s:%d:1", filepath.Base(r.config), strings.Count(string(text), "\n")+1); a.status != 2 || !strings.Contains(a.err, want) {
			t.Errorf("a wrong configuration: status %d, want 2 and %q in %q", a.status, want, a.err)
		}
		if err := os.WriteFile(r.config, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r.start(t)
	})
}

// radioLost takes the Wi-Fi from the arbiter's phone, just when it is answered: nothing passes any more, or only what
// it sends.
func radioLost(_ *testing.T, r *hallRunner) {
	awaitSoon(r.answered)
	r.radio.becomes([]airs{deaf, silent}[r.rng.IntN(2)])
	<-time.After(r.between(time.Second, time.Second+14*r.every/40))
	r.radio.becomes(fine)
}

// sleepyPhones follow the feed and do not read, or hardly.
func sleepyPhones(t *testing.T, r *hallRunner) {
	address := strings.TrimPrefix(r.url, "http://")
	back := time.Now().Add(sharedtest.Patience(t)) // right after a kill nobody listens for a moment
	var open []net.Conn
	for len(open) < 50 && time.Now().Before(back) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			wait(t.Context(), 50*time.Millisecond)
			continue
		}
		open = append(open, c)
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		_, _ = fmt.Fprintf(c, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\nCookie: boardwatchd=%s\r\n\r\n", address, r.cookie)
	}
	if len(open) < 50 {
		t.Errorf("only %d connections", len(open))
	}
	for end := time.Now().Add(r.between(5*time.Second, 5*time.Second+15*r.every/40)); time.Now().Before(end); wait(t.Context(), 100*time.Millisecond) {
		for _, c := range open[:10] {
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, _ = io.ReadFull(c, make([]byte, 1)) // it may have been dropped
		}
	}
	for _, c := range open {
		_ = c.Close() // likewise
	}
}
