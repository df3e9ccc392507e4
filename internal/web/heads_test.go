package web

import (
	"strings"
	"testing"
	"time"
)

const headsPath = "/api/v1/heads"

// Every paired device may ask for the heads of the journals, even a viewer.
func TestHeadsOfAllBoards(t *testing.T) {
	h := newHarness(t, nil)
	h.table.find(knight, "confirmed")
	want := `{"heads":[{"board":"12","journal":"12-r1","seq":101,"chain":"65000000000000000000000000000000"}],"now_ms":`
	if r := h.ask("GET", headsPath, h.viewer, ""); r.status != 200 || !strings.HasPrefix(string(r.body), want) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := h.ask("GET", headsPath, "", ""); r.status != 401 {
		t.Errorf("without pairing: %d %s", r.status, r.body)
	}
	h.table.headless = true
	if r := h.ask("GET", headsPath, h.viewer, ""); r.status != 200 || !strings.HasPrefix(string(r.body), `{"heads":[],`) {
		t.Errorf("with nothing on the disk: %d %s", r.status, r.body)
	}
}

// A head is named where it holds what was told, and only there.
func TestAnswersNameTheHeadThatHoldsThem(t *testing.T) {
	h := newHarness(t, nil)
	seq := h.table.find(knight, "confirmed")
	named := `"head":{"journal":"12-r1","seq":`
	for _, row := range []struct{ path, body string }{
		{decisions, decisionBody(fresh(), knight, "confirm", seq)},
		{reportsPath, `{"request":"` + fresh() + `","what":"assistant"}`},
		{claimsPath, `{"request":"` + fresh() + `","what":"draw3","side":"black"}`},
		{instructs, `{"request":"` + fresh() + `","do":"sign"}`},
		{"/api/v1/alerts/12~5/seen", `{"request":"` + fresh() + `"}`},
	} {
		h.table.headless = false
		if r := h.ask("POST", row.path, h.arbiter, row.body); r.status != 200 || !strings.Contains(string(r.body), named) {
			t.Errorf("%s: %d %s", row.path, r.status, r.body)
		}
		h.table.headless = true // the board was closed meanwhile
		if r := h.ask("POST", row.path, h.arbiter, row.body); r.status != 200 || !strings.Contains(string(r.body), `"head":null`) {
			t.Errorf("%s, with no head: %d %s", row.path, r.status, r.body)
		}
	}
	h.table.headless, h.table.behind = false, 1 // another journal, or none that holds it
	r := h.ask("POST", reportsPath, h.arbiter, `{"request":"`+fresh()+`","what":"assistant"}`)
	if r.status != 200 || !strings.Contains(string(r.body), `"head":null`) {
		t.Errorf("with a head before the record: %d %s", r.status, r.body)
	}
	h.table.fail = ErrNotSaved
	r = h.ask("POST", reportsPath, h.arbiter, `{"request":"`+fresh()+`","what":"assistant"}`)
	if r.status != 503 || strings.Contains(string(r.body), "head") {
		t.Errorf("not saved: %d %s", r.status, r.body)
	}
}

// The feed has the heads soon after it begins, and then every five minutes.
func TestTheFeedHasTheHeads(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		f := h.follow(h.viewer, "")
		defer f.close()
		begun := time.Now()
		for _, want := range []time.Duration{5 * time.Second, 305 * time.Second} {
			var e sse
			for ok := true; e.name != "heads"; {
				if e, ok = f.next(); !ok || time.Since(begun) > want {
					t.Fatalf("no heads after %v", want)
				}
			}
			if d := time.Since(begun); d != want || e.id != "" || !strings.HasPrefix(e.data, `{"heads":[{"board":"12",`) {
				t.Errorf("after %v: %v", d, e)
			}
		}
	})
}
