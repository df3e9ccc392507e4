//go:build linux

package e2e

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/live"
	"boardwatchd/internal/web"
)

// heldBack are decisions that have not reached their boards.
type heldBack struct {
	mu   sync.Mutex
	list map[string][]web.Waiting // by board
}

func (h *heldBack) Waiting(board string) []web.Waiting {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.list[board])
}

func (h *heldBack) TakeBack(board, request string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.list[board]
	h.list[board] = slices.DeleteFunc(slices.Clone(list), func(w web.Waiting) bool { return w.Request == request })
	if len(h.list[board]) == len(list) {
		return web.ErrNoWait
	}
	return nil
}

// TestPageOfDecisionsThatWait: a decision that a board has refused is shown on the board's own screen, because nobody
// finds the screen of a finding of an earlier journal; one that no board gets is in the list of computers. Both are
// taken back there.
func TestPageOfDecisionsThatWait(t *testing.T) {
	b := openBrowser(t)
	held := &heldBack{list: map[string][]web.Waiting{
		"12": {{Finding: "5:illegal.knight", Decision: "confirm", By: "Ann", Request: "request-12", Failed: "the board writes 12-r2 now"}},
		"7":  {{Finding: "9:illegal.rook", Decision: "reject", By: "Ann", Request: "request-07"}},
	}}
	boards := live.New(live.Options{})
	boards.Add("12", live.Info{Journal: "12-r2", Rate: 1}).Ready()
	computers := func() roster.List {
		l := roster.Make(true, []roster.Computer{{Name: "hall", Own: true, Here: true, Seen: time.Now()}}, nil, time.Now())
		for _, w := range held.Waiting("7") {
			l.Stranded = append(l.Stranded, roster.Stranded{Computer: "table-7", Board: "7", Finding: w.Finding, Decision: w.Decision, By: w.By, Request: w.Request})
		}
		return l
	}
	store, cookie := pairedStore(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := web.New(web.Options{Live: boards, Access: store, Boards: unheard{}, Waits: held, Computers: computers, Event: func() string { return "Hall Open" }, Round: func() string { return "2" }, Log: zerolog.Nop()})
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})

	url := "http://" + listener.Addr().String()
	p := b.phone(t, tall)
	do(p, network.SetCookie, network.SetCookieParams{Name: "boardwatchd", Value: cookie, URL: url, HTTPOnly: new(true)})
	p.open(url)
	p.shows(".conn.live", "live")
	for _, s := range []struct{ route, box, decision, board string }{
		{"#/b/12", ".note.warn", "the board writes 12-r2 now", "12"},
		{"#/computers", ".row", "table-7", "7"},
	} {
		p.to(s.route, s.box)
		p.shows(s.box, s.decision)
		p.shoot("waiting-" + s.board)
		p.tap(".button", "Take back")
		until(t, "the decision for board "+s.board+" is taken back", func() bool { return len(held.Waiting(s.board)) == 0 })
		p.await("it is not shown any more", "![...document.querySelectorAll('.button')].some((e) => e.textContent === 'Take back')")
	}

	if err := store.Revoke(store.Devices()[0].ID); err != nil {
		t.Fatal(err)
	}
	for _, route := range []string{"#/b/7", "#/b/12", "#/settings"} { // links that are followed, or the button Back
		eval[any](p, fmt.Sprintf("void (location.hash = %q)", route))
		p.await("the device is to be paired, also after "+route, "location.hash === '#/pair'")
		p.shows("h1", "Pair this phone")
		p.shows(".note.warn", "not paired any more")
	}
}
