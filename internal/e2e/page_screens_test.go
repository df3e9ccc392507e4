//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"boardwatchd/internal/web/page"
	texts "boardwatchd/rules/words"
)

// view is a screen of the page, or a sheet over one.
type view struct {
	name string
	show func(p *phone)
}

// testScreens walks over everything that there is to see.
func testScreens(t *testing.T, b *browser) {
	source := axe(t)
	p := b.phone(t, tall)
	h := stillPage(t)
	p.open(h.url)
	p.walk("", source, []view{{"pairing", func(p *phone) { p.shows("form", "Pairing code") }}})
	p.open("about:blank")
	h.pair(p, h.url)
	p.shows(".strip", "")
	a := h.boards(t).open("now")[0]
	board := "#/b/" + a.Board
	sheet := func(name, button, ready string) view {
		return view{name, func(p *phone) {
			p.to(board, ".movelist")
			p.tap(".act", button)
			p.shows("dialog[open]", ready)
		}}
	}
	views := []view{
		{"boards-one", func(p *phone) { p.to("#/", ".strip") }},
		{"board", func(p *phone) { p.to(board, ".movelist") }},
		{"alert", func(p *phone) { p.to(alertRoute(a), ".offence") }},
		{"alert-large", func(p *phone) {
			p.to(alertRoute(a), ".offence")
			p.tap(".pair .plain", "At the press")
			p.shows("dialog[open] svg.large", "")
		}},
		{"alert-more", func(p *phone) {
			p.to(alertRoute(a), ".offence")
			p.tap(".act", "More")
			p.shows("dialog[open]", "Accident")
		}},
		sheet("report", "Report", "Move with two hands"),
		sheet("claim", "Claim", "Touch-move"),
		sheet("pause", "Pause", "Pause judging"),
		sheet("result", "Result", "Signed off"),
		{"settings", func(p *phone) { p.to("#/settings", ".group") }},
		{"heads", func(p *phone) { p.to("#/heads", ".digits") }},
		{"rounds", func(p *phone) {
			p.to("#/rounds", ".group")
			p.tap("button.row", "Games")
			p.shows(".group .rows[role=list] .row", "")
		}},
		{"secure", func(p *phone) { p.to("#/secure", "main") }},
		{"devices", func(p *phone) { p.to("#/devices", "button.row") }},
		{"invite", func(p *phone) {
			p.to("#/devices", "button.row")
			p.tap(".act", "Add a device")
			p.tap("dialog[open] button", "Viewer")
			p.shows("dialog[open] img.qr", "")
		}},
		{"about", func(p *phone) { p.to("#/about", "main") }},
	}
	p.to(alertRoute(a), ".offence")
	p.neutral()
	p.firstScreen("English")
	p.walk("", source, views)
	p.to(alertRoute(a), ".offence")
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")
	p.walk("decided-", source, []view{views[2], views[1]})
	h.viewerOnlyLooks(b, a)
	p.calm()
}

// firstScreen fails unless the card of an alert shows what happened, the times to set and the answer without scrolling
// on a small phone.
func (p *phone) firstScreen(language string) {
	p.Helper()
	p.resize(small)
	p.shows(".clocktable .set", "")
	if low := eval[[]string](p, `(() => {
		scrollTo(0, 0);
		const end = document.querySelector('.bar').getBoundingClientRect().top;
		const parts = [...document.querySelectorAll('.offence, .clocktable, .bar .act')];
		return parts.filter((e) => e.getBoundingClientRect()[e.matches('.act') ? 'top' : 'bottom'] > (e.matches('.act') ? innerHeight : end))
			.map((e) => e.className + ' ends at ' + e.getBoundingClientRect().bottom + ' of ' + end);
	})()`); len(low) > 0 {
		p.Errorf("%s: not on the first screen: %q", language, low)
	}
	p.resize(tall)
}

// testLanguages looks at the arbiter's screens in every language, on a small phone.
func testLanguages(t *testing.T, b *browser) {
	p := b.phone(t, small)
	h := stillPage(t)
	h.pair(p, h.url)
	p.shows(".strip", "")
	a := h.boards(t).open("now")[0]
	board := "#/b/" + a.Board
	p.to(board, ".movelist")
	bar := eval[int](p, "document.querySelectorAll('.bar .act').length")
	for _, lang := range languages {
		h.inLanguage(p, a, lang)
		p.firstScreen(lang)
		views := []view{
			{"boards", func(p *phone) { p.to("#/", ".strip") }},
			{"card", func(p *phone) { p.to(alertRoute(a), ".offence") }},
			{"board", func(p *phone) { p.to(board, ".movelist") }},
			{"settings", func(p *phone) { p.to("#/settings", ".group") }},
			{"heads", func(p *phone) { p.to("#/heads", ".digits") }},
			{"rounds", func(p *phone) { p.to("#/rounds", ".group") }},
		}
		for n := range bar {
			views = append(views, view{fmt.Sprintf("sheet-%d", n+1), func(p *phone) {
				p.to(board, ".movelist")
				p.tap(fmt.Sprintf(".bar .act:nth-child(%d)", n+1), "")
				p.shows("dialog[open] button", "")
			}})
		}
		p.resize(small)
		for _, v := range views {
			v.show(p)
			name := "lang-" + lang + "-" + v.name
			p.fits(name, small)
			p.shoot(name)
		}
	}
	p.calm()
}

// languages are those of the page.
var languages = []string{"en", "de", "es", "fr", "hi", "ru"}

// longest is the one with the longest words.
const longest = "de"

// inLanguage opens the card of an alert in a language, and fails where anything on it, or on the board's screen, is
// English only.
func (h *pageDaemon) inLanguage(p *phone, a toldAlert, lang string) {
	h.Helper()
	eval[any](p, fmt.Sprintf("void (localStorage.setItem('bw.lang', %q), location.reload())", lang))
	p.await("the page in "+lang, fmt.Sprintf("document.documentElement.lang === %q && document.querySelector('main')", lang))
	onlyEnglish := func() {
		list := eval[[]string](p, "[...document.querySelectorAll('main [lang=en]')].map((e) => e.textContent)")
		list = slices.DeleteFunc(list, func(text string) bool { return strings.HasPrefix(text, "/dev/") }) // the name of a port
		if lang != "en" && len(list) > 0 {
			h.Errorf("%s: in English only: %q", lang, list)
		}
	}
	p.to("#/b/"+queryEscape(a.Board), ".live-board")
	onlyEnglish()
	p.to(alertRoute(a), ".offence")
	onlyEnglish()
	for _, item := range h.board(h, a.Board).Findings {
		f, r := item.Finding, item.Ruling
		if f.ID != a.Finding {
			continue
		}
		if got, want := p.text(".reason"), h.inLetters(f.Say, lang).In(lang); got != want || lang == "en" && got != f.Reason {
			h.Errorf("%s: the sentence is %q, want %q", lang, got, want)
		}
		if got, want := eval[string](p, "document.querySelector('.rest .ruling').textContent"), h.inLetters(r.Say, lang).In(lang); got != want || lang == "en" && got != r.Text {
			h.Errorf("%s: the ruling is %q, want %q", lang, got, want)
		}
		return
	}
	h.Errorf("the board has no finding %s", a.Finding)
}

// sanMoves are moves and nothing else.
var sanMoves = regexp.MustCompile(`^((\d+\.+)?([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)[+#]?(, | |$))+$`)

// inLetters is a sentence with the moves that are put in, in the letters of a language.
func (h *pageDaemon) inLetters(s texts.Sentence, lang string) texts.Sentence {
	b, _ := page.Texts(lang)
	var own map[string]string
	if err := json.Unmarshal(b, &own); err != nil {
		h.Fatal(err)
	}
	var pairs []string
	for i, letter := range strings.Fields(own["san.letters"]) {
		pairs = append(pairs, "KQRBN"[i:i+1], letter)
	}
	letters := strings.NewReplacer(pairs...)
	var put func(texts.Sentence) texts.Sentence
	put = func(s texts.Sentence) texts.Sentence {
		if s.Key == "" && sanMoves.MatchString(s.Text) {
			s.Text = letters.Replace(s.Text)
		}
		s.Args = slices.Clone(s.Args)
		for i := range s.Args {
			s.Args[i] = put(s.Args[i])
		}
		return s
	}
	return put(s)
}

// viewerOnlyLooks: a phone that is paired with the link of another one's invitation, as a viewer.
func (h *pageDaemon) viewerOnlyLooks(b *browser, a toldAlert) {
	h.Helper()
	p := h.viewer(b)
	p.to(alertRoute(a), ".offence")
	p.shows(".act", "Open the board")
	if bar := p.text(".bar"); strings.TrimSpace(bar) != "Open the board" {
		h.Errorf("a viewer can touch %q", bar)
	}
	p.to("#/b/"+a.Board, ".movelist")
	if bar := p.text(".bar"); strings.Contains(bar, "Report") || strings.Contains(bar, "Result") {
		h.Errorf("at a board a viewer can touch %q", bar)
	}
	p.shoot("viewer-board")
	p.calm()
}

// to goes to a route, whatever is open.
func (p *phone) to(route, ready string) {
	p.Helper()
	eval[any](p, fmt.Sprintf("void (document.querySelectorAll('dialog').forEach((d) => d.close()), location.hash = %q)", route))
	p.await(route, fmt.Sprintf("location.hash === %q && document.querySelector(%q)", route, ready))
}

// everything says that the parts of TestPage look at every combination of size, colours and language, as .ci/long does.
// Otherwise the dark is left out, and of the languages all but the longest where others have been seen on that screen.
var everything = os.Getenv("BOARDWATCHD_PAGE") == "all"

// walk looks at each view at both sizes, and at the whole of it in the light and, as part of everything, in the dark.
func (p *phone) walk(prefix, source string, views []view) {
	p.Helper()
	for _, v := range views {
		p.resize(tall)
		v.show(p)
		name := prefix + v.name
		for _, s := range []size{tall, small} {
			p.resize(s)
			p.fits(name, s)
			p.shoot(fmt.Sprintf("%s-light-%dx%d", name, s.width, s.height))
		}
		whole := p.whole()
		p.resize(whole)
		p.fits(name, whole)
		p.shoot(name + "-light-whole")
		if source != "" {
			p.accessible(name, source)
		}
		if !everything {
			continue
		}
		p.scheme("dark")
		p.shoot(name + "-dark-whole")
		if source != "" {
			p.contrasts(name+" in the dark", source)
		}
		p.scheme("light")
	}
	p.resize(tall)
}

// whole is a screen that is higher than the page, which may grow.
func (p *phone) whole() size {
	p.Helper()
	return size{tall.width, max(tall.height, eval[int64](p, "document.documentElement.scrollHeight")+400)}
}

// fits fails if anything reaches beyond the sides of the screen.
func (p *phone) fits(name string, s size) {
	p.Helper()
	const drawn = "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))"
	p.await(fmt.Sprintf("the screen is %d wide", s.width), fmt.Sprintf("innerWidth === %d && "+drawn, s.width))
	wide := eval[[]string](p, `(() => {
		const out = [];
		const width = document.documentElement.scrollWidth;
		if (width > innerWidth) out.push('the page is ' + width + ' wide');
		for (const e of document.querySelectorAll('body *')) {
			const r = e.getBoundingClientRect();
			if (!e.checkVisibility() || !r.width || e.closest('.sr, svg svg, symbol, defs')) continue;
			if (e.matches('.dg-labels text') && r.bottom > e.ownerSVGElement.getBoundingClientRect().bottom + 0.5) out.push('the coordinate ' + e.textContent + ' is cut off');
			if (r.right > innerWidth + 1 || r.left < -1) out.push(e.tagName + '.' + e.getAttribute('class') + ' ' + r.left + ' to ' + r.right);
		}
		return out.slice(0, 5);
	})()`)
	for _, w := range wide {
		p.Errorf("%s at %d x %d reaches beyond the screen: %s", name, s.width, s.height, w)
	}
}

// searches finds a board by its number and by a player.
func (p *phone) searches(b toldBoard) {
	p.Helper()
	shown := func(of string) string {
		return fmt.Sprintf("[...document.querySelectorAll('.card')].filter((c) => c.checkVisibility()).map((c) => c.dataset.board)%s", of)
	}
	p.to("#/", ".card")
	p.typed("input.search", "12")
	p.await("board 12 and no other", shown(".join() === '12'"))
	p.typed("input.search", "nobody has this name")
	p.shows(".empty", "No board and no player")
	white, _, _ := strings.Cut(b.Names.White, ",")
	p.typed("input.search", strings.ToUpper(white))
	p.await("the board of "+white, shown(fmt.Sprintf(".includes(%q)", b.Board)))
	p.typed("input.search", "")
	do(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "Backspace", Code: "Backspace", WindowsVirtualKeyCode: 8})
	p.await("all boards", shown(".length === 12"))
}

// notified looks whether alerts come before what the program says of itself, of which what works is folded into one
// line.
func (p *phone) notified() {
	p.Helper()
	p.to("#/", ".strip")
	p.await("alerts, then notices, and one line for notes", `import('/js/store.js').then(({ store }) => {
		const note = (id) => ({ id, text: 'Note ' + id + ': a computer runs another version than most others do', remedy: 'Install the same one there.', level: 'note' });
		store.notices = [note('a'), { id: 'b', text: 'A notice', remedy: '' }, note('c')];
		const [asking, notices, notes] = ['.asking', '.notices', '.notes'].map((s) => document.querySelector(s));
		return notes !== null && notices.querySelectorAll(':scope > .notice').length === 1 && notes.querySelectorAll('.notice').length === 2 &&
			!notes.querySelector('.notice').checkVisibility() && notes.getBoundingClientRect().height < 60 &&
			asking.getBoundingClientRect().bottom <= notices.getBoundingClientRect().top;
	})`)
}

// laptop looks at the list on a wide screen: what asks for somebody stands beside the boards, which can be shown with
// their positions.
func (p *phone) laptop(source string) {
	p.Helper()
	wide := size{1280, 800}
	// In one step of the page: its bar is made anew with each alert.
	choose := func(layout string) {
		p.await("the button "+layout, fmt.Sprintf(`(() => {
			const b = [...document.querySelectorAll('.act')].find((e) => e.textContent.includes(%q));
			if (b) b.click();
			return !!b;
		})()`, layout))
	}
	p.resize(wide)
	p.to("#/", ".card")
	choose("With positions")
	p.await("alerts beside the boards, and the boards with positions", `(() => {
		const asking = document.querySelector('.asking'), rest = document.querySelector('.asking ~ .cards');
		return !asking.hidden && (rest.hidden ||
			asking.getBoundingClientRect().right <= rest.getBoundingClientRect().left && rest.querySelector('.diagram') !== null);
	})()`)
	p.fits("boards-laptop", wide)
	p.shoot("boards-laptop")
	p.accessible("boards-laptop", source)
	choose("As a list")
	choose("As a grid")
	p.resize(small)
}

// testManyBoards: more boards than fit, with alerts all the time.
func testManyBoards(t *testing.T, b *browser) {
	source := axe(t)
	p := b.phone(t, small)
	h := simulatedPage(t, "--boards", "12", "--offences", "20", "--speed", "4", "--profile", "fide-standard", "--seed", "3")
	h.pair(p, h.url)
	var told toldBoards
	until(t, "an alert and an advice", func() bool { told = h.boards(t); return len(told.open("now")) > 1 && len(told.open("advise")) > 0 })
	p.walk("", source, []view{{"boards-many", func(p *phone) { p.to("#/", ".strip") }}})
	p.searches(told.Boards[0])
	p.notified()
	p.laptop(source)
	advice := told.open("advise")[0]
	// Not what is drawn of it: the browser leaves out what lies below the screen.
	for _, text := range eval[[]string](p, "[...document.querySelectorAll('.strip.advise .what')].map((e) => e.textContent)") {
		if text == "" || text == "Please look" {
			t.Errorf("an advice is listed as %q and names no subject", text)
		}
	}
	for _, a := range []toldAlert{told.open("now")[0], advice} {
		i := slices.IndexFunc(told.Boards, func(b toldBoard) bool { return b.Board == a.Board })
		names := told.Boards[i].Names
		if names == nil || names.White == "" {
			t.Fatalf("nobody is known to sit at board %s", a.Board)
		}
		p.to(alertRoute(a), ".offence")
		p.shows(".names", names.White)
		white, _, _ := strings.Cut(names.White, ",")
		black, _, _ := strings.Cut(names.Black, ",")
		p.neutral(white, black)
	}
	p.walk("", source, []view{
		{"alert-busy", func(p *phone) { p.to(alertRoute(told.open("now")[0]), ".offence") }},
		{"alert-advise", func(p *phone) { p.to(alertRoute(advice), ".offence") }},
		{"board-busy", func(p *phone) { p.to("#/b/"+advice.Board, ".movelist") }},
	})
	p.calm()
}

// viewer is another phone, which may only look.
func (h *pageDaemon) viewer(b *browser) *phone {
	h.Helper()
	return h.viewerAt(b, h.url, small)
}

// viewerAt is such a phone of another size, or at another address.
func (h *pageDaemon) viewerAt(b *browser, at string, s size) *phone {
	h.Helper()
	var invitation struct{ URL string }
	h.ask(h, "POST", "/pairings", map[string]string{"role": "viewer"}, &invitation)
	_, code, ok := strings.Cut(invitation.URL, "/#")
	if !ok {
		h.Fatalf("the invitation is %q", invitation.URL)
	}
	p := b.phone(h.TB, s)
	p.open(at + "/#" + code)
	h.named(p)
	return p
}
