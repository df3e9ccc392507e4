package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/live"
)

// pipes is a listener in memory: nothing is buffered, so that a phone which does not read is stuck at once.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8160} }

func (p *pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours
}

// inMemory runs a test on a server behind pipes, in virtual time.
func inMemory(t *testing.T, change func(*Options), f func(t *testing.T, h *harness, p *pipes)) {
	synctest.Test(t, func(t *testing.T) {
		h := build(t, change)
		p := newPipes()
		h.base = "http://127.0.0.1"
		tr := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return p.dial(), nil }}
		h.client = &http.Client{Transport: tr}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.server.Serve(ctx, p) }()
		f(t, h, p)
		tr.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
}

// A feed is one phone's stream as it reads it.
type feed struct {
	t    testing.TB
	body io.ReadCloser
	in   *bufio.Reader
}

type sse struct{ id, name, data string }

func (h *harness) follow(cookie, after string) *feed {
	h.t.Helper()
	return h.stream(cookie, "after="+after)
}

func (h *harness) stream(cookie, query string) *feed {
	h.t.Helper()
	r, err := http.NewRequest("GET", h.base+"/api/v1/events?"+query, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: cookieName, Value: cookie})
	res, err := h.client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != 200 {
		h.t.Fatalf("the feed is answered %d", res.StatusCode)
	}
	return &feed{h.t, res.Body, bufio.NewReader(res.Body)}
}

func (f *feed) close() { _ = f.body.Close() }

// next reads one event; ok is false at the end of the stream.
func (f *feed) next() (e sse, ok bool) {
	for {
		line, err := f.in.ReadString('\n')
		if err != nil {
			return e, false
		}
		line = strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				return e, true
			}
		}
	}
}

// skipTo reads until an event of that name.
func (f *feed) skipTo(name string) sse {
	f.t.Helper()
	for {
		e, ok := f.next()
		if !ok {
			f.t.Fatalf("the feed ended before an event %q", name)
		}
		if e.name == name {
			return e
		}
	}
}

func TestFeedBeginsWithHelloAndPingsByName(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		f := h.follow(h.viewer, "")
		defer f.close()
		e, _ := f.next()
		if e.name != "hello" || e.id != "" || !strings.Contains(e.data, `"epoch":"e","resumed":false`) {
			t.Errorf("first is %v", e)
		}
		begun := time.Now()
		f.skipTo("ping")
		if d := time.Since(begun); d != 5*time.Second {
			t.Errorf("a ping came after %v", d)
		}
		go func() {
			for range 40 {
				h.table.press()
				time.Sleep(time.Second / 4)
			}
		}()
		f.skipTo("ping")
		f.skipTo("ping")
		if d := time.Since(begun); d < 15*time.Second || d > 16*time.Second {
			t.Errorf("with something going on, three pings took %v", d)
		}
	})
}

// The phone loses the network for 300 events: nothing is missing, and what matters comes first.
func TestResume(t *testing.T) {
	h := newHarness(t, nil)
	f := h.follow(h.arbiter, "")
	h.table.press()
	had := f.skipTo("press").id
	f.close()
	for i := range 300 {
		if i%100 == 50 {
			h.table.find(fmt.Sprintf("%d:illegal.knight", i), "confirmed")
			continue
		}
		h.table.press()
	}
	f = h.follow(h.arbiter, had)
	defer f.close()
	if e, _ := f.next(); e.name != "hello" || !strings.Contains(e.data, `"resumed":true`) {
		t.Fatalf("first is %v", e)
	}
	var first, ids []string
	for len(ids) < 300 {
		e, ok := f.next()
		if !ok {
			t.Fatal("the feed ended")
		}
		switch {
		case e.id != "":
			ids = append(ids, e.id)
		case len(ids) == 0:
			first = append(first, e.name)
		}
	}
	if !slices.Equal(first, []string{"finding", "finding", "finding"}) {
		t.Errorf("first of all came %v", first)
	}
	for i, id := range ids {
		if want := fmt.Sprintf("e-%d", number(t, had)+i+1); id != want {
			t.Fatalf("event %d has the id %s, not %s", i, id, want)
		}
	}
}

// A page that shows the list gets alerts and events about all boards, and all events of its open board, but no moves
// and findings of the others. Missed events come in the same way.
func TestAnOverviewHasOneBoardWhole(t *testing.T) {
	for _, c := range []struct{ open, want string }{
		{"12", "finding alert press notice"},
		{"7", "alert notice"},
		{"", "alert notice"},
	} {
		for _, missed := range []bool{false, true} {
			h := newHarness(t, nil)
			had := h.live.Last()
			happen := func() {
				h.table.find(knight, "confirmed")
				h.live.Publish("alert", "12", []byte(`{"board":"12"}`))
				h.table.press()
				h.live.Publish("notice", "", []byte(`{}`))
			}
			if missed {
				happen()
			}
			f := h.stream(h.arbiter, "open="+c.open+"&after="+had)
			f.skipTo("hello")
			if !missed {
				happen()
			}
			var got, early []string
			for len(got) == 0 || got[len(got)-1] != "notice" {
				e, ok := f.next()
				switch {
				case !ok:
					t.Fatal("the feed ended")
				case e.name == "boards":
				case e.id != "":
					got = append(got, e.name)
				default:
					early = append(early, e.name)
				}
			}
			f.close()
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("open %q, missed %v: %s, want %s", c.open, missed, s, c.want)
			}
			if want := slices.DeleteFunc(strings.Fields(c.want), func(s string) bool { return !missed || !slices.Contains(urgent, s) }); !slices.Equal(early, want) {
				t.Errorf("open %q, missed %v: first came %v, want %v", c.open, missed, early, want)
			}
		}
	}
}

// The summaries of an overview come together, none is left out, and no event is much longer than what one write takes.
func TestAnOverviewHasItsSummariesTogether(t *testing.T) {
	h := newHarness(t, nil)
	for n := range 300 {
		h.live.Add(fmt.Sprint(1000+n), live.Info{})
	}
	f := h.stream(h.arbiter, "open=&after=e-0")
	defer f.close()
	seen, events := map[string]int{}, 0
	for len(seen) < 301 {
		e := f.skipTo("boards")
		events++
		var d struct{ Boards []live.Summary }
		if err := json.Unmarshal([]byte(e.data), &d); err != nil || e.id != "" || len(e.data) > chunk+2000 {
			t.Fatalf("%d bytes, id %q: %v", len(e.data), e.id, err)
		}
		for _, b := range d.Boards {
			if seen[b.Board]++; seen[b.Board] > 1 {
				t.Errorf("board %s came twice", b.Board)
			}
		}
	}
	if events > 20 {
		t.Errorf("301 summaries came as %d events", events)
	}
}

// In a hall the ring of events soon goes past the last event that a list was sent: summaries have the id of a later
// one.
func TestAnOverviewResumesAfterWhatWasLeftOut(t *testing.T) {
	h := newHarness(t, nil)
	f := h.stream(h.arbiter, "open=&after="+h.live.Last())
	f.skipTo("hello")
	h.table.find(knight, "confirmed")
	last := h.live.Last()
	for f.skipTo("boards").id != last {
	}
	f.close()
	f = h.stream(h.arbiter, "open=&after="+last)
	defer f.close()
	if hello := f.skipTo("hello"); !strings.Contains(hello.data, `"resumed":true`) {
		t.Errorf("the stream is not resumed: %s", hello.data)
	}
}

// A phone that was up to date gets nothing twice.
func TestResumeWithoutABacklog(t *testing.T) {
	h := newHarness(t, nil)
	h.table.press()
	f := h.follow(h.arbiter, h.live.Last())
	defer f.close()
	f.skipTo("hello")
	id := fmt.Sprintf("e-%d", number(t, h.live.Last())+1)
	h.table.find(knight, "confirmed")
	if e := f.skipTo("finding"); e.id != id {
		t.Errorf("the finding has the id %q, not %q", e.id, id)
	}
	h.table.press()
	for e, _ := f.next(); e.name != "press"; e, _ = f.next() {
		if e.name == "finding" {
			t.Error("the finding came twice")
		}
	}
}

func TestForeignIdIsNotResumed(t *testing.T) {
	h := newHarness(t, nil)
	for _, after := range []string{"x-1", "e-99999", "e-01", "e--1", "%00", strings.Repeat("9", 300)} {
		f := h.follow(h.arbiter, after)
		if e, _ := f.next(); !strings.Contains(e.data, `"resumed":false`) {
			t.Errorf("after %q: %v", after, e)
		}
		f.close()
	}
}

func number(t *testing.T, id string) (n int) {
	if _, err := fmt.Sscanf(id, "e-%d", &n); err != nil {
		t.Fatalf("%q is no event id", id)
	}
	return n
}

// In memory nothing is buffered on the way: the stuck phone blocks its own goroutine with the first byte.
func TestStuckPhoneDelaysNobodyAndIsDropped(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
		stuck := p.dial()
		_, err := fmt.Fprintf(stuck, "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: boardwatchd=%s\r\n\r\n", h.arbiter)
		if err != nil {
			t.Fatal(err)
		}
		f := h.follow(h.arbiter, "")
		f.skipTo("hello")
		begun := time.Now()
		for range 100 {
			h.table.find(knight, "confirmed")
			f.skipTo("finding")
		}
		if d := time.Since(begun); d != 0 {
			t.Errorf("the other phone waited %v", d)
		}
		time.Sleep(5*time.Second + time.Millisecond)
		synctest.Wait()
		if n := h.live.Stats().Followers; n != 1 {
			t.Errorf("%d phones follow after the stall time, not 1", n)
		}
		f.close()
		_ = stuck.Close()
	})
}

// A phone that reads one byte a second has 5 s for a chunk, and is dropped; it does not hold a connection for ever.
func TestSlowReaderIsDropped(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
		c := p.dial()
		if _, err := fmt.Fprintf(c, "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: boardwatchd=%s\r\n\r\n", h.arbiter); err != nil {
			t.Fatal(err)
		}
		begun, one := time.Now(), make([]byte, 1)
		for {
			if _, err := c.Read(one); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
		if d := time.Since(begun); d > 7*time.Second {
			t.Errorf("it was fed for %v", d)
		}
	})
}

func TestDeviceThatMayNotAnyMoreIsCutOff(t *testing.T) {
	for name, change := range map[string]func(h *harness, id string) error{
		"revoked":   func(h *harness, id string) error { return h.store.Revoke(id) },
		"role":      func(h *harness, id string) error { return h.store.SetRole(id, access.Arbiter) },
		"by itself": func(h *harness, id string) error { h.ask("DELETE", "/api/v1/session", h.viewer, ""); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
				cut, other := h.follow(h.viewer, ""), h.follow(h.arbiter, "")
				cut.skipTo("hello")
				other.skipTo("hello")
				begun := time.Now()
				if err := change(h, h.device(h.viewer).ID); err != nil {
					t.Fatal(err)
				}
				for e, ok := cut.next(); ok; e, ok = cut.next() {
					if e.name == "ping" {
						t.Fatal("it is still fed")
					}
				}
				if d := time.Since(begun); d != 0 {
					t.Errorf("it was cut off after %v", d)
				}
				h.table.press()
				other.skipTo("press")
				other.close()
			})
		})
	}
}

// Phones that come and go leave nothing behind; the bubble would not end while one of their goroutines is there.
func TestManyReconnects(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		for i := range 500 {
			f := h.follow(h.viewer, h.live.Last())
			if i%2 == 0 {
				f.skipTo("hello")
			}
			h.table.find(knight, "confirmed") // in the middle of which the phone goes
			f.close()
		}
		synctest.Wait()
		if n := h.live.Stats().Followers; n != 0 {
			t.Errorf("%d followers are left", n)
		}
	})
}

func TestServerEndsWithItsFeeds(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		f := h.follow(h.viewer, "")
		f.skipTo("hello")
		h.server.end()
		if _, ok := f.next(); ok {
			t.Error("the feed goes on")
		}
	})
}

func TestOnlyLiveConfirmedFindingsAreMeasured(t *testing.T) {
	var mu sync.Mutex
	var seen []time.Duration
	inMemory(t, func(o *Options) {
		o.AlertSent = func(channel string, d time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			if channel != "page" {
				t.Errorf("channel %q", channel)
			}
			seen = append(seen, d)
		}
	}, func(t *testing.T, h *harness, _ *pipes) {
		h.table.press()
		had := h.live.Last()
		h.table.find(knight, "confirmed") // missed: how long the phone was away says nothing about the program
		f := h.follow(h.arbiter, had)
		f.skipTo("finding")
		f.skipTo("finding")
		h.table.find(knight, "withdrawn")
		f.skipTo("finding")
		h.table.find(knight, "confirmed")
		f.skipTo("finding")
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if len(seen) != 1 || seen[0] < 0 {
			t.Errorf("measured %v", seen)
		}
		f.close()
	})
}

// Only the page's own rooms publish; should one write JSON over several lines, the stream must hold.
func TestLineBreaksInDataDoNotBreakTheStream(t *testing.T) {
	h := newHarness(t, nil)
	f := h.follow(h.arbiter, "")
	defer f.close()
	f.skipTo("hello")
	h.live.Publish("alert", "12", []byte("{\r\n\"id\": 1\n\n}"))
	if e := f.skipTo("alert"); e.data != `{  "id": 1  }` {
		t.Errorf("the data came as %q", e.data)
	}
}

func TestFellBehindEndsTheStream(t *testing.T) {
	h := build(t, func(o *Options) {})
	if _, err := h.live.Follow("").Next(canceled()); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	small := live.New(live.Options{Epoch: "e", Keep: 4})
	f := small.Follow("")
	for range 9 {
		small.Publish("x", "", []byte("{}"))
	}
	p := &phone{s: h.server}
	done := make(chan struct{})
	go func() { defer close(done); h.server.feed(t.Context(), p, f, false) }()
	<-done
	if p.buf.Len() > 0 {
		t.Error("something was written")
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
