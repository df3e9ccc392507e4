//go:build linux

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
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
	p.calm()
}

// holds goes to a screen whose file does not arrive until the function that is returned is called.
func (p *phone) holds(path, route string) (arrives func()) {
	p.Helper()
	asked := make(chan fetch.RequestID, 1)
	p.must(chromedp.Listen(p.ctx, func(ev any) {
		if e, ok := ev.(*fetch.EventRequestPaused); ok && strings.HasSuffix(e.Request.URL, path) {
			select {
			case asked <- e.RequestID:
			default: // one held request is enough, and nobody takes a second
			}
		}
	}))
	do(p, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}) // its requests are not the page's
	do(p, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*" + path}}})
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
