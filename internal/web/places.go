package web

import (
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"sync"
	"syscall"
)

// The budget of connections, over both ports together. Each takes a descriptor: see doc.go, Connections.
const (
	maxConns     = 512 // the default of Options.Connections
	newcomers    = 80  // never kept for paired devices: for new connections
	maxPerDevice = 12  // kept for one device: a browser opens six at each port
	localPlaces  = 16  // for this computer alone
)

// places are the open connections, and for which devices they are kept. A connection is kept for a paired device from
// the first request on that proves the device, and is never taken from it. A new connection always gets in. If all
// places are in use, it gets the one on which no request has begun or ended for longest, of the address with most
// places that are not kept: an address with few is safe from one with many.
type places struct {
	limit int // of all; one address may have half of those that are not kept

	mu        sync.Mutex
	open      map[*place]struct{}
	others    map[netip.Prefix]int // not kept, by address
	kept      map[string]int       // by device
	allKept   int
	turns     int64 // counts the connections and requests that begin and end
	reclaimed int64
}

// A place is a connection that was accepted.
type place struct {
	net.Conn
	in   *places
	peer netip.Prefix

	// Guarded by the lock of in.
	device string // for which it is kept; "": it is not kept
	turn   int64  // value of in.turns when a request last began or ended here
}

func newPlaces(limit int) *places {
	return &places{limit: limit, open: make(map[*place]struct{}), others: make(map[netip.Prefix]int), kept: make(map[string]int)}
}

// listener gives each connection that it accepts a place.
type listener struct {
	net.Listener
	places *places
}

// Accept returns the next connection. It may close another one for its place, or for its descriptor if those are used
// up.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	for errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		out := l.places.makeRoom()
		if out == nil {
			break
		}
		_ = out.Conn.Close() // its goroutine finds it closed and ends
		c, err = l.Listener.Accept()
	}
	if err != nil {
		return nil, err
	}
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetWriteBuffer(sendBuffer) // if it fails the kernel's default is used
	}
	p, out := l.places.enter(c)
	if out != nil {
		_ = out.Conn.Close() // its goroutine finds it closed and ends
	}
	return p, nil
}

// Close closes the connection and gives its place back.
func (p *place) Close() error {
	p.in.leave(p)
	return p.Conn.Close()
}

// enter gives a connection a place, and returns the one that has to be closed for it.
func (s *places) enter(c net.Conn) (p, out *place) {
	p = &place{Conn: c, in: s, peer: peerOf(c.RemoteAddr().String())}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.others[p.peer] >= s.limit/2:
		out = s.longestIdle(p.peer)
	case len(s.open) >= s.limit:
		out = s.longestIdle(s.peerWithMost(p.peer))
	}
	if out != nil {
		s.remove(out)
		s.reclaimed++
	}
	s.open[p] = struct{}{}
	s.others[p.peer]++
	s.touch(p)
	return p, out
}

// makeRoom removes the connection that has to make room for a new one; nil: there is none.
func (s *places) makeRoom() *place {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.longestIdle(s.peerWithMost(netip.Prefix{}))
	if out != nil {
		s.remove(out)
		s.reclaimed++
	}
	return out
}

// peerWithMost is the address with most places that may be taken, counting the newcomer. Among equals it is the address
// of the connection that is idle for longest. There is one whenever all places are in use, because newcomers are more
// than localPlaces.
func (s *places) peerWithMost(newcomer netip.Prefix) netip.Prefix {
	var best *place
	most := 0
	for p := range s.open {
		if p.device != "" {
			continue
		}
		n := s.others[p.peer]
		if p.peer == newcomer {
			n++
		}
		if p.peer == thisComputer {
			n -= localPlaces
		}
		if n > most || n == most && best != nil && p.turn < best.turn {
			best, most = p, n
		}
	}
	if best == nil {
		return newcomer
	}
	return best.peer
}

// longestIdle is the connection of an address that is not kept and on which nothing has happened for longest.
func (s *places) longestIdle(peer netip.Prefix) (found *place) {
	for p := range s.open {
		if p.device == "" && p.peer == peer && (found == nil || p.turn < found.turn) {
			found = p
		}
	}
	return found
}

func (s *places) leave(p *place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, in := s.open[p]; in {
		s.remove(p)
	}
}

// remove removes a place. The caller holds the lock.
func (s *places) remove(p *place) {
	s.release(p)
	delete(s.open, p)
	if s.others[p.peer]--; s.others[p.peer] <= 0 {
		delete(s.others, p.peer)
	}
}

// release makes a place one that is not kept. The caller holds the lock.
func (s *places) release(p *place) {
	if p.device == "" {
		return
	}
	if s.kept[p.device]--; s.kept[p.device] <= 0 {
		delete(s.kept, p.device)
	}
	s.allKept--
	p.device = ""
	s.others[p.peer]++
}

func (s *places) touch(p *place) {
	s.turns++
	p.turn = s.turns
}

// noteActivity notes that a request has begun or ended.
func (s *places) noteActivity(p *place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touch(p)
}

// keep keeps a place for a device, unless the device or all devices together have reached their limit.
func (s *places) keep(p *place, device string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, in := s.open[p]; !in || p.device == device {
		return
	}
	s.release(p)
	if s.kept[device] >= maxPerDevice || s.allKept >= s.limit-newcomers {
		return
	}
	p.device = device
	s.kept[device]++
	s.allKept++
	s.others[p.peer]--
}

// forget releases all places of a device that was revoked.
func (s *places) forget(device string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.open {
		if p.device == device {
			s.release(p)
		}
	}
}

// Connections is the use of the connections.
type Connections struct {
	Paired    int   // kept for paired devices
	Local     int   // of this computer, kept for no device
	Others    int   // all others
	Limit     int   // for all together
	Reclaimed int64 // closed since the start because all places were taken
}

// Connections counts the connections of both ports.
func (s *Server) Connections() Connections {
	c := s.places
	c.mu.Lock()
	defer c.mu.Unlock()
	local := c.others[thisComputer]
	return Connections{
		Paired: c.allKept, Local: local, Others: len(c.open) - c.allKept - local, Limit: c.limit, Reclaimed: c.reclaimed,
	}
}

// placeOf is the place of a connection of net/http.
func placeOf(c net.Conn) *place {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	p, _ := c.(*place)
	return p
}

// thisComputer stands for all loopback addresses.
var thisComputer = netip.MustParsePrefix("127.0.0.0/8")

// peerOf is the part of an address that counts as one client: of IPv6 a /64.
func peerOf(hostport string) netip.Prefix {
	ap, err := netip.ParseAddrPort(hostport)
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := ap.Addr().Unmap().WithZone(""), 32
	if ip.IsLoopback() {
		return thisComputer
	}
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
