//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// testHands: what only the timing suggests is told in words, with the other readings; a person's report shows the same windows
// and asks nobody to look.
func testHands(t *testing.T, b *browser) {
	const other = "the opponent’s or the arbiter’s"
	for _, c := range []struct {
		name, level, chip, heading string
		looks                      bool
	}{
		{"castled-with-both-hands", "advise", "evidence", "perhaps", true},
		{"castled-with-both-hands-reported", "now", "report", "both hands", false},
	} {
		p := b.phone(t, tall)
		h := simulatedHall(t, "--case", c.name, "--speed", "3", "--stay")
		h.pair(p, h.url)
		p.shows(".strip", "")
		until(t, "the alert of "+c.name, func() bool { return len(h.boards(t).open(c.level)) > 0 })
		p.to(alertRoute(h.boards(t).open(c.level)[0]), ".offence")
		p.neutral()
		p.shows(".offence", c.heading)
		p.shows(".facts", c.chip)
		p.shows(".line", other)
		if text := p.text(".facts"); strings.Contains(text, "%") {
			t.Errorf("%s: the page has a figure for it: %q", c.name, text)
		}
		if text := p.text(".line"); strings.Contains(text, "Please look") != c.looks {
			t.Errorf("%s: the page says %q", c.name, text)
		}
		p.shoot("hands-" + c.name)
		eval[bool](p, `(document.querySelector('.line').scrollIntoView(), true)`)
		p.shoot("hands-" + c.name + "-line")
	}
}
