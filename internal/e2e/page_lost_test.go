//go:build linux

package e2e

import (
	"bufio"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"boardwatchd/internal/sharedtest"
)

// stillPage is a board at which a knight goes wrong and then nothing happens any more.
func stillPage(t testing.TB) *pageDaemon {
	t.Helper()
	return simulatedPage(t, "--case", "knight-diagonal", "--speed", "3", "--stay")
}

// theKnight waits for the alert of the knight that went wrong, and opens it on the phone.
func (h *pageDaemon) theKnight(t *testing.T, p *phone) (a toldAlert) {
	t.Helper()
	until(t, "the knight's alert", func() bool {
		list := h.boards(t).open("now")
		i := slices.IndexFunc(list, func(a toldAlert) bool {
			return a.Kind == "illegal.knight" && (a.Board == "still" || a.Board == "simulated")
		})
		if i >= 0 {
			a = list[i]
		}
		return i >= 0
	})
	p.to(alertRoute(a), ".offence")
	p.shows(".act", "Confirm")
	return a
}

// testLostNetwork: first the phone hears nothing any more, then nothing goes through at all, without a sign of it.
func testLostNetwork(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h, _ := runPage(t, "1", "2")
	air := newRadio(t, h.url)
	h.pair(p, air.url())
	a := h.theKnight(t, p)

	air.becomes(deaf)
	p.tap(".act", "Confirm")
	p.shows(".note.pend", "Confirm: not saved yet")
	until(t, "the daemon has saved what the phone does not know to be saved", func() bool { return h.decided(t, a.Board, a.Finding) == "confirm" })
	air.becomes(silent)
	p.shows(".conn.connecting", "")
	before := h.boards(t)
	p.shows(".banner", "Not saved yet")
	if p.text(".note.done") != "" {
		t.Error("the page says that a decision is saved, and has no answer")
	}
	p.shoot("lost-1-pending")
	missed := func() (n int) {
		for _, x := range h.boards(t).Alerts {
			if !slices.ContainsFunc(before.Alerts, func(y toldAlert) bool { return y.ID == x.ID }) {
				n++
			}
		}
		return n
	}
	until(t, "two alerts while the phone is away", func() bool { return missed() >= 2 })
	heard := len(p.heard())
	air.becomes(fine)

	p.shows(".conn.live", "live")
	p.shows(".note.done", "Decided: confirmed")
	checkCaughtUp(t, p.heard(), heard)
	h.nothingMissed(t, p, a.Board)
	h.sameAlerts(t, p)
	requests := p.sent(`"finding":"` + a.Finding + `"`)
	if len(requests) < 2 || slices.ContainsFunc(requests, func(r string) bool { return r != requests[0] }) {
		t.Errorf("the decision was sent as %q, want the same at least twice", requests)
	}
	if list := h.judgements(t, "still-r1.bwj", a.Finding); len(list) != 1 || !strings.Contains(requests[0], list[0].Request) {
		t.Errorf("the journal has the decisions %+v, want the one request", list)
	}
	p.calm()
}

// checkCaughtUp: nothing came twice, and after the hello of a stream that goes on where the last one was lost the
// alerts come first.
func checkCaughtUp(t *testing.T, all []message, before int) {
	t.Helper()
	hello := slices.IndexFunc(all[before:], func(m message) bool { return m.name == "hello" }) + before
	if hello < before || !strings.Contains(all[hello].data, `"resumed":true`) {
		t.Fatalf("the stream is not resumed: %+v", all[before:])
	}
	last := ""
	first := map[string]int{} // how often what matters came before everything else
	urgent := true
	for i, m := range all {
		fresh := m.id != "" && m.id != last
		if i > hello && fresh {
			urgent = false
		}
		if i > hello && urgent {
			first[m.name]++
		}
		if !fresh {
			continue
		}
		if i > hello && last != "" && number(t, m.id) <= number(t, last) {
			t.Errorf("after event %s comes %s (%s)", last, m.id, m.name)
		}
		last = m.id
	}
	if first["alert"] < 2 || first["move"] > 0 || first["press"] > 0 {
		t.Errorf("what comes first is %v, want what was missed of alerts", first)
	}
}

// inTheList says that a page which shows the list is sent such events of every board.
func inTheList(name string) bool {
	return slices.Contains([]string{"alert", "notice", "devices", "round", "tables"}, name)
}

// nothingMissed: since a board was opened the page was sent everything of it, and of the other boards everything that
// its list shows.
func (h *pageDaemon) nothingMissed(t *testing.T, p *phone, board string) {
	t.Helper()
	all := p.heard()
	had := map[string]bool{}
	ofBoard := func(data string) bool { return strings.Contains(data, fmt.Sprintf(`"board":%q`, board)) }
	first, opened, last := "", "", ""
	for _, m := range all {
		if m.id == "" || m.name == "boards" { // their id may be that of an event that was left out
			continue
		}
		had[m.id], last = true, m.id
		if first == "" {
			first = m.id
		}
		if opened == "" && ofBoard(m.data) && m.name != "board" && m.name != "heads" && !inTheList(m.name) {
			opened = m.id
		}
	}
	if opened == "" {
		t.Fatalf("the page was sent nothing of board %s alone", board)
	}
	r, err := http.NewRequestWithContext(sharedtest.Context(t), http.MethodGet, h.url+"/api/v1/events?after="+first, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "boardwatchd", Value: h.cookie})
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var e message
	checked := 0
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	at := first
	for at != last && lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ": ")
		switch key {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			at = cmp.Or(e.id, at)
			if e.id == "" || !inTheList(e.name) && (!ofBoard(value) || number(t, e.id) < number(t, opened)) {
				break
			}
			if checked++; !had[e.id] {
				t.Errorf("the page was not sent %s %s", e.name, e.id)
			}
		case "":
			e = message{}
		}
	}
	if at != last || checked == 0 {
		t.Errorf("%d events were looked at, up to %q, want them up to %q", checked, at, last)
	}
}

func number(t *testing.T, id string) int {
	t.Helper()
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:])
	if err != nil {
		t.Fatalf("event id %q", id)
	}
	return n
}

// sameAlerts waits until the list of the page has each open alert of the daemon exactly once and nothing else.
func (h *pageDaemon) sameAlerts(t *testing.T, p *phone) {
	t.Helper()
	eval[any](p, "void (location.hash = '#/')")
	p.shows(".card", "")
	var want, got []string
	defer func() {
		if t.Failed() {
			t.Logf("the daemon has the alerts\n%v\nthe page\n%v", want, got)
		}
	}()
	until(t, "the page lists what the daemon has", func() bool {
		want = nil
		for _, a := range h.boards(t).open("") {
			want = append(want, alertRoute(a))
		}
		got = eval[[]string](p, `[...document.querySelectorAll('.strip')].map((e) => e.getAttribute('href'))`)
		slices.Sort(want)
		slices.Sort(got)
		return slices.Equal(got, want)
	})
}

// testOffline: the phone itself says that it has no network.
func testOffline(t *testing.T, b *browser) {
	p := b.phone(t, small)
	h := stillPage(t)
	h.pair(p, h.url)
	a := h.theKnight(t, p)
	p.clocksStay()
	p.tap(".act", "Not an offence")
	p.shows(".note.pend", "No connection. It will be sent when it is back.")
	p.shoot("offline-pending")
	if d := h.decided(t, a.Board, a.Finding); d != "" {
		t.Fatalf("decided %q through no network", d)
	}
	p.offline(false)
	p.shows(".note.done", "Decided: not an offence")
	p.shows(".conn.live", "live")
	h.sameAlerts(t, p)
	p.to(alertRoute(a), ".offence")
	p.tap(".act", "Undo")
	p.shows(".act", "Confirm")
	p.timeOfDay(60000)
	p.timeOfDay(-3600000)

	// Somebody else decides while the phone is offline: what it then sends is not taken, and the page says why.
	p.offline(true)
	p.shows(".conn.connecting", "connecting")
	p.tap(".act", "Confirm")
	p.shows(".note.pend", "Confirm: not saved yet")
	f := h.board(t, a.Board).Findings[0]
	h.ask(t, "POST", "/boards/"+a.Board+"/decisions", map[string]any{
		"request": "the-other-arbiter", "finding": a.Finding, "decision": "accident", "note": "", "as_of": max(f.Finding.Seq, f.Ruling.Seq),
	}, new(any))
	p.offline(false)
	p.shows(".note.warn", "Not saved: this changed while you looked")
	p.shoot("offline-changed")
	if got := p.text(".note.warn"); !strings.Contains(got, "Decided meanwhile: Accident, by Ann") {
		t.Errorf("the page explains what changed as %q", got)
	}
	p.shows(".note.done", "Decided: accident")
	words := []string{}
	for _, j := range h.judgements(t, "simulation-*.bwj", a.Finding) {
		words = append(words, j.Decision)
	}
	if want := []string{"reject", "undo", "accident"}; !slices.Equal(words, want) {
		t.Errorf("the journal has %v, want %v", words, want)
	}
	p.calm()
}

// clocksStay puts the phone offline while a clock runs: the clocks stay as they were shown, and the page says how old
// that is.
func (p *phone) clocksStay() {
	p.Helper()
	const shown = `[...document.querySelectorAll('[data-now]')].map((e) => e.textContent.split(':').reduce((n, x) => 60 * n + Number(x), 0))`
	p.shows(".clocktable [data-when]", "now")
	first := eval[[]int](p, shown)
	var before []int
	until(p, "a clock has run for 5 seconds", func() bool {
		before = eval[[]int](p, shown)
		return len(before) == 2 && before[0]+before[1] <= first[0]+first[1]-5
	})
	p.offline(true)
	p.shows(".conn.connecting", "connecting")
	p.shows("[data-stale] .clocktable [data-when]", "s ago")
	p.shoot("offline-clocks")
	after := eval[[]int](p, shown)
	if after[0] > before[0] || after[1] > before[1] {
		p.Errorf("without a network the clocks jump back from %v to %v", before, after)
	}
	p.await("the clocks are older", `parseInt(document.querySelector('[data-when]').textContent) >= 3`)
	if later := eval[[]int](p, shown); !slices.Equal(after, later) {
		p.Errorf("the clocks that nobody hears go on from %v to %v", after, later)
	}
}

// timeOfDay sets the phone's time of day on or back by some ms, and nothing else: everything is fetched anew, as on a
// phone that slept.
func (p *phone) timeOfDay(ms int) {
	p.Helper()
	fetched := func() (n int) {
		all := p.url("/api/v1/boards")
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, url := range p.urls {
			if url == all || strings.HasPrefix(url, all+"?") {
				n++
			}
		}
		return n
	}
	before := fetched()
	eval[any](p, fmt.Sprintf("void ((now) => (Date.now = () => now() + %d))(Date.now.bind(Date))", ms))
	until(p, "everything is fetched anew", func() bool { return fetched() > before })
	p.shows(".conn.live", "live")
	p.shows(".clocktable [data-when]", "now")
}

func (p *phone) offline(yes bool) {
	p.Helper()
	do(p, cdp.Command[offlineParams, struct{}]{Method: network.CommandEmulateNetworkConditionsByRule}, offlineParams{
		Offline: yes,
		Rules:   []*network.Conditions{{Offline: yes, DownloadThroughput: -1, UploadThroughput: -1}},
	})
	do(p, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: yes, DownloadThroughput: -1, UploadThroughput: -1})
}

// offlineParams says it twice: Chromium 148 refuses the command without the first, later ones read the second.
type offlineParams struct {
	Offline bool                  `json:"offline"`
	Rules   []*network.Conditions `json:"matchedNetworkConditions"`
}
