package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

func checkListen(s string) error {
	if s == Off {
		return nil
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return errors.New("is not an address: write :8160, 192.168.1.10:8160, [::1]:8160 or off")
	}
	if _, err := number(port, 0, 65535, "port"); err != nil {
		return errors.New("needs a port number from 1 to 65535, like :8160, or 0 for any that is free")
	}
	if host != "" && net.ParseIP(host) == nil && host != "localhost" {
		return fmt.Errorf("needs an IP address of this machine or nothing before the colon, not %q", host)
	}
	return nil
}

// collide reports whether two listeners would need the same port of the same address.
func collide(a, b string) bool {
	hostA, portA, errA := net.SplitHostPort(a)
	hostB, portB, errB := net.SplitHostPort(b)
	if errA != nil || errB != nil || strings.Trim(portA, "0") == "" || strings.TrimLeft(portA, "0") != strings.TrimLeft(portB, "0") {
		return false
	}
	every := func(host string) bool {
		ip := net.ParseIP(host)
		return host == "" || ip != nil && ip.IsUnspecified()
	}
	return hostA == hostB || every(hostA) || every(hostB)
}

// checkHostName accepts names that a browser sends unchanged: RFC 1123, section 2.1, and no address.
func checkHostName(s string) error {
	wrong := errors.New("is not a host name: write only the name, like hall.example.org, without http:// and without a port")
	if net.ParseIP(strings.Trim(s, "[]")) != nil {
		return errors.New("is an address; the page answers at every address of this computer by itself")
	}
	labels := strings.Split(s, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' || strings.Trim(strings.ToLower(l), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return wrong
		}
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" {
		return wrong // browsers read it as an IPv4 address
	}
	return nil
}

func lower(list []string) []string {
	for i := range list {
		list[i] = strings.ToLower(list[i])
	}
	return some(list)
}

// some returns nil for an empty list, so that "[]" in a file equals a missing key.
func some(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// webAddress parses a destination address. Names and passwords in it are refused: secrets come from files.
func webAddress(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("is not an address: write http:// or https://, a host and what follows, like http://192.168.1.10:8080/path")
	case u.User != nil:
		return nil, errors.New("contains a user name; secrets are taken from files only (token_file, secret_file)")
	case u.Fragment != "" || strings.HasSuffix(s, "#"):
		return nil, errors.New("contains a #, and what follows it is never sent; leave it out")
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if _, err := number(port, 1, 65535, "port"); err != nil {
			return nil, errors.New("needs a port number from 1 to 65535 after the colon, or no colon")
		}
	}
	return u, nil
}

func checkURL(s string) error {
	_, err := webAddress(s)
	return err
}

// checkPageURL checks that the page is at the root of its address.
func checkPageURL(s string) error {
	u, err := webAddress(s)
	switch {
	case err != nil:
		return err
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery:
		return errors.New("has something after the host; write the address of the page only, like http://192.168.1.10:8160")
	}
	return nil
}

// checkContact checks the contact for push services, which want an address of a person; Apple's refuses names that are
// not public.
func checkContact(s string) error {
	host := ""
	if rest, ok := strings.CutPrefix(s, "https://"); ok {
		if u, err := webAddress("https://" + rest); err == nil {
			host = u.Hostname()
		}
	} else if user, domain, ok := strings.Cut(strings.TrimPrefix(s, "mailto:"), "@"); ok && user != "" && !strings.ContainsAny(user, " <>\"") {
		host = domain
	}
	if checkHostName(host) != nil || !strings.Contains(host, ".") {
		return errors.New("is neither a mail address nor an https address: write one of the organiser's, like arbiter@example.org; push services want it")
	}
	for _, private := range []string{".local", ".localhost", ".invalid", ".home.arpa"} {
		if strings.HasSuffix(strings.ToLower(host), private) {
			return errors.New("is not a public address; push services refuse it")
		}
	}
	return nil
}

// checkSecretFile does not repeat a value that is not a path: it may be the secret itself.
func checkSecretFile(s string) error {
	if !filepath.IsAbs(s) || filepath.Clean(s) == "/" {
		return errors.New("is not the whole path of a file, like /etc/boardwatchd/ntfy.token; the secret stands in that file and never here")
	}
	return nil
}

// checkHallListen is checkListen without off: a hall must be reachable.
func checkHallListen(s string) error {
	if s == Off {
		return errors.New("is not an address: write :8162 or 192.168.1.10:8162")
	}
	return checkListen(s)
}

// checkServer accepts an address to connect to, such as nats-1.example.org:4222.
func checkServer(s string) error {
	host, port, err := net.SplitHostPort(s)
	n, perr := strconv.Atoi(port)
	if err != nil || perr != nil || n < 1 || n > 65535 || checkHostName(host) != nil && net.ParseIP(host) == nil {
		return errors.New("is not the address of a server: write HOST:PORT, like 192.168.1.11:4222")
	}
	return nil
}

// checkJoin distinguishes a token from a path. The content of a token is checked when it is used.
func checkJoin(s string) error {
	if s == "" || strings.HasPrefix(s, "bwh1.") || filepath.IsAbs(s) {
		return nil
	}
	return errors.New("is neither a token, which begins with bwh1., nor the whole path of a file with one")
}
