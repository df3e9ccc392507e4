package web

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/internal/playback"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// secretFEN is the position at the board, which only paired devices may see.
const secretFEN = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"

// TestNoRouteShowsAPositionToStrangers walks all routes and all files: without pairing none has anything of a board,
// and what is for paired devices is refused before its handler is asked.
func TestNoRouteShowsAPositionToStrangers(t *testing.T) {
	h := newHarness(t, func(o *Options) {
		o.Replays = &replays{}
		o.Public = func() (Public, bool) { return Public{Body: []byte(duePGN), ETag: "due"}, true }
	})
	placement, _, _ := strings.Cut(secretFEN, " ")
	h.table.board.Seen(watch.View{At: 1, Game: 1, Playing: true, FEN: secretFEN, Placement: placement, Link: "up"}, nil)
	h.table.board.Said([]byte(`{"type":"move","seq":7,"t":1,"board":"12","game":1,"ply":10,"side":"black","uci":"a7a6","san":"a6"}`))
	if r := h.ask("GET", "/api/v1/boards/12", h.viewer, ""); !strings.Contains(string(r.body), placement) {
		t.Fatalf("a paired device does not see the position either: %d %s", r.status, r.body)
	}
	part := regexp.MustCompile(`\{[^}]*\}`)
	var open []string
	for _, r := range h.server.routes() {
		path := part.ReplaceAllStringFunc(r.pattern, func(name string) string {
			return map[string]string{"{board}": "12"}[name] + map[bool]string{true: "", false: "x"}[name == "{board}"]
		})
		for _, query := range []string{"", "?profile=fide-blitz", "?token=x"} {
			a := h.ask(r.method, path+query, "", "{}")
			if text := string(a.body); strings.Contains(text, placement) || strings.Contains(text, "a7a6") || strings.Contains(text, "illegal.knight") {
				t.Errorf("%s %s shows strangers: %s", r.method, path, text)
			}
			if r.who != anybody && r.who != near && a.status != http.StatusUnauthorized {
				t.Errorf("%s %s answers strangers with %d", r.method, path, a.status)
			}
		}
		if r.who == anybody || r.who == near {
			open = append(open, r.method+" "+r.pattern)
		}
	}
	// A new route for strangers is added here only if nothing of a board is in it.
	const known = "POST /api/v1/pair, POST /ack/{token}, GET /broadcast/round.pgn, GET /ca.crt, GET /ca.mobileconfig, GET /healthz, GET /metrics"
	if have := strings.Join(open, ", "); have != known {
		t.Errorf("strangers may use %s; known is %s", have, known)
	}
	// The games for the public are what Options.Public says and nothing else; package broadcast holds them back.
	if a := h.ask("GET", PublicPath, "", ""); string(a.body) != duePGN {
		t.Errorf("%s answers %d %s", PublicPath, a.status, a.body)
	}
	for path := range h.server.files() {
		if a := h.ask("GET", path, "", ""); a.status != http.StatusOK || strings.Contains(string(a.body), placement) {
			t.Errorf("GET %s: %d", path, a.status)
		}
	}
}

// TestTheDocumentHasEveryRoute: docs/api.md names each, with its method; names of parts may differ.
func TestTheDocumentHasEveryRoute(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`\{[^}]*\}`)
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[A-Z]+ /[^|]*) \\|").FindAllStringSubmatch(string(page), -1) {
		method := ""
		for _, words := range regexp.MustCompile("`([A-Z]* ?)(/[^`]*)`").FindAllStringSubmatch(row[1], -1) {
			if words[1] != "" {
				method = words[1]
			}
			listed[method+part.ReplaceAllString(words[2], "{}")] = true
		}
	}
	for _, r := range build(t, nil).server.routes() {
		if name := r.method + " " + part.ReplaceAllString(r.pattern, "{}"); !listed[name] {
			t.Errorf("docs/api.md does not have %s", name)
		}
	}
}

// duePGN is what the public may have of the game, whose tenth ply is not due.
const duePGN = "[Event \"Open\"]\n\n1. e4 c5 *\n\n"

// replays has one journal with a position.
type replays struct{ err error }

func (r *replays) Replay(_ context.Context, board, profile string) (*playback.Recording, error) {
	if r.err != nil {
		return nil, r.err
	}
	b := playback.New(nil)
	b.Record(record.Record{Seq: 1, Kind: record.Open, Body: watch.Opening{Format: watch.Format, Board: board, Journal: "j" + profile}.Body()})
	b.Record(record.Record{Seq: 2, Kind: record.Say, Body: []byte(`{"type":"game","seq":2,"t":0,"board":"12","game":1,"fen":"` + secretFEN + `"}`)})
	return b.Recording(), nil
}

// TestReplayOfABoard: paired devices get it, and each error has a code.
func TestReplayOfABoard(t *testing.T) {
	source := &replays{}
	h := newHarness(t, func(o *Options) { o.Replays = source })
	const path = "/api/v1/boards/12/replay"
	if a := h.ask("GET", path, h.viewer, ""); a.status != http.StatusOK || !strings.Contains(string(a.body), secretFEN) {
		t.Errorf("a viewer gets %d %s", a.status, a.body)
	}
	if a := h.ask("GET", path+"?profile=x", h.arbiter, ""); a.status != http.StatusOK || !strings.Contains(string(a.body), `"journal":"jx"`) {
		t.Errorf("the profile is not handed on: %s", a.body)
	}
	for _, c := range []struct {
		path   string
		err    error
		status int
		code   string
	}{
		{"/api/v1/boards/99/replay", nil, 404, "no_such_board"},
		{path, ErrNoJournal, 404, "no_journal"},
		{path, ErrNoProfile, 400, "wrong_value"},
		{path, context.DeadlineExceeded, 503, "busy"},
		{path, http.ErrBodyNotAllowed, 500, "unreadable"},
	} {
		source.err = c.err
		if a := h.ask("GET", c.path, h.arbiter, ""); a.status != c.status || a.code() != c.code {
			t.Errorf("%s with %v: %d %s, want %d %s", c.path, c.err, a.status, a.code(), c.status, c.code)
		}
	}
}
