//go:build linux

package e2e

import "testing"

// testClaim: a claim is answered by the finding that it is about, or by a sentence that stays until it is read; another
// matter that is open at the board is no answer to it.
func testClaim(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	p.shows(".strip", "")
	board := "#/b/" + queryEscape(h.boards(t).open("now")[0].Board)
	claim := func(by, what string) {
		p.to(board, ".movelist")
		p.tap(".act", "Claim")
		p.tap("dialog[open] label", by)
		p.tap("dialog[open] label", what)
		p.tap("dialog[open] button", "Check the claim")
	}
	for what, answer := range map[string]string{"Flag": "The board shows nothing of the kind.", "Two hands": "speaks for neither"} {
		claim("Black", what)
		p.shows("dialog[open] h2", what)
		p.shows("dialog[open] p", answer)
		if at := eval[string](p, "location.hash"); at != board {
			t.Errorf("%s is answered at %s", what, at)
		}
	}
	p.shoot("claim-nothing")
	claim("White", "Illegal move") // whose own it is
	p.shows("dialog[open] p", "The board shows nothing of the kind.")
	claim("Black", "Illegal move")
	p.shows(".offence", "")
	p.calm()
}
