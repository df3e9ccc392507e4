package web

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/access"
)

func TestPairingSetsTheCookieAndTheCodeIsUsedUp(t *testing.T) {
	h := newHarness(t, func(o *Options) {
		o.Authority, o.SecurePort, o.PushKey = testAuthority(t), func() int { return 8161 }, func() string { return "BKEY" }
	})
	code, err := h.store.NewCode(access.Viewer, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"code":%q,"name":"<b>Eva</b>"}`, code.Link)
	r := h.ask("POST", pairPath, "", body)
	if r.status != 200 {
		t.Fatal(r.status, string(r.body))
	}
	c := (&http.Response{Header: r.header}).Cookies()[0]
	if c.Name != "boardwatchd" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.MaxAge != 30*24*3600 || c.Secure || c.Domain != "" || len(c.Value) < 43 {
		t.Errorf("the cookie is %v", c)
	}
	s := h.ask("GET", "/api/v1/session", c.Value, "")
	var a sessionAnswer
	if err := json.Unmarshal(s.body, &a); err != nil || s.status != 200 {
		t.Fatal(s.status, string(s.body), err)
	}
	if a.Device.Name != "<b>Eva</b>" || a.Device.Role != access.Viewer || a.Event != "Open" || a.Round != "4" || a.Epoch != "e" || len(a.Languages) < 6 ||
		a.Secure == nil || a.Secure.URL != "https://127.0.0.1:8161/" || a.Secure.CA != "/ca.crt" || a.Push == nil || a.Push.Key != "BKEY" || a.NowMS == 0 {
		t.Errorf("the session is %s", s.body)
	}
	if bytes.Contains(s.body, []byte("<b>")) || bytes.Contains(s.body, []byte(c.Value)) {
		t.Errorf("markup, or the secret, comes back: %s", s.body)
	}
	if again := h.ask("POST", pairPath, "", body); again.status != 403 || again.code() != "wrong_code" {
		t.Errorf("the second use of a code is answered %d %s", again.status, again.body)
	}
	if out := h.ask("DELETE", "/api/v1/session", c.Value, ""); out.status != 204 || !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("unpairing is answered %d %v", out.status, out.header)
	}
	if s := h.ask("GET", "/api/v1/session", c.Value, ""); s.status != 401 {
		t.Errorf("after unpairing: %d", s.status)
	}
}

func TestDevices(t *testing.T) {
	h := newHarness(t, nil)
	id := h.device(h.viewer).ID
	if r := h.ask("PATCH", "/api/v1/devices/"+id, h.arbiter, `{"name":"Hall tablet","role":"arbiter"}`); r.status != 200 {
		t.Fatal(r.status, string(r.body))
	}
	var list struct {
		Devices []struct {
			ID, Name, Role string
			Own            bool
			SeenMS         int64 `json:"seen_ms"`
		}
	}
	r := h.ask("GET", "/api/v1/devices", h.arbiter, "")
	if err := json.Unmarshal(r.body, &list); err != nil || len(list.Devices) != 2 {
		t.Fatal(string(r.body), err)
	}
	if d := list.Devices[1]; d.ID != id || d.Name != "Hall tablet" || d.Role != "arbiter" || d.Own || d.SeenMS == 0 || !list.Devices[0].Own {
		t.Errorf("the list is %s", r.body)
	}
	if r := h.ask("PATCH", "/api/v1/session", h.viewer, `{"boards":["12","13"]}`); r.status != 200 || !strings.Contains(string(r.body), `"boards":["12","13"]`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := h.ask("DELETE", "/api/v1/devices/"+id, h.arbiter, ""); r.status != 204 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := h.ask("GET", "/api/v1/boards", h.viewer, ""); r.status != 401 {
		t.Errorf("a revoked device is answered %d", r.status)
	}
}

func TestNewPairingIsDrawnForTheOtherPhone(t *testing.T) {
	for _, row := range []struct{ host, base, want string }{
		{"127.0.0.1:8160", "http://192.168.1.10:8160", "http://192.168.1.10:8160/#pair="},
		{"127.0.0.1:8160", "", "http://127.0.0.1:8160/#pair="},
		{"10.0.0.7:8160", "http://192.168.1.10:8160", "http://10.0.0.7:8160/#pair="},
	} {
		h := newHarness(t, func(o *Options) { o.Base = func() string { return row.base } })
		r := h.ask("POST", "/api/v1/pairings", h.arbiter, `{"role":"viewer"}`, "Host", row.host)
		var a struct {
			Code, URL, SVG, Role string
			ExpiresMS            int64 `json:"expires_ms"`
		}
		if err := json.Unmarshal(r.body, &a); err != nil || r.status != 200 {
			t.Fatal(r.status, string(r.body), err)
		}
		link, ok := strings.CutPrefix(a.URL, row.want)
		if !ok || a.Role != "viewer" || time.Until(time.UnixMilli(a.ExpiresMS)) < time.Minute {
			t.Errorf("%s: %s", row.host, r.body)
		}
		if p := h.ask("POST", pairPath, "", fmt.Sprintf(`{"code":%q,"name":"x"}`, link)); p.status != 200 {
			t.Errorf("the code of the address is answered %d %s", p.status, p.body)
		}
	}
}

// Where Web Push goes is a phone's word: it must not become a way into the local network.
func TestPushEndpoints(t *testing.T) {
	h := newHarness(t, nil)
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p256dh := base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())
	auth := base64.RawURLEncoding.EncodeToString(make([]byte, 16))
	ask := func(endpoint, p256dh, auth string) reply {
		return h.ask("PUT", "/api/v1/push", h.arbiter, fmt.Sprintf(`{"endpoint":%q,"keys":{"p256dh":%q,"auth":%q}}`, endpoint, p256dh, auth))
	}
	for _, endpoint := range []string{
		"http://push.example.com/x", "https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", "https://192.168.1.1/", "https://10.1.2.3/", "https://8.8.8.8/",
		"https://169.254.169.254/latest", "https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://router/", "https://router.local/", "https://nas.home.arpa/",
		"https://x.internal/", "https://push.example.com:22/", "https://u:p@push.example.com/", "https://push.example.com/#x", "ftp://push.example.com/", "javascript:alert(1)",
		"//push.example.com/", "https://", "https:///x", "https://./", "https://.com/", "https://push.example.com\\@127.0.0.1/", "https://localhost./", "https://пример.рф/",
		"https://push.example.com/" + strings.Repeat("a", 2048), "",
	} {
		if r := ask(endpoint, p256dh, auth); r.status != 400 || !strings.Contains(string(r.body), "endpoint") {
			t.Errorf("%.60q is answered %d %s", endpoint, r.status, r.body)
		}
	}
	for _, row := range [][2]string{{"", auth}, {p256dh, ""}, {"AAAA", auth}, {p256dh, "AAAA"}, {base64.RawURLEncoding.EncodeToString(make([]byte, 65)), auth}, {"%", "%"}} {
		if r := ask("https://push.example.com/x", row[0], row[1]); r.status != 400 || !strings.Contains(string(r.body), "keys.") {
			t.Errorf("keys %q are answered %d %s", row, r.status, r.body)
		}
	}
	if d := h.device(h.arbiter); d.Push != nil {
		t.Fatalf("a refused subscription was kept: %v", d.Push)
	}
	if r := ask("https://fcm.googleapis.com/fcm/send/abc", p256dh, auth); r.status != 204 || h.device(h.arbiter).Push == nil {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := h.ask("DELETE", "/api/v1/push", h.arbiter, ""); r.status != 204 || h.device(h.arbiter).Push != nil {
		t.Errorf("%d %s", r.status, r.body)
	}
}

type fixedAuthority struct{ cert tls.Certificate }

func (a *fixedAuthority) CA() []byte           { return a.cert.Certificate[0] }
func (a *fixedAuthority) MobileConfig() []byte { return []byte("<plist/>") }
func (a *fixedAuthority) Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return &a.cert, nil
}

// testAuthority has the certificate of the standard library's test server.
func testAuthority(t *testing.T) *fixedAuthority {
	ts := httptest.NewTLSServer(http.NotFoundHandler())
	defer ts.Close()
	return &fixedAuthority{ts.TLS.Certificates[0]}
}

// Over HTTP/2 a deadline that is left standing ends the stream: the feed must outlive several of them.
func TestSecureFeedAndCookie(t *testing.T) {
	h := build(t, func(o *Options) {
		o.Authority, o.SecurePort, o.Stall, o.Ping = testAuthority(t), func() int { return 8161 }, 500*time.Millisecond, 600*time.Millisecond
	})
	h.serveTLS()
	f := h.follow(h.arbiter, "")
	for range 3 {
		f.skipTo("ping")
	}
	f.close()
	code, err := h.store.NewCode(access.Viewer, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	r := h.ask("POST", pairPath, "", fmt.Sprintf(`{"code":%q,"name":"x"}`, code.Text))
	if c := r.header.Get("Set-Cookie"); r.status != 200 || !strings.Contains(c, "; Secure") {
		t.Errorf("%d, cookie attributes %s", r.status, c[strings.Index(c, ";"):])
	}
	if r := h.ask("GET", "/ca.crt", "", ""); r.status != 200 || r.header.Get("Content-Type") != "application/x-x509-ca-cert" || len(r.body) == 0 {
		t.Errorf("/ca.crt is %d %v", r.status, r.header)
	}
	if r := h.ask("GET", "/ca.mobileconfig", "", ""); r.status != 200 || r.header.Get("Content-Type") != "application/x-apple-aspen-config" {
		t.Errorf("/ca.mobileconfig is %d %v", r.status, r.header)
	}
	if r := h.ask("POST", decisions, "", decide("")); r.status != 401 {
		t.Errorf("decision without pairing: %d", r.status)
	}
}

// serveTLS serves it on loopback over HTTPS until the test ends.
func (h *harness) serveTLS() {
	h.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.t.Fatal(err)
	}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { ended <- h.server.ServeTLS(ctx, l) }()
	h.base = "https://" + l.Addr().String()
	tr := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	h.client = &http.Client{Transport: tr}
	h.t.Cleanup(func() {
		tr.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			h.t.Errorf("the server ended with: %v", err)
		}
	})
}

// No code, cookie, token, note or path is in the log, whatever is asked.
func TestNoSecretInTheLog(t *testing.T) {
	h := newHarness(t, nil)
	h.table.find(knight, "confirmed")
	code, err := h.store.NewCode(access.Arbiter, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	f := h.follow(h.viewer, "")
	f.skipTo("hello")
	f.close()
	h.ask("POST", pairPath, "", `{"code":"WRNG-CODE","name":"x"}`)
	r := h.ask("POST", pairPath, "", fmt.Sprintf(`{"code":%q,"name":"x"}`, code.Text))
	fresh := (&http.Response{Header: r.header}).Cookies()[0].Value
	h.outbox.tokens["token-that-is-secret"] = nil
	h.ask("POST", "/ack/token-that-is-secret", "", "")
	h.ask("POST", "/ack/guessed-token", "", "")
	h.ask("GET", "/api/v1/boards?secret-in-query", fresh, "", "Authorization", "Bearer secret-bearer")
	h.ask("POST", decisions, fresh, decide(`,"note":"a private remark"`))
	h.table.fail = ErrNotSaved
	h.ask("POST", decisions, fresh, strings.Replace(decide(`,"note":"a private remark"`), ":101", ":102", 1))
	for _, a := range attacks() {
		if len(a.body) < 1<<20 && !strings.Contains(a.path, "/events") { // that one would go on
			h.ask(a.method, a.path, h.arbiter, a.body, a.header...)
		}
	}
	pairing := h.ask("POST", "/api/v1/pairings", fresh, `{"role":"viewer"}`)
	var opened struct{ Code, URL string }
	if err := json.Unmarshal(pairing.body, &opened); err != nil || opened.Code == "" {
		t.Fatal(string(pairing.body), err)
	}
	log := h.log.String()
	if !strings.Contains(log, "/ack/{token}") || !strings.Contains(log, "POST") {
		t.Fatalf("the log does not have the requests: %.500s", log)
	}
	_, link, _ := strings.Cut(opened.URL, "#pair=")
	for _, secret := range []string{h.arbiter, h.viewer, fresh, code.Text, code.Link, "WRNG-CODE", "token-that-is-secret", "guessed-token", "secret-in-query",
		"secret-bearer", "private remark", opened.Code, link, "evil.example", "etc/passwd"} {
		if strings.Contains(log, secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}
