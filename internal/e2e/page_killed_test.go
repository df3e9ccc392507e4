//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// testKilledDaemon: kill -9 while the page is open, and a start as the service manager would.
func testKilledDaemon(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h, conf := runPage(t)
	h.pair(p, h.url)
	a := h.theKnight(t, p)
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	moves := len(h.board(t, a.Board).Moves)
	stamp := eval[float64](p, "(window.sameDocument = Math.random())")

	h.kill()
	p.shows(".conn.connecting", "")
	if d := p.text(".note.done"); !strings.Contains(d, "confirmed") {
		t.Errorf("while the daemon is away the page says %q of what was decided", d)
	}
	h.process = h.start(t, "run", "-c", conf)
	h.invited()
	p.shows(".conn.live", "live")
	h.counts(t, a, "confirm", 1)
	if now := h.board(t, a.Board); len(now.Moves) != moves {
		t.Errorf("%d moves after the restart, %d before", len(now.Moves), moves)
	}
	p.shows(".note.done", "Decided: confirmed")
	p.tap(".act", "Undo")
	p.shows(".act", "Confirm")
	h.counts(t, a, "", 0)
	if eval[float64](p, "window.sameDocument") != stamp {
		t.Error("the page was loaded anew")
	}
	p.calm()
}
