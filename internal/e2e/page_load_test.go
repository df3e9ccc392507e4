//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
)

// maxBytes is what a phone with nothing in its cache may be sent in the first ten seconds: files, texts, data, the
// stream, the headers of all of them, and what the service worker fetches.
const maxBytes = 80_000

// testFirstLoad: phones that have nothing in their cache, at eight boards in play.
func testFirstLoad(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := simulatedPage(t, "--boards", "8", "--offences", "5", "--speed", "4", "--seed", "8")
	r := newRadio(t, h.url)
	p.open(r.url())
	p.shows("form", "Pairing code")
	p.light("the pairing screen", r)
	h.pair(p, h.url)
	fresh := b.phone(t, tall)
	do(fresh, network.SetCookie, network.SetCookieParams{Name: "boardwatchd", Value: h.cookie, URL: r.url(), HTTPOnly: new(true)})
	r.received()
	fresh.open(r.url())
	fresh.shows(".conn.live", "live")
	fresh.shows(".strip", "")
	fresh.light("the list of boards", r)
	fresh.await("what is opened in a hurry comes later", `['alert', 'board'].every((m) => performance.getEntriesByName(location.origin + '/js/' + m + '.js').length)`)
}

// light checks how much was sent in the first ten seconds, by the connections themselves: of what goes through the
// service worker the browser reports nothing.
func (p *phone) light(what string, r *radio) {
	p.Helper()
	p.await("the first ten seconds of the page", "performance.now() > 10_000")
	n := r.received()
	list := eval[[]string](p, `performance.getEntriesByType('resource').filter((e) => e.responseEnd && e.responseEnd < 10_000)
		.map((e) => e.name.replace(location.origin, '').padEnd(40) + (e.transferSize || 'by the service worker ' + e.encodedBodySize) + ' at ' + Math.round(e.startTime) + ' ms')`)
	p.Logf("%s: %d bytes in ten seconds:\n%s", what, n, strings.Join(list, "\n"))
	if n < 30_000 || n > maxBytes {
		p.Errorf("%s: %d bytes in ten seconds, want at most %d", what, n, maxBytes)
	}
}

// url is where a path is on the page's server.
func (p *phone) url(path string) string { return eval[string](p, "location.origin") + path }

// BenchmarkPage is how busy the page keeps a phone's processor while eight boards are in play and somebody looks at the
// list of them, or at a board: per cent of one core, on a core made that many times slower. The promise is below 30.
func BenchmarkPage(b *testing.B) {
	long(b)
	c := openBrowser(b)
	for _, slower := range []float64{4, 6} {
		for _, screen := range []string{"#/", "#/b/1"} {
			b.Run(fmt.Sprintf("%gx%s", slower, screen[1:]), func(b *testing.B) {
				h := simulatedPage(b, "--boards", "8", "--offences", "5", "--speed", "1", "--seed", "8")
				p := c.phone(b, tall)
				h.pair(p, h.url)
				p.to(screen, ".card, .live-board")
				do(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
				do(p, performance.Enable, performance.EnableParams{})
				for b.Loop() {
					b.ReportMetric(p.busy(20*time.Second), "%core")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// busy is how many per cent of a time the page's main thread works.
func (p *phone) busy(span time.Duration) float64 {
	p.Helper()
	work, begin := p.metrics()
	time.Sleep(span)
	after, end := p.metrics()
	return 100 * (after - work) / (end - begin)
}

func (p *phone) metrics() (work, now float64) {
	p.Helper()
	for _, m := range do(p, performance.GetMetrics, struct{}{}).Metrics {
		switch m.Name {
		case "TaskDuration":
			work = m.Value
		case "Timestamp":
			now = m.Value
		}
	}
	return work, now
}
