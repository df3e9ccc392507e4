//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// list waits until hall list says all of want and nothing of not.
func (h *hub) list(t testing.TB, want, not []string) (out string) {
	t.Helper()
	eventually(t, fmt.Sprintf("the list with %q and without %q", want, not), func() bool {
		out = h.run(t, "", "hall", "list", "-c", h.conf).want(t, 0).out
		for _, w := range want {
			if !regexp.MustCompile(w).MatchString(out) {
				return false
			}
		}
		for _, n := range not {
			if regexp.MustCompile(n).MatchString(out) {
				return false
			}
		}
		return true
	}, func() string { return out })
	return out
}

// tableOfAnyTime is a computer whose configuration names no time control, with which the clocks between two games would
// be compared.
func (h *hub) tableOfAnyTime(t testing.TB, name, board, more string) *tableComputer {
	t.Helper()
	c := h.tableWithoutBoard(t, name, board, more)
	text, err := os.ReadFile(c.conf)
	if err != nil {
		t.Fatal(err)
	}
	c.write(t, filepath.Base(c.conf), strings.Replace(string(text), "time_control: 90+30\n", "", 1))
	return c
}

// plugNumber starts a board with a serial number, at which people play.
func (c *tableComputer) plugNumber(t testing.TB, serial int) *process {
	t.Helper()
	b := c.place.start(t, "emulate", "--serial", strconv.Itoa(serial), "--seed", strconv.Itoa(serial), "--speed", strconv.Itoa(phoneSpeed), "--link", c.path("board"))
	b.out.await(t, "/dev/pts/")
	return b
}

// TestTheOperatorsList: three computers, one of which is accepted at the page by the code that it shows. The list of
// hall list, doctor and the page names what goes wrong, with what to do: a copied card, a board that was moved, a
// computer that is away. A restart, a cable that was pulled and put back, and the hall's own restart are nothing.
func TestTheOperatorsList(t *testing.T) {
	t.Parallel()
	p := openBrowser(t).phone(t, tall)
	source := axe(t)
	w := newPlace(t)
	conf := w.pageConfig(t, fmt.Sprintf("hall: {listen: '127.0.0.1:%d'}\n", freePort(t)))
	served := openPage(t, w, "hall", "-c", conf)
	h := &hub{venue: &venue{place: w, conf: conf, kept: map[string]string{}}}

	one, two := h.tableOfAnyTime(t, "table-1", "1", ""), h.tableOfAnyTime(t, "table-2", "2", "")
	for _, c := range []*tableComputer{one, two} {
		c.run(t, "", "join", "-c", c.conf, h.token(t, c.name)).want(t, 0)
		c.watch(t)
		c.err.await(t, `"message":"a round was set"`) // else the boards are watched anew under it, and moves may be missing
	}
	board := one.plugNumber(t, 101)
	two.plugNumber(t, 102)
	innocent := []string{"(?m)^(bad|warn|note) "}
	fine := []string{`(?m)^ok +table-1 +1 boards, version \S+, core \d+, clock [+-]0\.\d s, \d+ MB free`, `(?m)^ok +table-2 board 2 .*link up, clock connected.*journal ok.*no\. 00102`}
	h.list(t, fine, innocent)

	// What happens in any hall, and is nothing.
	one.kill()
	one.watch(t)
	board.kill()
	h.list(t, []string{`(?m)^bad +table-1 board 1 `, "Look at the board.s cable"}, []string{"table-2.*bad"})
	board = one.plugNumber(t, 101)
	wrong := []string{"was board", "answers here", "Two programs", `(?m)^bad`} // a board may have lost reports
	h.list(t, fine[:1], wrong)

	// A newcomer, with a token for many: it shows a code, and the arbiter accepts that one.
	many := h.path("many")
	h.run(t, "", "hall", "invite", "--many", "-c", h.conf, "--out", many).want(t, 0)
	three := h.tableOfAnyTime(t, "table-3", "3", "hall: {join: "+many+"}\n")
	three.plugNumber(t, 103)
	three.watch(t)
	waits := three.err.await(t, "waits to be accepted at the hall")
	code := regexp.MustCompile(`Its code is (\w{4}-\w{4})\.`).FindStringSubmatch(waits)
	if code == nil {
		t.Fatalf("the computer says %q", waits)
	}
	if r := h.run(t, "", "hall", "list", "-c", h.conf).want(t, 0); !strings.HasPrefix(r.out, "new   "+code[1]) {
		t.Errorf("the newcomer is not on top:\n%s", r.out)
	}
	served.pair(p, served.url)
	p.to("#/", ".act")
	p.shows(".notice", "Computers that wait to be accepted: 1.")
	for _, lang := range languages {
		eval[any](p, fmt.Sprintf("void (localStorage.setItem('bw.lang', %q), location.reload())", lang))
		p.await("the notices in "+lang, fmt.Sprintf("document.documentElement.lang === %q && document.querySelector('.notice') && [...document.querySelectorAll('.notice [lang]')].every((e) => e.lang === %q)", lang, lang))
	}
	eval[any](p, "void (localStorage.setItem('bw.lang', 'en'), location.reload())")
	p.shows(".notice", "Computers that wait to be accepted: 1.")
	p.tap(".act", "Computers")
	p.shows(".newcomer .bigcode", code[1])
	p.shoot("computers-newcomer-390x844")
	p.typed(".newcomer input", "table 3")
	p.tap(".newcomer button", "Accept")
	p.shows(".toast", "No computer can be called so")
	p.typed(".newcomer input", "table-3")
	p.tap(".newcomer button", "Accept")
	p.await("it is in the list", `!document.querySelector('.newcomer') && [...document.querySelectorAll('.unit')].some((e) => e.innerText.includes('Computer table-3'))`)
	h.list(t, []string{`table-3 board 3 .*link up`}, wrong)
	for _, lang := range []string{"de", "en", "es", "fr", "hi", "ru"} {
		eval[any](p, fmt.Sprintf("void localStorage.setItem('bw.lang', %q)", lang))
		p.open(served.url)
		p.resize(small)
		for _, screen := range []struct{ route, ready, name string }{{"#/", ".card", "boards"}, {"#/computers", ".unit", "list"}} {
			p.to(screen.route, screen.ready)
			p.fits(screen.name+" in "+lang, small)
			p.shoot("computers-" + screen.name + "-" + lang + "-360x640")
		}
	}
	eval[any](p, "void localStorage.setItem('bw.lang', 'en')")
	p.open(served.url)
	p.resize(tall)
	p.to("#/computers", ".unit")

	// Another one asks, and is refused.
	four := h.tableWithoutBoard(t, "table-4", "4", "hall: {join: "+many+"}\n")
	four.watch(t)
	four.err.await(t, "waits to be accepted at the hall")
	p.tap(".newcomer button", "Refuse")
	four.err.await(t, "The hall has refused this computer")
	four.stopped(t)
	p.await("nobody waits", "!document.querySelector('.newcomer')")

	// The card of table 2 is copied, with the computer's key on it.
	copied := h.copyOf(t, two)
	copied.watch(t)
	h.list(t, []string{`(?m)^bad +table-2 `, "Two programs speak as this computer", "join again with a token of its own"}, nil)
	p.shows(".problem.is-bad", "Two programs speak as this computer at the same time")
	copied.stopped(t)

	// The board of table 1 is carried to table 3, and table 1 is switched off.
	one.stopped(t)
	board.kill()
	three.stopped(t)
	moved := h.tableWithoutBoard(t, "table-3", "3", "")
	three.conf = moved.write(t, "moved.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\nhttp: {listen: off}\nboards: [{name: \"3\", port: %s, white_clock: left}]\n%s", three.state(), moved.path("board"), phoneTiming))
	moved.plugNumber(t, 101)
	three.watch(t)
	h.list(t, []string{`(?m)^bad +table-1 +last seen`, "It cannot be reached since", `(?m)^warn +table-3 board 3 `, "This board, serial number 00101, was board 1 at table-1 before"}, nil)
	r := h.run(t, "", "doctor", "-c", h.conf)
	if want := "computer table-1: It cannot be reached since"; r.status == 0 || !strings.Contains(strings.Join(strings.Fields(r.out), " "), want) {
		t.Errorf("doctor (%d) does not say %q:\n%s", r.status, want, r.out)
	}
	p.shows(".problem.is-warn", "was board 1 at table-1 before")
	p.await("the worst is first", "document.querySelector('.unit').innerText.includes('Computer table-1')")
	p.walk("computers-", source, []view{{"list", func(p *phone) { p.to("#/computers", ".unit .problem") }}})
	p.resize(size{1280, 800})
	p.shoot("computers-1280x800")
	p.onPaper("computers-paper")
	p.resize(tall)
	p.tap(".problem button", "It belongs here now")
	h.list(t, []string{`table-3 board 3 .*link up`}, []string{"was board"})
	p.tap(".act", "Invite a computer")
	p.tap("dialog button", "Make a token")
	p.shows("dialog .token", "bwh1.")
	if !eval[bool](p, "document.querySelector('dialog img.qr').naturalWidth > 0") {
		t.Error("there is no QR code")
	}
	p.shoot("computers-invite-390x844")
	p.calm()
}

// copyOf is a second computer with what is on the card of a first one.
func (h *hub) copyOf(t testing.TB, c *tableComputer) *tableComputer {
	t.Helper()
	copied := h.tableWithoutBoard(t, c.name, "2", "")
	copied.place.boot = "another computer"
	b, err := os.ReadFile(filepath.Join(c.state(), "hall", "member.json"))
	if err == nil {
		err = os.MkdirAll(filepath.Join(copied.state(), "hall"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(copied.state(), "hall", "member.json"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// onPaper prints what is on the screen to $BOARDWATCHD_SHOTS, and fails where there is hardly anything on the paper.
func (p *phone) onPaper(name string) {
	p.Helper()
	r := do(p, page.PrintToPDF, page.PrintToPDFParams{})
	if len(r.Data) < 4000 {
		p.Errorf("%s is a PDF of %d bytes", name, len(r.Data))
	}
	if dir := os.Getenv("BOARDWATCHD_SHOTS"); dir != "" {
		p.must(os.WriteFile(filepath.Join(dir, name+".pdf"), r.Data, 0o644))
	}
}

// TestTheListOfOneComputer: the page of a computer alone lists that one and its boards, and has nothing to invite.
func TestTheListOfOneComputer(t *testing.T) {
	t.Parallel()
	p := openBrowser(t).phone(t, tall)
	served := simulatedPage(t, "--case", "knight-diagonal", "--stay", "--speed", strconv.Itoa(phoneSpeed))
	served.pair(p, served.url)
	p.to("#/settings", ".group")
	p.tap("a.row.link", "Computers")
	p.shows(".unit .facts", "Clock connected")
	p.shows(".unit .facts", "this computer")
	if bar := p.text(".bar"); strings.Contains(bar, "Invite") {
		t.Errorf("the bar of a computer alone has %q", bar)
	}
	p.calm()
}

// TestAComputerJoinsAtItsPage: a computer whose board is in play gets a token at its own page, which asks before it
// leaves another hall. The board's journal is in the hall byte for byte, and verifies. Then it
// leaves, and the hall's list does not have it any more.
func TestAComputerJoinsAtItsPage(t *testing.T) {
	t.Parallel()
	p := openBrowser(t).phone(t, tall)
	source := axe(t)
	first, second := openHub(t), openHub(t)
	w := newPlace(t)
	b := w.start(t, "emulate", "--serial", "101", "--speed", strconv.Itoa(phoneSpeed), "--link", w.path("board"))
	b.out.await(t, "/dev/pts/")
	conf := w.pageConfig(t, fmt.Sprintf("boards: [{name: \"1\", port: %s, white_clock: left}]\n%s", w.path("board"), phoneTiming))
	served := openPage(t, w, "run", "-c", conf)
	c := &tableComputer{place: w, name: "table-1", conf: conf, process: served.process}
	served.pair(p, served.url)

	join := func(h *hub, name string) {
		p.tap(".group button", "Join a hall")
		p.typed("dialog textarea", h.token(t, name))
		p.tap("dialog button", "Join")
	}
	p.to("#/computers", ".unit")
	p.shows(".group", "in no hall")
	join(first, "table-1")
	p.shows(".group", "This computer is table-1 of the hall at "+first.listen+", and connected.")
	// On a slow machine plies are missing where the board was watched anew: it is listed with that.
	first.list(t, []string{`(?m)^(ok|warn) +table-1 board 1 .*link up`}, nil)
	first.mirrored(t, c)
	join(second, "table-1")
	p.shows("dialog .note", "This computer is table-1 of the hall at "+first.listen+", and would leave it.")
	p.shoot("computers-other-hall-390x844")
	p.tap("dialog button", "Leave it, and join the other one")
	p.shows(".group", "This computer is table-1 of the hall at "+second.listen+", and connected.")
	second.list(t, []string{`(?m)^(ok|warn) +table-1 board 1 .*link up`}, nil)
	second.mirrored(t, c)
	first.list(t, []string{"No computer is in the hall"}, []string{"table-1 "})
	p.walk("computers-member-", source, []view{{"own", func(p *phone) { p.to("#/computers", ".unit .facts") }}})
	p.resize(size{1280, 800})
	p.shoot("computers-member-1280x800")
	p.resize(tall)
	p.tap(".group button", "Leave the hall")
	p.shows("dialog", "no longer table-1 of the hall")
	p.tap("dialog button", "Leave the hall")
	p.shows(".group", "in no hall")
	second.list(t, []string{"No computer is in the hall"}, []string{"table-1 "})
	served.stopped(t)
	w.run(t, "", "verify", filepath.Join(w.state(), "1-r1.bwj")).want(t, 0)
	p.calm()
}
