//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/rules/legal"
)

// A quietBoard is one at which nobody plays, and whose clock is pressed when the test says so.
type quietBoard struct {
	*emulator.Emulator
	mu   sync.Mutex
	acts []emulator.Act
	side legal.Side
}

func newQuietBoard(serial uint16) *quietBoard {
	return &quietBoard{side: legal.Black, Emulator: emulator.New(emulator.Options{
		Seed: uint64(serial), Board: emulator.BoardOptions{Serial: serial}, Clock: emulator.ClockOptions{BaseSec: 5400, BonusSec: 30},
	})}
}

// press moves the lever while the clock is stopped.
func (b *quietBoard) press() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.acts = append(b.acts, emulator.Act{Verb: emulator.LeverTo, Side: b.side})
	b.side = b.side.Other()
}

// Advance does at once what the test has asked for.
func (b *quietBoard) Advance(to int64, emit func(at int64, p []byte)) {
	b.mu.Lock()
	acts := b.acts
	b.acts = nil
	b.mu.Unlock()
	for _, a := range acts {
		a.At = to
		b.Perform([]emulator.Act{a})
	}
	b.Emulator.Advance(to, emit)
}

// NextEvent is soon: a press may be asked for.
func (b *quietBoard) NextEvent() (int64, bool) {
	at, ok := b.Emulator.NextEvent()
	if soon := b.Now() + 50_000; !ok || at > soon {
		return soon, true
	}
	return at, ok
}

// Done is never so.
func (b *quietBoard) Done() bool { return false }

// tablesOf waits until the command tables says something.
func tablesOf(t testing.TB, w place, conf string, want ...string) (out string) {
	t.Helper()
	eventually(t, fmt.Sprintf("tables with %q", want), func() bool {
		out = w.run(t, "", "tables", "-c", conf).want(t, 0).out
		for _, part := range want {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), part) {
				return false
			}
		}
		return true
	}, func() string { return out })
	return out
}

// TestTables: an operator finds at the page which board stands at which table, by the presses of clocks: wrong ones,
// two at once and one at a board in play change nothing; it is undone, used, and holds after a kill -9. A list and a
// port do it too, by page and command; the sheet has all of it. All screens are for keyboard and screen reader, in all
// languages.
func TestTables(t *testing.T) {
	t.Parallel()
	p := openBrowser(t).phone(t, tall)
	source := axe(t)
	w := newPlace(t)
	boards := map[string]*quietBoard{}
	rest := "boards:\n"
	for i, name := range []string{"east", "north", "west"} {
		boards[name] = newQuietBoard(uint16(301 + i))
		serveBoard(t, boards[name], 1, w.path(name)).plugged(t)
		rest += fmt.Sprintf("  - {name: %s, port: %s, white_clock: left}\n", name, w.path(name))
	}
	player := w.start(t, "emulate", "--case", "knight-diagonal", "--speed", "1", "--link", w.path("play"))
	player.out.await(t, "/dev/pts/")
	conf := w.pageConfig(t, rest+fmt.Sprintf("  - {name: play, port: %s, white_clock: left}\n", w.path("play")))
	h := openPage(t, w, "run", "-c", conf)
	h.pair(p, h.url)
	tablesOf(t, w, conf, "- east 00301", "- north 00302", "- west 00303", "- play 02718")

	p.to("#/settings", ".group")
	p.tap("a.row.link", "Which board stands where")
	p.shows("tbody", "no table")
	p.tap("button", "Find tables")
	p.typed("#tn", "7")
	p.calm()
	p.shoot("tables-begin-390x844")
	p.tap(".sheet button", "Begin")
	p.shows(".ask", "Press the clock of table 7")
	boards["north"].press()
	p.shows(".told", "Board north stands at table 7")
	p.shows(".ask", "Press the clock of table 8")
	p.shoot("tables-finding-390x844")
	boards["north"].press()
	p.shows(".told", "That was board north, which was found at table 7")
	boards["east"].press()
	boards["west"].press()
	p.shows(".told", "Clocks moved at several boards at once")
	boards["east"].press()
	p.shows(".told", "Board east stands at table 8")
	p.tap("button", "Not this board: undo")
	p.shows(".ask", "Press the clock of table 8")
	boards["west"].press()
	p.shows(".told", "Board west stands at table 8")
	p.shows(".notice", "Found and not in force yet: 2")
	p.tap("button", "Stop")
	tablesOf(t, w, conf, "7 north 00302", "8 west 00303", "found, not in force yet")
	p.tap("button", "Use these tables")
	p.await("they are in force", "!document.querySelector('main').innerText.includes('not in force yet')")
	p.to("#/", ".card")
	p.shows(".card[data-board=north] .num", "7")
	p.shoot("tables-boards-390x844")
	p.tap(".act", "My boards")
	p.shows(".boxed[data-board=north] span", "7")
	eval[any](p, "document.querySelector('dialog[open]').close()")

	// By number and by port, with what is not understood by its line; and on the computer itself.
	p.to("#/tables", "tbody")
	p.tap("button", "From a list")
	p.typed("#tx", "00301,11\nnonsense\n,"+w.path("west")+",12\n")
	p.tap("button", "Read")
	p.shows(".seen li", "Line 2: it is neither serial,table nor computer,port,table")
	p.shows(".seen", "Lines understood: 2")
	p.calm()
	p.shoot("tables-list-390x844")
	p.tap("button", "Use this list")
	p.shows("tbody", "by its port")
	tablesOf(t, w, conf, "7 north 00302", "11 east 00301", "12 west 00303")
	bad := w.write(t, "bad.csv", "00301,20\n00301,21\n")
	if r := w.run(t, "", "tables", "set", bad, "-c", conf).want(t, 2); !strings.Contains(r.err, "bad.csv:2: the board stands in line 1 too") {
		t.Errorf("set says %q", r.err)
	}
	w.run(t, "", "tables", "set", w.write(t, "good.csv", "serial,table\n00302,10\n"), "-c", conf).want(t, 0)
	tablesOf(t, w, conf, "10 north 00302", "11 east 00301")
	p.await("the page hears of it", "[...document.querySelectorAll('tbody tr')].some((r) => r.innerText.includes('10') && r.innerText.includes('north'))")

	// A board that comes to the port gets its table; one with a game in progress keeps none, and says so.
	until(t, "the game is in progress", func() bool { return h.board(t, "play").Board.Ply > 0 })
	if r := w.run(t, "", "tables", "set", w.write(t, "play.csv", "02718,5\n"), "-c", conf).want(t, 1); !strings.Contains(r.err, "games are in progress at play") {
		t.Errorf("set says %q", r.err)
	}

	h.kill()
	h.process = w.start(t, "run", "-c", conf)
	h.invited()
	tablesOf(t, w, conf, "10 north 00302", "11 east 00301", "12 west 00303")
	p.open(h.url)
	p.to("#/", ".card[data-board=north] .num")
	p.shows(".card[data-board=north] .num", "10")

	paper := w.path("sheet.html")
	w.run(t, "", "tables", "sheet", paper, "--cards", "-c", conf).want(t, 0)
	text, err := os.ReadFile(paper)
	if err != nil || strings.Count(string(text), "<svg") < 6 || !strings.Contains(string(text), "00303") || !strings.Contains(string(text), filepath.Base(w.path("west"))) {
		t.Errorf("the sheet has %d bytes (%v)", len(text), err)
	}
	p.walk("tables-", source, []view{
		{"tables", func(p *phone) { p.to("#/tables", "tbody") }},
		{"finding", func(p *phone) {
			p.to("#/tables", "tbody")
			eval[any](p, `fetch('/api/v1/tables', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"do":"find","table":"3"}'}).then(() => 0)`)
			p.shows(".ask", "Press the clock of table 3")
		}},
		{"round", func(p *phone) { p.to("#/round", "table") }},
	})
	p.resize(size{1280, 800})
	p.to("#/tables", "tbody")
	p.shoot("tables-1280x800")
	for _, lang := range []string{"de", "es", "fr", "hi", "ru", "en"} {
		eval[any](p, fmt.Sprintf("void localStorage.setItem('bw.lang', %q)", lang))
		p.open(h.url)
		p.resize(small)
		p.to("#/tables", "tbody")
		p.fits("tables in "+lang, small)
		p.shoot("tables-" + lang + "-360x640")
	}
	p.resize(tall)
	p.open(h.url + "/api/v1/tables/sheet.html?lang=en")
	p.shows("h1", "Tables")
	if source != "" {
		p.accessible("the sheet", source)
	}
	p.resize(tall)
	p.shoot("tables-sheet-390x844")
	p.onPaper("tables-paper")
	p.resize(size{1280, 800})
	p.shoot("tables-sheet-1280x800")
	p.open(h.url + "/api/v1/tables/sheet.html?lang=en&cards")
	p.shows(".card .number", "10")
	p.onPaper("tables-cards")
}

// TestTablesOfAHall: the hall's page learns from the clocks of all computers, and a pairing by tables reaches the
// journals of the boards.
func TestTablesOfAHall(t *testing.T) {
	t.Parallel()
	p := openBrowser(t).phone(t, tall)
	w := newPlace(t)
	conf := w.pageConfig(t, fmt.Sprintf("hall: {listen: '127.0.0.1:%d'}\n", freePort(t)))
	served := openPage(t, w, "hall", "-c", conf)
	h := &hub{venue: &venue{place: w, conf: conf, kept: map[string]string{}}}
	boards, computers := []*quietBoard{}, []*tableComputer{}
	for i, name := range []string{"box-1", "box-2"} {
		c := h.tableWithoutBoard(t, name, "found-"+name, "")
		b := newQuietBoard(uint16(401 + i))
		start := legal.StartPosition()
		b.Emulator = emulator.New(emulator.Options{
			Seed: uint64(i + 1), Board: emulator.BoardOptions{Serial: uint16(401 + i)}, Clock: emulator.ClockOptions{BaseSec: 5400, BonusSec: 30}, Table: start.Placement(),
		})
		serveBoard(t, b, 1, c.path("board")).plugged(t)
		c.run(t, "", "join", "-c", c.conf, h.token(t, name)).want(t, 0)
		c.watch(t)
		boards, computers = append(boards, b), append(computers, c)
	}
	tablesOf(t, w, conf, "- found-box-1 00401 box-1", "- found-box-2 00402 box-2")
	served.pair(p, served.url)
	p.to("#/tables", "tbody")
	p.tap("button", "Find tables")
	p.typed("#tn", "7")
	p.tap(".sheet button", "Begin")
	p.shows(".ask", "Press the clock of table 7")
	boards[1].press()
	p.shows(".told", "Board found-box-2 stands at table 7")
	boards[0].press()
	p.shows(".told", "Board found-box-1 stands at table 8")
	p.tap("button", "Use these tables")
	tablesOf(t, w, conf, "7 found-box-2 00402 box-2", "8 found-box-1 00401 box-1")
	p.shoot("tables-hall-390x844")
	p.to("#/round", ".buttons")
	p.tap("button", "Next round")
	p.tap("summary", "Or paste it")
	p.typed("#rx", "board,white,black,round\n7,\"Adams, Ann\",\"Bell, Bob\",2\n")
	p.tap("button", "Read")
	p.shows(".seen caption", "Games understood: 1")
	p.typed("#rn", "2")
	p.tap("button", "Begin this round")
	p.shows("tr.set", "Adams, Ann")
	eventually(t, "the names in the journal of box-2", func() bool {
		l, err := readLedger(computers[1].state(), "found-box-2-r2")
		return err == nil && len(l.of("instruct")) == 1
	}, func() string { return "none" })
	if r := computers[1].run(t, "", "tables", "free", "7", "-c", computers[1].conf).want(t, 1); !strings.Contains(r.err, "set at its hall") {
		t.Errorf("at the computer: %q", r.err)
	}
	p.to("#/", ".card")
	p.shows(".card[data-board=found-box-2] .num", "7")

	// Players are paired there: it is asked.
	p.to("#/tables", "tbody")
	p.tap("tr th button", "7")
	p.tap(".sheet button", "No board stands at this table")
	p.shows(".sheet", "A round goes on")
	p.tap(".sheet button", "Change the tables")
	tablesOf(t, w, conf, "- found-box-2 00402 box-2", "8 found-box-1")
	p.calm()
}
