//go:build linux

package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// testRounds: an arbiter finds the round in the settings, a player by the name, opens the report, and takes games and
// journals away. A phone that is not paired gets nothing of it.
func testRounds(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	h.theKnight(t, p)
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	p.to("#/settings", ".group")
	p.tap("a.row.link", "Report, Games, Journals")
	p.shows(".group a[href$='journals.zip']", "")
	p.tap("button.row", "Games")
	p.shows(".group .rows[role=list] .row", "")
	game := strings.Join(p.texts(".group .rows[role=list] .row strong"), " ")
	white, _, ok := strings.Cut(game, " – ")
	if !ok || len(white) < 2 {
		t.Fatalf("the games are %q", game)
	}
	look := func(words string) string {
		p.to("#/about", "main")
		p.to("#/rounds", ".group")
		eval[any](p, fmt.Sprintf(`void (() => { const f = document.getElementById('find'); f.value = %q; f.dispatchEvent(new Event('input')); })()`, words))
		p.await("the search is over", `(() => { const s = document.querySelector('main > [role=status]'); return !s.hidden && /Games: |No game/.test(s.textContent); })()`)
		return p.text("main")
	}
	if found := look(strings.ToUpper(white)); !strings.Contains(found, "Games: 1") || !strings.Contains(found, white) {
		t.Errorf("the search for %q finds %q", white, found)
	}
	if found := look("nobody of that name"); !strings.Contains(found, "No game was found") {
		t.Errorf("the search for nobody finds %q", found)
	}
	links := eval[[]string](p, "[...document.querySelectorAll('.group a[href]')].map((a) => a.getAttribute('href'))")
	if len(links) != 5 {
		t.Errorf("the files of the round are %q", links)
	}
	for _, link := range links {
		answer, err := http.Get(h.url + link)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusUnauthorized || bytes.Contains(body, []byte(white)) {
			t.Errorf("a stranger gets %d of %s (%v)", answer.StatusCode, link, err)
		}
		text := eval[string](p, fmt.Sprintf("fetch(%q).then((a) => a.ok ? a.arrayBuffer() : Promise.reject(a.status)).then((b) => Array.from(new Uint8Array(b), (c) => String.fromCharCode(c)).join(''))", link))
		h.holds(t, link, latin1(text), white)
	}
	p.open(h.url + links[0])
	p.shows("h1", "Round report")
	p.await("the report is there to its end", `document.readyState === 'complete'`)
	if n := len(p.texts("article.finding")); n == 0 || !strings.Contains(p.text("main"), "Decided: confirmed") {
		t.Errorf("the report has %d findings and not the decision", n)
	}
	if wide := eval[int](p, "document.documentElement.scrollWidth"); wide > int(tall.width) { // its tables scroll in themselves
		t.Errorf("the report is %d wide on a phone", wide)
	}
	p.shoot("report")
	p.open(h.url)
	p.shows("header.head", "")
	p.roundsByKeyboard(h.boards(t).Boards[0].Board, white)
}

// roundsByKeyboard goes from a board's screen to its games and back, and through the files of the round, without a
// finger.
func (p *phone) roundsByKeyboard(board, white string) {
	p.Helper()
	p.to("#/b/"+board, ".movelist")
	p.press("a.button", "After the round", "Enter")
	p.shows("main > .rows .row", white)
	if word := eval[string](p, "document.getElementById('find').value"); word != board {
		p.Errorf("of board %s the games of %q are looked for", board, word)
	}
	p.shoot("rounds-board")
	p.press("header a.icon-button", "", "Enter")
	p.await("the board again", fmt.Sprintf("location.hash === %q && document.querySelector('.movelist')", "#/b/"+board))
	p.to("#/settings", ".group")
	p.press("a.row.link", "Report, Games, Journals", "Enter")
	p.shows(".group a[href$='journals.zip']", "")
	for _, file := range []string{"report.html", "report.json", "games.pgn", "results.csv", "journals.zip"} {
		p.tabTo(".group a[href*='"+file+"']", "")
	}
	p.tabTo("button.row", "Games")
	for _, expanded := range []string{"true", "false", "true"} {
		p.key(" ")
		p.await("the games are shown: "+expanded, fmt.Sprintf("document.activeElement.getAttribute('aria-expanded') === %q", expanded))
	}
	p.shows(".group .rows[role=list] .row", white)
	p.tabTo("#find", "")
	for _, letter := range strings.Fields(white)[0][:3] {
		p.pressed(string(letter))
	}
	p.shows("main > .rows .row", white)
	p.shoot("rounds-keyboard")
}

// maxTabs is more than a screen has places for the keyboard.
const maxTabs = 150

// tabTo presses Tab until an element that reads so has the focus, as a person can see.
func (p *phone) tabTo(sel, text string) {
	p.Helper()
	p.shows(sel, text)
	for range maxTabs {
		p.key("Tab")
		if eval[bool](p, fmt.Sprintf(`(() => { const e = document.activeElement; return e.matches(%q) && e.innerText.includes(%q); })()`, sel, text)) {
			if !eval[bool](p, `(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0; })()`) {
				p.Errorf("nobody sees that %s %q has the focus", sel, text)
			}
			return
		}
	}
	p.Fatalf("%d times Tab do not lead to %s %q", maxTabs, sel, text)
}

// key presses a key that the browser itself acts on.
func (p *phone) key(name string) {
	p.Helper()
	k := map[string]input.DispatchKeyEventParams{
		"Tab":       {Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9},
		"Enter":     {Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"},
		"Escape":    {Key: "Escape", Code: "Escape", WindowsVirtualKeyCode: 27},
		"ArrowDown": {Key: "ArrowDown", Code: "ArrowDown", WindowsVirtualKeyCode: 40},
		"ArrowUp":   {Key: "ArrowUp", Code: "ArrowUp", WindowsVirtualKeyCode: 38},
		" ":         {Key: " ", Code: "Space", WindowsVirtualKeyCode: 32, Text: " "},
	}[name]
	for _, k.Type = range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		if k.Type == input.DispatchKeyEventTypeKeyUp {
			k.Text = ""
		}
		do(p, input.DispatchKeyEvent, k)
	}
}

// latin1 are the bytes that a string's characters stand for.
func latin1(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}

// holds looks into a file of the round.
func (h *pageDaemon) holds(t *testing.T, link string, body []byte, white string) {
	t.Helper()
	if !strings.HasSuffix(link, ".zip") {
		if !bytes.Contains(body, []byte(white)) {
			t.Errorf("%s does not name %s: %.300s", link, white, body)
		}
		return
	}
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil || len(z.File) != 1 {
		t.Fatalf("the journals: %v", err)
	}
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // read only
	got, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(h.state(), z.File[0].Name))
	if err != nil || !bytes.HasPrefix(want, got) || len(got) == 0 {
		t.Errorf("%s is not the journal (%v)", z.File[0].Name, err)
	}
}
