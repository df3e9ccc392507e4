//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"

	"boardwatchd/internal/clubplay"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
)

var (
	narrow  = size{360, 740}
	tablet  = size{820, 1180}
	desktop = size{1440, 900}
)

// sixHours is the journal of a game that takes six hours, played and judged in virtual time.
func (w place) sixHours(t testing.TB) (journal string) {
	t.Helper()
	capture := w.path("long.jsonl")
	f, err := os.Create(capture)
	if err != nil {
		t.Fatal(err)
	}
	out := recording.NewCaptureWriter(f, map[string]string{"made_for": "the replay page"})
	_, err = players.Record(players.Options{
		Seed: 5, Count: 1, Tempo: players.Tempo{Hand: 1700, Press: 810_000, Think: 142_000_000, React: 1_500_000},
		Clock:     emulator.ClockOptions{BaseSec: 9 * 3600, BonusSec: 30},
		Generator: players.GeneratorOptions{MinPlies: 150, MaxPlies: 170, Chooser: clubplay.Player{}},
		Offences:  players.Offences{PerMille: 60}, Innocents: players.Innocents{PerMille: 40},
	}, func(at int64, dir byte, p []byte) {
		kind := map[byte]record.Kind{emulator.FromBoard: record.Rx, emulator.FromHost: record.Tx}[dir]
		if err := out.Write(record.Record{At: at, Kind: kind, Body: p}); err != nil {
			t.Fatal(err)
		}
	})
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	w.run(t, "", "replay", "--quiet", "--journal", w.path("long.bwj"), "--board", "7", capture).want(t, 0)
	return w.path("long.bwj")
}

// replayed writes recordings as a replay page and opens it.
func (p *phone) replayed(w place, args ...string) {
	p.Helper()
	page := w.path("replay.html")
	w.run(p, "", append([]string{"replay", "--html", page}, args...)...).want(p, 0)
	p.open("file://" + page)
	p.await("the replay", "document.querySelector('.rp-when')?.textContent")
}

// pressed presses keys, one after the other.
func (p *phone) pressed(keys ...string) {
	p.Helper()
	for _, key := range keys {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			text := ""
			if len(key) == 1 && kind == input.DispatchKeyEventTypeKeyDown {
				text = key
			}
			do(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Text: text})
		}
	}
	eval[bool](p, "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
}

// testReplayFile opens the replay as a file, at every size, dark and light, by keys and fingers.
func testReplayFile(t *testing.T, b *browser) {
	source := axe(t)
	w := newPlace(t)
	journal := w.sixHours(t)
	p := b.phone(t, narrow)
	p.replayed(w, "--profile", "fide-blitz", journal)
	p.resize(narrow)
	for _, u := range p.asked() {
		if !strings.HasPrefix(u, "file:") {
			t.Errorf("the file asks for %s", u)
		}
	}
	p.pressed("n")
	p.shows(".rp-card", "")
	if n := len(p.texts(".rp-differs")); n == 0 {
		t.Error("blitz rules make no difference to offences")
	}
	for _, scheme := range []string{"light", "dark"} {
		p.scheme(scheme)
		for _, s := range []size{narrow, tablet, desktop} {
			if scheme == "dark" && !everything { // colours change no size
				continue
			}
			p.resize(s)
			name := fmt.Sprintf("replay-%s-%dx%d", scheme, s.width, s.height)
			p.fits(name, s)
			p.shoot(name)
		}
		p.resize(p.whole())
		p.shoot("replay-" + scheme + "-whole")
		if source != "" {
			if scheme == "light" || everything {
				p.accessible("the replay, "+scheme, source)
			} else {
				p.contrasts("the replay, "+scheme, source)
			}
		}
	}
	p.resize(narrow)
	p.scheme("light")
	p.replayOnPaper()
	p.keysOfReplay()
	p.calm()
}

// replayOnPaper: the bar that follows the screen covers no board on paper, no button is there, and the moves are whole.
func (p *phone) replayOnPaper() {
	p.Helper()
	do(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	covered := eval[bool](p, `document.querySelector('.rp-bar').getBoundingClientRect().top < document.querySelector('.rp-left').getBoundingClientRect().bottom - 1`)
	buttons := eval[int](p, `[...document.querySelectorAll('.rp-keys, .rp-views, .rp-ask')].filter((e) => e.checkVisibility()).length`)
	cut := eval[int](p, `(() => { const e = document.querySelector('.rp-moves'); return e.scrollHeight - e.clientHeight; })()`)
	if covered || buttons > 0 || cut > 0 {
		p.Errorf("on paper the bar covers a board: %t; %d groups of buttons; %d pixels of moves are cut off", covered, buttons, cut)
	}
	p.onPaper("replay-paper")
	p.scheme("light")
}

// asked are the addresses that the page has asked for.
func (p *phone) asked() (urls []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range p.urls {
		if !strings.HasPrefix(u, "data:") {
			urls = append(urls, u)
		}
	}
	return urls
}

// keysOfReplay tries each key for what it is for.
func (p *phone) keysOfReplay() {
	p.Helper()
	now := func() string { return p.text(".rp-when") }
	p.pressed("Home")
	if text := now(); !strings.HasPrefix(text, "0:00") {
		p.Errorf("Home leads to %q", text)
	}
	moved := func(key, what string) {
		before := now()
		p.pressed(key)
		if now() == before {
			p.Errorf("%s does not lead %s: %q", key, what, before)
		}
	}
	moved("ArrowDown", "to the next move")
	// 105 units are a square; the arrow's ends stand 21 and 5 units from the middles of its squares.
	p.await("the arrow of the first move is as long as the move", `(() => { const box = document.querySelector('.live .rp-arrow').getBBox(); return Math.max(box.width, box.height) > 75; })()`)
	moved("ArrowDown", "to the one after it")
	moved("ArrowUp", "back")
	moved("ArrowRight", "to the next event")
	moved("PageDown", "a minute on")
	moved("n", "to a finding")
	moved("End", "to the end")
	moved("p", "to the last finding")
	moved("ArrowLeft", "to the event before")
	before := now()
	p.pressed("+", "+", "+", "+", "+", "+", "+", " ")
	p.await("the replay runs", fmt.Sprintf("document.querySelector('.rp-when').textContent !== %q", before))
	if speed := eval[string](p, "document.querySelector('.rp-speed').value"); speed != "20" {
		p.Errorf("the speed is %s", speed)
	}
	p.pressed(" ", "End")
	at := now()
	p.tap(".rp-keys .act", "")
	p.await("the first button leads elsewhere", fmt.Sprintf("document.querySelector('.rp-when').textContent !== %q", at))
}

// testReplayScreen opens the replay at a board's screen, and of several boards in one file.
func testReplayScreen(t *testing.T, b *browser) {
	source := axe(t)
	p := b.phone(t, narrow)
	h := stillPage(t)
	h.pair(p, h.url)
	p.shows(".strip", "")
	board := h.boards(t).Boards[0].Board
	p.to("#/b/"+board, ".movelist")
	p.tap("a.button", "Replay")
	p.await("the replay", "document.querySelector('.rp-when')?.textContent")
	p.pressed("End", "p")
	p.shows(".rp-card", "")
	p.fits("replay of a board", narrow)
	p.shoot("replay-board")
	p.tap(".rp-ask button", "Compare")
	p.shows(".rp-whatif h2", "What if")
	if source != "" {
		p.accessible("the replay of a board", source)
	}
	p.calm()
	do(p, network.ClearBrowserCookies, struct{}{})
	if status := eval[int](p, fmt.Sprintf("fetch('/api/v1/boards/%s/replay').then((r) => r.status)", board)); status != 401 {
		t.Errorf("a device that is not paired gets the replay with status %d", status)
	}
	files, err := filepath.Glob(filepath.Join(h.state(), "*.bwj"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	q := b.phone(t, narrow)
	q.replayed(h.place, append(files, files[0])...)
	q.shows(".rp-choose select", "Board")
	for _, lang := range languages {
		eval[any](q, fmt.Sprintf("void (() => { const s = document.querySelector('.rp-lang'); s.value = %q; s.dispatchEvent(new Event('change')); })()", lang))
		q.fits("replay in "+lang, narrow)
		q.shoot("replay-lang-" + lang)
		if raw := eval[[]string](q, "[...document.querySelectorAll('#app *')].map((e) => e.getAttribute('aria-label') || (e.children.length ? '' : e.textContent)).filter((x) => /^[a-z]+\\.[a-z_]+$/.test(x))"); len(raw) > 0 {
			t.Errorf("%s: keys without texts: %q", lang, raw)
		}
	}
	q.calm()
}

// BenchmarkReplay is how long the replay of a six-hour game takes to open, and how many frames in a second it draws
// while somebody scrubs through it, on a core made four times slower (a phone of the middle class, as the browser's own
// tools count) and six times (a cheap one); and how much of the processor one frame takes at full speed, which a busy
// computer does not change: times the factor, it has to stay below the 16.7 ms that a frame has.
func BenchmarkReplay(b *testing.B) {
	long(b)
	c := openBrowser(b)
	w := newPlace(b)
	journal := w.sixHours(b)
	p := c.phone(b, narrow)
	for b.Loop() {
		do(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 1})
		do(p, performance.Disable, struct{}{})
		do(p, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
		p.replayed(w, journal)
		opened := p.work()
		frames := eval[float64](p, scrub)
		after := p.work()
		for _, part := range []string{"TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"} {
			b.ReportMetric((after[part]-opened[part])*1000/frames, "ms-"+strings.TrimSuffix(part, "Duration")+"/frame")
		}
		for _, slower := range []float64{4, 6} {
			do(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
			p.replayed(w, journal)
			p.await("it is drawn", "performance.getEntriesByName('first-contentful-paint').length")
			at := fmt.Sprintf("-at-1/%v", slower)
			b.ReportMetric(eval[float64](p, "performance.getEntriesByName('first-contentful-paint')[0].startTime"), "ms-to-open"+at)
			b.ReportMetric(eval[float64](p, scrub)/5, "frames/s"+at)
			b.ReportMetric(eval[float64](p, strings.Replace(scrub, "send('pointermove'", "void ('pointermove'", 1))/5, "idle-frames/s"+at)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// work is the time of the processor that the page's main thread has used, in seconds, by what for.
func (p *phone) work() map[string]float64 {
	p.Helper()
	all := map[string]float64{}
	for _, m := range do(p, performance.GetMetrics, struct{}{}).Metrics {
		all[m.Name] = m.Value
	}
	return all
}

// scrub drags a finger through the whole game and back for five seconds, and returns the number of frames.
const scrub = `(async () => {
	const line = document.querySelector('.rp-all'), box = line.getBoundingClientRect(), y = box.top + box.height / 2;
	const send = (type, x) => line.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX: x, clientY: y, bubbles: true, button: 0}));
	line.setPointerCapture = () => {};
	send('pointerdown', box.left);
	const begun = performance.now();
	let frames = 0;
	for (let now = begun; now - begun < 5000; frames++) {
		const part = ((now - begun) % 2500) / 2500;
		send('pointermove', box.left + box.width * (part < 0.5 ? 2 * part : 2 - 2 * part));
		now = await new Promise((r) => requestAnimationFrame(r));
	}
	send('pointerup', box.left);
	return frames;
})()`
