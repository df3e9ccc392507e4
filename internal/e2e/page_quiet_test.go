//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// testQuiet: the display for the arbiters' table, on a device that may only look. An alert comes, goes by another
// phone's decision and comes back; more alerts than have room are counted; a lost network is named; no key does
// anything but Escape; nothing can be touched but the way out.
func testQuiet(t *testing.T, b *browser) {
	source := axe(t)
	laptop, tablet := size{1280, 720}, size{800, 1280}
	h := stillPage(t)
	air := newRadio(t, h.url)
	q := b.phone(t, tall)
	h.pair(q, h.url)
	until(t, "the knight's alert", func() bool { return len(h.boards(t).open("now")) == 1 })
	a := h.boards(t).open("now")[0]
	q.to(alertRoute(a), ".offence")
	q.tap(".act", "Confirm")
	q.shows(".note.done", "Decided: confirmed")

	p := h.watcher(b, air.url(), laptop)
	p.to("#/settings", ".group")
	p.tap("a.row.link", "Quiet display")
	p.shows(".quiet h1", "Round 1")
	p.shows(".quiet .none", "Nothing to look at")
	p.shows(".quiet .works.all", "Everything works")
	p.looked("quiet-none", source, laptop, tablet)

	q.tap(".act", "Undo")
	p.shows(".quiet li strong", "Board "+a.Board)
	if text := strings.ToLower(p.text(".quiet")); strings.Contains(text, "knight") || strings.Contains(text, "illegal") || strings.Contains(text, "nothing") {
		t.Errorf("the display says more than which board asks for somebody:\n%s", text)
	}
	if n := eval[int](p, "document.querySelectorAll('a, button, input, select, [tabindex=\"0\"]').length"); n != 1 {
		t.Errorf("%d things can be touched, want the way out alone", n)
	}
	p.looked("quiet-one", source, laptop, tablet)
	p.pressed("a", "h", "s", "f", "Enter", " ")
	p.await("no key has done anything", "location.hash === '#/quiet' && !!document.querySelector('.quiet')")
	p.comes("open", 1, 30)
	p.fitsRows(31)
	p.looked("quiet-many", source, laptop, tablet)
	p.fitsRows(31)

	p.comes("closed", 7, 30)
	p.comes("closed", 1, 2)
	for _, lang := range append(languages[1:], "en") {
		eval[any](p, fmt.Sprintf("import('/js/i18n.js').then((m) => m.loadTexts(%q)).then(() => void dispatchEvent(new Event('bw-again')))", lang))
		p.await(lang, fmt.Sprintf("document.documentElement.lang === %q && !!document.querySelector('.quiet li.seen') && !document.querySelector('.quiet').dataset.before", lang))
		for _, s := range []size{tablet, laptop} {
			p.resize(s)
			p.fits("quiet-"+lang, s)
			p.shoot(fmt.Sprintf("quiet-%s-%dx%d", lang, s.width, s.height))
		}
		eval[any](p, "void (document.querySelector('.quiet').dataset.before = 'yes')")
	}
	p.comes("open", 1, 30)

	air.becomes(silent)
	p.shows(".quiet.stale .works.not", "go round the boards")
	p.shows(".quiet .works", "no connection since")
	p.fitsRows(31)
	p.looked("quiet-lost", source, laptop)
	q.tap(".act", "Confirm")
	q.shows(".note.done", "Decided: confirmed")
	air.becomes(fine)
	p.shows(".quiet .works.all", "Everything works")
	p.await("the decided alert has gone", fmt.Sprintf("![...document.querySelectorAll('.quiet li strong')].some((e) => e.textContent === 'Board %s')", a.Board))
	p.pressed("Escape")
	p.shows(".card", a.Board)
	p.to("#/quiet", ".quiet li")
	p.tap(".quiet a.icon-button", "")
	p.shows(".card", a.Board)
	p.calm()
}

// watcher is a device that may only look, paired at an address; the test goes on asking as the arbiter.
func (h *pageDaemon) watcher(b *browser, at string, s size) *phone {
	h.Helper()
	arbiter := h.cookie
	defer func() { h.cookie = arbiter }()
	return h.viewerAt(b, at, s)
}

// looked looks at a screen in these sizes, light and dark, and runs axe-core at the first one.
func (p *phone) looked(name, source string, sizes ...size) {
	p.Helper()
	for _, s := range sizes {
		p.resize(s)
		p.fits(name, s)
		p.shoot(fmt.Sprintf("%s-%dx%d", name, s.width, s.height))
	}
	if source != "" {
		p.resize(sizes[0])
		p.accessible(name, source)
	}
	p.scheme("dark")
	p.resize(sizes[0])
	p.shoot(name + "-dark")
	if source != "" {
		p.contrasts(name+" in the dark", source)
	}
	p.scheme("light")
	p.resize(sizes[0])
}

// comes lets the page have alerts of boards that are not there: every third is an advice, every fifth is seen if it
// is open.
func (p *phone) comes(state string, from, to int) {
	p.Helper()
	eval[any](p, fmt.Sprintf(`import('/js/store.js').then(({ apply, store }) => {
		const [a] = store.alerts.values();
		for (let i = %d; i <= %d; i++) apply('alert', { ...a, id: 'x' + i, board: String(i), level: i %% 3 ? 'now' : 'advise', state: i %% 5 || %q !== 'open' ? %[3]q : 'seen' });
	})`, from, to, state))
}

// fitsRows fails unless rows and the number of those without room are all, and nothing is cut off below.
func (p *phone) fitsRows(all int) {
	p.Helper()
	p.await("rows that fit, and the number of the others", fmt.Sprintf(`(() => {
		const rows = [...document.querySelectorAll('.quiet li')].filter((e) => !e.hidden), more = document.querySelector('.quiet .more');
		const list = document.querySelector('.quiet ol').getBoundingClientRect(), edge = more.getBoundingClientRect();
		return rows.length > 2 && more.textContent === 'and ' + (%d - rows.length) + ' more' && edge.bottom <= innerHeight &&
			rows.every((e) => e.getBoundingClientRect().bottom <= list.bottom + 1);
	})()`, all))
}
