package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/access"
)

// The limits of one connection; the number of connections is in places.go.
const (
	headerTime = 5 * time.Second
	idleTime   = time.Minute
	maxHeader  = 12 << 10 // net/http adds 4 KiB
	endTime    = 3 * time.Second
	sendBuffer = 64 << 10 // of the kernel: the most that a phone which does not read can occupy
)

// Serve answers on l until ctx ends; then it ends the feeds and waits a little for the other requests. The first ctx
// that ends also ends all other calls of Serve and ServeTLS.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := s.server(s.log)
	return s.serve(ctx, h, func() error { return h.Serve(&listener{l, s.places}) })
}

// ServeTLS is Serve over HTTPS, with certificates of the authority.
func (s *Server) ServeTLS(ctx context.Context, l net.Listener) error {
	if s.Authority == nil {
		return errors.New("HTTPS: there is no certificate authority")
	}
	h := s.server(s.log)
	h.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.Authority.Certificate}
	return s.serve(ctx, h, func() error { return h.ServeTLS(&listener{l, s.places}, "", "") })
}

func (s *Server) server(log zerolog.Logger) *http.Server {
	return &http.Server{
		Handler: s.handler, ErrorLog: errorLog(log),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ConnContext: s.remember, ConnState: s.followState,
		DisableGeneralOptionsHandler: true, // OPTIONS * is refused like everything unknown
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: 64, SendPingTimeout: 15 * time.Second, WriteByteTimeout: s.Stall,
		},
	}
}

// placeKey is the key of the connection's place in the context of a request.
type placeKey struct{}

func (s *Server) remember(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, placeKey{}, placeOf(c))
}

func (s *Server) followState(c net.Conn, state http.ConnState) {
	if p := placeOf(c); p != nil && (state == http.StateActive || state == http.StateIdle) {
		s.places.noteActivity(p)
	}
}

// keepPlace keeps the connection of a request for the paired device that has sent it.
func (s *Server) keepPlace(r *http.Request, d access.Device) {
	p, _ := r.Context().Value(placeKey{}).(*place)
	if p == nil || d.ID == "" {
		return
	}
	s.places.keep(p, d.ID)
	if _, ok := s.Access.Device(d.ID); !ok { // revoked in this moment
		s.places.forget(d.ID)
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
