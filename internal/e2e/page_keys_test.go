//go:build linux

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// insert writes text where the focus is.
func (p *phone) insert(text string) {
	p.Helper()
	do(p, input.InsertText, input.InsertTextParams{Text: text})
}

// testKeysAlone: without a finger an arbiter chooses "My boards", looks at a section, reads a pairing and its preview,
// opens the quiet display and leaves it.
func testKeysAlone(t *testing.T, b *browser) {
	p := b.phone(t, size{1280, 800})
	w := newPlace(t)
	conf := w.pageConfig(t, "sections:\n- Open = 1-8\n- Juniors = 9-10, 12\n")
	h := openPage(t, w, "simulate", "-c", conf, "--boards", "12", "--offences", "0", "--speed", "1", "--seed", "3")
	h.pair(p, h.url)
	p.await("12 boards", "document.querySelectorAll('.card').length === 12")
	listed := func(want string) {
		t.Helper()
		p.await("the list of "+want, fmt.Sprintf("[...document.querySelectorAll('.card')].map((c) => c.dataset.board).sort((a, b) => a - b).join() === %q", want))
	}
	p.tabTo(".act", "My boards")
	p.key("Enter")
	p.shows("dialog #mr", "")
	p.tabTo("#mr", "")
	p.insert("2-4")
	p.tabTo("dialog .sections button", "Juniors")
	p.key(" ")
	p.tabTo("dialog .boxed[data-board='3'] input", "")
	p.key(" ")
	p.tabTo("dialog button", "Save")
	p.key("Enter")
	listed("2,4,9,10,12")
	p.tabTo("select.section", "")
	p.key("ArrowDown")
	listed("2,4")
	p.tabTo("select.section", "")
	p.key("ArrowUp")
	listed("2,4,9,10,12")

	p.to("#/round", ".seats")
	p.tabTo("button", "Next round")
	p.key("Enter")
	p.tabTo("dialog summary", "Or paste it")
	p.key("Enter")
	p.tabTo("#rx", "")
	p.insert("board,white,black,round\n1,\"Adams, Ann\",\"Bell, Bob\",2\n2,Ida,,2\n")
	p.tabTo("dialog button", "Read")
	p.key("Enter")
	p.shows(".seen caption", "Games understood: 1")
	p.tabTo(".seen", "")
	p.tabTo("dialog button", "Begin this round")
	p.key("Escape")
	p.await("the sheet is closed", "!document.querySelector('dialog[open]')")

	p.to("#/settings", ".group")
	p.tabTo("a.row.link", "Quiet display")
	p.key("Enter")
	p.shows(".quiet h1", "")
	p.tabTo(".quiet a.icon-button", "")
	p.key("Enter")
	listed("2,4,9,10,12")
	p.calm()
}
