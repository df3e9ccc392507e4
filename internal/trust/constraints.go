package trust

import (
	"crypto/x509"
	"net"
	"os"
	"slices"
	"strings"
)

// localNames are names for which no public authority signs: RFC 6762 (local), RFC 8375 (home.arpa), RFC 6761
// (localhost), and lan, which routers use.
var localNames = []string{"local", "lan", "home.arpa", "localhost"}

// localRanges are the addresses without an owner on the Internet: RFC 1918, 3927, 6598, 1122, 4193, 4291.
var localRanges = ranges(
	"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8",
	"fc00::/7", "fe80::/10", "::1/128",
)

const maxSubjects = 50

func ranges(texts ...string) []*net.IPNet {
	var list []*net.IPNet
	for _, text := range texts {
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			panic("trust: internal error: " + err.Error())
		}
		list = append(list, network)
	}
	return list
}

// subjects are the subjects of a certificate: host names in small letters and addresses, sorted, each once.
type subjects struct {
	names []string
	ips   []net.IP
	left  []string // requested subjects that cannot be in it
}

// admit selects the subjects that an authority may sign for. The machine itself is always included.
func admit(names []string, ips []net.IP, ca *x509.Certificate) subjects {
	s := subjects{names: []string{"localhost"}, ips: []net.IP{net.IPv4(127, 0, 0, 1).To4(), net.IPv6loopback}}
	for _, name := range names {
		name = normalName(name)
		if isHost(name) && within(name, ca.PermittedDNSDomains) {
			s.names = append(s.names, name)
		} else if name != "" {
			s.left = append(s.left, name)
		}
	}
	for _, ip := range ips {
		if ip4 := ip.To4(); ip4 != nil {
			ip = ip4
		}
		if slices.ContainsFunc(ca.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip) }) {
			s.ips = append(s.ips, ip)
		} else {
			s.left = append(s.left, ip.String())
		}
	}
	slices.Sort(s.names)
	slices.SortFunc(s.ips, func(a, b net.IP) int { return strings.Compare(string(a), string(b)) })
	s.names = slices.Compact(s.names)
	s.ips = slices.CompactFunc(s.ips, net.IP.Equal)
	s.names = s.names[:min(len(s.names), maxSubjects)]
	s.ips = s.ips[:min(len(s.ips), maxSubjects)]
	return s
}

func (s subjects) equal(o subjects) bool {
	return slices.Equal(s.names, o.names) && slices.EqualFunc(s.ips, o.ips, net.IP.Equal)
}

func normalName(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(name), "."))
}

// within reports whether a name is one of the permitted ones or below it.
func within(name string, permitted []string) bool {
	return slices.ContainsFunc(permitted, func(p string) bool { return name == p || strings.HasSuffix(name, "."+p) })
}

// isHost reports whether a name can be a host name (RFC 1123). Addresses are not, and neither is a name without a dot:
// as a constraint it would permit a whole top level domain.
func isHost(name string) bool {
	labels := strings.Split(name, ".")
	if len(name) > 253 || len(labels) < 2 && name != "localhost" || net.ParseIP(name) != nil {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "-") != label {
			return false
		}
		for _, c := range []byte(label) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return strings.Trim(labels[len(labels)-1], "0123456789") != ""
}

// constraintsFor returns the names that a new authority may sign for.
func constraintsFor(names []string) []string {
	list := slices.Clone(localNames)
	for _, name := range names {
		if name = normalName(name); isHost(name) && !within(name, list) && len(list) < maxSubjects {
			list = append(list, name)
		}
	}
	return list
}

// label returns the name of a new authority for people: the first part of the first name, or of the machine's.
func label(names []string) string {
	name := "event"
	if host, err := os.Hostname(); err == nil {
		name = host
	}
	for _, n := range names {
		if n = normalName(n); isHost(n) {
			name = n
			break
		}
	}
	name, _, _ = strings.Cut(name, ".")
	name = strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, name)
	if name == "" {
		return "event"
	}
	return name[:min(len(name), 30)]
}
