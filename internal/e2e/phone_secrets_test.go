//go:build linux

package e2e

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestPhoneSecretsStaySecret: a service whose standard output is the system's log, with everything that has a secret:
// pairing, HTTPS, Web Push, wrong codes, foreign buttons. The venue looks through all that it wrote.
func TestPhoneSecretsStaySecret(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	// Nothing leaves this computer: the way to the push service ends at a proxy that refuses.
	proxy, port := &receiver{status: []int{502, 502, 502, 502, 502, 502}}, freePort(t)
	proxy.listen(t, port)
	insecure, secure := freePort(t), freePort(t)
	v.url = fmt.Sprintf("http://127.0.0.1:%d", insecure)
	v.configure(t, fmt.Sprintf("http: {listen: '127.0.0.1:%d', secure: '127.0.0.1:%d'}\ntime_control: 90+30\nboards: [{name: b1, port: %s, white_clock: left}]\n%s",
		insecure, secure, v.path("board"), phoneTiming))
	out := v.service(t, fmt.Sprintf("HTTPS_PROXY=http://127.0.0.1:%d", port))
	v.printedInvitation(t)
	ann := v.pair(t, "Ann")
	eventually(t, "the printed page of a used code is gone", func() bool {
		_, err := os.Stat(v.path("state/pair.html"))
		return errors.Is(err, fs.ErrNotExist)
	}, func() string { return "still there" })
	v.strangeRequests(t, ann)
	v.subscribe(t, ann)
	v.overTLS(t, ann, secure)

	board := v.place.start(t, "emulate", "--case", "knight-diagonal", "--speed", fmt.Sprint(phoneSpeed), "--link", v.path("board"))
	board.out.await(t, "/dev/pts/")
	item := ann.awaitConfirmed(t)
	ann.awaitItem(t, "alert that the push service does not take", func(i apiItem) bool {
		return i.Alert != nil && len(i.Alert.Channels) == 1 && i.Alert.Channels[0].State == "failed"
	})
	ann.rule(t, item, "confirm")
	_, shown, err := ann.call(t.Context(), "GET", "/api/v1/boards", nil)
	if err != nil {
		t.Fatal(err)
	}
	v.mu.Lock()
	for secret, what := range v.kept {
		if strings.Contains(string(shown), secret) {
			t.Errorf("the page shows the %s: %s", what, shown)
		}
	}
	v.mu.Unlock()
	v.keptKeys(t)
	v.stopped(t)
	text, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(text), "illegal.knight") {
		t.Fatalf("standard output: %v\n%s", err, text)
	}
	if strings.Contains(string(text), "#pair=") {
		t.Error("standard output is the system's log and has a link for pairing")
	}
	for secret, what := range v.kept { // here the codes too
		if strings.Contains(string(text), secret) {
			t.Errorf("standard output is the system's log and has the %s", what)
		}
	}
	devices, err := os.ReadFile(v.path("state/devices.json"))
	if err != nil || strings.Contains(string(devices), ann.cookie) || !strings.Contains(string(devices), "Ann") {
		t.Errorf("the list of devices holds the cookie itself, or not the device: %v", err)
	}
}

// service starts the daemon as systemd does: standard output is a stream to the log. It returns the file with what
// came.
func (v *venue) service(t testing.TB, env ...string) string {
	t.Helper()
	out, err := os.Create(v.path("stdout"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	info, err := out.Stat()
	if err != nil {
		t.Fatal(err)
	}
	st := info.Sys().(*syscall.Stat_t)
	cmd := v.command(context.Background(), "run", "-c", v.conf)
	cmd.Env = append(append(cmd.Env, fmt.Sprintf("JOURNAL_STREAM=%d:%d", st.Dev, st.Ino)), env...)
	cmd.Stdout = out
	v.ran(start(t, cmd))
	v.err.await(t, "the arbiter's page")
	return out.Name()
}

// typed is the form of a code.
var typed = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b`)

// printedInvitation reads the code from the page to print; the link is there only as a picture.
func (v *venue) printedInvitation(t testing.TB) {
	t.Helper()
	page, err := os.ReadFile(v.path("state/pair.html"))
	if err != nil {
		t.Fatal(err)
	}
	if v.code = typed.FindString(string(page)); v.code == "" {
		t.Fatalf("no code on the page to print:\n%s", page)
	}
	v.secret("pairing code", v.code)
}

// strangeRequests are refused, and nothing that stood in them is written down.
func (v *venue) strangeRequests(t testing.TB, h *handset) {
	t.Helper()
	for _, c := range []struct {
		method, path, secret string
		body                 any
		cookie               string
		want                 int
	}{
		{"POST", "/api/v1/pair", "ZZZZ-WRNG", map[string]string{"code": "ZZZZ-WRNG", "name": "Eve"}, "", 403},
		{"POST", "/ack/bm90LWEtdG9rZW4tbm90LWEtdG9rZW4", "bm90LWEtdG9rZW4tbm90LWEtdG9rZW4", nil, "", 404},
		{"GET", "/api/v1/boards?secret=in-the-query", "in-the-query", nil, "", 401},
		{"GET", "/api/v1/events", "bm90LWEtY29va2llLW5vdC1hLWNvb2tpZQ", nil, "bm90LWEtY29va2llLW5vdC1hLWNvb2tpZQ", 401},
		{"POST", "/api/v1/boards/b1/decisions", "secret-in-a-body", map[string]string{"secret-in-a-body": "x"}, h.cookie, 400},
	} {
		v.secret("text that a stranger sent", c.secret)
		s := v.stranger()
		s.cookie = c.cookie
		status, text, err := s.call(t.Context(), c.method, c.path, c.body)
		if err != nil || status != c.want {
			t.Errorf("%s %s: %d %s (%v), want %d", c.method, c.path, status, text, err, c.want)
		}
	}
}

// subscribe gives a phone a subscription for Web Push.
func (v *venue) subscribe(t testing.TB, h *handset) {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	rand.Read(auth)
	plain := base64.RawURLEncoding.EncodeToString
	endpoint, p256dh, secret := rand.Text(), plain(key.PublicKey().Bytes()), plain(auth)
	for what, text := range map[string]string{"subscription": endpoint, "push key": p256dh, "push secret": secret} {
		v.secret(what, text)
	}
	status, text, err := h.call(t.Context(), "PUT", "/api/v1/push", map[string]any{
		"endpoint": "https://push.example.org/" + endpoint, "keys": map[string]string{"p256dh": p256dh, "auth": secret},
	})
	if err != nil || status != http.StatusNoContent {
		t.Fatalf("subscribe: %d %s (%v)", status, text, err)
	}
}

// overTLS uses the page over HTTPS, with the certificate that the page itself hands out.
func (v *venue) overTLS(t testing.TB, h *handset, port int) {
	t.Helper()
	status, der, err := v.stranger().call(t.Context(), "GET", "/ca.crt", nil)
	if err != nil || status != http.StatusOK {
		t.Fatalf("ca.crt: %d (%v)", status, err)
	}
	ca, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	web := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	defer web.CloseIdleConnections()
	r, err := h.request(t.Context(), "GET", "/api/v1/session", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.URL.Scheme, r.URL.Host = "https", fmt.Sprintf("127.0.0.1:%d", port)
	r.Host = r.URL.Host
	a, err := web.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var session struct{ Push *struct{ Key string } }
	if err := json.NewDecoder(a.Body).Decode(&session); err != nil || a.StatusCode != http.StatusOK || session.Push == nil || a.ProtoMajor != 2 {
		t.Errorf("over HTTPS: %s %s %+v (%v)", a.Status, a.Proto, session, err)
	}
}

// keptKeys notes the program's own keys, which are in its files.
func (v *venue) keptKeys(t testing.TB) {
	t.Helper()
	for _, name := range []string{"alert.key", "vapid.json", "ca/ca.key"} {
		text, err := os.ReadFile(v.path("state/" + name))
		if err != nil {
			t.Error(err)
			continue
		}
		if name == "vapid.json" {
			var keys map[string]string
			if err := json.Unmarshal(text, &keys); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for what, key := range keys {
				if strings.Contains(strings.ToLower(what), "private") {
					v.secret("private key of Web Push", key)
				}
			}
			continue
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); len(line) >= 32 && !strings.HasPrefix(line, "--") {
				v.secret("key in "+name, line)
			}
		}
	}
}
