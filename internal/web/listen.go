package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/net/netutil"
)

// The limits of connections. A phone needs two.
const (
	headerTime = 5 * time.Second
	idleTime   = time.Minute
	maxHeader  = 16 << 10
	maxConns   = 320 // of one port; the next ones wait in the kernel's queue. The serial library needs descriptors below 1024
	maxPerPeer = 256 // of one address; the next ones are closed
	endTime    = 3 * time.Second
	sendBuffer = 64 << 10 // of the kernel: what one phone that does not read can hold
)

// Serve answers on l until ctx ends; then it ends the feeds and waits a little for the rest. All of Serve and ServeTLS end
// with the first ctx that ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := s.server(s.log)
	return s.serve(ctx, h, func() error { return h.Serve(limit(l)) })
}

// ServeTLS is Serve over HTTPS with certificates of the authority.
func (s *Server) ServeTLS(ctx context.Context, l net.Listener) error {
	if s.Authority == nil {
		return errors.New("HTTPS: there is no certificate authority")
	}
	h := s.server(s.log)
	h.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.Authority.Certificate}
	return s.serve(ctx, h, func() error { return h.ServeTLS(limit(l), "", "") })
}

func (s *Server) server(log zerolog.Logger) *http.Server {
	return &http.Server{
		Handler: s.handler, ErrorLog: errorLog(log),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		DisableGeneralOptionsHandler: true, // OPTIONS * is refused like everything unknown
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: 64, SendPingTimeout: 15 * time.Second, WriteByteTimeout: s.Stall,
		},
	}
}

func (s *Server) serve(ctx context.Context, h *http.Server, run func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve the page: %w", err)
	case <-ctx.Done():
	}
	s.end()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	err := h.Shutdown(last)
	if err != nil {
		err = h.Close()
	}
	<-ended
	return err
}

func limit(l net.Listener) net.Listener {
	return netutil.LimitListener(&perPeer{Listener: l, most: maxPerPeer, open: make(map[netip.Prefix]int)}, maxConns)
}

// perPeer closes what one address opens beyond a number of connections. Of IPv6 a /64 counts as one address.
type perPeer struct {
	net.Listener
	most int
	mu   sync.Mutex
	open map[netip.Prefix]int
}

// Accept returns the next connection that is let in.
func (p *perPeer) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err != nil {
			return nil, err
		}
		peer := peerOf(c.RemoteAddr())
		if !p.enter(peer) {
			_ = c.Close() // refused: nobody waits for it
			continue
		}
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetWriteBuffer(sendBuffer) // without it the kernel's own size stands
		}
		return &counted{Conn: c, leave: sync.OnceFunc(func() { p.exit(peer) })}, nil
	}
}

func (p *perPeer) enter(peer netip.Prefix) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[peer] >= p.most {
		return false
	}
	p.open[peer]++
	return true
}

func (p *perPeer) exit(peer netip.Prefix) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[peer]--; p.open[peer] <= 0 {
		delete(p.open, peer)
	}
}

func peerOf(a net.Addr) netip.Prefix {
	ap, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := ap.Addr().Unmap().WithZone(""), 32
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

type counted struct {
	net.Conn
	leave func()
}

// Close closes the connection and gives its place back.
func (c *counted) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
