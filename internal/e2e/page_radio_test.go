//go:build linux

package e2e

import (
	"net"
	"strings"
	"sync"
	"testing"
)

// airs is what the Wi-Fi between a phone and the daemon does with what is sent.
type airs int

const (
	fine   airs = iota
	deaf        // what the phone says arrives; what it should hear does not
	silent      // nothing arrives, without a sign of it
)

// radio is the Wi-Fi: a TCP proxy in front of a daemon.
type radio struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	state airs
	conns []net.Conn
	sent  int // bytes to the phone
	over  sync.WaitGroup
}

// newRadio is a network with good reception.
func newRadio(t testing.TB, url string) *radio {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &radio{listener: l, to: strings.TrimPrefix(url, "http://")}
	r.over.Go(r.serve)
	t.Cleanup(func() {
		_ = l.Close() // it ends serve
		r.becomes(fine)
		r.over.Wait()
	})
	return r
}

func (r *radio) url() string { return "http://" + r.listener.Addr().String() }

// becomes changes the reception. When it is clear again, every connection of before is gone, as a phone finds it that
// has been out of the hall.
func (r *radio) becomes(s airs) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = s
	if s == fine {
		for _, c := range r.conns {
			_ = c.Close() // its ends see it
		}
		r.conns = nil
	}
}

func (r *radio) serve() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		r.conns = append(r.conns, c)
		lost := r.state == silent
		r.mu.Unlock()
		if !lost {
			r.over.Go(func() { r.connect(c) })
		}
	}
}

func (r *radio) connect(phone net.Conn) {
	defer phone.Close()
	daemon, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer daemon.Close()
	r.mu.Lock()
	r.conns = append(r.conns, daemon)
	r.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { r.carry(daemon, phone, silent, false) })
	both.Go(func() { r.carry(phone, daemon, deaf, true) })
	both.Wait()
}

// received is how many bytes have come to the phone since the last time it was asked.
func (r *radio) received() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.sent
	r.sent = 0
	return n
}

// carry copies, but from the state lost on what is copied is lost.
func (r *radio) carry(to, from net.Conn, lost airs, down bool) {
	defer to.Close()
	buf := make([]byte, 16<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		gone := r.state >= lost
		if down && !gone {
			r.sent += n
		}
		r.mu.Unlock()
		if gone {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}
