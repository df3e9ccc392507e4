package main

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"boardwatchd/internal/config"
)

// served is where the page is served at this moment.
type served struct {
	mu sync.Mutex
	at net.Addr // nil: not yet
}

// now says where; first is true once.
func (s *served) now(a net.Addr) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first = s.at == nil
	s.at = a
	return first
}

// port is the one that is listened on; 0 before that.
func (s *served) port() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.at.(*net.TCPAddr); ok {
		return t.Port
	}
	return 0
}

// url is the page's address for a phone: the configured host, or the first address on the network, or this computer's own.
func (s *served) url(configured string) string {
	host, port := hostPort(configured)
	if p := s.port(); p != 0 {
		port = p
	}
	if !everywhere(configured) {
		return urlAt("http", host, port)
	}
	if list := lanAddresses(); len(list) > 0 {
		return urlAt("http", list[0].IP.String(), port)
	}
	return urlAt("http", "127.0.0.1", port)
}

// everywhere says that the page is served at every address of this computer.
func everywhere(listen string) bool {
	host, _ := hostPort(listen)
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// hostPort splits what the configuration has checked.
func hostPort(listen string) (host string, port int) {
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0
	}
	port, _ = strconv.Atoi(text) // checked; 0 is any
	return host, port
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// hostNames are the computer's names and those of the configuration.
func hostNames(configured []string) []string {
	names := slices.Clone(configured)
	if name, err := os.Hostname(); err == nil && name != "" {
		short, _, dotted := strings.Cut(name, ".")
		names = append(names, short+".local")
		if dotted { // an authority for local names vouches for no bare one
			names = append(names, name)
		}
	}
	return append(names, "localhost")
}

func lanIPs() (ips []net.IP) {
	for _, a := range lanAddresses() {
		ips = append(ips, a.IP.AsSlice())
	}
	return append(ips, net.IPv4(127, 0, 0, 1))
}

// aPortOfItsOwn lets a simulation that finds its port taken use another one: several may run beside each other.
type aPortOfItsOwn bool

// listenAgain is how often a taken port is tried again, and how often the network is looked at.
const listenAgain = 5 * time.Second

// serve serves the page until ctx ends, over HTTP and HTTPS. It returns when the port has been tried once. A port that is
// taken is told and tried again: the boards are watched meanwhile, and people are invited when the page is there.
func (h *hall) serve(ctx context.Context, own aPortOfItsOwn) {
	if h.server == nil {
		return
	}
	conf := h.d.conf.HTTP
	if h.secure != nil && conf.Secure != config.Off {
		h.d.running.Go(func() {
			h.keepServing(ctx, conf.Secure, own, func(l net.Listener) error {
				h.secured.now(l.Addr())
				return h.server.ServeTLS(ctx, l)
			}, nil)
		})
	}
	tried := make(chan struct{})
	once := sync.OnceFunc(func() { close(tried) })
	h.d.running.Go(func() {
		h.keepServing(ctx, conf.Listen, own, func(l net.Listener) error {
			if h.served.now(l.Addr()) {
				h.invite(ctx)
			}
			once()
			return h.server.Serve(ctx, l)
		}, once)
	})
	<-tried
}

// keepServing serves on an address until ctx ends; failed is called when that cannot be done now.
func (h *hall) keepServing(ctx context.Context, address string, own aPortOfItsOwn, serve func(net.Listener) error, failed func()) {
	told := ""
	for ctx.Err() == nil {
		l, err := listenOn(ctx, address, own)
		if err == nil {
			told = ""
			err = serve(l)
		}
		if ctx.Err() != nil {
			break
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			h.d.log.Error().Err(err).Str("listen", address).Msg("the page cannot be served here; tried again (boardwatchd doctor tells who is there)")
		}
		if failed != nil {
			failed()
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
	if failed != nil {
		failed()
	}
}

func listenOn(ctx context.Context, address string, own aPortOfItsOwn) (net.Listener, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", address)
	if bool(own) && errors.Is(err, syscall.EADDRINUSE) {
		host, _ := hostPort(address)
		return c.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	}
	return l, err
}

// followNetwork looks where the computer is: Wi-Fi comes and goes. A new address goes into the certificate, and channels that
// failed are tried again at once.
func (h *hall) followNetwork(ctx context.Context) {
	tick := time.NewTicker(listenAgain)
	defer tick.Stop()
	was := lanAddresses()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		is := lanAddresses()
		if slices.Equal(is, was) {
			continue
		}
		was = is
		if h.secure != nil {
			h.secure.Update(h.identities())
		}
		h.outbox.Nudge()
	}
}

// A pulse tells whether every board's loop goes round.
type pulse struct {
	d    *daemon
	mu   sync.Mutex
	last map[string]int64
	at   time.Time
	now  bool
}

func newPulse(d *daemon) *pulse { return &pulse{d: d, last: map[string]int64{}} }

// pulseEvery is a little longer than a loop takes to show that it lives.
const pulseEvery = 3 * time.Second

// stuck compares with what was seen at least pulseEvery ago.
func (p *pulse) stuck() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.at) >= pulseEvery {
		p.now, p.at = p.d.stuck(p.last) != "", time.Now()
	}
	return p.now
}
