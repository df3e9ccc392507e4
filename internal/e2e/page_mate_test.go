//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// testMate: a flag that falls, and the moves by which the opponent can still mate; the same where he never can.
func testMate(t *testing.T, b *browser) {
	for _, c := range []struct{ name, title, verdict, moves string }{
		{"flag-beside-a-hole", "Can Black still mate?", "Yes", "#"},
		{"flag-behind-a-wall", "Can Black still mate?", "The position is locked", ""},
		{"must-take", "", "", ""}, // nothing is asked where the position ends the game by itself
	} {
		p := b.phone(t, tall)
		h := simulatedPage(t, "--case", c.name, "--speed", "3", "--stay")
		h.pair(p, h.url)
		until(t, "the alert", func() bool { return len(h.boards(t).open("now")) > 0 })
		p.to(alertRoute(h.boards(t).open("now")[0]), ".offence")
		p.neutral()
		eval[bool](p, `(document.querySelector('.steps').scrollIntoView(), true)`)
		p.shoot("mate-" + c.name)
		if c.title == "" {
			if text := p.text(".mate"); text != "" {
				t.Errorf("%s: the page says %q", c.name, text)
			}
			h.everyLanguage(p, "mate-"+c.name)
			continue
		}
		p.shows(".mate h3", c.title)
		p.shows(".mate p", c.verdict)
		if moves := p.text(".mate .moves"); !strings.HasSuffix(moves, c.moves) || (moves == "") != (c.moves == "") {
			t.Errorf("%s: the moves are %q", c.name, moves)
		}
		h.everyLanguage(p, "mate-"+c.name)
	}
}

// everyLanguage shows the card of the first alert in every language, see everything.
func (h *pageDaemon) everyLanguage(p *phone, name string) {
	h.Helper()
	a := h.boards(h).open("now")[0]
	for _, lang := range languages {
		if !everything && lang != longest {
			continue
		}
		h.inLanguage(p, a, lang)
		eval[bool](p, `(document.querySelector('.rest').open = true, document.querySelector('.full').scrollIntoView({block: 'center'}), true)`)
		p.shoot(name + "-" + lang)
	}
}
