//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// testHands: on a board that scans as ordinary ones do, over a real terminal and at the speed of life, the scan becomes
// known from the moves of the opening, and what the timing suggests of a castling is reported in words, with the other
// readings. The report of a person who has seen it takes the windows over, and asks nobody to look.
func testHands(t *testing.T, b *browser) {
	source := axe(t)
	h, live := castledPage(t)
	p := b.phone(t, tall)
	h.pair(p, h.url)
	p.shows(".strip.advise", "Castled with both hands")
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
	if live {
		h.reportHands(t, p, raised[0].Board)
	}
	p.calm()
}

// reportHands reports what the suspicion is about, as a person who has seen it.
func (h *pageDaemon) reportHands(t *testing.T, p *phone, board string) {
	t.Helper()
	p.to("#/b/"+board, ".movelist")
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
		// Nobody moves any more: where the machine is slow, Black's flag has fallen as well.
		told = slices.DeleteFunc(h.boards(t).open(""), func(a toldAlert) bool { return a.Kind == "clock.flag" })
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
}

const castledCase = "castled-with-both-hands"

// onTime is how late at most a machine goes on that can be believed about arrivals. An idle one stays below 3 ms.
const onTime = 10 * time.Millisecond

// castledPage is one at whose board White has castled with both hands, live, at the speed of life. A machine that is
// busy delivers the board's reports late by as much as two hands differ from one, and whether the program then suspects
// anything depends on the moment: so it is tried again. Where the machine stays as busy, the page is shown the same
// case as it is recovered from a journal, in which each report stands when it was made; only what is entered at the
// board then cannot be tried.
func castledPage(t *testing.T) (h *pageDaemon, live bool) {
	t.Helper()
	for range 3 {
		machine := sharedtest.Lateness(t)
		h := simulatedPage(t, "--case", castledCase, "--stay")
		h.out.await(t, " 12.   O-O")
		late := machine.Worst()
		if said := h.out.String(); strings.Contains(said, "! suspect.two_hands_castling by White") {
			return h, true
		} else if late <= onTime {
			t.Fatalf("no suspicion, on a machine that is at most %v late:\n%s", late, said)
		}
		t.Logf("no suspicion, on a machine that is up to %v late", late)
		h.stopped(t)
	}
	t.Log("this machine is too busy: the case is recovered from its journal, and nothing is reported at the board")
	return recoveredPage(t, castledCase, "fide-blitz"), false
}

// recoveredPage is one of run that comes back with the journal of a case, which was played in no time.
func recoveredPage(t *testing.T, id, profile string) *pageDaemon {
	t.Helper()
	w := newPlace(t)
	w.run(t, "", "scenarios", "--only", id, "--journal", w.dir, "own").want(t, 0)
	conf := w.pageConfig(t, fmt.Sprintf("rules:\n  profile: %s\nboards:\n  - name: \"1\"\n    port: %s\n    white_clock: left\n", profile, w.path("unplugged")))
	if err := errors.Join(os.MkdirAll(w.state(), 0o700), os.Rename(w.path(id+".bwj"), filepath.Join(w.state(), "1-r1.bwj"))); err != nil {
		t.Fatal(err)
	}
	return openPage(t, w, "run", "-c", conf)
}

// windows fails unless the open alert shows the four changes of a castling and the other readings, and no figure in per
// cent.
func (h *pageDaemon) windows(p *phone) {
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
