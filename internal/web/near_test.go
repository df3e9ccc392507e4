package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/live"
)

func TestHealth(t *testing.T) {
	stuck := false
	h := newHarness(t, func(o *Options) { o.Stuck = func() bool { return stuck } })
	check := func(status int, body string) {
		t.Helper()
		if r := h.ask("GET", "/healthz", "", ""); r.status != status || strings.TrimSpace(string(r.body)) != body {
			t.Errorf("%d %s, not %d %s", r.status, r.body, status, body)
		}
	}
	check(200, `{"status":"ok","boards":1}`)
	h.live.Expect("13")
	check(503, `{"status":"reading","boards":1}`)
	h.live.Remove("13")
	check(200, `{"status":"ok","boards":1}`)
	h.table.board.Degraded("the disk is full", "pi")
	check(503, `{"status":"journal","boards":1}`)
	h.table.board.Degraded("", "pi")
	h.live.SetStalled("12", time.Now(), "pi")
	check(503, `{"status":"behind","boards":1}`)
	stuck = true
	check(503, `{"status":"stuck","boards":1}`)
	stuck = false
	h.live.Remove("12")
	check(503, `{"status":"no_board","boards":0}`)
}

func TestMetricsAreForThisComputerAndPairedDevices(t *testing.T) {
	h := build(t, nil)
	open := build(t, func(o *Options) { o.MetricsOpen = true })
	for _, row := range []struct {
		what   string
		h      *harness
		remote string
		cookie string
		header string
		want   int
	}{
		{"this computer", h, "127.0.0.1:1", "", "", 200},
		{"this computer, IPv6", h, "[::1]:1", "", "", 200},
		{"somebody on the LAN", h, "192.168.1.50:1", "", "", 403},
		{"somebody who claims to be this computer", h, "192.168.1.50:1", "", "127.0.0.1", 403},
		{"an invented cookie", h, "192.168.1.50:1", strings.Repeat("A", 43), "", 403},
		{"a paired phone", h, "192.168.1.50:1", h.viewer, "", 200},
		{"opened by the configuration", open, "192.168.1.50:1", "", "", 200},
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.Host, r.RemoteAddr = "192.168.1.10:8160", row.remote
		r.Header.Set("X-Forwarded-For", row.header)
		r.Header.Set("X-Real-IP", row.header)
		r.Header.Set("Forwarded", "for="+row.header)
		r.Header.Set("Cookie", cookieName+"="+row.cookie)
		w := httptest.NewRecorder()
		row.h.server.Handler().ServeHTTP(w, r)
		if w.Code != row.want {
			t.Errorf("%s: %d, not %d", row.what, w.Code, row.want)
		}
	}
}

func TestBoardsAndState(t *testing.T) {
	h := newHarness(t, func(o *Options) {
		o.Notices = func() []Notice {
			return []Notice{{ID: "x", Text: "ntfy does not answer.", Remedy: "Look at it."}}
		}
	})
	h.table.find(knight, "confirmed")
	h.table.find("7:sensor.unknown", "suspected")
	var a struct {
		Epoch, Last string
		Boards      []live.Summary
		Alerts      []struct{ ID string }
		Notices     []struct{ Text string }
	}
	r := h.ask("GET", "/api/v1/boards", h.viewer, "")
	if err := json.Unmarshal(r.body, &a); err != nil || r.status != 200 {
		t.Fatal(r.status, string(r.body), err)
	}
	if a.Epoch != "e" || a.Last != h.live.Last() || len(a.Boards) != 1 || a.Boards[0].Open != 1 || len(a.Alerts) != 1 || len(a.Notices) != 1 {
		t.Errorf("the overview is %s", r.body)
	}
	var s struct {
		Board    live.Summary
		Moves    []any
		Findings []struct {
			Finding struct{ ID string }
			Alert   *struct{ ID string }
		}
	}
	r = h.ask("GET", "/api/v1/boards/12", h.viewer, "")
	if err := json.Unmarshal(r.body, &s); err != nil || r.status != 200 {
		t.Fatal(r.status, string(r.body), err)
	}
	if len(s.Findings) != 2 || s.Findings[0].Alert != nil || s.Findings[1].Finding.ID != knight || s.Findings[1].Alert == nil || s.Moves == nil {
		t.Errorf("the state is %s", r.body)
	}
	packed := h.ask("GET", "/api/v1/boards/12", h.viewer, "", "Accept-Encoding", "gzip")
	if packed.header.Get("Cache-Control") != "no-store" || packed.header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(r.body) {
		t.Errorf("a long answer is %d bytes and not %d: %v", len(packed.body), len(r.body), packed.header)
	}
	if z, err := gzip.NewReader(bytes.NewReader(packed.body)); err != nil {
		t.Error(err)
	} else if plain, err := io.ReadAll(z); err != nil || json.Unmarshal(plain, &s) != nil || len(s.Findings) != 2 {
		t.Errorf("%s %v", plain, err)
	}
}

func TestSeenAndAcknowledged(t *testing.T) {
	h := newHarness(t, nil)
	r := h.ask("POST", "/api/v1/alerts/12~5/seen", h.arbiter, `{"request":"request-1"}`)
	if r.status != 200 || !strings.Contains(string(r.body), `"seen_by":"`+h.device(h.arbiter).ID+`"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := h.ask("POST", "/ack/good", "", ""); r.status != 204 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// Every word that people can tell is taken, and comes into the journal as the core reads it.
func TestWhatPeopleTell(t *testing.T) {
	for _, row := range []struct{ path, body, want string }{
		{reportsPath, `"what":"two-hands","side":"white"`, `{"do":"report","what":"two-hands","side":"white",`},
		{reportsPath, `"what":"other-hand","side":"black","move":12`, `{"do":"report","what":"other-hand","side":"black","move":12,`},
		{reportsPath, `"what":"press-before-release","side":"black"`, `{"do":"report","what":"press-before-release","side":"black",`},
		{reportsPath, `"what":"foreign-press","side":"white"`, `{"do":"report","what":"foreign-press","side":"white",`},
		{reportsPath, `"what":"displaced","squares":"d2-d3","side":null`, `{"do":"report","what":"displaced","squares":"d2-d3",`},
		{reportsPath, `"what":"clock-setting-wrong"`, `{"do":"report","what":"clock-setting-wrong",`},
		{reportsPath, `"what":"colours-reversed"`, `{"do":"report","what":"colours-reversed",`},
		{reportsPath, `"what":"draw-offer","side":"white"`, `{"do":"report","what":"draw-offer","side":"white",`},
		{reportsPath, `"what":"found","move":9`, `{"do":"report","what":"found","move":9,`},
		{reportsPath, `"what":"queen-brought"`, `{"do":"report","what":"queen-brought",`},
		{reportsPath, `"what":"assistant"`, `{"do":"report","what":"assistant",`},
		{claimsPath, `"what":"draw3","side":"black"`, `{"do":"claim","what":"draw3","side":"black",`},
		{instructs, `"do":"result","result":"1/2-1/2"`, `{"do":"result","result":"1/2-1/2",`},
		{instructs, `"do":"sign"`, `{"do":"sign",`},
		{instructs, `"do":"pause"`, `{"do":"pause",`},
		{instructs, `"do":"resume"`, `{"do":"resume",`},
		{instructs, `"do":"restore"`, `{"do":"restore",`},
		{instructs, `"do":"strikes","white":1,"black":0`, `{"do":"strikes","white":1,"black":0,`},
		{instructs, `"do":"flag","name":"no_touch","on":true`, `{"do":"flag","name":"no_touch","on":true,`},
		{instructs, `"do":"flag","name":"no_touch","on":false`, `{"do":"flag","name":"no_touch",`},
		{instructs, `"do":"position","fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1"`, `{"do":"position","fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1",`},
	} {
		h := newHarness(t, nil)
		r := h.ask("POST", row.path, h.arbiter, `{"request":"request-1",`+row.body+`}`)
		if r.status != 200 || !strings.Contains(string(r.body), `{"saved":true,"seq":101,"head":{"journal":"12-r1","seq":101,"chain":"6500`) || h.table.count() != 1 {
			t.Errorf("%s: %d %s", row.body, r.status, r.body)
			continue
		}
		if !strings.HasPrefix(h.table.taken[0], row.want+`"device":`) {
			t.Errorf("%s: the journal has %s", row.body, h.table.taken[0])
		}
	}
}
