//go:build linux

package e2e

import (
	"fmt"
	"testing"
)

// testFullDisk: while the disk takes nothing, card and board's screen say what to do against it, in every language.
func testFullDisk(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h, _ := runPage(t, "1")
	h.pair(p, h.url)
	h.theKnight(t, p)
	h.fileSize(t, 0)
	p.to("#/", ".card")
	p.shows(".card[data-board=\"1\"] .health", "Make room on the disk of")
	for _, lang := range languages {
		if !everything && lang != longest {
			continue
		}
		eval[any](p, fmt.Sprintf("void (localStorage.setItem('bw.lang', %q), location.reload())", lang))
		p.await("the page in "+lang, fmt.Sprintf("document.documentElement.lang === %q && document.querySelector('.card')", lang))
		p.to("#/b/1", ".trouble.remedy")
		p.fits("a full disk in "+lang, tall)
		p.shoot("disk-" + lang)
		p.to("#/", ".card")
		p.await("the remedy on the card", `[...document.querySelectorAll('.card[data-board="1"] .health')].some((e) => e.innerText.length > 60)`)
		p.fits("cards with a full disk in "+lang, tall)
		p.shoot("disk-card-" + lang)
	}
}
