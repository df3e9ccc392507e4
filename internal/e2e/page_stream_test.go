//go:build linux

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// testStream: the stream has everything of the board that is open and, of the others, what the list shows. A board goes
// on moving while it is open, and the list afterwards.
func testStream(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := simulatedPage(t, "--boards", "3", "--speed", "4", "--seed", "8")
	h.pair(p, h.url)
	p.shows(".card", "")
	names := map[string]bool{}
	p.goesOn("boards move in the list")
	for _, m := range p.heard() {
		names[m.name] = true
	}
	if !names["boards"] || names["board"] || names["move"] || names["press"] {
		t.Errorf("a page that shows the list is sent %v", names)
	}
	p.to("#/b/2", ".movelist")
	plies := "document.querySelectorAll('.movelist .mv').length"
	begun := eval[int](p, plies)
	p.await("the open board goes on", fmt.Sprintf("%s > %d", plies, begun+2))
	before, begun := len(p.heard()), eval[int](p, plies)
	p.await("and on", fmt.Sprintf("%s > %d", plies, begun+1))
	moves := 0
	for _, m := range p.heard()[before:] {
		if m.name != "move" {
			continue
		}
		if moves++; !strings.Contains(m.data, `"board":"2"`) {
			t.Errorf("board 2 is open, and the page is sent %s", m.data)
		}
	}
	if moves == 0 {
		t.Error("the open board has gone on, and the page was sent no move")
	}
	for _, other := range []string{"1", "3"} {
		p.to("#/b/"+other, ".movelist")
		begun = eval[int](p, plies)
		p.await("board "+other+" goes on", fmt.Sprintf("%s > %d", plies, begun+1))
	}
	p.to("#/", ".card")
	p.goesOn("boards move in the list again")
	p.shows(".conn.live", "live")
	var streams []string
	for _, url := range p.requested("/api/v1/events") {
		_, query, _ := strings.Cut(url, "?")
		open, _, _ := strings.Cut(query, "&")
		streams = append(streams, open)
	}
	if want := []string{"open=", "open=2", "open=1", "open=3", "open="}; !slices.Equal(streams, want) {
		t.Errorf("the streams are %v, want %v", streams, want)
	}
	p.calm()
}

// goesOn waits until the list shows another move than at first.
func (p *phone) goesOn(what string) {
	p.Helper()
	const last = `[...document.querySelectorAll('.card .last')].map((e) => e.textContent).join()`
	begun := eval[string](p, last)
	p.await(what, fmt.Sprintf("%s !== %q", last, begun))
}
