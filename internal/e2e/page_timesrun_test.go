//go:build linux

package e2e

import "testing"

// testTimesRun: after a decision while the clock runs the times to set go on with it, on every phone and after a page
// is loaded anew: they are typed in at the next stop.
func testTimesRun(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	p.shows(".strip", "")
	a := h.boards(t).open("now")[0]
	p.to(alertRoute(a), ".offence")
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	goesOn := func(p *phone) {
		p.Helper()
		p.shows("[data-set]", ":")
		p.await("other times to set", `(async () => {
			const all = () => [...document.querySelectorAll('[data-set]')].map((e) => e.textContent).join();
			const first = all();
			await new Promise((r) => setTimeout(r, 2500));
			return all() !== first;
		})()`)
	}
	goesOn(p)
	other := h.viewer(b)
	other.to(alertRoute(a), ".offence")
	goesOn(other)
	p.calm()
}
