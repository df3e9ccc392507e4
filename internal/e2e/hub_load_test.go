//go:build linux

package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	hallhub "boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/uplink"
	hallwire "boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/watch"
)

// TestTheLoadOfAHall measures a hall: BOARDWATCHD_UPLINKS uplinks (0: not run) that bring a simulated journal at the
// speed of play for BOARDWATCHD_LOAD (default 45s), 20 phones, and how long an alert takes from the board's journal to
// each phone. The hall's program runs on one core, where there is taskset; this process is to be started on another
// one.
func TestTheLoadOfAHall(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_UPLINKS"))
	if n == 0 {
		t.Skip("BOARDWATCHD_UPLINKS is not set")
	}
	lasts := 45 * time.Second
	if d, err := time.ParseDuration(os.Getenv("BOARDWATCHD_LOAD")); err == nil {
		lasts = d
	}
	text := playedJournal(t, 20*time.Minute, 20)
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	h.configure(t, "log: {level: warn}\nhall: {listen: '"+h.listen+"'}\n")
	conf, err := os.ReadFile(h.conf)
	if err != nil {
		t.Fatal(err)
	}
	h.write(t, "boardwatchd.yaml", strings.Replace(string(conf), "log: {level: debug}\n", "", 1))
	open := func() {
		cmd := h.command(context.Background(), "hall", "-c", h.conf)
		if _, err := exec.LookPath("taskset"); err == nil {
			cmd.Args = append([]string{"taskset", "-c", "0", cmd.Path}, cmd.Args[1:]...)
			cmd.Path, _ = exec.LookPath("taskset")
		}
		h.ran(start(t, cmd))
		h.printed(t)
	}
	open()

	l := &load{raised: map[string]time.Time{}}
	begun := time.Now()
	tables := h.loadTables(t, n, text, lasts)
	t.Logf("%d computers joined in %.1f s", n, time.Since(begun).Seconds())
	var running sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); running.Wait() })
	begun = time.Now()
	for _, tb := range tables {
		running.Go(func() { _ = tb.up.Run(ctx, tb.member) })
		tb.up.Watch(tb.board, tb.journal)
	}
	first := h.pair(t, "Ann")
	phones := []*handset{first}
	for i := 1; i < 20; i++ {
		phones = append(phones, h.pair(t, fmt.Sprintf("phone %d", i)))
	}
	watching := func() (w int) {
		for _, b := range first.boards(t).Boards {
			if b.HealthWhat != "unreachable" && b.HealthWhat != "not_watched" {
				w++
			}
		}
		return w
	}
	eventually(t, "all boards", func() bool { return watching() == n }, func() string { return fmt.Sprint(watching()) })
	t.Logf("%d boards shown, %d bytes each at most, in %.1f s", n, len(text), time.Since(begun).Seconds())
	// The hall alerts for all: until then the computers would, and what it takes over comes late.
	awaitConfirmedAll(t, tables)
	t.Logf("the hall alerts for all of them after %.1f s", time.Since(begun).Seconds())
	for _, p := range phones {
		seen := map[string]bool{} // an alert is reported again when it is escalated
		p.follow(t, "").each(func(e happened) { l.heard(e, seen) })
	}
	cpu := h.cpu(t)
	begun = time.Now()
	for _, tb := range tables {
		at := begun.Add(mathrand.N(2 * time.Second)) // no hall begins all its boards in one instant
		running.Go(func() { tb.play(ctx, l, at) })
	}
	time.Sleep(lasts) // that is what is measured
	used, took := h.cpu(t)-cpu, time.Since(begun)
	rss := h.memory(t)
	l.mu.Lock()
	slices.Sort(l.took)
	if len(l.took) == 0 {
		t.Fatal("no alert came")
	}
	t.Logf("%d alerts at 20 phones: p50 %v, p99 %v, most %v; hall %d MiB, %.2f of a core", len(l.took),
		l.took[len(l.took)/2], l.took[len(l.took)*99/100], l.took[len(l.took)-1], rss>>20, used.Seconds()/took.Seconds())
	l.mu.Unlock()

	// The hall is killed and starts with all that it has.
	cancel()
	running.Wait()
	h.kill()
	begun = time.Now()
	open()
	t.Logf("the page is there %.1f s after the start", time.Since(begun).Seconds())
	eventually(t, "all boards", func() bool { return len(first.boards(t).read()) == n }, func() string { return fmt.Sprint(len(first.boards(t).read())) })
	t.Logf("all boards are there %.1f s after the start, %d MiB", time.Since(begun).Seconds(), h.memory(t)>>20)
}

// loadTables lets computers join.
func (h *hub) loadTables(t *testing.T, n int, text []byte, lasts time.Duration) []*loadTable {
	t.Helper()
	var err error
	invitations := make([]hallwire.Invitation, n)
	for i := range invitations {
		if invitations[i], err = hallhub.FilesIn(filepath.Join(h.state(), "hall")).Invite(fmt.Sprintf("t%d", i), []string{h.listen}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	tables := make([]*loadTable, n)
	for i, inv := range invitations {
		var m uplink.Member
		sharedtest.Until(t, "joined", func() bool {
			m, err = uplink.Prepare(inv)
			if err != nil {
				return false
			}
			_, err = uplink.Join(t.Context(), inv, m, "")
			return err == nil
		})
		tables[i] = newLoadTable(t, text, m, lasts)
	}
	return tables
}

// awaitConfirmedAll waits until the hall alerts for all.
func awaitConfirmedAll(t *testing.T, tables []*loadTable) {
	t.Helper()
	alone := func() (n int) {
		for _, tb := range tables {
			if time.Since(tb.up.Confirmed()[tb.board]) > 2*uplink.BeatEvery {
				n++
			}
		}
		return n
	}
	eventually(t, "the hall alerts for all", func() bool { return alone() == 0 }, func() string { return fmt.Sprint(alone()) })
}

// cpu is the time that the daemon has used.
func (v *venue) cpu(t testing.TB) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", v.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// memory is the daemon's resident memory in bytes.
func (v *venue) memory(t testing.TB) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", v.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	return pages * os.Getpagesize()
}

// playedJournal is one of simulated games of that length, with that many offences in 100 moves; or the file that
// BOARDWATCHD_JOURNAL names, which was played before.
func playedJournal(t testing.TB, played time.Duration, offences int) (text []byte) {
	t.Helper()
	if path := os.Getenv("BOARDWATCHD_JOURNAL"); path != "" {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	w := newPlace(t)
	d := w.start(t, "simulate", "--offences", strconv.Itoa(offences), "--speed", "100", "--seed", "3")
	time.Sleep(played / 100)
	d.stopped(t)
	// Where the disk was slow, the journal was begun anew with a copy of all: the longest is wanted.
	files, err := filepath.Glob(w.path("boardwatchd/simulation-*.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(b, []byte("1 ")) && len(b) > len(text) {
			text = b
		}
	}
	if len(text) == 0 {
		t.Fatal("no journal was played: ", files)
	}
	return text
}

// load is what was written and heard.
type load struct {
	mu     sync.Mutex
	raised map[string]time.Time // by board and finding
	took   []time.Duration
}

func (l *load) heard(e happened, seen map[string]bool) {
	if e.name != "alert" {
		return
	}
	var a struct {
		Board, Finding string
		Version        int
	}
	if json.Unmarshal([]byte(e.data), &a) != nil || a.Version != 1 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := a.Board + " " + a.Finding
	if at, ok := l.raised[key]; ok && !seen[key] {
		seen[key] = true
		l.took = append(l.took, e.at.Sub(at))
	}
}

// loadTable is a computer that writes a journal that was played elsewhere.
type loadTable struct {
	member         uplink.Member
	up             *uplink.Uplink
	board, journal string
	shown          string
	file           *os.File
	lines          [][]byte
	at             []int64                // of each line
	before         map[string]bool        // findings that were alerted before: what is said of them again may be told when it is escalated
	urgent         atomic.Bool            // it has an alert that nobody has seen
	round          atomic.Pointer[string] // the mark of the round that it has taken
	dir            string
	mu             sync.Mutex
	seq            int64
}

// write puts the next lines into the board's file.
func (tb *loadTable) write(lines [][]byte) error {
	if _, err := tb.file.Write(bytes.Join(lines, nil)); err != nil {
		return err
	}
	tb.mu.Lock()
	tb.seq += int64(len(lines))
	tb.mu.Unlock()
	return nil
}

func newLoadTable(t testing.TB, text []byte, m uplink.Member, lasts time.Duration) *loadTable {
	t.Helper()
	tb := &loadTable{before: map[string]bool{}, member: m, board: "simulated", journal: "sim-r1"}
	tb.round.Store(new(string))
	tb.shown = tb.board + "@" + m.Computer
	dir := t.TempDir()
	tb.dir = dir
	run := rand.Text()
	tb.up = uplink.New(uplink.Options{
		Dir: dir, Boards: tb, Core: watch.Revision, Has: func() []string { return []string{tb.board} },
		Self:      func() hallwire.Self { return hallwire.Self{Run: run, Host: m.Computer, WallMS: time.Now().UnixMilli()} },
		TakeRound: func(_ []byte, mark string) error { tb.round.Store(&mark); return nil },
		Round:     func() string { return *tb.round.Load() },
		Urgent:    func(string) bool { return tb.urgent.Load() }, Code: func(error) string { return hallwire.ENoBoard }, Log: zerolog.Nop(),
	})
	var p record.Parser
	for line := range bytes.Lines(text) {
		r, _, err := p.Parse(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatal(err)
		}
		tb.lines, tb.at = append(tb.lines, line), append(tb.at, r.At)
	}
	var err error
	if tb.file, err = os.Create(filepath.Join(dir, tb.journal+".bwj")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tb.file.Close() })
	// It is somewhere in the game, and has as much to play as is measured.
	last := tb.at[len(tb.at)-1] - lasts.Microseconds()
	from := int64(float64(max(last, 0)) * mathrand.Float64())
	n, _ := slices.BinarySearch(tb.at, from)
	n = max(n, 2)
	if _, err := tb.file.Write(bytes.Join(tb.lines[:n], nil)); err != nil {
		t.Fatal(err)
	}
	for _, line := range tb.lines[:n] {
		if id := alertOf(line); id != "" {
			tb.before[id] = true
		}
	}
	tb.seq, tb.lines, tb.at = int64(n), tb.lines[n:], tb.at[n:]
	return tb
}

// alertOf is the finding of a line that is to be told to the arbiter; "": none.
func alertOf(line []byte) string {
	var f struct{ Type, ID, State, Alert string }
	k := bytes.IndexByte(line, '{')
	if k < 0 || !bytes.Contains(line, []byte(`"type":"finding"`)) {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(line[k:]))
	if d.Decode(&f) == nil && f.State == "confirmed" && (f.Alert == "now" || f.Alert == "advise") {
		return f.ID
	}
	return ""
}

// play writes the lines when their time has come.
func (tb *loadTable) play(ctx context.Context, l *load, begun time.Time) {
	for i, line := range tb.lines {
		due := begun.Add(time.Duration(tb.at[i]-tb.at[0]) * time.Microsecond)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(due)):
		}
		if id := alertOf(line); id != "" && !tb.before[id] {
			l.mu.Lock()
			now := time.Now()
			if key := tb.shown + " " + id; l.raised[key].IsZero() {
				l.raised[key] = now
			}
			l.mu.Unlock()
		}
		if tb.write([][]byte{line}) != nil {
			return
		}
		tb.up.Kick(tb.board)
	}
}

func (tb *loadTable) Decide(context.Context, string, []byte) error   { return os.ErrInvalid }
func (tb *loadTable) Instruct(context.Context, string, []byte) error { return os.ErrInvalid }
func (tb *loadTable) Saved(context.Context, string, int64) error     { return os.ErrInvalid }
func (tb *loadTable) Head(string) journal.Head {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return journal.Head{Seq: record.Seq(tb.seq)}
}
