//go:build linux

package e2e

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPage is what is tried in a real browser, which all its parts share: the real program, boards and players at the
// other end, and a phone.
func TestPage(t *testing.T) {
	long(t)
	if raceBuild {
		t.Skip("slowed-down boards and a browser are too much for the time that a test has; internal/web has the race detector's tests")
	}
	b := openBrowser(t)
	for _, part := range []struct {
		claim string
		test  func(*testing.T, *browser)
	}{
		{"an illegal move arrives, is ruled on, and the ruling is taken back", testRuling},
		{"a phone that loses the network misses nothing and decides once", testLostNetwork},
		{"a phone that knows it is offline sends later", testOffline},
		{"the stream has everything of the open board, and of the others what the list shows", testStream},
		{"a daemon that is killed comes back under an open page", testKilledDaemon},
		{"a daemon that cannot read its list of devices knows the phone again", testUnreadList},
		{"a screen that arrives late changes nothing of the one that is shown", testLateScreen},
		{"every screen fits, accuses nobody and can be used by everybody", testScreens},
		{"in every language every screen fits, and the card's first screen is enough", testLanguages},
		{"the list of many boards fits, and every row has a subject", testManyBoards},
		{"a game that is over asks calmly for its result", testFinish},
		{"after a decision the times to set go on with the clock, on every phone", testTimesRun},
		{"a claim is answered by what it is about, or by a sentence", testClaim},
		{"a rule is switched off at one board, and every phone reads there that it is", testSwitched},
		{"of a game that is over for good no decision is offered that the board refuses", testPast},
		{"a flag says by which moves the opponent can still mate", testMate},
		{"timing that suggests two hands is shown in words, with the other readings", testHands},
		{"plies that are not known are filled in by a person", testFill},
		{"the check number of a decision stays on the phone, and tells that a journal was cut", testHeads},
		{"the replay of six hours is one file, for keys and fingers, that asks for nothing", testReplayFile},
		{"the replay opens at a board's screen, for paired devices", testReplayScreen},
		{"after the round its report, games and journals are there, for paired phones", testRounds},
		{"the round is set in one place: players, time control and rules", testRoundScreen},
		{"a disk that takes nothing is shown with what to do", testFullDisk},
		{"my boards are chosen by ranges, sections and a search", testMine},
		{"the quiet display shows which boards ask for somebody, and can be left", testQuiet},
		{"with keys alone my boards, a section, a pairing and the quiet display are reached", testKeysAlone},
		{"the first load is small", testFirstLoad},
		{"the first load of a hall of 500 boards is small", testFirstLoadOfAHall},
	} {
		t.Run(part.claim, func(t *testing.T) {
			t.Parallel()
			part.test(t, b)
		})
	}
}

func queryEscape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// accusing are words that must not be read before the arbiter has decided.
var accusing = []string{"guilty", "offender", "cheat", "culprit", "fault of", "blame", "violat", "punish", "fraud"}

// neutral fails if the open alert accuses: by a word, or by a player's name beside what was observed.
func (p *phone) neutral(names ...string) {
	p.Helper()
	body := strings.ToLower(p.text("#app"))
	for _, w := range accusing {
		if strings.Contains(body, w) {
			p.Errorf("the page says %q before anything was decided:\n%s", w, body)
		}
	}
	for _, sel := range []string{".what", ".window", ".strikes", ".steps", ".line", ".unseen", ".full", ".pair", ".clocks-box"} {
		text := p.text("main " + sel)
		for _, n := range names {
			if n != "" && strings.Contains(text, n) {
				p.Errorf("%s names %s before anything was decided:\n%s", sel, n, text)
			}
		}
	}
}

// stripsSince makes the page note when it first shows an alert; false if it does already.
const stripsSince = `(() => {
	const look = () => { if (!window.stripAt && document.querySelector('.strip')) window.stripAt = Date.now(); };
	new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
	return !document.querySelector('.strip');
})()`

// tooLate is when an alert would come too late for an arbiter, on a network that takes no time.
const tooLate = 2 * time.Second

// slow is how long the browser of this machine takes to say nothing: some milliseconds where it has nothing else to do.
func (p *phone) slow() (worst time.Duration) {
	p.Helper()
	for range 10 {
		began := time.Now()
		eval[any](p, "null")
		worst = max(worst, time.Since(began))
	}
	return worst
}

func testRuling(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	p.open(h.link)
	p.shows("form", "The code was read.")
	if at := eval[string](p, "location.href"); strings.Contains(at, "pair=") {
		t.Errorf("the code stays in the address %s", at)
	}
	h.named(p)
	p.shows(".card", "simulated")
	early := eval[bool](p, stripsSince)
	p.shows(".strip", "")
	raised := h.boards(t).open("now")
	if len(raised) != 1 || raised[0].Kind != "illegal.knight" {
		t.Fatalf("alerts %+v, want the knight's", raised)
	}
	a := raised[0]
	if !early {
		t.Log("the phone was paired after the alert: how fast it arrives was not seen")
	} else if late, busy := eval[int64](p, "window.stripAt")-a.RaisedMS, p.slow(); late > (tooLate + 10*busy).Milliseconds() {
		t.Errorf("the alert is in the list %d ms after it was raised, where the browser answers within %v", late, busy)
	} else {
		t.Logf("in the list %d ms after it was raised", late)
	}
	p.tap(".strip", "")
	p.shows(".offence", "knight")
	readTheAlert(t, p, h.board(t, a.Board).Findings[0].Finding.Reason)
	p.neutral()
	p.shoot("rule-1-undecided")
	until(t, "the alert is seen", func() bool { return h.boards(t).Alerts[0].State == "seen" })

	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	p.shoot("rule-2-confirmed")
	h.counts(t, a, "confirm", 1)
	p.tap(".act", "Open the board")
	p.shows(".pips", "White · strikes 1/2")
	p.shoot("rule-3-board")
	p.tap("[aria-label=Back]", "")
	p.shows(".card", "simulated")
	if n := len(p.texts(".strip")); n != 0 {
		t.Errorf("%d alerts in the list where everything is decided", n)
	}

	p.open(h.url + "/" + alertRoute(a))
	p.tap(".act", "Undo")
	p.shows(".act", "Confirm")
	p.shows(".log", "Undo")
	h.counts(t, a, "", 0)
	p.shows(".strike", "White 0 → 1")
	p.tap(".act", "More")
	p.tap("dialog .choice", "Open the board")
	p.shows(".pips", "White · strikes 0/2")
	p.calm()

	said := h.judgements(t, "simulation-*.bwj", a.Finding)
	words := []string{}
	for _, j := range said {
		words = append(words, j.Decision)
		if j.By != "" || j.Device == "" || j.Device != said[0].Device {
			t.Errorf("the journal says %q by %q, device %q: want the id of one device and no name", j.Decision, j.By, j.Device)
		}
	}
	if want := []string{"confirm", "undo"}; !slices.Equal(words, want) {
		t.Errorf("the journal has %v, want %v", words, want)
	}
}

// readTheAlert checks that the alert's screen has everything that is needed to rule.
func readTheAlert(t *testing.T, p *phone, sentence string) {
	t.Helper()
	p.tap(".rest > summary", "")
	if got := p.text(".reason"); got != sentence || !strings.Contains(got, "f3 to h5") {
		t.Errorf("the sentence is %q, want %q", got, sentence)
	}
	for sel, want := range map[string]string{
		".facts": "Art. 3.6", ".pair figure:first-child figcaption": "Before", ".clocktable": "set to", ".steps": "Set up the position",
		".strike": "White 0 → 1", ".deadline": "Open", ".line": "knight lifted from f3", ".unseen": "Hands were not observed", ".note.ask": "Please look",
	} {
		p.shows(sel, "")
		if got := p.text(sel); !strings.Contains(got, want) {
			t.Errorf("%s reads %q, want %q in it", sel, got, want)
		}
	}
	boards := eval[[]string](p, `[...document.querySelectorAll('.pair svg.diagram')].map((e) => e.getAttribute('aria-label'))`)
	if len(boards) != 2 || !strings.Contains(boards[0], "knight f3") ||
		!strings.Contains(boards[1], "knight h5") || !strings.Contains(boards[1], "Marked: h5, f3") {
		t.Errorf("the two positions are described as %q", boards)
	}
	marked := eval[[]int](p, `[...document.querySelectorAll('.pair svg.diagram')].map((e) => e.querySelectorAll('.dg-diff').length)`)
	if !slices.Equal(marked, []int{2, 2}) {
		t.Errorf("%v squares are marked in the two positions, want 2 each", marked)
	}
	set := p.texts(".clocktable tbody .set")
	if len(set) != 2 || !strings.HasPrefix(set[0], "1:3") || !strings.HasPrefix(set[1], "1:3") {
		t.Errorf("the clocks are to be set to %q", set)
	}
	steps := p.text(".steps")
	if !strings.Contains(steps, "f3: white knight") || !strings.Contains(steps, "h5: empty") || !strings.Contains(steps, "+2:00") {
		t.Errorf("the proposed ruling reads %q", steps)
	}
}

// counts checks what the daemon has after a decision.
func (h *pageDaemon) counts(t *testing.T, a toldAlert, decided string, strikes int) {
	t.Helper()
	until(t, fmt.Sprintf("decided %q", decided), func() bool { return h.decided(t, a.Board, a.Finding) == decided })
	if n := h.board(t, a.Board).Board.Strikes.White; n != strikes {
		t.Errorf("White has %d strikes after %q, want %d", n, decided, strikes)
	}
}
