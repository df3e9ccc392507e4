//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/sharedtest"
)

// This file is a phone without a browser: it pairs with the printed link, keeps its cookie, follows the feed and tells
// what its arbiter decides. It is written from the description of the API and shares no code with the server.

// handset is a paired phone.
type handset struct {
	v      *venue
	name   string
	cookie string
	web    *http.Client
}

// pair pairs a new phone, as an arbiter's: the first with the printed link, others with a code that the first one asks
// for.
func (v *venue) pair(t testing.TB, name string) *handset {
	t.Helper()
	code := v.code
	v.code = "" // works once
	if code == "" {
		code = v.first.anotherCode(t)
	}
	h := &handset{v: v, name: name, web: v.client()}
	t.Cleanup(h.web.CloseIdleConnections)
	status, text, err := h.call(t.Context(), "POST", "/api/v1/pair", map[string]string{"code": code, "name": name})
	if err != nil || status != http.StatusOK || h.cookie == "" {
		t.Fatalf("pair %s: %d %s (%v), cookie of %d characters", name, status, text, err, len(h.cookie))
	}
	v.secret("cookie of "+name, h.cookie)
	if v.first == nil {
		v.first = h
	}
	return h
}

// anotherCode is a new code to type.
func (h *handset) anotherCode(t testing.TB) string {
	typed, _ := h.invite(t)
	return typed
}

// invite asks for a code, as it is typed and as it is scanned.
func (h *handset) invite(t testing.TB) (typed, scanned string) {
	t.Helper()
	var a struct{ Code, URL string }
	h.ask(t, "POST", "/api/v1/pairings", map[string]string{"role": "arbiter"}, &a)
	_, scanned, _ = strings.Cut(a.URL, "#pair=")
	h.v.secret("pairing code", a.Code)
	h.v.secret("pairing link", scanned)
	return a.Code, scanned
}

// request builds what this phone sends.
func (h *handset) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var send io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		send = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, h.v.url+path, send)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if h.cookie != "" {
		r.AddCookie(&http.Cookie{Name: "boardwatchd", Value: h.cookie})
	}
	return r, nil
}

// call sends a request and reads the whole answer; an error means that there was none.
func (h *handset) call(ctx context.Context, method, path string, body any) (status int, answer []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.v.patience)
	defer cancel()
	r, err := h.request(ctx, method, path, body)
	if err != nil {
		return 0, nil, err
	}
	a, err := h.web.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer a.Body.Close()
	for _, c := range a.Cookies() {
		if c.Name == "boardwatchd" {
			h.cookie = c.Value
		}
	}
	answer, err = io.ReadAll(a.Body)
	return a.StatusCode, answer, err
}

// ask is a call that must succeed.
func (h *handset) ask(t testing.TB, method, path string, body, into any) {
	t.Helper()
	status, text, err := h.call(t.Context(), method, path, body)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s %s: %d %s (%v)", method, path, status, text, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
}

// What is read of the API's objects.
type (
	apiFinding struct {
		ID, Kind, State, Alert string
		Seq                    int64
		T                      float64
		Decided                *string
	}
	apiDecision struct {
		Seq                        int64
		Finding, Decision, Request string
		By, Note                   string
	}
	apiItem struct {
		Finding   apiFinding
		Ruling    *struct{ Seq int64 }
		Decisions []apiDecision
		Alert     *apiAlert
	}
	apiAlert struct {
		ID, Board, Finding, State, Level string
		Late                             bool
		Step, Version                    int
		SeenBy                           *string `json:"seen_by"`
		Channels                         []struct{ Channel, State, Error string }
	}
	apiSummary struct {
		Board, FEN, Link string
		Names            *struct{ White, Black string }
		HealthWhat       string `json:"health_what"`
		Ply              int
		Strikes          struct{ White, Black int }
	}
	apiBoards struct {
		Epoch, Last string
		Boards      []apiSummary
		Alerts      []apiAlert
	}
	apiState struct {
		Epoch, Last string
		Board       apiSummary
		Moves       []struct{ SAN string }
		Findings    []apiItem
		Waiting     []apiWaiting
	}
	apiWaiting struct {
		Finding, Decision, By, Request, Failed string
		Asked                                  bool
	}
	apiSaved struct {
		Saved bool
		Seq   int64
		Head  apiHead
		Item  *apiItem
		Waits bool // at the hall, for a board that cannot be reached
	}
)

// asOf is what a decision about the item has looked at.
func (i apiItem) asOf() int64 {
	if i.Ruling != nil {
		return max(i.Finding.Seq, i.Ruling.Seq)
	}
	return i.Finding.Seq
}

// decided is the decision in force.
func (i apiItem) decided() string {
	if i.Finding.Decided == nil {
		return ""
	}
	return *i.Finding.Decided
}

// read returns the boards whose journals were read to their end.
func (b apiBoards) read() []apiSummary {
	return slices.DeleteFunc(slices.Clone(b.Boards), func(s apiSummary) bool { return s.HealthWhat == live.JournalRead })
}

func (h *handset) boards(t testing.TB) (b apiBoards) {
	t.Helper()
	h.ask(t, "GET", "/api/v1/boards", nil, &b)
	return b
}

func (h *handset) state(t testing.TB) (s apiState) {
	t.Helper()
	h.ask(t, "GET", "/api/v1/boards/"+boardName, nil, &s)
	return s
}

// item is a finding as the board has it now.
func (h *handset) item(t testing.TB, finding string) apiItem {
	t.Helper()
	s := h.state(t)
	n := slices.IndexFunc(s.Findings, func(i apiItem) bool { return i.Finding.ID == finding })
	if n < 0 {
		t.Fatalf("the board has no finding %s but %+v", finding, s.Findings)
	}
	return s.Findings[n]
}

// awaitItem asks until a finding is as wanted.
func (h *handset) awaitItem(t testing.TB, what string, ok func(apiItem) bool) (found apiItem) {
	t.Helper()
	var s apiState
	eventually(t, what, func() bool {
		s = h.state(t)
		n := slices.IndexFunc(s.Findings, ok)
		if n >= 0 {
			found = s.Findings[n]
		}
		return n >= 0
	}, func() string { return fmt.Sprintf("%+v", s.Findings) })
	return found
}

// awaitConfirmed waits for the finding of the case at the board.
func (h *handset) awaitConfirmed(t testing.TB) apiItem {
	t.Helper()
	return h.awaitItem(t, "confirmed finding", func(i apiItem) bool { return i.Finding.State == "confirmed" && i.Alert != nil })
}

// eventually polls a condition of the real program.
func eventually(t testing.TB, what string, ok func() bool, got func() string) {
	t.Helper()
	held := false
	defer func() {
		if !held {
			t.Log("it is " + got())
		}
	}()
	sharedtest.Until(t, what, ok)
	held = true
}

// told is something that an arbiter told: the same request again is the same deed.
type told struct {
	path string
	body map[string]any
}

var requests atomic.Int64

func (t told) request() string { return t.body["request"].(string) }

// send sends it and returns what was answered; an error means that there was no answer.
func (h *handset) send(ctx context.Context, w told) (status int, saved apiSaved, text []byte, err error) {
	status, text, err = h.call(ctx, "POST", w.path, w.body)
	if err == nil && status == http.StatusOK {
		err = json.Unmarshal(text, &saved)
	}
	return status, saved, text, err
}

// tell sends what must be saved.
func (h *handset) tell(t testing.TB, w told) apiSaved {
	t.Helper()
	status, saved, text, err := h.send(t.Context(), w)
	if err != nil || status != http.StatusOK || !saved.Saved {
		t.Fatalf("%s %v: %d %s (%v)", w.path, w.body, status, text, err)
	}
	return saved
}

func newRequest() string { return fmt.Sprintf("e2e-%08d", requests.Add(1)) }

func decision(i apiItem, word string) told {
	return told{"/api/v1/boards/" + boardName + "/decisions", map[string]any{
		"request": newRequest(), "finding": i.Finding.ID, "decision": word, "as_of": i.asOf(),
	}}
}

// rule decides about a finding, and again if the board has said something new about it meanwhile.
func (h *handset) rule(t testing.TB, i apiItem, word string) (told, apiSaved) {
	t.Helper()
	for late := sharedtest.Late(t); ; i = h.item(t, i.Finding.ID) {
		d := decision(i, word)
		status, saved, text, err := h.send(t.Context(), d)
		if err == nil && status == http.StatusOK && saved.Saved && saved.Item != nil {
			return d, saved
		}
		if err != nil || status != http.StatusConflict || time.Now().After(late) {
			t.Fatalf("%v: %d %s (%v)", d.body, status, text, err)
		}
	}
}

func report(what, side string) told {
	return told{"/api/v1/boards/" + boardName + "/reports", map[string]any{"request": newRequest(), "what": what, "side": side}}
}

func instruction(do string, more map[string]any) told {
	body := map[string]any{"request": newRequest(), "do": do}
	maps.Copy(body, more)
	return told{"/api/v1/boards/" + boardName + "/instructions", body}
}

// happened is one event of the feed.
type happened struct {
	id, name, data string
	at             time.Time // read from the socket
}

func (e happened) String() string { return fmt.Sprintf("%s %s %.120s", e.id, e.name, e.data) }

// stream is the feed as a phone has it. Its fields belong to the lock.
type stream struct {
	mu      sync.Mutex
	got     []happened
	err     error         // why it ended
	changed chan struct{} // closed and replaced at each change
	hear    func(happened)
	close   context.CancelFunc
	ended   chan struct{}
}

// follow opens the feed after an event; "" is now. It returns when hello was read.
func (h *handset) follow(t testing.TB, after string) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := h.request(ctx, "GET", "/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	// A connection of its own: what becomes of it becomes of nothing else.
	a, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if a.StatusCode != http.StatusOK {
		t.Fatalf("the feed: %s", a.Status)
	}
	s := newStream(a.Body, cancel)
	t.Cleanup(s.stop)
	s.await(t, "hello", func(e happened) bool { return e.name == "hello" })
	return s
}

func newStream(r io.ReadCloser, cancel context.CancelFunc) *stream {
	s := &stream{changed: make(chan struct{}), close: cancel, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer r.Close()
		s.end(readEvents(r, s.add))
	}()
	return s
}

// stop closes the socket.
func (s *stream) stop() {
	s.close()
	<-s.ended
}

func (s *stream) add(e happened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hear != nil {
		s.hear(e)
		return // a feed that is heard is not kept
	}
	s.got = append(s.got, e)
	s.wake()
}

// each has every event passed on from now on, and those that have come.
func (s *stream) each(f func(happened)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.got {
		f(e)
	}
	s.hear = f
}

func (s *stream) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	s.wake()
}

func (s *stream) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *stream) look() (got []happened, changed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got), s.changed, s.err
}

// events are all that have come until now.
func (s *stream) events() []happened {
	got, _, _ := s.look()
	return got
}

// await waits for an event, also one that has come already.
func (s *stream) await(t testing.TB, what string, ok func(happened) bool) happened {
	t.Helper()
	late := sharedtest.Hung(t)
	for {
		got, changed, err := s.look()
		if n := slices.IndexFunc(got, ok); n >= 0 {
			return got[n]
		}
		if err != nil {
			t.Fatalf("the feed ended (%v) without %s: %v", err, what, got)
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("the feed never has %s: %v", what, got)
		}
	}
}

// numbered are the events with an identifier.
func numbered(list []happened) (out []happened) {
	for _, e := range list {
		if e.id != "" {
			out = append(out, e)
		}
	}
	return out
}

// hello is what a feed begins with.
type hello struct {
	Epoch   string
	Resumed bool
	Last    string
}

func (s *stream) hello(t testing.TB) (h hello) {
	t.Helper()
	first := s.events()[0]
	if err := json.Unmarshal([]byte(first.data), &h); first.name != "hello" || err != nil {
		t.Fatalf("the feed begins with %v (%v)", first, err)
	}
	return h
}

// readEvents reads server-sent events (HTML standard, section 9.2.6) until the stream ends.
func readEvents(r io.Reader, each func(happened)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var e happened
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return errors.Join(errors.New("the stream ended"), err)
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data += value
		case "":
			if e.name != "" || e.data != "" {
				e.at = time.Now()
				each(e)
			}
			e = happened{}
		}
	}
}
