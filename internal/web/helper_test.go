package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/people"
	"boardwatchd/internal/record"
)

// A harness is a server with one board, and the people around it.
type harness struct {
	people *people.Book
	t      testing.TB
	live   *live.Boards
	store  *access.Store
	server *Server
	table  *table
	outbox *outbox
	log    *lockedBuffer
	base   string // address of the server
	client *http.Client

	arbiter, viewer string // their cookies
}

// newHarness serves on loopback until the test ends.
func newHarness(t testing.TB, change func(*Options)) *harness {
	t.Helper()
	h := build(t, change)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.base = "http://" + l.Addr().String()
	h.client = &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(ctx, l) }()
	t.Cleanup(func() {
		h.client.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
	return h
}

// build makes it without a listener.
func build(t testing.TB, change func(*Options)) *harness {
	t.Helper()
	h := &harness{t: t, log: new(lockedBuffer), outbox: &outbox{tokens: map[string]error{"good": nil, "late": alert.ErrOver}}}
	h.people = people.Open(filepath.Join(t.TempDir(), "people.json"), time.Now)
	h.live = live.New(live.Options{Epoch: "e", Said: h.people.Said})
	store := access.Open(filepath.Join(t.TempDir(), "devices.json"), time.Now)
	h.store = store
	h.table = &table{board: h.live.Add("12", live.Info{Journal: "j", Rate: 1}), seq: 100}
	o := Options{
		Live: h.live, Access: store, Boards: h.table, Alerts: h.outbox, People: h.people, Log: zerolog.New(h.log).Level(zerolog.DebugLevel),
		Event: func() string { return "Open" }, Round: func() string { return "4" }, Version: "test", Names: []string{"hall.example"},
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") }),
	}
	if change != nil {
		change(&o)
	}
	h.server = New(o)
	h.table.told = h.server.Entered
	h.arbiter, h.viewer = h.join(access.Arbiter, "Anna"), h.join(access.Viewer, "Otto")
	return h
}

func (h *harness) join(role access.Role, name string) (secret string) {
	h.t.Helper()
	c, err := h.store.NewCode(role, time.Minute)
	if err != nil {
		h.t.Fatal(err)
	}
	_, secret, err = h.store.Pair(access.ThisComputer, c.Text, name)
	if err != nil {
		h.t.Fatal(err)
	}
	return secret
}

func (h *harness) device(secret string) access.Device {
	d, ok := h.store.Check(secret)
	if !ok {
		h.t.Fatal("this device is not paired")
	}
	return d
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) code() string {
	var b errorBody
	_ = json.Unmarshal(r.body, &b)
	return b.Error.Code
}

// ask sends a request with a cookie; a body is JSON.
func (h *harness) ask(method, path, cookie, body string, header ...string) reply {
	h.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, h.base+path, in)
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if cookie != "" {
		r.AddCookie(&http.Cookie{Name: cookieName, Value: cookie})
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	res, err := h.client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, b}
}

// table is a station without a machine: it says a finding again when it is decided.
type table struct {
	mu    sync.Mutex
	board *live.Board
	seq   int64
	told  func(string, record.Record)
	taken []string // bodies, as in the journal

	headless bool           // nothing is on the disk
	behind   int64          // the head is this many records old
	gaps     map[int64]bool // records that the journal dropped
	asked    []int64        // of Saved

	fail error         // for the next calls
	lost bool          // fail before anything is taken
	gate chan struct{} // calls wait here before anything is taken
	disk chan struct{} // and here after that
}

func (b *table) Instruct(ctx context.Context, board string, body []byte) error {
	return b.take(ctx, board, record.Instruct, body)
}

func (b *table) Decide(ctx context.Context, board string, body []byte) error {
	return b.take(ctx, board, record.Decide, body)
}

func (b *table) Saved(ctx context.Context, _ string, seq int64) error {
	if b.disk != nil {
		select {
		case <-b.disk:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, seq)
	if b.gaps[seq] {
		return fmt.Errorf("%w: %w", ErrNotSaved, ErrLost)
	}
	return b.fail
}

func (b *table) take(ctx context.Context, board string, kind record.Kind, body []byte) error {
	if b.gate != nil {
		select {
		case <-b.gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := b.step(board, kind, body); err != nil || b.disk == nil {
		return err
	}
	select {
	case <-b.disk:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *table) step(board string, kind record.Kind, body []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil && b.lost {
		return b.fail
	}
	b.seq++
	r := record.Record{Seq: record.Seq(b.seq), At: b.seq * 1000, Kind: kind, Body: body}
	if err := r.Check(); err != nil {
		return err
	}
	b.taken = append(b.taken, string(body))
	b.board.Entered(r)
	b.told(board, r)
	if kind == record.Decide {
		var d struct{ Finding, Decision string }
		if err := json.Unmarshal(body, &d); err != nil {
			return err
		}
		b.board.Said(finding(b.seq, d.Finding, "confirmed", strconv.Quote(d.Decision)))
	}
	return b.fail
}

func (b *table) Head(string) journal.Head {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.headless {
		return journal.Head{}
	}
	return journal.Head{Journal: "12-r1", Seq: record.Seq(b.seq - b.behind), Chain: record.Chain{byte(b.seq)}}
}

func (b *table) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.taken)
}

// find says a finding and returns the number of its record.
func (b *table) find(id, state string) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	b.board.Said(finding(b.seq, id, state, "null"))
	return b.seq
}

// press says something that is not urgent.
func (b *table) press() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	b.board.Said(fmt.Appendf(nil, `{"type":"press","seq":%d,"t":%d,"board":"12","game":1,"side":"white","judged":"ok"}`, b.seq, b.seq))
}

func finding(seq int64, id, state, decided string) []byte {
	return fmt.Appendf(nil, `{"type":"finding","seq":%d,"t":%d,"board":"12","game":1,"id":%q,"kind":"illegal.knight","side":"white","ply":1,`+
		`"state":%q,"proof":"certain","confidence":1,"articles":["7.5.1"],"edition":"2023","reason":"The knight.","uci":"g1g3","squares":["g1","g3"],`+
		`"fen_before":null,"fen_at":null,"window":{"lo":1,"hi":2},"alert":"now","evidence":[5],"decided":%s}`, seq, seq, id, state, decided)
}

// outbox is the alerts without channels.
type outbox struct{ tokens map[string]error }

func (o *outbox) Alerts() []alert.Alert {
	return []alert.Alert{{ID: "12~5", Board: "12", Finding: "5:illegal.knight", Level: alert.Now, State: alert.Open}}
}

func (o *outbox) Seen(_ context.Context, id, by string) (alert.Alert, error) {
	if id != "12~5" {
		return alert.Alert{}, alert.ErrUnknown
	}
	return alert.Alert{ID: id, State: alert.Seen, SeenBy: &by}, nil
}

func (o *outbox) Ack(_ context.Context, token string) (alert.Alert, error) {
	err, known := o.tokens[token]
	if !known {
		err = alert.ErrToken
	}
	return alert.Alert{}, err
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

const knight = "5:illegal.knight"

var requests struct {
	sync.Mutex
	n int
}

// fresh is a request id that was not used before.
func fresh() string {
	requests.Lock()
	defer requests.Unlock()
	requests.n++
	return fmt.Sprintf("request-%06d", requests.n)
}

func decisionBody(request, finding, word string, asOf int64) string {
	return fmt.Sprintf(`{"request":%q,"finding":%q,"decision":%q,"note":"","as_of":%d}`, request, finding, word, asOf)
}

const decisions = "/api/v1/boards/12/decisions"
