//go:build linux

package e2e

import "testing"

// testSwitched: a rule is switched off at one board, the open ruling follows, every phone reads there that it is, and
// it is switched on again.
func testSwitched(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	p.shows(".strip", "")
	board := "#/b/" + queryEscape(h.boards(t).open("now")[0].Board)
	open := func() {
		p.to(board, ".movelist")
		p.tap(".act", "Pause")
		p.shows("dialog[open]", "What is judged here")
	}
	other := h.viewer(b)
	other.to(board, ".movelist")
	open()
	p.tap("dialog[open] summary", "What is judged here")
	p.tap("dialog[open] label", "No touch-move")
	p.shows(".offence", "") // the ruling that it has changed
	p.to(board, ".movelist")
	p.shows("main", "No touch-move at this event")
	other.shows("main", "No touch-move at this event")
	open()
	p.shows("dialog[open] details[open] label", "No touch-move")
	p.shoot("switched")
	p.tap("dialog[open] label", "No touch-move")
	p.shows(".offence", "")
	p.to(board, ".movelist")
	p.await("the board without the line", "!document.querySelector('main').textContent.includes('No touch-move')")
	p.calm()
}
