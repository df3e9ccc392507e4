package web

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"boardwatchd/internal/record"
)

// FuzzBody: whatever is taken as a decision, a report or an instruction is one JSON object that a journal takes, with
// no key more than the program knows, and signed by the session.
func FuzzBody(f *testing.F) {
	for _, a := range badBodies {
		if len(a.body) < 1<<12 {
			f.Add(uint8(0), []byte(a.body))
		}
	}
	f.Add(uint8(0), []byte(decide("")))
	f.Add(uint8(1), []byte(report(`"two-hands","side":"white","note":"\u007f\u202e<b>"`)))
	f.Add(uint8(2), []byte(`{"request":"request-r","what":"flag"}`))
	f.Add(uint8(3), []byte(`{"request":"request-r","do":"strikes","white":1,"black":0}`))
	f.Add(uint8(3), []byte(`{"request":"request-r","do":"position","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}`))
	h := build(f, func(o *Options) { o.Log = zerolog.Nop() })
	h.table.find(knight, "confirmed")
	paths := []string{decisions, reportsPath, claimsPath, instructs, "/api/v1/session", "/api/v1/push", "/api/v1/alerts/12~5/seen"}
	methods := []string{"POST", "POST", "POST", "POST", "PATCH", "PUT", "POST"}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		i := int(which) % len(paths)
		before := h.table.count()
		status := serve(h, methods[i], paths[i], h.arbiter, body)
		if status >= 500 {
			t.Fatalf("%s %s is answered %d", paths[i], body, status)
		}
		if i < 4 && status == 200 && !json.Valid(body) {
			t.Fatalf("%q was taken", body)
		}
		for _, taken := range h.table.taken[before:] {
			if status != 200 || i >= 4 {
				t.Fatalf("status %d, and the journal has %s", status, taken)
			}
			if err := (record.Record{Seq: 1, Kind: record.Instruct, Body: []byte(taken)}).Check(); err != nil || !json.Valid([]byte(taken)) {
				t.Fatalf("%s: %v", taken, err)
			}
			if strings.Contains(taken, `"by":"`) || !strings.Contains(taken, `"device":"`+h.device(h.arbiter).ID+`"`) {
				t.Fatalf("not signed: %s", taken)
			}
			h.table.taken = h.table.taken[:0]
		}
	})
}

// FuzzStrict holds the reader of bodies against the standard library: what it takes, encoding/json reads to the same.
func FuzzStrict(f *testing.F) {
	for _, a := range badBodies {
		if len(a.body) < 1<<12 {
			f.Add([]byte(a.body))
		}
	}
	f.Add([]byte(`{"a":"x","n":5,"b":true,"l":["x"]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		o, err := parseObject(body)
		if err != nil {
			return
		}
		a, n := o.text("a", 0, 100), o.number("n", 0, 1000)
		if o.done() != nil {
			return
		}
		var want map[string]any
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatalf("taken, and encoding/json says %v", err)
		}
		if len(want) != len(o.keys) || len(want) > 2 {
			t.Fatalf("%d keys, encoding/json has %d", len(o.keys), len(want))
		}
		if s, _ := want["a"].(string); s != a {
			t.Fatalf("a is %q, encoding/json has %q", a, s)
		}
		if m, _ := want["n"].(float64); int64(m) != n {
			t.Fatalf("n is %d, encoding/json has %v", n, want["n"])
		}
	})
}

// FuzzAPI: for any input of a stranger the answer is no 5xx, no device is paired, nothing reaches a board, and nothing
// of a board is shown.
func FuzzAPI(f *testing.F) {
	for _, a := range attacks() {
		if len(a.body) < 1<<12 && len(a.path) < 1<<12 {
			f.Add(a.method, a.path, "localhost", "application/json", strings.Join(a.header, " "), a.body)
		}
	}
	h := build(f, func(o *Options) { o.Log = zerolog.Nop() })
	h.table.find(knight, "confirmed")
	devices := len(h.store.Devices())
	f.Fuzz(func(t *testing.T, method, path, host, kind, origin, body string) {
		u, err := url.ParseRequestURI(path)
		if err != nil || method == "" {
			return
		}
		r := &http.Request{
			Method: method, URL: u, RequestURI: path, Host: host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: "10.0.0.9:1234",
			Header: http.Header{"Content-Type": {kind}, "Origin": {origin}, "X-Forwarded-For": {"127.0.0.1"}, "Cookie": {"boardwatchd=" + origin}},
			Body:   io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}
		w := httptest.NewRecorder()
		h.server.Handler().ServeHTTP(w, r)
		if w.Code >= 500 || w.Code < 200 {
			t.Fatalf("%s %q is answered %d", method, path, w.Code)
		}
		if h.table.count() > 0 || len(h.store.Devices()) != devices {
			t.Fatalf("%s %q has changed something", method, path)
		}
		if bytes.Contains(w.Body.Bytes(), []byte("illegal.knight")) && !strings.HasPrefix(u.Path, "/texts/") && !strings.HasPrefix(u.Path, "/js/") {
			t.Fatalf("%s %q shows %s", method, path, w.Body)
		}
		for key, values := range w.Header() {
			if strings.ContainsAny(key+strings.Join(values, ""), "\r\n") {
				t.Fatalf("line break in the header %q: %q", key, values)
			}
		}
	})
}

// FuzzHost: what the allow list lets in is an address, or one of the names.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"localhost", "[::1]:8160", "hall.example.", "evil.example", "127.0.0.1:1", "::1", "a:b:c", "[x", "x]", "[127.0.0.1]"} {
		f.Add(s)
	}
	list := hosts{"hall.example"}
	f.Fuzz(func(t *testing.T, host string) {
		if list.allow(host) && strings.ContainsAny(hostName(host), " ;,'\"\r\n<>/\\@") {
			t.Fatalf("%q is let in as %q", host, hostName(host))
		}
	})
}

func serve(h *harness, method, path, cookie string, body []byte) int {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&http.Cookie{Name: cookieName, Value: cookie})
	w := httptest.NewRecorder()
	h.server.Handler().ServeHTTP(w, r)
	return w.Code
}
