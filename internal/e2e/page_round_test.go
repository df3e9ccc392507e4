//go:build linux

package e2e

import (
	"fmt"
	"testing"
)

// testRoundScreen: an arbiter finds the round in the settings, pastes a pairing, sees what was understood and what was
// not, and begins the round; a game in progress is asked about and kept; a name is corrected and two boards are
// swapped; the screen says how far each board is.
func testRoundScreen(t *testing.T, b *browser) {
	source := axe(t)
	p := b.phone(t, tall)
	look := func(name string) {
		t.Helper()
		p.calm()
		p.shoot("round-" + name + "-390x844")
		if source != "" {
			p.accessible("the round, "+name, source)
			p.resize(tall)
		}
	}
	h, _ := runPage(t)
	h.pair(p, h.url)
	h.theKnight(t, p)
	p.to("#/settings", ".group")
	p.tap("a.row.link", "The round")
	p.shows(".sub", "Round 1")
	p.tap("button", "Next round")
	p.tap("summary", "Or paste it")
	p.typed("#rx", "board,white,black,round\nBoard still,\"Adams, Ann\",\"Bell, Bob\",2\n")
	p.tap("button", "Read")
	p.shows(".seen caption", "Games understood: 1")
	p.await("a board that is there under another spelling is not missed", "![...document.querySelectorAll('.seen p.note')].some((e) => e.textContent.startsWith('no such board'))")
	p.typed("#rx", "board,white,black,round\nstill,\"Adams, Ann\",\"Bell, Bob\",2\n8,\"Cole, Cid\",\"Dunn, Dee\",2\n9,Eve,Finn,2\n9,Gil,Hon,2\n10,Ida\n")
	p.tap("button", "Read")
	p.shows(".seen caption", "Games understood: 2")
	p.shows(".seen li", "Line 5: board 9 stands in line 4 too")
	p.await("the board that is not there is named", "[...document.querySelectorAll('.seen p.note')].some((e) => e.textContent === 'no such board (1): 8')")
	look("read")
	p.typed("#rt", "90+15")
	p.typed("#rn", "7")
	p.tap("button", "Begin this round")
	p.shows("dialog", "Between round 1 and round 7 others are left out. Is that meant?")
	p.shows("dialog button", "Begin round 7 all the same")
	look("unusual")
	eval[any](p, "[...document.querySelectorAll('dialog')].pop().close()")
	p.typed("#rn", "2")
	p.tap("button", "Begin this round")
	p.calm()
	p.shows(".sheet", "Games are in progress")
	p.shows(".sheet", "at board still")
	look("playing")
	p.tap("button", "From the next game on")
	p.shows("tr.next", "Adams, Ann")
	p.shows("tr.next .state", "with the next game (Round 1)")
	p.shows("tbody tr:first-child.none", "Cole, Cid")
	p.shows(".sub", "Round 2")
	p.shows(".notice", "To be corrected in the pairing: 1")
	p.shows("tr.mistaken .state", "no such board")
	p.to("#/quiet", ".quiet")
	p.shows(".quiet h1", "Round 2")
	p.to("#/", ".card")
	p.shows(".boards .sub", "Round 2")
	p.to("#/computers", ".unit")
	p.shows(".unit.is-bad", "The pairing names a board 8, and no board is called so.")
	p.to("#/round", "table")
	look("mistaken")
	p.tap("tr th button", "8")
	p.typed("#rw", "Cole, Cyd")
	look("board")
	p.tap(".form button", "Save")
	p.shows("tr.none", "Cole, Cyd")
	p.tap("tr th button", "8")
	eval[any](p, `void (() => { const s = document.getElementById('rs'); s.value = 'still'; })()`)
	p.tap("form + .form button", "Swap")
	p.shows(".sheet", "Games are in progress")
	p.tap(".sheet button", "Now, for these games too")
	p.shows("tr.set", "Cole, Cyd")
	p.shows("tr.set .state", "is set")
	p.shows("tr.none", "Adams, Ann")
	p.to("#/b/still", "main")
	p.shows("main", "Cole, Cyd")
	p.resize(size{1280, 800})
	p.to("#/round", "table")
	p.shows("tr.set", "Cole, Cyd")
	p.calm()
	p.shoot("round-1280x800")
	if wide := eval[int](p, "document.documentElement.scrollWidth"); wide > 1280 {
		t.Errorf("the screen is %d wide", wide)
	}
	if l, err := readLedger(h.state(), "still-r2"); err != nil || len(l.of("instruct")) != 2 {
		t.Errorf("the next round's journal: %v %v", l.of("instruct"), fmt.Sprint(err))
	}
}
