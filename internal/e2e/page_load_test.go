//go:build linux

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
)

// maxBytes is what a page may transfer until something is seen, and after it until everything is there.
const maxBytes = 100_000

// testFirstLoad: phones that have nothing in their cache, at eight boards in play.
func testFirstLoad(t *testing.T, b *browser) {
	p := b.phone(t, tall)
	h := simulatedPage(t, "--boards", "8", "--offences", "5", "--speed", "4", "--seed", "8")
	p.open(h.url)
	p.shows("form", "Pairing code")
	p.light("the pairing screen")
	h.pair(p, h.url)
	fresh := b.phone(t, tall)
	do(fresh, network.SetCookie, network.SetCookieParams{Name: "boardwatchd", Value: h.cookie, URL: h.url, HTTPOnly: new(true)})
	fresh.open(h.url)
	fresh.shows(".conn.live", "live")
	fresh.await("all screens are loaded", `['alert', 'board'].every((m) => performance.getEntriesByName(location.origin + '/js/' + m + '.js').length)`)
	fresh.light("the list of boards")
}

// light checks how much was transferred.
func (p *phone) light(what string) {
	p.Helper()
	p.await("the first paint", `performance.getEntriesByName('first-contentful-paint').length`)
	early := eval[[]string](p, `[location.origin + '/', ...performance.getEntriesByType('resource')
		.filter((e) => e.responseEnd <= performance.getEntriesByName('first-contentful-paint')[0].startTime).map((e) => e.name)]`)
	stream := p.url("/api/v1/events?open=")
	until(p, "all requests but the stream are over", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for id, url := range p.urls {
			if !p.finished[id] && url != stream {
				return false
			}
		}
		return true
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	var before, all float64
	list := ""
	for id, n := range p.bytes {
		if p.urls[id] == stream {
			list += fmt.Sprintf("\n%7.0f of the stream", n)
			continue
		}
		all += n
		when := "after the first paint"
		if slices.Contains(early, p.urls[id]) {
			before += n
			when = ""
		}
		list += fmt.Sprintf("\n%7.0f %s %s", n, p.urls[id], when)
	}
	p.Logf("%s: %.0f bytes until the first paint, %.0f in all:%s", what, before, all, list)
	if before == 0 || all > maxBytes {
		p.Errorf("%s: %.0f bytes until the first paint, %.0f in all, want at most %d", what, before, all, maxBytes)
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
