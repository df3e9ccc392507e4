package web

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// BenchmarkPhones measures from the moment at which a confirmed finding is said to the moment at which each of 50
// phones has read it: real HTTP on loopback, the phones in the same process, one of them never reads. An issue is 1 s
// apart from the next in life; here the next follows when all have it.
//
//	go test -run - -bench Phones -benchtime 2000x ./internal/web
func BenchmarkPhones(b *testing.B) {
	const phones = 50
	h := newHarness(b, func(o *Options) { o.Log = zerolog.Nop() })
	stuckPhone(b, h)
	var got sync.WaitGroup
	var mu sync.Mutex
	var begun time.Time
	var took []time.Duration
	for range phones - 1 {
		body := openFeed(b, h)
		go func() {
			in := bufio.NewReaderSize(body, 8<<10)
			for {
				line, err := in.ReadSlice('\n')
				if err != nil {
					return
				}
				if bytes.HasPrefix(line, []byte(`data: {"type":"finding"`)) {
					now := time.Now()
					mu.Lock()
					took = append(took, now.Sub(begun))
					mu.Unlock()
					got.Done()
				}
			}
		}()
	}
	for b.Loop() {
		got.Add(phones - 1)
		mu.Lock()
		begun = time.Now()
		mu.Unlock()
		h.table.find(knight, "confirmed")
		got.Wait()
	}
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(took)
	at := func(percent int) float64 { return float64(took[(len(took)-1)*percent/100].Microseconds()) / 1000 }
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(99), "p99-ms")
	b.ReportMetric(at(100), "max-ms")
}

// stuckPhone opens a feed and never reads, with a receive buffer as small as the kernel lets it be.
func stuckPhone(b *testing.B, h *harness) {
	c, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	if err := c.(*net.TCPConn).SetReadBuffer(1); err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fprintf(c, "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nCookie: boardwatchd=%s\r\n\r\n", h.arbiter); err != nil {
		b.Fatal(err)
	}
}

// openFeed returns a stream after its hello.
func openFeed(b *testing.B, h *harness) io.Reader {
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", h.base+"/api/v1/events", nil)
	if err != nil {
		b.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: cookieName, Value: h.arbiter})
	res, err := h.client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	f := &feed{b, res.Body, bufio.NewReader(res.Body)}
	f.skipTo("hello")
	return f.in
}

// BenchmarkState is the answer that a phone fetches when it comes back.
func BenchmarkState(b *testing.B) {
	h := newHarness(b, func(o *Options) { o.Log = zerolog.Nop() })
	for i := range 20 {
		h.table.find(fmt.Sprintf("%d:illegal.knight", i), "confirmed")
	}
	for b.Loop() {
		if r := h.ask("GET", "/api/v1/boards/12", h.viewer, ""); r.status != 200 {
			b.Fatal(r.status)
		}
	}
}
