//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// testPast: after both players have signed, what is still open can be decided once and not changed any more; when
// another game has begun at the board, nothing of the one before can be decided. In place of the buttons the card says
// why.
func testPast(t *testing.T, b *browser) {
	const why = "another game has begun there, or the players have signed"
	var told struct{ Seq int64 }
	instruct := func(h *pageDaemon, a toldAlert, body map[string]any) {
		body["request"] = newRequest()
		h.ask(t, "POST", "/boards/"+queryEscape(a.Board)+"/instructions", body, &told)
	}
	buttons := func(p *phone, a toldAlert) {
		t.Helper()
		p.to(alertRoute(a), ".offence")
		p.shows("main .state .note", why)
		if list := p.texts(".bar button"); len(list) > 0 {
			t.Errorf("%s is offered %q", a.Finding, list)
		}
	}

	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	a := h.theKnight(t, p)
	instruct(h, a, map[string]any{"do": "sign"})
	p.shows(".deadline.closed", "")
	if list := p.texts(".bar button"); !slices.Contains(list, "Confirm") {
		t.Errorf("signed, and not decided before: %q is offered", list)
	}
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	buttons(p, a)
	p.shoot("past-signed")
	if code := h.refused(t, a, "undo"); code != "board_refused" {
		t.Errorf("undo is answered %q", code)
	}

	p = b.phone(t, tall)
	h = stillPage(t)
	h.pair(p, h.url)
	a = h.theKnight(t, p)
	instruct(h, a, map[string]any{"do": "position", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"})
	buttons(p, a)
	p.shoot("past-game")
	if code := h.refused(t, a, "confirm"); code != "board_refused" {
		t.Errorf("confirm is answered %q", code)
	}
}

// refused is the code with which a decision about a finding as it is now is refused.
func (h *pageDaemon) refused(t *testing.T, a toldAlert, decision string) string {
	t.Helper()
	asOf := int64(0)
	for _, f := range h.board(t, a.Board).Findings {
		if f.Finding.ID == a.Finding {
			asOf = max(f.Finding.Seq, f.Ruling.Seq)
		}
	}
	body, err := json.Marshal(map[string]any{"request": newRequest(), "finding": a.Finding, "decision": decision, "as_of": asOf})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(sharedtest.Context(t), "POST", h.url+"/api/v1/boards/"+queryEscape(a.Board)+"/decisions", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&http.Cookie{Name: "boardwatchd", Value: h.cookie})
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	var no struct{ Error struct{ Code string } }
	if err != nil || json.Unmarshal(text, &no) != nil {
		t.Fatalf("%s %q (%v)", answer.Status, strings.TrimSpace(string(text)), err)
	}
	return no.Error.Code
}
