package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/access"
)

// bothPorts serves one harness over HTTP and over HTTPS; the first one speaks HTTP.
func bothPorts(t *testing.T, base string) (plain, secure *harness) {
	plain = newHarness(t, func(o *Options) {
		o.Authority, o.SecurePort, o.Base = testAuthority(t), func() int { return 8161 }, func() string { return base }
	})
	other := *plain
	secure = &other
	secure.serveTLS()
	return plain, secure
}

const sessionPath = "/api/v1/session"

// withCookies asks as a browser that holds these cookies.
func (h *harness) withCookies(method, path, body string, cookies ...string) reply {
	h.t.Helper()
	return h.ask(method, path, "", body, "Cookie", strings.Join(cookies, "; "))
}

func cookiesOf(r reply) map[string]*http.Cookie {
	set := make(map[string]*http.Cookie)
	for _, c := range (&http.Response{Header: r.header}).Cookies() {
		set[c.Name] = c
	}
	return set
}

func TestTheCookiesOfHTTPAndHTTPS(t *testing.T) {
	plain, secure := bothPorts(t, "")
	mine, other, unknown := plain.arbiter, plain.viewer, strings.Repeat("A", 43)
	for name, row := range map[string]struct {
		h       *harness
		cookies []string
		want    string // name of the device; "": not paired
		set     bool   // the cookie of HTTPS
	}{
		"http with its own":                    {plain, []string{"boardwatchd=" + mine}, "Anna", false},
		"http with the one of https":           {plain, []string{"boardwatchd_tls=" + mine}, "", false},
		"https with its own":                   {secure, []string{"boardwatchd_tls=" + mine}, "Anna", false},
		"https with the one of http":           {secure, []string{"boardwatchd=" + mine}, "Anna", true},
		"https with both: its own counts":      {secure, []string{"boardwatchd=" + other, "boardwatchd_tls=" + mine}, "Anna", false},
		"https with its own revoked":           {secure, []string{"boardwatchd=" + other, "boardwatchd_tls=" + unknown}, "Otto", true},
		"https with the one of http, unknown":  {secure, []string{"boardwatchd=" + unknown}, "", false},
		"http with an unknown one and the tls": {plain, []string{"boardwatchd=" + unknown, "boardwatchd_tls=" + mine}, "", false},
	} {
		r := row.h.withCookies("GET", sessionPath, "", row.cookies...)
		var a sessionAnswer
		if err := json.Unmarshal(r.body, &a); err != nil || a.Device.Name != row.want || (r.status == 200) != (row.want != "") {
			t.Errorf("%s: %d %s %v", name, r.status, r.body, err)
		}
		set := cookiesOf(r)
		c := set[secureName]
		if row.set && (c == nil || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.MaxAge != 30*24*3600 || len(set) != 1) ||
			!row.set && len(set) != 0 {
			t.Errorf("%s: the cookies set are %v", name, set)
		}
	}
	// The feed as well: it may be the first that a page asks for.
	q, err := http.NewRequest("GET", secure.base+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Cookie", "boardwatchd="+mine)
	res, err := secure.client.Do(q)
	if err != nil || res.StatusCode != 200 || len(res.Cookies()) != 1 {
		t.Fatalf("the feed: %v %v", err, res)
	}
	_, _ = io.CopyN(io.Discard, res.Body, 1)
	_ = res.Body.Close()
}

// A phone that was paired over HTTPS can be paired over HTTP too: no answer there depends on a Secure cookie.
func TestPairingOverBothPorts(t *testing.T) {
	plain, secure := bothPorts(t, "")
	for _, row := range []struct {
		h    *harness
		name string
	}{{secure, secureName}, {plain, cookieName}} {
		code, err := row.h.store.NewCode(access.Viewer, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		r := row.h.ask("POST", pairPath, "", fmt.Sprintf(`{"code":%q,"name":"x"}`, code.Text))
		set := cookiesOf(r)
		if c := set[row.name]; r.status != 200 || len(set) != 1 || c == nil || c.Secure != (row.name == secureName) {
			t.Errorf("%s: %d %v", row.h.base, r.status, set)
		}
	}
}

func TestUnpairingTakesTheCookiesAway(t *testing.T) {
	plain, secure := bothPorts(t, "")
	r := secure.withCookies("DELETE", sessionPath, "", "boardwatchd="+plain.viewer)
	if set := cookiesOf(r); r.status != 204 || len(set) != 2 || set[cookieName].MaxAge >= 0 || set[secureName].MaxAge >= 0 || len(r.header["Set-Cookie"]) != 2 {
		t.Errorf("over https: %d %v", r.status, r.header["Set-Cookie"])
	}
	r = plain.withCookies("DELETE", sessionPath, "", "boardwatchd="+plain.arbiter)
	if set := cookiesOf(r); r.status != 204 || len(set) != 1 || set[cookieName].MaxAge >= 0 {
		t.Errorf("over http: %d %v", r.status, r.header["Set-Cookie"])
	}
}

// A phone that scans a code does not trust the certificate yet.
func TestPairingLinkOfTheSecurePage(t *testing.T) {
	_, secure := bothPorts(t, "http://192.168.1.10:8160")
	for _, host := range []string{"127.0.0.1:8161", "10.0.0.7:8161", "hall.example:8161"} {
		r := secure.ask("POST", "/api/v1/pairings", "", `{"role":"viewer"}`, "Host", host, "Cookie", secureName+"="+secure.arbiter)
		var a struct{ URL string }
		if err := json.Unmarshal(r.body, &a); err != nil || !strings.HasPrefix(a.URL, "http://192.168.1.10:8160/#pair=") {
			t.Errorf("%s: %d %v, %s", host, r.status, err, a.URL)
		}
	}
}
