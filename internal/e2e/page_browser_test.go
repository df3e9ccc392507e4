//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"boardwatchd/internal/sharedtest"
)

// browser is a Chromium; every phone in it has cookies and storage of its own.
type browser struct{ ctx context.Context }

// chromium is the one of all tests here, because its start takes more processor time than what most of them do with it.
// The first test that needs it starts it, and TestMain ends it.
var chromium struct {
	sync.Mutex
	*browser
	close func()
}

func openBrowser(t testing.TB) *browser {
	t.Helper()
	path := browserPath()
	if path == "" {
		t.Skip("no Chromium here, so the page is not tried in a browser: apt-get install chromium-headless-shell, or chromium")
	}
	chromium.Lock()
	defer chromium.Unlock()
	if chromium.browser != nil && chromium.ctx.Err() == nil {
		return chromium.browser
	}
	for tries := 1; ; tries++ {
		b, end, err := startBrowser(t, path)
		if err == nil {
			chromium.browser, chromium.close = b, end
			return b
		}
		if tries == 3 {
			t.Fatalf("start %s: %v", path, err)
		}
		t.Logf("start %s once more: %v", path, err)
	}
}

// browserPath is the browser that is used; "": none is here. The headless shell comes first: it is the same engine
// without the windows of a browser, which take most of the processor time of a test.
func browserPath() string {
	if path := os.Getenv("BOARDWATCHD_CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// closeBrowser ends the browser of all tests, if one was started.
func closeBrowser() {
	if chromium.close != nil {
		chromium.close()
	}
}

// startBrowser waits for a part of the time that is left: a browser that never answers must not use up what all tests
// have. Its files are beside the program under test, and are removed with it.
func startBrowser(t testing.TB, path string) (b *browser, end func(), err error) {
	t.Helper()
	most := sharedtest.Patience(t) / 4
	dir, err := os.MkdirTemp(filepath.Dir(program), "chromium")
	if err != nil {
		return nil, nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.WSURLReadTimeout(most))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	started := make(chan error, 1)
	go func() { started <- chromedp.Do(ctx) }()
	select {
	case err = <-started:
	case <-time.After(most):
		err = fmt.Errorf("it has not answered within %s", most)
	}
	if err != nil {
		cancel()
		stop()
		return nil, nil, err
	}
	return &browser{ctx}, func() {
		closing, done := context.WithTimeout(ctx, 5*time.Second)
		defer done()
		_ = chromedp.Cancel(closing) // a browser that hangs is killed by stop
		cancel()
		stop()
	}, nil
}

// size is a screen, in CSS pixels.
type size struct{ width, height int64 }

var (
	tall  = size{390, 844}
	small = size{360, 640}
)

const phoneAgent = "Mozilla/5.0 (Linux; Android 15; Pixel) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36"

// message is one event that the page was sent.
type message struct {
	name, id, data string
}

// phone is a tab that believes to be a phone. Its methods are for the test's own goroutine.
type phone struct {
	sharedtest.TB
	ctx    context.Context
	opened bool

	mu       sync.Mutex
	stream   []message
	posts    []string // bodies
	wrong    []string // exceptions and what the console calls an error
	bytes    map[network.RequestID]float64
	finished map[network.RequestID]bool
	urls     map[network.RequestID]string
	order    []string // of urls
}

func (b *browser) phone(t testing.TB, s size) *phone {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &phone{TB: sharedtest.TB{TB: t}, ctx: ctx}
	p.bytes, p.finished, p.urls = map[network.RequestID]float64{}, map[network.RequestID]bool{}, map[network.RequestID]string{}
	p.must(chromedp.Listen(ctx, p.hear))
	do(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	do(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	do(p, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
		UserAgent: phoneAgent, AcceptLanguage: "en-GB,en", Platform: "Linux armv81",
	})
	p.resize(s)
	return p
}

func (p *phone) resize(s size) {
	p.Helper()
	do(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: s.width, Height: s.height, DeviceScaleFactor: 2, Mobile: true,
	})
}

// scheme makes the phone dark or light.
func (p *phone) scheme(name string) {
	p.Helper()
	do(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// do calls a command of the protocol.
func do[P, R any](p *phone, cmd cdp.Command[P, R], params P) R {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, sharedtest.Patience(p))
	defer cancel()
	r, err := chromedp.Call(ctx, cmd, params)
	p.must(err)
	return r
}

func (p *phone) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// hear runs inside chromedp's loop.
func (p *phone) hear(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventEventSourceMessageReceived:
		p.stream = append(p.stream, message{e.EventName, e.EventID, e.Data})
	case *network.EventRequestWillBeSent:
		p.urls[e.RequestID] = e.Request.URL
		p.order = append(p.order, e.Request.URL)
		if e.Request.Method == "POST" {
			var b strings.Builder
			for _, part := range e.Request.PostDataEntries {
				b.Write(part.Bytes)
			}
			p.posts = append(p.posts, b.String())
		}
	case *network.EventLoadingFinished:
		p.bytes[e.RequestID], p.finished[e.RequestID] = e.EncodedDataLength, true
	case *network.EventDataReceived:
		if !p.finished[e.RequestID] {
			p.bytes[e.RequestID] += float64(e.EncodedDataLength)
		}
	case *runtime.EventExceptionThrown:
		p.wrong = append(p.wrong, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError && e.Entry.Source != log.EntrySourceNetwork {
			p.wrong = append(p.wrong, string(e.Entry.Source)+": "+e.Entry.Text)
		}
	}
}

// heard is a copy of what the page was sent so far.
func (p *phone) heard() []message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]message(nil), p.stream...)
}

// sent are the bodies of the page's POST requests that contain a text.
func (p *phone) sent(text string) (bodies []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.posts {
		if strings.Contains(b, text) {
			bodies = append(bodies, b)
		}
	}
	return bodies
}

// requested are the addresses that the page has requested so far, and that contain a text.
func (p *phone) requested(text string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.order), func(url string) bool { return !strings.Contains(url, text) })
}

// calm fails if the page has thrown an exception or broken its own content security policy.
func (p *phone) calm() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.wrong {
		p.Errorf("the page's console: %s", w)
	}
}

// open opens an address. What starts after the first one is ended before a failed test's last look.
func (p *phone) open(url string) {
	p.Helper()
	if !p.opened { // not when the phone is made: before a daemon that starts later, the last look would be at a page without one
		p.opened = true
		p.Cleanup(func() {
			if p.Failed() {
				p.lastLook()
			}
		})
	}
	do(p, page.Navigate, page.NavigateParams{URL: url})
}

// eval evaluates JavaScript in the page; a promise is waited for.
func eval[T any](p *phone, js string) T {
	p.Helper()
	v, err := try[T](p, js)
	if err != nil {
		p.Fatalf("%v in: %s", err, js)
	}
	return v
}

func try[T any](p *phone, js string) (v T, err error) {
	ctx, cancel := context.WithTimeout(p.ctx, sharedtest.Patience(p))
	defer cancel()
	await := true
	r, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "(async () => JSON.stringify(await (" + js + ")) ?? 'null')()", AwaitPromise: &await, ReturnByValue: &await, UserGesture: &await,
	})
	if err != nil {
		return v, err
	}
	if r.ExceptionDetails != nil {
		return v, &chromedp.ExceptionError{ExceptionDetails: r.ExceptionDetails}
	}
	var text string
	if err := json.Unmarshal(r.Result.Value, &text); err != nil {
		return v, err
	}
	return v, json.Unmarshal([]byte(text), &v)
}

// until looks again and again until ok, with a deadline that only a hang reaches.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	sharedtest.Until(t, what, ok)
}

// await waits until a JavaScript expression is true, or a promise that is fulfilled with what is true. A page that is
// just loading has no answer.
func (p *phone) await(what, js string) {
	p.Helper()
	until(p, what, func() bool {
		v, err := try[bool](p, "(async () => !!(await ("+js+")))()")
		return err == nil && v
	})
}

// finder is JavaScript that finds what a finger can touch: visible, matching the selector, and with the text.
const finder = `((sel, text) => [...document.querySelectorAll(sel)].find((e) =>
	e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length && e.textContent.includes(text)))`

func find(sel, text string) string { return fmt.Sprintf("%s(%q, %q)", finder, sel, text) }

// shows waits until the page shows an element with a text.
func (p *phone) shows(sel, text string) {
	p.Helper()
	p.await(fmt.Sprintf("%q in %s", text, sel), find(sel, text))
}

// still waits until nothing on the page moves any more, and two frames have been drawn of it: a sheet slides in, and on
// a busy machine it slides long after it is there. What goes on for ever, like the pulse of a lost connection, does not
// count.
const still = `(async () => {
	const moves = (a) => a.playState === 'running' && a.effect.getComputedTiming().endTime !== Infinity;
	for (let all = document.getAnimations().filter(moves); all.length; all = document.getAnimations().filter(moves))
		await Promise.allSettled(all.map((a) => a.finished));
	await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
	return true;
})()`

// tap touches the middle of an element, which must be there, at rest, and not covered. What lies under the finger may
// still change between the look and the touch: a touch that meets nothing is done again, as a person would, and the
// same element, drawn anew, is the one that was meant.
func (p *phone) tap(sel, text string) {
	p.Helper()
	p.shows(sel, text)
	until(p, fmt.Sprintf("%s %q is touched", sel, text), func() bool {
		at, err := try[[]float64](p, `(async () => {
			await `+still+`;
			const e = `+find(sel, text)+`;
			if (!e) return null;
			const r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
			const there = document.elementFromPoint(x, y);
			if (!there || !(there === e || e.contains(there) || there.contains(e))) {
				e.scrollIntoView({block: 'center', behavior: 'instant'});
				return null;
			}
			window.touched = new Promise((r) => addEventListener('click', (ev) =>
				r(ev.composedPath().some((n) => n === e || n === `+find(sel, text)+`) ? 'it' : ev.target.closest('a, button, input, select, label') ? ev.target.outerHTML : ''),
				{capture: true, once: true}));
			return [x, y];
		})()`)
		if err != nil || at == nil {
			return false
		}
		p.touch(at[0], at[1])
		met := eval[string](p, "window.touched")
		if met != "it" && met != "" {
			p.Fatalf("a touch of %s %q met %s", sel, text, met)
		}
		return met == "it"
	})
}

// touch is a finger on a place of the screen.
func (p *phone) touch(x, y float64) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, sharedtest.Patience(p))
	defer cancel()
	p.must(chromedp.Do(ctx, chromedp.TapXY(x, y)))
}

// text is what a person reads in an element; "" where there is none.
func (p *phone) text(sel string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll(%q)].find((e) => e.checkVisibility());
		return e ? e.innerText : '';
	})()`, sel))
}

// texts are those of all elements.
func (p *phone) texts(sel string) []string {
	p.Helper()
	return eval[[]string](p, fmt.Sprintf("[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => e.innerText)", sel))
}

// typed fills a field, as a finger and a keyboard would.
func (p *phone) typed(sel, text string) {
	p.Helper()
	p.tap(sel, "")
	focused := fmt.Sprintf("document.activeElement === document.querySelector(%q) && (document.activeElement.select(), true)", sel)
	p.await("the field "+sel+" has the focus", focused)
	do(p, input.InsertText, input.InsertTextParams{Text: text})
}

// shoot writes what is on the screen to $BOARDWATCHD_SHOTS, if that is set, for a person to look at.
func (p *phone) shoot(name string) {
	p.Helper()
	dir := os.Getenv("BOARDWATCHD_SHOTS")
	if dir == "" {
		return
	}
	shot := do(p, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
	p.must(os.MkdirAll(dir, 0o755))
	p.must(os.WriteFile(filepath.Join(dir, name+".png"), shot.Data, 0o644))
}

// lastLook reports what a failed test had on its screen.
func (p *phone) lastLook() {
	text, err := try[string](p, "location.hash + '\\n' + document.body.innerText")
	p.Logf("on the screen (%v):\n%s", err, clip(text))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.wrong {
		p.Logf("console: %s", w)
	}
}
