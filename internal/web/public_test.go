package web

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func publicHarness(t *testing.T, public func() (Public, bool)) *harness {
	return newHarness(t, func(o *Options) { o.Public = public })
}

func TestThePublicGamesAreThereForEverybody(t *testing.T) {
	changed := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	h := publicHarness(t, func() (Public, bool) { return Public{[]byte(duePGN), "abc", changed}, true })
	for _, method := range []string{"GET", "HEAD"} {
		a := h.ask(method, PublicPath, "", "")
		if a.status != http.StatusOK || method == "GET" && string(a.body) != duePGN || method == "HEAD" && len(a.body) > 0 {
			t.Errorf("%s: %d %q", method, a.status, a.body)
		}
		for name, want := range map[string]string{
			"Content-Type": "application/x-chess-pgn; charset=utf-8", "Cache-Control": "no-cache", "Etag": `"abc"`,
			"Last-Modified": "Tue, 24 Nov 2026 10:00:00 GMT", "X-Content-Type-Options": "nosniff", "Set-Cookie": "",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", method, name, got, want)
			}
		}
	}
	for _, c := range []struct {
		header, value string
		status        int
	}{
		{"If-None-Match", `"abc"`, 304}, {"If-None-Match", `W/"abc"`, 304}, {"If-None-Match", `"old"`, 200},
		{"If-Modified-Since", "Tue, 24 Nov 2026 10:00:00 GMT", 304}, {"If-Modified-Since", "Tue, 24 Nov 2026 09:59:59 GMT", 200},
		{"Range", "bytes=0-5", 206}, {"Range", "bytes=9000-", 416}, {"Host", "evil.example", 421},
	} {
		if a := h.ask("GET", PublicPath, "", "", c.header, c.value); a.status != c.status || c.status == 304 && len(a.body) > 0 {
			t.Errorf("%s: %s: %d %q", c.header, c.value, a.status, a.body)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
		if a := h.ask(method, PublicPath, "", ""); a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, allowed are %s", method, a.status, a.header.Get("Allow"))
		}
	}
}

func TestWithoutPublicGamesThereIsNothing(t *testing.T) {
	h := publicHarness(t, nil)
	if a := h.ask("GET", PublicPath, h.arbiter, ""); a.status != http.StatusNotFound {
		t.Errorf("%d %s", a.status, a.body)
	}
	h = publicHarness(t, func() (Public, bool) { return Public{}, false })
	if a := h.ask("GET", PublicPath, "", ""); a.status != http.StatusServiceUnavailable || a.code() != "busy" || a.header.Get("Retry-After") == "" {
		t.Errorf("while journals are read: %d %s", a.status, a.body)
	}
}

func TestTheGamesAreSentToSoManyAtOnceAndNoMore(t *testing.T) {
	h := publicHarness(t, func() (Public, bool) { return Public{Body: []byte(duePGN)}, true })
	for range publicSendings {
		h.server.sendings <- struct{}{}
	}
	if a := h.ask("GET", PublicPath, "", ""); a.status != http.StatusServiceUnavailable || a.code() != "busy" {
		t.Errorf("%d %s", a.status, a.body)
	}
	<-h.server.sendings
	for range 3 { // each gives its place back
		if a := h.ask("GET", PublicPath, "", ""); a.status != http.StatusOK {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
}

func TestAnAddressThatAsksTooOftenWaits(t *testing.T) {
	h := publicHarness(t, func() (Public, bool) { return Public{Body: []byte(duePGN)}, true })
	h.server.pace.full[thisComputer] = time.Now().Add(time.Hour)
	a := h.ask("GET", PublicPath, "", "")
	if a.status != http.StatusTooManyRequests || a.code() != "too_many" || a.header.Get("Retry-After") != "1" || strings.Contains(string(a.body), "e4") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestPace(t *testing.T) {
	p, now := newPace(), time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	one, other := netip.MustParsePrefix("192.168.1.7/32"), netip.MustParsePrefix("192.168.1.8/32")
	allowed := func(peer netip.Prefix, times int) (n int) {
		for range times {
			if p.allow(peer, now) {
				n++
			}
		}
		return n
	}
	if n := allowed(one, 100); n != paceBurst {
		t.Errorf("%d of 100 at once", n)
	}
	if n := allowed(other, 1); n != 1 {
		t.Error("an address pays for another one")
	}
	now = now.Add(10 * paceEvery)
	if n := allowed(one, 100); n != 10 {
		t.Errorf("%d after ten intervals", n)
	}
	now = now.Add(time.Hour)
	if n := allowed(one, 100); n != paceBurst {
		t.Errorf("%d of 100 an hour later", n)
	}
	for i := range 5 * pacedMost {
		p.allow(netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 32), now)
	}
	if len(p.full) > pacedMost {
		t.Errorf("%d addresses are remembered", len(p.full))
	}
}
