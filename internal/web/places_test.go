package web

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"
)

// claimed is a connection that comes from another address.
type claimed struct {
	net.Conn
	from net.Addr
}

func (c claimed) RemoteAddr() net.Addr { return c.from }

// dialFrom is a connection from an address, as the server sees it.
func (p *pipes) dialFrom(from string) net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- claimed{theirs, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 40000))}
	return ours
}

// A visitor is one connection and what it does there.
type visitor struct {
	net.Conn
	in *bufio.Reader
}

func visit(c net.Conn) *visitor { return &visitor{c, bufio.NewReader(c)} }

// get asks with a cookie, or without, and is answered a status, or closed.
func (v *visitor) get(path, cookie string) int {
	return v.send("GET", path, cookie)
}

func (v *visitor) send(method, path, cookie string) int {
	text := method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n"
	if cookie != "" {
		text += "Cookie: " + cookieName + "=" + cookie + "\r\n"
	}
	if _, err := io.WriteString(v, text+"\r\n"); err != nil {
		return closed
	}
	r, err := http.ReadResponse(v.in, nil)
	if err != nil {
		return closed
	}
	if r.Header.Get("Content-Type") != "text/event-stream" { // that one has no end
		_ = r.Body.Close()
	}
	return r.StatusCode
}

const phoneAddress = "192.168.1.50"

// Whatever strangers do with connections, paired phones, this computer and newcomers are answered.
func TestStrangersShutNobodyOut(t *testing.T) {
	ask := func(c net.Conn) { visit(c).get("/healthz", "") }
	for _, row := range []struct {
		what      string
		addresses int
		each      int
		do        func(net.Conn)
	}{
		{"two addresses that send nothing", 2, 160, nil},
		{"two addresses that send nothing, and do not stop", 2, 1500, nil},
		{"two addresses that ask once", 2, 300, ask},
		{"two addresses with half a body", 2, 300, func(c net.Conn) {
			_, _ = io.WriteString(c, "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
		}},
		{"a whole network", 250, 5, nil},
		{"a whole network that asks once", 250, 5, ask},
	} {
		t.Run(row.what, func(t *testing.T) {
			inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
				idle, feed := visit(p.dialFrom(phoneAddress)), visit(p.dialFrom(phoneAddress))
				if idle.get(sessionPath, h.viewer) != 200 || feed.get("/api/v1/events", h.viewer) != 200 {
					t.Fatal("the phone is not let in before")
				}
				begun := time.Now()
				for i := range row.addresses * row.each {
					c := p.dialFrom(fmt.Sprintf("192.168.2.%d", 1+i%row.addresses))
					defer c.Close()
					if row.do != nil {
						row.do(c)
					}
				}
				again := visit(p.dialFrom(phoneAddress))
				defer again.Close()
				for what, got := range map[string]int{
					"the phone, where it was paired": idle.get(sessionPath, h.viewer),
					"the phone, anew":                again.get(sessionPath, h.viewer),
					"the phone, once more":           again.get("/api/v1/boards", h.viewer),
					"health, from this computer":     visit(p.dialFrom("127.0.0.1")).get("/healthz", ""),
					"metrics, from this computer":    visit(p.dialFrom("::1")).get("/metrics", ""),
					"the page, from a new address":   visit(p.dialFrom("192.168.3.1")).get("/", ""),
				} {
					if got != 200 {
						t.Errorf("%s: %d", what, got)
					}
				}
				if took := time.Since(begun); took > 0 {
					t.Errorf("they waited %v", took)
				}
				if _, err := feed.in.ReadString('\n'); err != nil {
					t.Errorf("the phone's feed: %v", err)
				}
				_, _ = idle.Close(), feed.Close()
			})
		})
	}
}

// flood opens connections that send nothing.
func flood(t *testing.T, p *pipes, n int, address func(int) string) {
	for i := range n {
		c := p.dialFrom(address(i))
		t.Cleanup(func() { _ = c.Close() })
	}
}

func twoAddresses(i int) string { return fmt.Sprintf("192.168.2.%d", 1+i%2) }

// A connection that has proved nothing yet is safe from addresses that have more, and so are those of this computer.
func TestANewPhoneHasTimeToProveItself(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
		flood(t, p, maxConns, twoAddresses)
		phone, local := visit(p.dialFrom(phoneAddress)), make([]*visitor, localPlaces)
		for i := range local {
			local[i] = visit(p.dialFrom("127.0.0.1"))
		}
		flood(t, p, 3*maxConns, twoAddresses)
		flood(t, p, 3*maxConns, func(i int) string { return fmt.Sprintf("10.0.%d.%d", i>>8, i&255) })
		for i, v := range local {
			if got := v.get("/healthz", ""); got != 200 {
				t.Errorf("connection %d of this computer: %d", i, got)
			}
		}
		if got := phone.get(sessionPath, h.viewer); got != closed {
			t.Errorf("among equals the one that waits for longest is taken; this one: %d", got)
		}
		phone = visit(p.dialFrom(phoneAddress))
		flood(t, p, 3*maxConns, twoAddresses)
		if got := phone.get(sessionPath, h.viewer); got != 200 {
			t.Errorf("the phone: %d", got)
		}
	})
}

// Connections of paired devices are never taken, up to their share. Beyond it, and once revoked, they are like all
// others.
func TestPlacesOfPairedDevices(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
		open := func(n int, cookie string) (list []*visitor) {
			for range n {
				v := visit(p.dialFrom(phoneAddress))
				t.Cleanup(func() { _ = v.Close() })
				if got := v.get("/style.css", cookie); got != 200 {
					t.Fatalf("a file of the page, on a new connection: %d", got)
				}
				list = append(list, v)
			}
			return list
		}
		answered := func(list []*visitor, cookie string) (n int) {
			for _, v := range list {
				if v.get(sessionPath, cookie) != closed {
					n++
				}
			}
			return n
		}
		whole := func(i int) string { return fmt.Sprintf("10.0.%d.%d", i>>8, i&255) }
		arbiter, viewer := open(maxPerDevice, h.arbiter), open(maxPerDevice+3, h.viewer)
		if c := h.server.Connections(); c.Paired != 2*maxPerDevice || c.Others != 3 || c.Reclaimed != 0 {
			t.Errorf("%+v", c)
		}
		flood(t, p, 4*maxConns, whole)
		if n := answered(arbiter, h.arbiter); n != maxPerDevice {
			t.Errorf("%d of the arbiter's connections are there", n)
		}
		if n := answered(viewer, h.viewer); n != maxPerDevice {
			t.Errorf("%d of the viewer's connections are there", n)
		}
		if c := h.server.Connections(); c.Paired != 2*maxPerDevice || c.Paired+c.Others != maxConns || c.Limit != maxConns {
			t.Errorf("%+v", c)
		}
		gone := h.device(h.viewer)
		if got := arbiter[0].send("DELETE", "/api/v1/devices/"+gone.ID, h.arbiter); got != 204 {
			t.Fatalf("revoke: %d", got)
		}
		flood(t, p, 4*maxConns, whole)
		if n := answered(viewer, h.viewer); n != 0 {
			t.Errorf("%d connections of the revoked device are there", n)
		}
		if n := answered(arbiter, h.arbiter); n != maxPerDevice {
			t.Errorf("%d of the arbiter's connections are there", n)
		}
	})
}

// However connections come, prove themselves and end, every new one gets in, and the counts agree.
func TestPlacesAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := newPlaces(maxConns)
	var open []*place
	drop := func(p *place) { open = slices.DeleteFunc(open, func(o *place) bool { return o == p }) }
	for step := range 20000 {
		_, theirs := net.Pipe()
		from := netip.AddrFrom4([4]byte{10, 0, byte(random.IntN(3)), byte(random.IntN(1 + step/100))})
		if random.IntN(4) == 0 {
			from = netip.MustParseAddr("127.0.0.1")
		}
		full := len(s.open) == maxConns
		p, out := s.enter(claimed{theirs, net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 1))})
		if out != nil {
			if out.device != "" || out.peer == thisComputer && p.peer != thisComputer && s.others[thisComputer] < localPlaces {
				t.Fatalf("step %d: a place that is kept was taken", step)
			}
			drop(out)
		} else if full {
			t.Fatalf("step %d: all places are taken, and none was given", step)
		}
		open = append(open, p)
		for range 2 {
			switch o := open[random.IntN(len(open))]; random.IntN(9) {
			case 0:
				_ = o.Close()
				drop(o)
			case 1, 2, 3, 4:
				s.keep(o, fmt.Sprint(random.IntN(60)))
			case 5:
				s.forget(fmt.Sprint(random.IntN(600)))
			default:
				s.noteActivity(o)
			}
		}
		kept, allKept, others := map[string]int{}, 0, map[netip.Prefix]int{}
		for _, o := range open {
			if o.device != "" {
				kept[o.device]++
				allKept++
			} else {
				others[o.peer]++
			}
		}
		if len(s.open) != len(open) || len(open) > maxConns || !maps.Equal(positive(s.others), others) || !maps.Equal(s.kept, kept) || s.allKept != allKept || allKept > maxConns-newcomers {
			t.Fatalf("step %d: %d open, %d counted, %v and %v, %v and %v, %d and %d kept",
				step, len(open), len(s.open), s.others, others, s.kept, kept, s.allKept, allKept)
		}
	}
	if s.allKept == 0 || s.reclaimed == 0 {
		t.Errorf("%d kept, %d reclaimed: nothing was tried", s.allKept, s.reclaimed)
	}
}

func positive(m map[netip.Prefix]int) map[netip.Prefix]int {
	m = maps.Clone(m)
	maps.DeleteFunc(m, func(_ netip.Prefix, n int) bool { return n == 0 })
	return m
}

// Over HTTPS too a connection is kept for the device that proves itself on it.
func TestPlacesOverHTTPS(t *testing.T) {
	for name, protocols := range map[string][]string{"HTTP/1.1": {"http/1.1"}, "HTTP/2": {"h2"}} {
		t.Run(name, func(t *testing.T) {
			h := build(t, func(o *Options) { o.Authority = testAuthority(t) })
			h.serveTLS()
			h.client.Transport.(*http.Transport).TLSClientConfig.NextProtos = protocols
			h.client.Transport.(*http.Transport).ForceAttemptHTTP2 = name == "HTTP/2"
			if r := h.ask("GET", "/healthz", "", ""); r.status != 200 {
				t.Fatal(r.status)
			}
			if c := h.server.Connections(); c.Local != 1 || c.Paired != 0 {
				t.Errorf("before: %+v", c)
			}
			if r := h.ask("GET", "/", h.viewer, ""); r.status != 200 {
				t.Fatal(r.status)
			}
			if c := h.server.Connections(); c.Local != 0 || c.Paired != 1 {
				t.Errorf("after a request of a paired device: %+v", c)
			}
		})
	}
}

// BenchmarkPlacesFull is a new connection where all places are taken, by as many addresses.
func BenchmarkPlacesFull(b *testing.B) {
	s, n := newPlaces(maxConns), uint32(0)
	_, theirs := net.Pipe()
	for b.Loop() {
		n++
		from := netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
		s.enter(claimed{theirs, net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 1))})
	}
}

// exhausted is a listener for which there is no descriptor, so often.
type exhausted struct {
	net.Listener
	times int
}

func (e *exhausted) Accept() (net.Conn, error) {
	if e.times--; e.times >= 0 {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return e.Listener.Accept()
}

func TestAConnectionGetsADescriptorOfAnIdleOne(t *testing.T) {
	ps, places := newPipes(), newPlaces(maxConns)
	l := &listener{&exhausted{Listener: ps, times: 0}, places}
	come := func() (theirs net.Conn, err error) {
		go func() { _ = ps.dialFrom("10.0.0.7") }()
		return l.Accept()
	}
	var idle []net.Conn
	for range 3 {
		c, err := come()
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, c)
	}
	l.Listener.(*exhausted).times = 2
	if _, err := come(); err != nil {
		t.Errorf("not let in: %v", err)
	}
	for i, c := range idle {
		// A pipe that is closed refuses a deadline.
		if err := c.SetDeadline(time.Time{}); (err != nil) != (i < 2) {
			t.Errorf("connection %d: %v", i, err)
		}
	}
	l.Listener.(*exhausted).times = 9
	if _, err := l.Accept(); !errors.Is(err, syscall.EMFILE) {
		t.Errorf("with nothing to close: %v", err)
	}
}
