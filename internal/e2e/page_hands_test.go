//go:build linux

package e2e

import (
	"strings"
	"testing"
)

// testHands: on a board that scans as ordinary ones do, over a real terminal and at the speed of life, the scan becomes known from
// the moves of the opening, and what the timing suggests of a castling is told in words, with the other readings. The report of
// a person who has seen it takes the windows over, and asks nobody to look.
func testHands(t *testing.T, b *browser) {
	source := axe(t)
	h := castledHall(t)
	p := b.phone(t, tall)
	h.pair(p, h.url)
	p.shows(".strip.advise", "Please look")
	raised := h.boards(t).open("advise")
	if len(raised) != 1 || raised[0].Kind != "suspect.two_hands_castling" {
		t.Fatalf("alerts %+v, want the castling's", raised)
	}
	p.to(alertRoute(raised[0]), ".offence")
	p.neutral()
	p.shows(".note.ask.calm", "Please look")
	p.shows(".offence", "perhaps")
	p.shows(".facts", "evidence")
	p.shows(".line", "Nothing is shown to the players")
	h.windows(p)
	p.walk("hands-", source, []view{
		{"card", func(p *phone) { p.to(alertRoute(raised[0]), ".offence") }},
		{"board", func(p *phone) {
			p.to("#/b/"+raised[0].Board, ".movelist")
			p.shows(".scan", "row by row")
			p.shows(".scan", "Two hands are judged")
		}},
	})
	if said := h.run(t, "", "doctor", "-c", h.path("boardwatchd.yaml"), "--format", "jsonl"); !strings.Contains(said.out, "two hands: judged") {
		t.Errorf("doctor says\n%s", said.out)
	}

	p.to("#/b/"+raised[0].Board, ".movelist")
	p.tap(".act", "Report")
	p.shows("dialog[open] label", "Move with two hands")
	eval[any](p, `void (() => { // a sheet that is still sliding in is not where a finger was sent
		const form = document.querySelector('dialog[open] form');
		form.querySelector('[value=two-hands]').click();
		form.querySelector('[name=side][value=white]').click();
		form.requestSubmit();
	})()`)
	var told []toldAlert
	until(t, "the alert of the report, and no suspicion beside it", func() bool {
		told = h.boards(t).open("")
		return len(told) == 1 && told[0].Kind == "illegal.two_hands" && told[0].Level == "now"
	})
	p.to(alertRoute(told[0]), ".offence")
	p.neutral()
	p.shows(".facts", "report")
	h.windows(p)
	p.shoot("hands-reported")
	if text := p.text(".line"); strings.Contains(text, "Please look") {
		t.Errorf("whoever has seen it is asked to look: %q", text)
	}
	p.calm()
}

// castledHall is a hall at whose board White has castled with both hands. On a machine that is too busy for the moment the arrivals are
// blurred, and the board is rightly not judged: then once more.
func castledHall(t *testing.T) *pageHall {
	t.Helper()
	for try := 1; ; try++ {
		h := simulatedHall(t, "--case", "castled-with-both-hands", "--stay") // at the speed of life: delays count as they are
		for _, move := range []string{" 7.   Nbd2", " 12.   O-O"} {
			h.out.await(t, move)
		}
		switch said := h.out.String(); {
		case strings.Contains(said, "! suspect.two_hands_castling by White"):
			return h
		case try == 2 || strings.Contains(said, "two hands: judged"):
			t.Fatalf("no suspicion:\n%s", said)
		}
		h.stopped(t)
	}
}

// windows fails unless the open alert shows the four changes of a castling and the other readings, and no figure in per cent.
func (h *pageHall) windows(p *phone) {
	p.Helper()
	p.shows(".line", "in the air together")
	p.shows(".line", "the opponent’s or the arbiter’s")
	if rows := p.texts(".hands tbody tr"); len(rows) != 4 {
		p.Errorf("the windows are %q", rows)
	}
	if text := p.text("main"); strings.Contains(text, "%") {
		p.Errorf("the page has a figure for it: %q", text)
	}
}
