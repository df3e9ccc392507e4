package web

import (
	"net"
	"os"
	"slices"
	"strings"
)

// hosts are the names under which the page may be requested, besides IP addresses. A page of another site whose name
// was made to resolve to this computer (DNS rebinding) sends its own name, and is refused.
type hosts []string

func (hs hosts) allow(hostport string) bool {
	host := hostName(hostport)
	if host == "" {
		return false
	}
	if net.ParseIP(host) != nil || host == "localhost" {
		return true
	}
	same := func(name string) bool { return strings.EqualFold(strings.TrimSuffix(name, "."), host) }
	return slices.ContainsFunc(hs, same) || slices.ContainsFunc(ownNames(), same)
}

// hostName is the name in the Host header in lower case, without port, brackets and final dot; "" if it is malformed.
func hostName(hostport string) string {
	host := hostport
	if strings.HasPrefix(host, "[") || strings.Count(host, ":") == 1 {
		h, port, err := net.SplitHostPort(hostport)
		switch {
		case err == nil && strings.Trim(port, "0123456789") == "":
			host = h
		case strings.HasSuffix(hostport, "]"):
			host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
		default:
			return ""
		}
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.:_") != "" {
		return ""
	}
	return host
}

// ownNames are the names of this computer.
func ownNames() []string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return nil
	}
	short, _, _ := strings.Cut(name, ".")
	return []string{name, short, short + ".local"}
}
