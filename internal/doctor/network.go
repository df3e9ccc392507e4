package doctor

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/lan"
)

// address is an address at which a phone may reach the page.
type address struct {
	ip       net.IP
	by       string // the interface
	wireless bool
}

// network lists the addresses at which a phone can reach the page.
func network(ctx context.Context, v *visit) {
	listen := v.Config.HTTP.Listen
	if listen == config.Off || loopback(listen) {
		return // reported already
	}
	all, err := v.Interfaces()
	if err != nil {
		v.fail("ip -br address shows them; a sandbox must allow netlink", "the network interfaces cannot be listed: %v", err)
		return
	}
	v.phoneAddresses = reachable(all, listen)
	if len(v.phoneAddresses) == 0 {
		v.fail("connect the computer to the hall's network (cable or Wi-Fi), or open an access point on it: nmcli device wifi hotspot", "this computer has no address on a network: no phone can reach it")
		return
	}
	done := v.serveMeanwhile(ctx, listen)
	for _, a := range v.phoneAddresses {
		v.address(ctx, a, port(listen))
	}
	done()
	if !slices.ContainsFunc(v.phoneAddresses, func(a address) bool { return a.wireless }) {
		v.line(OK, "open the page on the phone now, with its mobile data switched off", "only by cable: the phones' Wi-Fi must lead into the same network (no guest Wi-Fi)")
	}
	v.line(OK, fmt.Sprintf("open http://%s on a phone in the hall's Wi-Fi; if it does not load and everything here is ok, switch off \"client isolation\" (AP isolation) at the access point",
		net.JoinHostPort(v.phoneAddresses[0].ip.String(), port(listen))), "whether the access point keeps its clients apart cannot be seen from here")
	v.buttons(ctx)
}

func reachable(all []Interface, listen string) []address {
	host, _, _ := net.SplitHostPort(listen)
	only := net.ParseIP(host)
	var list []address
	for _, i := range all {
		strange := lan.Virtual(i.Name)
		for _, ip := range i.Addrs {
			switch {
			case only != nil && !only.IsUnspecified():
				if !ip.Equal(only) {
					continue // the page is served only at this address, of whatever kind
				}
			case !i.Up, i.Loopback, strange && !i.Hardware:
				continue
			}
			if !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && (ip.To4() != nil || only == nil || only.To4() == nil) {
				list = append(list, address{ip, i.Name, i.Wireless})
			}
		}
	}
	// Addresses that people can type come first, and Wi-Fi before a cable.
	slices.SortStableFunc(list, func(a, b address) int { return rank(a) - rank(b) })
	return list
}

func rank(a address) int {
	r := 0
	if a.ip.To4() == nil {
		r += 2
	}
	if !a.wireless {
		r++
	}
	return r
}

// serveMeanwhile listens on the port while the addresses are tested, if it is free.
func (v *visit) serveMeanwhile(ctx context.Context, listen string) (done func()) {
	if v.running != "" {
		return func() {}
	}
	l, err := v.Listen(ctx, listen)
	if err != nil {
		return func() {} // reported already
	}
	return func() { _ = l.Close() }
}

func (v *visit) address(ctx context.Context, a address, port string) {
	at := net.JoinHostPort(a.ip.String(), port)
	kind := "cable"
	if a.wireless {
		kind = "Wi-Fi"
	}
	if err := v.Dial(ctx, at); err != nil {
		v.fail("look at the firewall below, and at http.listen", "http://%s (%s, %s) does not answer even here: %s", at, a.by, kind, why(err))
		return
	}
	if ip, ok := netip.AddrFromSlice(a.ip); ok && !private(ip.Unmap()) {
		v.warn("put it behind a router, or write a private address for http.listen", "http://%s (%s, %s) is a public address: the whole internet may reach the page", at, a.by, kind)
		return
	}
	v.ok("http://%s (%s, %s)", at, a.by, kind)
}

var documentation = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"),                                                                                   // RFC 6598, of a provider
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), // RFC 5737
}

func private(ip netip.Addr) bool {
	return ip.IsPrivate() || slices.ContainsFunc(documentation, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// buttons checks the address in messages.
func (v *visit) buttons(ctx context.Context) {
	u, err := url.Parse(v.Config.Alerts.URL)
	if err != nil || u.Host == "" {
		return
	}
	const remedy = "write an address of this computer into alerts.url, or leave it empty"
	switch mine, found := v.mine(ctx, u.Hostname()); {
	case !found:
		v.warn(remedy, "alerts.url: %s is not found by this computer's name server; the phone must know it", u.Hostname())
	case !mine:
		v.warn(remedy+"; behind a proxy this is right", "alerts.url: %s is not this computer", u.Hostname())
	default:
		v.ok("alerts.url leads here")
	}
}

// mine reports whether a host is found, and whether it is this computer as phones reach it.
func (v *visit) mine(ctx context.Context, host string) (mine, found bool) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	all, err := v.Lookup(ctx, host)
	if err != nil {
		return false, false
	}
	for _, s := range all {
		ip := net.ParseIP(s)
		if ip != nil && slices.ContainsFunc(v.phoneAddresses, func(a address) bool { return a.ip.Equal(ip) }) {
			return true, true
		}
	}
	return false, true
}

// names checks names for the page, which people can remember.
func names(ctx context.Context, v *visit) {
	if len(v.phoneAddresses) == 0 {
		return
	}
	host, err := v.Hostname()
	host, _, _ = strings.Cut(host, ".")
	switch {
	case err != nil || host == "" || host == "localhost":
		v.warn("sudo hostnamectl set-hostname boards", "this computer has no name of its own; the address and the QR code work all the same")
	case v.Computer.running("avahi-daemon") || v.resolvesLocally():
		v.ok("http://%s.local:%s for phones that know mDNS (iPhone, newer Android)", strings.ToLower(printable(host)), port(v.Config.HTTP.Listen))
	default:
		v.warn("sudo apt install avahi-daemon; the address and the QR code work without it", "nobody answers for %s.local (mDNS)", strings.ToLower(printable(host)))
	}
	for _, n := range v.Config.HTTP.Names {
		switch mine, found := v.mine(ctx, n); {
		case !found:
			v.warn("enter it at the hall's name server (router), or take it out of http.names", "%s is not found", n)
		case !mine:
			v.warn("correct the name server's entry", "%s is another computer's address", n)
		default:
			v.ok("%s leads here", n)
		}
	}
}

// resolvesLocally reports whether systemd-resolved is set to answer mDNS.
func (v *visit) resolvesLocally() bool {
	for _, file := range append(v.glob("/etc/systemd/resolved.conf.d/*.conf"), "/etc/systemd/resolved.conf") {
		for _, line := range strings.Split(v.read(file), "\n") {
			if strings.EqualFold(strings.ReplaceAll(line, " ", ""), "MulticastDNS=yes") {
				return true
			}
		}
	}
	return false
}
