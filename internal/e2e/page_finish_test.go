//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// testFinish: a mate is shown calmly, with its result filled in, and one touch tells it; a result that the position
// contradicts is questioned on the screen that asked, before it is taken, and can be taken back.
func testFinish(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := simulatedPage(t, "--case", "mate", "--speed", "3", "--stay")
	h.pair(p, h.url)
	p.shows(".card .turn", "Finished? 1–0")
	board := "#/b/" + queryEscape(h.boards(t).Boards[0].Board)
	p.to(board, ".finish")
	p.shows(".finish p", "Checkmate")
	p.shows(".finish .button.primary", "1–0")
	p.shoot("finish-mate")
	p.to(alertRoute(h.boards(t).open("now")[0]), ".offence")
	p.shows(".facts", "After move")
	if text := p.text(".facts"); strings.Contains(text, "had the move") || strings.Contains(text, "…") {
		t.Errorf("nobody has the move after a mate: %q", text)
	}
	p.await("the mate in one position", `[...document.querySelectorAll('.pair figcaption')].filter((e) => e.checkVisibility()).map((e) => e.textContent).join() === 'Position'`)
	p.shoot("finish-card")
	p.to(board, ".finish")
	p.tap(".finish .button", "½–½")
	p.shows(".offence", "contradicted")
	p.shoot("finish-contradicted")
	if text := p.text(".bar"); !strings.Contains(text, "As entered") {
		t.Errorf("the arbiter cannot insist: %q", text)
	}
	p.to(board, ".live-board")
	// The board's row follows the alert by as long as rows are held together.
	p.await("no request for a result while one is questioned", "![...document.querySelectorAll('.finish')].some((e) => e.checkVisibility())")
	h.everyLanguage(p, "finish-contradicted")
	h.inLanguage(p, h.boards(t).open("now")[0], "en")
	p.to(board, ".live-board")
	p.tap(".act", "Result")
	p.shows("dialog[open] .choice", "The game goes on")
	p.shoot("finish-take-back")
	p.tap("dialog[open] .choice", "The game goes on")
	p.await("the card without an alert", "!document.querySelector('dialog[open]') && !document.querySelector('.strip')")
	p.shoot("finish-taken-back")
}
