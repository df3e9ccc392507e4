package hub_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/watch"
)

// a hall in this process.
type hall struct {
	*hub.Hub
	dir   string
	files hub.Files
	stop  func()

	mu    sync.Mutex
	heard map[string][]string // by board: Say bodies, live or not
	told  map[string]int      // Instruct and Decide records of the live loop
	left  map[string]bool
	disk  map[string]string    // by board: its trouble
	still map[string]time.Time // by board: since when it stands still
	ready map[string][]int     // by board: of each reading, how many bodies were heard at its end
	known []string             // boards that were expected, and had not been read then
	waits []string             // boards whose waiting decisions have changed, or are there at the start
	full  bool                 // its disk has no room
	round string               // the mark of its round; "": none is set
	asked int                  // how often that was asked since it is so
}

// newHall opens a hall with its own server, or one with the given servers.
func newHall(t *testing.T, dir, listen string, servers ...string) *hall {
	t.Helper()
	h := &hall{dir: dir, files: hub.FilesIn(dir), heard: map[string][]string{}, told: map[string]int{}, left: map[string]bool{}, disk: map[string]string{}, still: map[string]time.Time{}, ready: map[string][]int{}}
	log := zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.WarnLevel)
	var err error
	removed := func(string) func(string) bool {
		return func(journal string) bool {
			_, err := os.Stat(filepath.Join(dir, "removed-"+journal))
			return err == nil
		}
	}
	expect := func(board string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, read := h.heard[board]; !read {
			h.known = append(h.known, board)
		}
	}
	memory := ""
	if _, err := os.Stat(filepath.Join(dir, "in-memory")); err == nil {
		memory = t.TempDir()
	}
	h.Hub, err = hub.Open(hub.Options{Dir: dir, Listen: listen, Memory: memory, Cluster: servers, Expect: expect, Hear: h.hear, Here: func(b string, here bool) { h.mu.Lock(); h.left[b] = !here; h.mu.Unlock() },
		Orders:  h.orders,
		Waits:   func(b string) { h.mu.Lock(); h.waits = append(h.waits, b); h.mu.Unlock() },
		Stalled: func(b string, since time.Time, _ string) { h.mu.Lock(); h.still[b] = since; h.mu.Unlock() },
		Disk:    func(b, problem, _ string) { h.mu.Lock(); h.disk[b] = problem; h.mu.Unlock() }, Full: h.isFull, Removed: removed, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := h.Start(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	h.stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(h.stop)
	return h
}

func (h *hall) orders(map[string]string) ([]byte, string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return []byte("{}"), h.round
}

func (h *hall) isFull() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.full {
		h.asked++
	}
	return h.full
}

// fills gives the hall's disk no room, or gives it room again.
func (h *hall) fills(t *testing.T, full bool) {
	t.Helper()
	h.mu.Lock()
	h.full, h.asked = full, 0
	h.mu.Unlock()
	if full { // the second question comes after the first one's answer was taken
		sharedtest.Until(t, "the hall has seen that its disk is full", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.asked > 1 })
	}
}

func (h *hall) hear(board, _ string, _ int) view.Listener {
	h.mu.Lock()
	h.heard[board], h.left[board] = nil, false
	h.mu.Unlock()
	add := func(body []byte) {
		h.mu.Lock()
		h.heard[board] = append(h.heard[board], string(body))
		h.mu.Unlock()
	}
	return view.Listener{
		Recovered: func(r record.Record) {
			if r.Kind == record.Say {
				add(r.Body)
			}
		},
		Entered: func(record.Record) { h.mu.Lock(); h.told[board]++; h.mu.Unlock() },
		Seen:    func(watch.View, []watch.Touch) {},
		Said:    add,
		Ready:   func() { h.mu.Lock(); h.ready[board] = append(h.ready[board], len(h.heard[board])); h.mu.Unlock() },
	}
}

// readings are how often a board's journal was read to its end, and how much of it the second time.
func (h *hall) readings(board string) (n, words int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n = len(h.ready[board]); n > 1 {
		words = h.ready[board][1]
	} else {
		words = len(h.heard[board])
	}
	return n, words
}

// join lets a computer in, with an invitation that was a token in between.
func (h *hall) join(t *testing.T, name string) (again wire.Invitation, m uplink.Member) {
	t.Helper()
	inv, err := h.files.Invite(name, []string{h.Addr().String()}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if again, err = wire.ReadToken(inv.Token()); err != nil {
		t.Fatal(err)
	}
	if m, err = uplink.Prepare(again); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "the invitation is taken", func() bool { _, err := uplink.Join(sharedtest.Context(t), again, m, ""); return err == nil })
	return again, m
}

func (h *hall) invite(t *testing.T, name string) uplink.Member {
	t.Helper()
	again, m := h.join(t, name)
	other, err := uplink.Prepare(again)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := uplink.Join(sharedtest.Context(t), again, other, ""); err == nil {
		t.Error("an invitation was good twice")
	}
	return m
}

// a table is a computer with one board whose journal is written here.
type table struct {
	t       *testing.T
	dir     string
	board   string
	up      *uplink.Uplink
	mu      sync.Mutex
	w       *journal.Writer
	at      int64
	last    record.Seq // that was written
	decided int
	mute    atomic.Bool // a decision is taken and not answered
	trouble atomic.Bool // the disk takes nothing
	round   atomic.Pointer[string]
	noRound atomic.Pointer[error] // why it takes no round; nil: it does
	stop    func()
}

func newTable(t *testing.T, m uplink.Member, dir, board string) *table {
	t.Helper()
	tb := &table{t: t, dir: dir, board: board}
	tb.round.Store(new(string))
	tb.up = uplink.New(uplink.Options{Dir: dir, Version: "test", Core: watch.Revision, Boards: tb, Trouble: func(string) string {
		if tb.trouble.Load() {
			return "no space left on device"
		}
		return ""
	},
		Round: func() string { return *tb.round.Load() }, TakeRound: tb.take, Self: self(),
		Code: func(error) string { return wire.EUnsure }, Log: zerolog.Nop()})
	tb.begin(board + "-r1")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = tb.up.Run(ctx, m) }()
	tb.stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(tb.stop)
	t.Cleanup(func() { _ = tb.w.Close(tb.at+1, "stop") })
	return tb
}

// self is what one run of a program says of its computer.
func self() func() wire.Self {
	run := rand.Text()
	return func() wire.Self { return wire.Self{Run: run, Host: "pi", WallMS: time.Now().UnixMilli()} }
}

func (tb *table) take(_ []byte, mark string) error {
	if err := tb.noRound.Load(); err != nil {
		return *err
	}
	tb.round.Store(&mark)
	return nil
}

func (tb *table) begin(name string) {
	tb.t.Helper()
	opening := func(segment int, cause string) []byte {
		return watch.Opening{
			Format: watch.Format, Journal: name, Segment: segment, Core: watch.Revision, Source: watch.Live, Board: tb.board, Cause: cause,
		}.Body()
	}
	w, err := journal.Create(tb.dir, name, journal.Options{SegmentBytes: 4 << 10, OpenBody: opening})
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.w = w
	tb.append(record.Open, opening(1, "start"))
	tb.up.Watch(tb.board, name)
	tb.up.Ready(tb.board)
}

func (tb *table) append(kind record.Kind, body []byte) record.Seq {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.at += 1000
	seq, err := tb.w.Append(tb.at, kind, body)
	if err != nil {
		tb.t.Error(err)
	}
	tb.last = seq
	tb.up.Kick(tb.board)
	return seq
}

// saved waits until all that was written is in the files: a writer does not wait for a disk that is slow.
func (tb *table) saved() {
	tb.t.Helper()
	tb.mu.Lock()
	last := tb.last
	tb.mu.Unlock()
	if err := tb.w.WaitDurable(sharedtest.Context(tb.t), last); err != nil {
		tb.t.Error(err)
	}
}

func (tb *table) say(n int) {
	tb.append(record.Wall, nil)
	tb.append(record.Say, fmt.Appendf(nil, `{"type":"press","n":%d}`, n))
}

func (tb *table) Decide(ctx context.Context, _ string, body []byte) error {
	tb.decided++
	seq := tb.append(record.Decide, body)
	tb.up.Entered(tb.board, record.Record{Seq: seq, Kind: record.Decide, Body: body})
	if tb.mute.Load() {
		return context.DeadlineExceeded
	}
	return tb.w.WaitDurable(ctx, seq)
}
func (tb *table) Instruct(ctx context.Context, board string, body []byte) error {
	return tb.Decide(ctx, board, body)
}
func (tb *table) Saved(ctx context.Context, _ string, seq int64) error {
	return tb.w.WaitDurable(ctx, record.Seq(seq))
}
func (tb *table) Head(string) journal.Head { return tb.w.Head() }

// equal waits until the mirror's files are the table's, byte for byte.
func (h *hall) equal(t *testing.T, computer string, tb *table) {
	t.Helper()
	tb.saved()
	sharedtest.Until(t, "the mirror is equal", func() bool {
		files, err := filepath.Glob(filepath.Join(tb.dir, "*.bwj"))
		if err != nil || len(files) == 0 {
			t.Fatal(err, len(files))
		}
		for _, f := range files {
			want, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := os.ReadFile(filepath.Join(h.dir, "mirror", computer, filepath.Base(f)))
			if !bytes.Equal(got, want) {
				return false
			}
		}
		return true
	})
}

func TestAHall(t *testing.T) { bothWays(t, testAHall) }

func testAHall(t *testing.T, servers func(dir string) []string) {
	dir0 := t.TempDir()
	outside := servers(dir0)
	h := newHall(t, dir0, "127.0.0.1:0", outside...)
	listen := h.Addr().String()
	m := h.invite(t, "table-1")
	dir := t.TempDir()
	tb := newTable(t, m, dir, "1")
	for n := range 200 {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	heard := func(h *hall, n int) {
		t.Helper()
		sharedtest.Until(t, fmt.Sprintf("%d words are heard in their order", n), func() bool {
			h.mu.Lock()
			defer h.mu.Unlock()
			list := h.heard["1"]
			for i, s := range list {
				if s != fmt.Sprintf(`{"type":"press","n":%d}`, i) {
					return false // a mirror that is being fetched was read in part, and is read anew
				}
			}
			return len(list) == n
		})
	}
	heard(h, 200)

	// A decision is at the board, and was told here, when Decide returns; the second time it is not carried out again.
	body := []byte(`{"finding":"1:illegal.knight","decision":"confirm","request":"0123456789"}`)
	sharedtest.Until(t, "the board is reached", func() bool { return h.Decide(sharedtest.Context(t), "1", body) == nil })
	h.mu.Lock()
	if h.told["1"] != 1 {
		t.Errorf("told %d times", h.told["1"])
	}
	h.mu.Unlock()
	if err := h.Decide(sharedtest.Context(t), "1", body); err != nil || tb.decided != 1 {
		t.Errorf("the second time: %v, carried out %d times", err, tb.decided)
	}
	told := int64(tb.w.Head().Seq)
	if err := h.Saved(sharedtest.Context(t), "1", told); err != nil {
		t.Errorf("the decision on the board's disk: %v", err)
	}
	tb.up.Watch("1", "1-r1") // the program there is started again, and its journal is read
	if err := h.Saved(sharedtest.Context(t), "1", told); !errors.Is(err, hub.ErrNoBoard) {
		t.Errorf("while the board's journal is read: %v", err)
	}
	tb.up.Ready("1") // and the disk had lost the decision; another record has its number
	if err := h.Saved(sharedtest.Context(t), "1", told); !errors.Is(err, hub.ErrLost) {
		t.Errorf("a decision that the board's disk has lost: %v", err)
	}
	if head := h.Head("1"); head.Seq == 0 || head.Journal != "1-r1" {
		t.Errorf("head %+v", head)
	}
	if rd, err := journal.Open(h.Path("1")); err != nil { // what the replay reads
		t.Errorf("the mirrored journal: %v", err)
	} else if r, err := rd.Next(); err != nil || r.Seq != 1 || rd.Close() != nil {
		t.Errorf("the mirrored journal begins with record %d, %v", r.Seq, err)
	}
	if path := h.Path("99"); path != "" {
		t.Errorf("a board that is not there has the journal %s", path)
	}

	// The hall goes away, much is played, and it comes back with an empty stream and a damaged mirror.
	h.stop()
	for n := range 500 {
		tb.say(200 + n)
	}
	if err := os.RemoveAll(filepath.Join(h.dir, "jetstream")); err != nil {
		t.Fatal(err)
	}
	mirrored := filepath.Join(h.dir, "mirror", "table-1", "1-r1.bwj")
	b, err := os.ReadFile(mirrored)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(mirrored, b, 0o600); err != nil {
		t.Fatal(err)
	}
	h = newHall(t, h.dir, listen, outside...)
	h.equal(t, "table-1", tb)
	heard(h, 700)

	// A copy of its card has written a segment of the same name, of which the computer knows nothing.
	h.stop()
	segments, err := filepath.Glob(filepath.Join(tb.dir, "1-r1*.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(h.dir, "mirror", "table-1", journal.SegmentName("1-r1", len(segments)+1))
	if err := os.WriteFile(foreign, b[:len(b)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	h = newHall(t, h.dir, listen, outside...)
	sharedtest.Until(t, "it is set aside", func() bool {
		_, err := os.Stat(foreign)
		_, lost := os.Stat(foreign + ".lost-1")
		return errors.Is(err, os.ErrNotExist) && lost == nil
	})
	h.equal(t, "table-1", tb)
	heard(h, 700)

	// A hall that has lost every journal gets them all from the boards.
	h.stop()
	if err := os.RemoveAll(filepath.Join(h.dir, "mirror")); err != nil {
		t.Fatal(err)
	}
	h = newHall(t, h.dir, listen, outside...)
	h.equal(t, "table-1", tb)
	heard(h, 700)

	// The uplink is started again, the board goes on.
	tb.stop()
	sharedtest.Until(t, "the board is left", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.left["1"] })
	if err := h.Decide(sharedtest.Context(t), "1", []byte(`{"request":"9876543210"}`)); !errors.Is(err, hub.ErrWaits) {
		t.Errorf("a decision for a board that is away: %v", err)
	}
	if err := h.Instruct(sharedtest.Context(t), "1", []byte(`{"request":"9876543211"}`)); !errors.Is(err, hub.ErrNoBoard) {
		t.Errorf("an instruction for a board that is away: %v", err)
	}
}

// A board whose disk lost what it had sent (a power cut): the mirror follows.
func TestABoardThatWasRolledBack(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	dir := t.TempDir()
	tb := newTable(t, m, dir, "1")
	for n := range 60 {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	tb.stop()
	_ = tb.w.Close(tb.at+1, "stop")
	for n := 2; os.Remove(filepath.Join(dir, journal.SegmentName("1-r1", n))) == nil; n++ {
	}
	path := filepath.Join(dir, "1-r1.bwj")
	if err := os.Truncate(path, 700); err != nil {
		t.Fatal(err)
	}
	rd, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = rd.Next()
	}
	next := &table{t: t, dir: dir, board: "1"}
	opening := func(segment int, cause string) []byte {
		return watch.Opening{Format: watch.Format, Journal: "1-r1", Segment: segment, Core: watch.Revision, Source: watch.Live, Board: "1", Cause: cause}.Body()
	}
	if next.w, err = journal.Continue(dir, "1-r1", rd.Last(), journal.Options{SegmentBytes: 4 << 10, OpenBody: opening}); err != nil {
		t.Fatal(err)
	}
	next.at = rd.Last().At
	next.up = uplink.New(uplink.Options{Dir: dir, Boards: next, Self: self(), Code: func(error) string { return "" }, Log: zerolog.Nop()})
	next.append(record.Open, opening(2, "restart"))
	const written = 150 // while the hall does not hear it: more segments than one
	for n := range written {
		next.say(n)
	}
	next.saved()
	_, before := h.readings("1")
	next.up.Watch("1", "1-r1")
	next.up.Ready("1")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = next.up.Run(ctx, m) }()
	t.Cleanup(func() { cancel(); <-done; _ = next.w.Close(next.at+1, "stop") })
	sharedtest.Until(t, "the board is read anew", func() bool { n, _ := h.readings("1"); return n > 1 })
	if _, first := h.readings("1"); first < written || before < 20 {
		t.Errorf("%d words of the board were shown, then %d, of at least %d: what was read is not all that came", before, first, written)
	}
	next.say(1000)
	h.equal(t, "table-1", next)
	if _, err := os.Stat(filepath.Join(h.dir, "mirror", "table-1", "1-r1.bwj.lost-1")); err != nil {
		t.Error("what the board lost was not set aside:", err)
	}
}

// Chunks that come again, as where the answer to them was lost, and after those that follow them, as from a connection
// that stood still: the mirror has their bytes, and nothing is set aside or read again.
func TestChunksThatComeAgain(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	for n := range 60 {
		tb.say(n)
	}
	h.equal(t, "table-1", tb)
	first, err := os.ReadFile(filepath.Join(tb.dir, "1-r1.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tb.dir, journal.SegmentName("1-r1", 2))); err != nil {
		t.Fatal("the journal has one segment:", err)
	}
	tb.say(60)
	h.equal(t, "table-1", tb)
	before, _ := h.readings("1")
	key, err := nkeys.FromSeed([]byte(m.Seed))
	if err != nil {
		t.Fatal(err)
	}
	nc := h.connect(t, key, m)
	for _, c := range []wire.Chunk{
		{Offset: 200, Data: first[200:500]}, {Data: first[:300]}, {Data: first[:300]}, {Offset: 500, Data: first[500:], Final: true},
	} {
		c.Board, c.Journal, c.Segment, c.Rate = "1", "1-r1", 1, 1
		again := c.Message(wire.Records("table-1", "1"))
		if err := wire.Seal(again, key); err != nil {
			t.Fatal(err)
		}
		again.Subject = wire.Put("table-1", "1")
		if a, err := nc.RequestMsg(again, sharedtest.Patience(t)); err != nil || bytes.Contains(a.Data, []byte("error")) {
			t.Fatalf("%v, %v", a, err)
		}
	}
	tb.say(61)
	h.equal(t, "table-1", tb)
	if n, _ := h.readings("1"); n != before {
		t.Errorf("the board was read %d times, not %d", n, before)
	}
	if lost, _ := filepath.Glob(filepath.Join(h.dir, "mirror", "table-1", "*.lost-*")); len(lost) > 0 {
		t.Error("set aside:", lost)
	}
}

// No computer reads or writes what is another's, neither directly nor by having the server answer there, and one that
// was revoked is cut off.
func TestAComputerReachesOnlyItsOwn(t *testing.T) { bothWays(t, testAComputerReachesOnlyItsOwn) }

func testAComputerReachesOnlyItsOwn(t *testing.T, servers func(dir string) []string) {
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0", servers(dir)...)
	one, two := h.invite(t, "table-1"), h.invite(t, "table-2")
	victim := newTable(t, two, t.TempDir(), "2")
	victim.say(0)
	h.equal(t, "table-2", victim)

	key, err := nkeys.FromSeed([]byte(one.Seed))
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	refused, closed := make(chan error, 100), make(chan struct{})
	nc := h.connect(t, key, one, nats.ClosedHandler(func(*nats.Conn) { close(closed) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	wantRefused := func(what string) {
		t.Helper()
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", what, err)
			}
		case <-sharedtest.Hung(t):
			t.Errorf("%s is not refused", what)
		}
	}
	for _, subject := range []string{
		wire.Records("table-2", "2"), wire.Beat("table-2"), wire.Ask("table-2"), wire.Ask("table-1"), wire.Join(public), wire.Put("table-2", "2"), wire.Last("table-2", "2"),
		wire.Records("table-1", "1"), wire.LastOf(wire.Records("table-1", "1")),
		"$JS.API.STREAM.DELETE." + wire.Stream, "$JS.API.STREAM.INFO." + wire.Stream, "$JS.API.STREAM.MSG.GET." + wire.Stream,
		"$JS.API.CONSUMER.CREATE." + wire.Stream, "$JS.API.DIRECT.GET." + wire.Stream, "$SYS.REQ.SERVER.PING", "_INBOX.hall.x",
	} {
		if err := nc.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		wantRefused("publish on " + subject)
	}
	for _, subject := range []string{">", "bw.>", "bw.rec.table-2.2", wire.Ask("table-2"), wire.Beat("table-2"), wire.Inbox("table-2") + ".>", "_INBOX.>", "$SYS.>"} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		wantRefused("subscribe to " + subject)
	}

	// By answers: the last chunk of its own board, sent by the server to a subject of the other's.
	board := newTable(t, one, t.TempDir(), "1")
	board.say(0)
	h.equal(t, "table-1", board)
	var before struct{ decided int }
	before.decided = victim.decided
	for _, reply := range []string{wire.Records("table-2", "2"), wire.Beat("table-2"), wire.Ask("table-2")} {
		if err := nc.PublishRequest(wire.Last("table-1", "1"), reply, nil); err != nil {
			t.Fatal(err)
		}
	}
	forged, err := json.Marshal(wire.Question{Do: wire.DoDecide, Board: "2", Body: `{"request":"forged-0001"}`, Request: "forged-0001"})
	if err != nil {
		t.Fatal(err)
	}
	// Its own subject takes what it likes; the seal is not the hall's.
	if err := nc.PublishRequest(wire.Put("table-1", "x"), wire.Ask("table-2"), forged); err != nil {
		t.Fatal(err)
	}
	if err := nc.FlushTimeout(sharedtest.Patience(t)); err != nil {
		t.Fatal(err)
	}
	victim.say(1)
	h.equal(t, "table-2", victim)
	if victim.decided != before.decided {
		t.Error("a forged decision was carried out")
	}

	if err := h.files.Members().Change(func(r *members.Roll) error { return r.Revoke("table-1", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
	case <-sharedtest.Hung(t):
		t.Error("the revoked computer is still connected")
	}
	victim.say(2)
	h.equal(t, "table-2", victim)
}

// An answer that says nothing of an earlier attempt does not make a decision one that can be taken back: the board may
// have it. One that was taken back does not come again by a phone that repeats it.
func TestTakenBackOrTaken(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	listen := h.Addr().String()
	m := h.invite(t, "table-1")
	dir := t.TempDir()
	tb := newTable(t, m, dir, "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	body := []byte(`{"finding":"1:illegal.knight","decision":"confirm","request":"request-0001"}`)
	sharedtest.Until(t, "the board is reached", func() bool {
		return h.Decide(sharedtest.Context(t), "1", []byte(`{"request":"request-0000"}`)) == nil
	})

	// The board takes it, and its answer is lost; then its program is started again, and reads its journal.
	tb.mute.Store(true)
	if err := h.Decide(sharedtest.Context(t), "1", body); err == nil || errors.Is(err, hub.ErrWaits) {
		t.Fatalf("a board that does not answer: %v", err)
	}
	tb.mute.Store(false)
	tb.up.Watch("1", "1-r1")
	decide := func(h *hall, board string, body []byte, want error) {
		t.Helper()
		if err := h.Decide(sharedtest.Context(t), board, body); !errors.Is(err, want) {
			t.Fatalf("decide: %v, want %v", err, want)
		}
	}
	decide(h, "1", body, hub.ErrWaits)
	if err := h.TakeBack("1", "request-0001"); !errors.Is(err, hub.ErrOnItsWay) {
		t.Errorf("taken back while the board's journal is read: %v", err)
	}
	decided := tb.decided
	tb.up.Ready("1") // its disk had lost it: it is taken now
	sharedtest.Until(t, "nothing waits", func() bool { return len(h.Waiting("1")) == 0 })
	if tb.decided != decided+1 {
		t.Errorf("decided %d times, then %d", decided, tb.decided)
	}

	// Asked, no answer, and the hall is killed; the board is away then.
	tb.mute.Store(true)
	asked := []byte(`{"request":"request-0002"}`)
	if err := h.Decide(sharedtest.Context(t), "1", asked); err == nil || errors.Is(err, hub.ErrWaits) {
		t.Fatalf("a board that does not answer: %v", err)
	}
	tb.stop()
	h.stop()
	h = newHall(t, h.dir, listen)
	sharedtest.Until(t, "the mirror is shown", func() bool {
		return errors.Is(h.Decide(sharedtest.Context(t), "1", asked), hub.ErrWaits)
	})
	h.stop()
	h = newHall(t, h.dir, listen)
	h.mu.Lock()
	if !slices.Equal(h.waits, []string{"1"}) {
		t.Errorf("what waits since before the start of the hall: %q", h.waits)
	}
	h.mu.Unlock()
	sharedtest.Until(t, "the mirror is shown again", func() bool {
		return errors.Is(h.Decide(sharedtest.Context(t), "1", asked), hub.ErrWaits)
	})
	if err := h.TakeBack("1", "request-0002"); !errors.Is(err, hub.ErrOnItsWay) {
		t.Errorf("taken back after a restart of the hall: %v", err)
	}

	// Never asked: it can be taken back, and stays so.
	fresh := []byte(`{"request":"request-0003"}`)
	decide(h, "1", fresh, hub.ErrWaits)
	if err := h.TakeBack("1", "request-0003"); err != nil {
		t.Fatal(err)
	}
	decide(h, "1", fresh, hub.ErrTaken)
	h.stop()
	h = newHall(t, h.dir, listen)
	sharedtest.Until(t, "the mirror is shown", func() bool {
		return !errors.Is(h.Decide(sharedtest.Context(t), "1", fresh), hub.ErrNoBoard)
	})
	decide(h, "1", fresh, hub.ErrTaken)
}

// A request in an earlier journal of the board counts as carried out; one that is not in it never will be.
func TestTakenIntoAnEarlierJournal(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the board is reached", func() bool {
		return h.Decide(sharedtest.Context(t), "1", []byte(`{"request":"request-0000"}`)) == nil
	})
	taken, not := []byte(`{"request":"request-0001"}`), []byte(`{"request":"request-0002"}`)
	tb.mute.Store(true)
	if err := h.Decide(sharedtest.Context(t), "1", taken); err == nil || errors.Is(err, hub.ErrWaits) {
		t.Fatalf("a board that does not answer: %v", err)
	}
	tb.mute.Store(false)
	tb.up.Watch("1", "1-r1") // its journal is being read
	for _, body := range [][]byte{taken, not} {
		if err := h.Decide(sharedtest.Context(t), "1", body); !errors.Is(err, hub.ErrWaits) {
			t.Fatal(err)
		}
	}
	decided := tb.decided
	if err := tb.w.Close(tb.at+1, "stop"); err != nil {
		t.Fatal(err)
	}
	tb.begin("1-r2")
	sharedtest.Until(t, "one is taken, the other never", func() bool {
		list := h.Waiting("1")
		return len(list) == 1 && list[0].Request == "request-0002" && list[0].Failed != ""
	})
	// A phone that has not heard that it was kept sends it again: that the hall keeps it would not be true any more.
	var refused *hub.RefusedError
	for range 2 {
		if err := h.Decide(sharedtest.Context(t), "1", not); !errors.As(err, &refused) || !errors.Is(err, hub.ErrNever) {
			t.Errorf("what the board never takes, sent again: %v", err)
		}
		tb.up.Watch("1", "1-r2") // and while the board cannot be asked
	}
	if tb.decided != decided {
		t.Error("a decision about the earlier journal was given to the board")
	}
}

// The board begins another journal before all of the earlier one was sent: the mirror gets its end too.
func TestTheEndOfAnEarlierJournal(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	sharedtest.Until(t, "the board is reached", func() bool {
		return h.Decide(sharedtest.Context(t), "1", []byte(`{"request":"request-0000"}`)) == nil
	})
	h.equal(t, "table-1", tb)
	for range 20 { // nobody kicks
		if _, err := tb.w.Append(tb.at+1, record.Wall, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := tb.w.Close(tb.at+2, "stop"); err != nil {
		t.Fatal(err)
	}
	tb.begin("1-r2")
	tb.say(1)
	h.equal(t, "table-1", tb)
}

// A hall whose disk lost much of the end of a mirror, while the stream has all: the board has nothing to bring, and is
// asked.
func TestAMirrorThatLostMuch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0")
	tb := newTable(t, h.invite(t, "table-1"), t.TempDir(), "1")
	tb.append(record.Say, fmt.Appendf(nil, `{"type":"press","text":%q}`, bytes.Repeat([]byte("long "), 80<<10)))
	h.equal(t, "table-1", tb)
	listen := h.Addr().String()
	h.stop()
	files, err := filepath.Glob(filepath.Join(dir, "mirror", "table-1", "*.bwj"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	last := files[len(files)-1]
	if f, err := os.Stat(last); err != nil || f.Size() < 400<<10 {
		t.Fatal(f, err)
	}
	if err := os.Truncate(last, 1); err != nil {
		t.Fatal(err)
	}
	newHall(t, dir, listen).equal(t, "table-1", tb)
}

// connect is a connection to the hall's server by the holder of the key.
func (h *hall) connect(t *testing.T, key nkeys.KeyPair, m uplink.Member, opts ...nats.Option) *nats.Conn {
	t.Helper()
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	nc, err := h.dial(m, append(opts, nats.Nkey(public, key.Sign))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// dial connects with the credentials among the options.
func (h *hall) dial(m uplink.Member, opts ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("tls://"+h.Addr().String(), append(opts, nats.Secure(wire.Trusting(m.Pin)), nats.TLSHandshakeFirst(),
		nats.CustomInboxPrefix(wire.Inbox(m.Computer)), nats.NoReconnect())...)
}

// A computer that has the answer to what it may ask sent to JetStream, as a request there: no permission bounds what
// JetStream sends.
func TestNoAnswerIsARequest(t *testing.T) { bothWays(t, testNoAnswerIsARequest) }

func testNoAnswerIsARequest(t *testing.T, servers func(dir string) []string) {
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0", servers(dir)...)
	m := h.invite(t, "table-1")
	key, err := nkeys.FromSeed([]byte(m.Seed))
	if err != nil {
		t.Fatal(err)
	}
	nc := h.connect(t, key, m)
	own, err := h.files.Key()
	if err != nil {
		t.Fatal(err)
	}
	hub := m
	hub.Computer = "hub-of-the-test"
	js, err := jetstream.New(h.connect(t, own, hub))
	if err != nil {
		t.Fatal(err)
	}
	put, last := wire.Put("table-1", "x"), wire.Last("table-1", "x")
	spy := []byte(`{"stream_name":"BOARDS","config":{"ack_policy":"none","deliver_policy":"all","deliver_subject":"_INBOX.table-1.spy"}}`)
	if _, err := nc.SubscribeSync("_INBOX.table-1.spy"); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{spy, nil} { // what the answers hold
		if _, err := nc.Request(put, data, sharedtest.Patience(t)); err != nil {
			t.Fatal(err)
		}
		for _, api := range []string{"CONSUMER.CREATE.BOARDS", "CONSUMER.DELETE.BOARDS.hall", "STREAM.DELETE.BOARDS"} {
			for _, subject := range []string{last, put} {
				if err := nc.PublishRequest(subject, "$JS.API."+api, data); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, subject := range []string{last, put} { // after the ones above
			if _, err := nc.Request(subject, data, sharedtest.Patience(t)); err != nil {
				t.Fatal("the stream does not answer any more:", err)
			}
		}
	}
	stream, err := js.Stream(sharedtest.Context(t), wire.Stream)
	if err != nil {
		t.Fatal("the stream:", err)
	}
	var names []string
	for name := range stream.ConsumerNames(sharedtest.Context(t)).Name() {
		names = append(names, name)
	}
	if len(names) != 1 || names[0] != "hall" {
		t.Errorf("the stream's consumers are %v", names)
	}
}

// A computer that did not hear the answer asks with the same key, also when the invitation is over.
func TestJoiningAgain(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	inv, m := h.join(t, "table-1")
	if _, err := uplink.Join(sharedtest.Context(t), inv, m, ""); err != nil {
		t.Error("within the invitation's time:", err)
	}
	if err := h.files.Members().Change(func(r *members.Roll) error { r.Invitations = nil; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := uplink.Join(sharedtest.Context(t), inv, m, ""); err != nil {
		t.Error("after it:", err)
	}
}

// A hall that cannot start says so; one whose stream it cannot change sets that aside.
func TestAHallThatCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0")
	m := h.invite(t, "table-1")
	tb := newTable(t, m, t.TempDir(), "1")
	tb.say(0)
	h.equal(t, "table-1", tb)
	js := h.jetStream(t, m)
	// The hall's consumer is one of another kind, which it cannot change.
	if err := js.DeleteConsumer(sharedtest.Context(t), wire.Stream, "hall"); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreatePushConsumer(sharedtest.Context(t), wire.Stream, jetstream.ConsumerConfig{Durable: "hall", DeliverSubject: "nowhere"}); err != nil {
		t.Fatal(err)
	}
	tb.stop()
	h.stop()

	over, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		starts bool
	}{{"it is ended at once", over, false}, {"the stream is set aside", context.Background(), true}} {
		next, err := hub.Open(hub.Options{Dir: dir, Listen: "127.0.0.1:0", Hear: h.hear, Here: func(string, bool) {}, Log: zerolog.Nop()})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- next.Start(c.ctx) }()
		select {
		case err := <-done:
			if c.starts != (err == nil) {
				t.Errorf("%s: %v", c.name, err)
			}
			if err == nil {
				next.Run(over) // ends it
			}
		case <-sharedtest.Hung(t):
			t.Fatalf("%s: it hangs", c.name)
		}
	}
}

// jetStream is the hall's server as the hub itself sees it, which a member of the hall knows how to reach.
func (h *hall) jetStream(t *testing.T, m uplink.Member) jetstream.JetStream {
	t.Helper()
	own, err := h.files.Key()
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(h.connect(t, own, uplink.Member{Computer: "hub-of-the-test", Pin: m.Pin}))
	if err != nil {
		t.Fatal(err)
	}
	return js
}
