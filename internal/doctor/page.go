package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"boardwatchd/internal/config"
)

func page(ctx context.Context, v *visit) {
	h := v.Config.HTTP
	if h.Listen == config.Off {
		v.fail("write http.listen into the configuration, like :8160", "the page is switched off: no phone can be an arbiter's")
		return
	}
	if loopback(h.Listen) {
		v.fail("write :"+port(h.Listen)+" for http.listen", "http.listen is %s: no phone reaches this computer's own loopback", h.Listen)
	}
	v.listener(ctx, "http.listen", "http", h.Listen)
	if h.Secure != config.Off {
		v.listener(ctx, "http.secure", "https", h.Secure)
	}
}

func loopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func port(address string) string {
	_, p, _ := net.SplitHostPort(address)
	return p
}

// own returns the listener's address as a program on this computer dials it.
func own(address string) string {
	host, p, _ := net.SplitHostPort(address)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, p)
}

func (v *visit) listener(ctx context.Context, key, scheme, address string) {
	l, err := v.Listen(ctx, address)
	switch {
	case err == nil:
		_ = l.Close() // there was no connection
		if v.writer != "" {
			v.warn("give doctor the configuration of the one that is running (-c FILE)", "%s: nobody serves %s, though process %s is at work", key, address, v.writer)
			return
		}
		v.ok("%s: %s is free", key, address)
	case errors.Is(err, syscall.EADDRINUSE):
		v.taken(ctx, key, scheme, address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		v.fail("write :"+port(address)+" for "+key+", which is every address, or one that `ip -br address` shows", "%s: this computer has no address %s now", key, address)
	case errors.Is(err, syscall.EACCES):
		v.fail("choose a port from 1024, like :8160", "%s: this user may not serve port %s", key, port(address))
	default:
		v.fail("correct "+key+"; boardwatchd check-config", "%s: %s cannot be served: %s", key, address, why(err))
	}
}

// taken finds out which program is there: a boardwatchd answers the status request.
func (v *visit) taken(ctx context.Context, key, scheme, address string) {
	holder, named := v.Holder(port(address))
	if scheme == "https" {
		switch {
		case v.running != "" && (!named || strings.HasPrefix(holder, "boardwatchd ")):
			v.ok("%s: %s is served", key, address)
		default:
			v.fail("end that program, or choose another port for "+key, "%s: port %s is taken by %s", key, port(address), holder)
		}
		return
	}
	status, body, err := v.Get(ctx, scheme+"://"+own(address)+"/healthz")
	var health struct {
		Status string `json:"status"`
		Boards int    `json:"boards"`
	}
	if err != nil || json.Unmarshal(body, &health) != nil || health.Status == "" {
		v.fail("end that program, or choose another port for "+key, "%s: port %s is taken by %s, and it is no boardwatchd's page", key, port(address), holder)
		return
	}
	v.running = own(address)
	if status != 200 && !(health.Status == "no_board" && v.servesHall()) {
		v.warn("sudo journalctl -u boardwatchd, or its terminal, tells why", "a running boardwatchd serves %s, and is not well: %s", address, quoted(health.Status))
		return
	}
	v.ok("a running boardwatchd serves %s; boards watched: %d", address, health.Boards)
}

func quoted(s string) string {
	const longest = 40
	if s = printable(s); len(s) > longest {
		s = s[:longest] + "…"
	}
	return strconv.Quote(s)
}

// Holder returns the program that listens on a port, as far as this user may see.
func (c Computer) Holder(port string) (name string, known bool) {
	const stranger = "another program (sudo ss -ltnp names it)"
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return stranger, false
	}
	inodes := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		for _, line := range strings.Split(c.read(table), "\n") {
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "0A" { // LISTEN
				continue
			}
			if p, err := strconv.ParseUint(f[1][strings.LastIndexByte(f[1], ':')+1:], 16, 16); err == nil && p == n {
				inodes["socket:["+f[9]+"]"] = true
			}
		}
	}
	for _, fd := range c.glob("/proc/[0-9]*/fd/*") {
		if to, err := os.Readlink(c.path(fd)); err == nil && inodes[to] {
			proc := filepath.Dir(filepath.Dir(fd))
			return printable(c.read(proc+"/comm")) + " (process " + filepath.Base(proc) + ")", true
		}
	}
	return stranger, false
}
