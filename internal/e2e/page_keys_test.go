//go:build linux

package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
)

// insert writes text where the focus is.
func (p *phone) insert(text string) {
	p.Helper()
	do(p, input.InsertText, input.InsertTextParams{Text: text})
}

// press presses a key on the element that tabTo finds.
func (p *phone) press(selector, text, key string) {
	p.Helper()
	p.tabTo(selector, text)
	p.key(key)
}

// testKeysAlone: without a finger an arbiter chooses "My boards", looks at a section, reads a pairing and its preview,
// opens the quiet display and leaves it.
func testKeysAlone(t *testing.T, b *browser) {
	p := b.phone(t, size{1280, 800})
	twelveBoards(t, p)
	p.press(".act", "My boards", "Enter")
	p.shows("dialog #mr", "")
	p.tabTo("#mr", "")
	p.insert("2-4")
	p.press("dialog .sections button", "Juniors", " ")
	p.press("dialog .boxed[data-board='3'] input", "", " ")
	p.press("dialog button", "Save", "Enter")
	p.lists("2,4,9,10,12")
	p.press("select.section", "", "ArrowDown")
	p.lists("2,4")
	p.press("select.section", "", "ArrowUp")
	p.lists("2,4,9,10,12")

	p.to("#/round", ".seats")
	p.press("button", "Next round", "Enter")
	p.press("dialog summary", "Or paste it", "Enter")
	p.tabTo("#rx", "")
	p.insert("board,white,black,round\n1,\"Adams, Ann\",\"Bell, Bob\",2\n2,Ida,,2\n")
	p.press("dialog button", "Read", "Enter")
	p.shows(".seen caption", "Games understood: 1")
	p.tabTo(".seen", "")
	p.press("dialog button", "Begin this round", "Escape")
	p.await("the sheet is closed", "!document.querySelector('dialog[open]')")

	p.to("#/settings", ".group")
	p.press("a.row.link", "Quiet display", "Enter")
	p.shows(".quiet h1", "")
	p.press(".quiet a.icon-button", "", "Enter")
	p.lists("2,4,9,10,12")
	p.calm()
}
