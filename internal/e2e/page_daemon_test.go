//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"boardwatchd/internal/sharedtest"
	texts "boardwatchd/rules/words"
)

// pageDaemon is a daemon that serves the page.
type pageDaemon struct {
	sharedtest.TB
	place
	*process
	url, code, link string
	cookie          string // of the phone that was paired last
}

// pageConfig is a configuration with the page on a loopback address.
func (p place) pageConfig(t testing.TB, rest string) string {
	t.Helper()
	p.keep(t)
	return p.write(t, "boardwatchd.yaml", fmt.Sprintf("event: Hall Open\nround: \"1\"\nstate_dir: %s\nlog:\n  level: warn\n"+
		"http:\n  listen: 127.0.0.1:%d\n  secure: \"off\"\n%s", p.state(), freePort(t), rest))
}

// openPage starts a command that serves the page, and reads what it prints for the arbiter.
func openPage(t testing.TB, w place, args ...string) *pageDaemon {
	t.Helper()
	h := &pageDaemon{TB: sharedtest.TB{TB: t}, place: w, process: w.start(t, args...)}
	h.invited()
	return h
}

// simulatedPage is that of simulate.
func simulatedPage(t testing.TB, args ...string) *pageDaemon {
	t.Helper()
	w := newPlace(t)
	return openPage(t, w, append([]string{"simulate", "-c", w.pageConfig(t, "")}, args...)...)
}

// runPage is that of run: a board at which a knight goes wrong and nothing happens afterwards, called still, and others
// at which people err all the time.
func runPage(t testing.TB, others ...string) (h *pageDaemon, conf string) {
	t.Helper()
	w := newPlace(t)
	rest := "rules:\n  profile: fide-standard\nboards:\n"
	plug := func(name string, args ...string) {
		b := w.start(t, append([]string{"emulate", "--speed", strconv.Itoa(operaSpeed), "--link", w.path(name)}, args...)...)
		b.out.await(t, "/dev/pts/")
		rest += fmt.Sprintf("  - name: %q\n    port: %s\n    white_clock: left\n", name, w.path(name))
	}
	plug("still", "--case", "knight-diagonal")
	for i, name := range others {
		plug(name, "--offences", "20", "--seed", strconv.Itoa(11+i))
	}
	conf = w.pageConfig(t, rest+strings.TrimPrefix(hurried, "\n"))
	return openPage(t, w, "run", "-c", conf), conf
}

// invited reads the code to type and the link to open.
func (h *pageDaemon) invited() {
	h.Helper()
	_, typed, _ := strings.Cut(h.out.await(h, "Pair a phone", " and type "), " and type ")
	_, h.link, _ = strings.Cut(h.out.await(h, " open http", "/#pair="), " open ")
	h.url, _, _ = strings.Cut(h.link, "/#pair=")
	if h.code, _, _ = strings.Cut(typed, ","); len(h.code) != len("ABCD-EFGH") {
		h.Fatalf("no code in %q", typed)
	}
	awaitRead(h, http.DefaultClient, h.url)
}

// pair pairs a phone with the code that was printed, by typing it, and waits for the list of boards.
func (h *pageDaemon) pair(p *phone, at string) {
	p.Helper()
	p.open(at)
	p.typed("#code", strings.ToLower(h.code))
	h.named(p)
}

// named gives the phone its name and pairs it.
func (h *pageDaemon) named(p *phone) {
	p.Helper()
	p.typed("#name", "Ann")
	p.tap("button", "Pair this device")
	p.shows(".conn.live", "live")
	h.trust(p)
}

// trust lets the test ask the daemon as the phone would, past the phone's network.
func (h *pageDaemon) trust(p *phone) {
	p.Helper()
	for _, c := range do(p, network.GetCookies, network.GetCookiesParams{}).Cookies {
		if c.Name == "boardwatchd" {
			h.cookie = c.Value
			if !c.HTTPOnly || c.SameSite != network.CookieSameSiteStrict {
				p.Errorf("the cookie is HttpOnly %v, SameSite %v", c.HTTPOnly, c.SameSite)
			}
			return
		}
	}
	p.Fatal("the paired phone has no cookie")
}

// ask asks the daemon itself.
func (h *pageDaemon) ask(t testing.TB, method, path string, body, into any) {
	t.Helper()
	var send io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		send = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(sharedtest.Context(t), method, h.url+"/api/v1"+path, send)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&http.Cookie{Name: "boardwatchd", Value: h.cookie})
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s %s (%v)", method, path, a.Status, text, err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
}

// What the tests need of the API's objects.
type (
	toldBoard struct {
		Board      string
		HealthWhat string `json:"health_what"`
		Names      *struct{ White, Black string }
		Strikes    struct{ White, Black int }
		Ply        int
	}
	toldAlert struct {
		ID, Board, Finding, Kind, Level, State string
		RaisedMS                               int64 `json:"raised_ms"`
	}
	toldBoards struct {
		Last   string
		Boards []toldBoard
		Alerts []toldAlert
	}
	toldState struct {
		Board    toldBoard
		Moves    []struct{ SAN string }
		Findings []struct {
			Finding struct {
				ID, Kind, Reason, State, Alert string
				Say                            texts.Sentence
				Seq                            int64
				Decided                        *string
			}
			Ruling struct {
				Seq  int64
				Text string
				Say  texts.Sentence
			}
		}
	}
)

func (h *pageDaemon) boards(t testing.TB) (b toldBoards) {
	t.Helper()
	h.ask(t, "GET", "/boards", nil, &b)
	return b
}

func (h *pageDaemon) board(t testing.TB, name string) (s toldState) {
	t.Helper()
	h.ask(t, "GET", "/boards/"+name, nil, &s)
	return s
}

// decided is what the daemon has of a finding: "" for nothing.
func (h *pageDaemon) decided(t testing.TB, board, finding string) string {
	t.Helper()
	for _, f := range h.board(t, board).Findings {
		if f.Finding.ID == finding {
			if f.Finding.Decided == nil {
				return ""
			}
			return *f.Finding.Decided
		}
	}
	t.Fatalf("board %s has no finding %s", board, finding)
	return ""
}

// open are the alerts that ask for somebody.
func (b toldBoards) open(level string) (list []toldAlert) {
	for _, a := range b.Alerts {
		if (a.State == "open" || a.State == "seen") && (level == "" || a.Level == level) {
			list = append(list, a)
		}
	}
	return list
}

// judgement is a decision in a journal.
type judgement struct {
	Finding, Decision, By, Request, Device string
}

// judgements are the decisions about a finding that the journal of a board has.
func (h *pageDaemon) judgements(t testing.TB, pattern, finding string) (list []judgement) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(h.state(), pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("journals %s: %v (%v), want one", pattern, found, err)
	}
	dir, name := filepath.Split(strings.TrimSuffix(found[0], ".bwj"))
	for _, e := range mustRead(t, dir, name).of("decide") {
		var j judgement
		if err := json.Unmarshal([]byte(e.body), &j); err != nil {
			t.Fatalf("record %d: %v", e.seq, err)
		}
		if j.Finding == finding {
			list = append(list, j)
		}
	}
	return list
}

// alertRoute is where the page shows an alert.
func alertRoute(a toldAlert) string {
	return "#/b/" + queryEscape(a.Board) + "/" + queryEscape(a.Finding)
}
