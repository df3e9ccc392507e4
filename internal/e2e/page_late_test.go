//go:build linux

package e2e

import (
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"boardwatchd/internal/sharedtest"
)

// testLateScreen: the files of two screens arrive only when the person has gone elsewhere, or back. The screen that is
// shown stays, and goes on saying how the connection is.
func testLateScreen(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := stillPage(t)
	h.pair(p, h.url)
	p.to("#/b/simulated", ".live-board")

	arrives := p.holds("/js/settings.js", "#/settings")
	p.to("#/", ".card")
	arrives()
	p.offline(true)
	p.shows(".conn.connecting", "connecting")
	p.offline(false)
	p.shows(".conn.live", "live")

	arrives = p.holds("/js/devices.js", "#/devices")
	p.to("#/", ".card")
	arrives()
	if title := p.text("h1"); title != "Hall Open" {
		t.Errorf("at #/ the page shows %q", title)
	}
	p.withoutItsProgram()
	p.calm()
}

// withoutItsProgram: the network goes away after index.html has arrived and before the program. The page begins anew by
// itself.
func (p *phone) withoutItsProgram() {
	p.Helper()
	do(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: "{ const later = setTimeout; window.setTimeout = (f, ms, ...more) => later(f, ms === 20000 ? 50 : ms, ...more); }",
	})
	lost := make(chan struct{})
	announce := sync.OnceFunc(func() { close(lost) })
	p.intercepts("/js/app.js", func(id fetch.RequestID) {
		announce()
		go func() { // the listener must not wait; what the page asks for while the test ends is answered by nobody
			_, _ = chromedp.Call(p.ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonFailed})
		}()
	})
	eval[any](p, "void location.reload()")
	select {
	case <-lost:
	case <-sharedtest.Hung(p):
		p.Fatal("the page never asks for its program")
	}
	p.shows("p.starting", "boardwatchd")
	do(p, fetch.Disable, struct{}{})
	p.shows(".conn.live", "live")
}

// holds goes to a screen whose file does not arrive until the function that is returned is called.
func (p *phone) holds(path, route string) (arrives func()) {
	p.Helper()
	asked := make(chan fetch.RequestID, 1)
	p.intercepts(path, func(id fetch.RequestID) {
		select {
		case asked <- id:
		default: // one held request is enough, and nobody takes a second
		}
	})
	eval[any](p, "void (location.hash = '"+route+"')")
	var id fetch.RequestID
	select {
	case id = <-asked:
	case <-sharedtest.Hung(p):
		p.Fatalf("the page never asks for %s", path)
	}
	return func() {
		p.Helper()
		do(p, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
		do(p, fetch.Disable, struct{}{}) // before the wait: where the held request fails after all, the next one is not held
		p.await(path+" is there", "import('"+path+"')")
	}
}

// intercepts holds each request for a file until fetch.Disable, or until held has it answered. It is called in the
// listener, which must not wait.
func (p *phone) intercepts(path string, held func(fetch.RequestID)) {
	p.Helper()
	p.must(chromedp.Listen(p.ctx, func(ev any) {
		if e, ok := ev.(*fetch.EventRequestPaused); ok && strings.HasSuffix(e.Request.URL, path) {
			held(e.RequestID)
		}
	}))
	do(p, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}) // its requests are not the page's
	do(p, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*" + path}}})
}
