package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

// FuzzPacker cuts a text into pieces: each can be read when it is there, and all are a whole gzip file.
func FuzzPacker(f *testing.F) {
	f.Add([]byte("event: board\ndata: {}\n\nevent: board\ndata: {}\n\n"), uint16(22))
	f.Add(bytes.Repeat([]byte("0123456789"), 10_000), uint16(40_000))
	f.Add([]byte{0}, uint16(1))
	f.Fuzz(func(t *testing.T, text []byte, cut uint16) {
		var packed bytes.Buffer
		var p packer
		var z *gzip.Reader
		for rest := text; len(rest) > 0; {
			n := min(len(rest), int(cut)+1)
			if err := p.piece(&packed, rest[:n]); err != nil {
				t.Fatal(err)
			}
			if z == nil {
				var err error
				if z, err = gzip.NewReader(&packed); err != nil {
					t.Fatal(err)
				}
			}
			got := make([]byte, n)
			if _, err := io.ReadFull(z, got); err != nil || !bytes.Equal(got, rest[:n]) {
				t.Fatalf("a piece of %d bytes: %v", n, err)
			}
			rest = rest[n:]
			if len(p.tail) > packWindow {
				t.Fatalf("%d bytes are kept", len(p.tail))
			}
		}
		if z == nil {
			return
		}
		p.end(&packed)
		if more, err := io.ReadAll(z); err != nil || len(more) != 0 {
			t.Fatalf("the end: %d bytes more, %v", len(more), err)
		}
	})
}

// rawFeed asks for the feed as a browser does, and returns the answer as it comes over the line.
func (h *harness) rawFeed(accept string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequest("GET", h.base+"/api/v1/events", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: cookieName, Value: h.viewer})
	r.Header.Set("Accept-Encoding", accept)
	res, err := h.client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = res.Body.Close() })
	if !strings.Contains(res.Header.Get("Vary"), "Accept-Encoding") || res.Header.Get("Content-Type") != "text/event-stream" {
		h.t.Errorf("the headers are %v", res.Header)
	}
	return res
}

func TestFeedIsPackedForClientsThatAcceptIt(t *testing.T) {
	h := newHarness(t, nil)
	for accept, packed := range map[string]bool{"gzip, deflate, br": true, "identity": false, "gzip;q=0": false} {
		res := h.rawFeed(accept)
		if (res.Header.Get("Content-Encoding") == "gzip") != packed {
			t.Errorf("%s: %v", accept, res.Header)
		}
		body := io.Reader(res.Body)
		if packed {
			z, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		f := &feed{t, res.Body, bufio.NewReader(body)}
		f.skipTo("hello")
		for range 3 { // each is there at once
			seq := h.table.find(knight, "confirmed")
			if e := f.skipTo("finding"); !strings.Contains(e.data, fmt.Sprintf(`"seq":%d,`, seq)) {
				t.Errorf("%s: %s", accept, e.data)
			}
		}
	}
}

// A revoked phone has received a complete file.
func TestPackedFeedEndsWhole(t *testing.T) {
	h := newHarness(t, nil)
	res := h.rawFeed("gzip")
	z, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.Revoke(h.device(h.viewer).ID); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(z); err != nil || !bytes.Contains(b, []byte("event: hello\n")) {
		t.Errorf("%q, %v", b, err)
	}
}

// The summaries of boards are most of what a phone gets.
func TestSummariesArePackedWell(t *testing.T) {
	boards := live.New(live.Options{Epoch: "e"})
	var p packer
	var out bytes.Buffer
	plain := 0
	for n := range 200 {
		b := boards.Add(fmt.Sprint(n%8), live.Info{Journal: "j", Rate: 1})
		b.Seen(watch.View{At: int64(n) * 250_000, Game: 1, Playing: true, FEN: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
			Placement: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", Link: "up"}, nil)
		event := fmt.Appendf(nil, "event: board\ndata: %s\n\n", jsonOf(boards.Summaries()[0]))
		plain += len(event)
		if err := p.piece(&out, event); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d bytes are packed into %d", plain, out.Len())
	if out.Len()*5 > plain {
		t.Error("that is more than a fifth")
	}
}
