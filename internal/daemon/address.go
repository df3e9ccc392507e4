package daemon

import (
	"context"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardwatchd/internal/lan"
)

// served is the address where the page is served now.
type served struct {
	mu sync.Mutex
	at net.Addr // nil: not yet
}

// now sets the address. It returns true the first time.
func (s *served) now(a net.Addr) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first = s.at == nil
	s.at = a
	return first
}

// port is the port of the page; 0 before it is served.
func (s *served) port() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.at.(*net.TCPAddr); ok {
		return t.Port
	}
	return 0
}

// url is the page's address for a phone: the configured host, or the first address on the network, or the address of
// this computer for itself.
func (s *served) url(configured string) string {
	host, port := hostPort(configured)
	if p := s.port(); p != 0 {
		port = p
	}
	if !everywhere(configured) {
		return urlAt(host, port)
	}
	if list := lanAddresses(); len(list) > 0 {
		return urlAt(list[0].IP.String(), port)
	}
	return urlAt("127.0.0.1", port)
}

// everywhere reports whether the page is served at every address of this computer.
func everywhere(listen string) bool {
	host, _ := hostPort(listen)
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// hostPort splits an address that the configuration has checked.
func hostPort(listen string) (host string, port int) {
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0
	}
	port, _ = strconv.Atoi(text) // checked; 0 is any port
	return host, port
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// hostNames are the names of the computer and of the configuration.
func hostNames(configured []string) []string {
	names := slices.Clone(configured)
	if name, err := os.Hostname(); err == nil && name != "" {
		short, _, dotted := strings.Cut(name, ".")
		names = append(names, short+".local")
		if dotted { // an authority for local names certifies no name without a dot
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

// lanAddresses are the current addresses on the local network.
func lanAddresses() []lan.Address {
	list, err := lan.Addresses()
	if err != nil {
		return nil // no network: the next call looks again
	}
	return list
}

// urlAt returns an address and a port as an HTTP URL.
func urlAt(host string, port int) string {
	if port == 80 {
		return "http://" + bracketed(host)
	}
	return "http://" + bracketed(host) + ":" + strconv.Itoa(port)
}

// identities are the names and addresses for which the page's certificate is valid.
func (f *frontend) identities() (names []string, ips []net.IP) {
	return hostNames(f.d.opt.Config.HTTP.Names), lanIPs()
}

// address is the page's address for a phone; "" while there is no network.
func (f *frontend) address() string {
	if u := f.d.opt.Config.Alerts.URL; u != "" {
		return u
	}
	return f.served.url(f.d.opt.Config.HTTP.Listen)
}

// followNetwork follows the addresses of the computer, which change with Wi-Fi. A new address goes into the
// certificate, and failed channels are tried again at once.
func (f *frontend) followNetwork(ctx context.Context) {
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
		if f.secure != nil {
			f.secure.Update(f.identities())
		}
		f.outbox.Nudge()
	}
}
