//go:build linux

package e2e

import (
	"fmt"
	"testing"
)

// twelveBoards is a page with boards 1 to 12 in two sections, with which the phone is paired.
func twelveBoards(t *testing.T, p *phone) {
	t.Helper()
	w := newPlace(t)
	conf := w.pageConfig(t, "sections:\n- Open = 1-8\n- Juniors = 9-10, 12\n")
	h := openPage(t, w, "simulate", "-c", conf, "--boards", "12", "--offences", "0", "--speed", "1", "--seed", "3")
	h.pair(p, h.url)
	p.await("12 boards", "document.querySelectorAll('.card').length === 12")
}

// lists waits until the list has these boards, by number, and no others.
func (p *phone) lists(want string) {
	p.Helper()
	p.await("the list of "+want, fmt.Sprintf("[...document.querySelectorAll('.card')].map((c) => c.dataset.board).sort((a, b) => a - b).join() === %q", want))
}

// testMine: "My boards" of a hall are chosen by ranges of numbers, by sections of the configuration, by a search, and
// one by one; what no board is called is named. The list is filtered by a section.
func testMine(t *testing.T, b *browser) {
	source := axe(t)
	p := b.phone(t, small)
	twelveBoards(t, p)
	chosen := func(want string) {
		t.Helper()
		p.await("the choice "+want, fmt.Sprintf("[...document.querySelectorAll('.boxed')].filter((e) => e.querySelector('input').checked).map((e) => e.dataset.board).join() === %q", want))
	}
	p.tap(".act", "My boards")
	p.typed("#mr", "2-4, 11 99, x")
	chosen("2,3,4,11")
	p.shows("dialog .notice", "No such board: 99, x")
	p.shoot("mine-360x640")
	p.fits("my boards", small)
	if source != "" {
		p.accessible("my boards", source)
		p.resize(small)
	}
	p.typed("#mr", "2-4, 11")
	p.tap("dialog .boxed[data-board='3']", "")
	chosen("2,4,11")
	p.tap("dialog .sections button", "Juniors")
	chosen("2,4,9,10,11,12")
	p.await("the field says so", "document.querySelector('#mr').value === '2, 4, 9-12'")
	p.typed("dialog input[type=search]", "12")
	p.await("a search", "[...document.querySelectorAll('.boxed')].filter((e) => e.checkVisibility()).map((e) => e.dataset.board).join() === '12'")
	p.tap("dialog button", "Save")
	p.lists("2,4,9,10,11,12")
	section := func(name string) {
		t.Helper()
		eval[any](p, fmt.Sprintf("(() => { const s = document.querySelector('select.section'); s.value = %q; s.dispatchEvent(new Event('change')); })()", name))
	}
	section("Open")
	p.lists("2,4")
	p.tap(".act", "All boards")
	p.lists("1,2,3,4,5,6,7,8")
	p.shoot("section-360x640")
	if source != "" {
		p.accessible("a section", source)
		p.resize(small)
	}
	section("")
	p.lists("1,2,3,4,5,6,7,8,9,10,11,12")
	p.calm()
}
