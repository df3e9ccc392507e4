//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAHallWithFaults: BOARDWATCHD_HALL_FAULTS faults, one after the other, at both ends of a hall and between them,
// while decisions are made at two boards. In the end no decision that was answered is lost, none is in a journal twice,
// and the mirrored journals are the boards', byte for byte.
//
//	BOARDWATCHD_HALL_FAULTS=100 go test -v -timeout 30m -run TestAHallWithFaults ./internal/e2e
//
// BOARDWATCHD_HALL_SEED repeats a row of faults.
func TestAHallWithFaults(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HALL_FAULTS"))
	if n == 0 {
		t.Skip("BOARDWATCHD_HALL_FAULTS is not set")
	}
	seed, err := strconv.ParseUint(os.Getenv("BOARDWATCHD_HALL_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64N(1e6)
	}
	t.Logf("BOARDWATCHD_HALL_SEED=%d", seed)
	f := &faults{t: t, hub: openHub(t), rand: rand.New(rand.NewPCG(seed, 0))}
	f.link = newMiddle(t, f.hub.listen)
	for i, board := range []string{boardName, "b2", "b3"} {
		c := f.hub.newTable(t, fmt.Sprintf("table-%d", i+1), board, "")
		token := strings.TrimSpace(f.hub.run(t, "", "hall", "invite", c.name, "-c", f.hub.conf, "--quiet", "--address", f.link.address()).want(t, 0).out)
		c.run(t, "", "join", "-c", c.conf, token).want(t, 0)
		c.watch(t)
		f.tables = append(f.tables, c)
	}
	phone := f.hub.pair(t, "Ann")
	eventually(t, "three boards", func() bool { return len(phone.boards(t).Boards) == 3 }, func() string { return fmt.Sprint(phone.boards(t)) })

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	deciders := []*decider{{refused: map[string]int{}, phone: phone, board: boardName}, {refused: map[string]int{}, phone: f.hub.pair(t, "Bob"), board: "b2"}}
	var deciding sync.WaitGroup
	for _, d := range deciders {
		eventually(t, "a finding at "+d.board, func() bool { _, ok := d.finding(ctx); return ok }, func() string { return d.board })
		deciding.Go(func() { d.decide(ctx) })
	}
	harms := f.harms()
	for range n {
		k := f.rand.IntN(len(harms))
		t.Logf("%s: %s", time.Now().Format("15:04:05"), harms[k].name)
		harms[k].do()
		time.Sleep(time.Duration(500+f.rand.IntN(1500)) * time.Millisecond) // between two faults something goes on
	}
	cancel()
	deciding.Wait()

	answered := 0
	for i, d := range deciders {
		answered += d.settled(t, f.tables[i])
	}
	for _, c := range f.tables {
		f.hub.mirrored(t, c)
		files, err := filepath.Glob(filepath.Join(f.hub.state(), "hall", "mirror", c.name, "*-r1.bwj"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v %v", files, err)
		}
		// A disk that was full, and a rollback, leave torn lines: what verify says of the mirror is what it says of the
		// board's own.
		own := f.hub.run(t, "", "verify", filepath.Join(c.state(), filepath.Base(files[0])))
		if r := f.hub.run(t, "", "verify", files[0]); r.status != own.status || r.status != 0 && r.status != 3 {
			t.Errorf("%s: verify ends with %d, for the board's own journal with %d: %s%s", c.name, r.status, own.status, r.out, own.out)
		}
	}
	if answered < 10*n {
		t.Errorf("only %d decisions were answered", answered)
	}
}

// faults are what goes wrong.
type faults struct {
	t      *testing.T
	hub    *hub
	link   *middle
	tables []*tableComputer
	rand   *rand.Rand
}

func (f *faults) some(most time.Duration) time.Duration {
	return time.Duration(f.rand.Int64N(int64(most)))
}

// table is one of those at which decisions are made.
func (f *faults) table() *tableComputer { return f.tables[f.rand.IntN(2)] }

func (f *faults) harms() []struct {
	name string
	do   func()
} {
	during := func(begin, end func(), most time.Duration) func() {
		return func() { begin(); time.Sleep(f.some(most)); end() }
	}
	var c *tableComputer
	return []struct {
		name string
		do   func()
	}{
		{"the hall is killed", func() { f.hub.kill(); f.hub.open(f.t) }},
		{"a computer is killed", func() { c = f.table(); c.kill(); c.watch(f.t) }},
		{"the hall stands still", during(func() { f.hub.signal(f.t, syscall.SIGSTOP) }, func() { f.hub.signal(f.t, syscall.SIGCONT) }, 9*time.Second)},
		{"a computer stands still", during(func() { c = f.table(); c.signal(f.t, syscall.SIGSTOP) }, func() { c.signal(f.t, syscall.SIGCONT) }, 9*time.Second)},
		{"the network stalls", during(func() { f.link.stall(true) }, func() { f.link.stall(false) }, 9*time.Second)},
		{"connections are reset", f.link.reset},
		{"connections are half open", f.link.swallow},
		{"a bit of the stream is flipped", func() { f.hub.kill(); f.flip("jetstream"); f.hub.open(f.t) }},
		{"the stream is cut", func() { f.hub.kill(); f.cut("jetstream"); f.hub.open(f.t) }},
		{"a bit of a mirror is flipped", func() { f.hub.kill(); f.flip("mirror"); f.hub.open(f.t) }},
		{"a mirror is rolled back", func() { f.hub.kill(); f.cut("mirror"); f.hub.open(f.t) }},
		{"the hall's disk is full", during(func() { f.hub.fileSize(f.t, 0) }, func() { f.hub.fileSize(f.t, unix.RLIM_INFINITY) }, 9*time.Second)},
		{"a computer's disk is full", during(func() { c = f.table(); c.fileSize(f.t, 0) }, func() { c.fileSize(f.t, unix.RLIM_INFINITY) }, 9*time.Second)},
		{"a journal is rolled back", func() { // where no decision is: those that it had would be lost
			c = f.tables[2]
			c.kill()
			f.cutFile(filepath.Join(c.state(), "b3-r1.bwj"))
			c.watch(f.t)
		}},
	}
}

// file is one of the hall's files below a directory.
func (f *faults) file(below string) (path string, size int64) {
	var all []string
	err := filepath.WalkDir(filepath.Join(f.hub.state(), "hall", below), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.Contains(path, ".lost-") {
			if info, e := d.Info(); e == nil && info.Size() > 0 {
				all = append(all, path)
			}
		}
		return err
	})
	if err != nil || len(all) == 0 {
		f.t.Fatal(err, all)
	}
	path = all[f.rand.IntN(len(all))]
	info, err := os.Stat(path)
	if err != nil {
		f.t.Fatal(err)
	}
	return path, info.Size()
}

func (f *faults) flip(below string) {
	path, size := f.file(below)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	at, b := f.rand.Int64N(size), make([]byte, 1)
	if _, err := file.ReadAt(b, at); err != nil {
		f.t.Fatal(err)
	}
	b[0] ^= 1 << f.rand.IntN(8)
	if _, err := file.WriteAt(b, at); err != nil {
		f.t.Fatal(err)
	}
	f.t.Logf("  %s at %d of %d", path, at, size)
}

func (f *faults) cut(below string) {
	path, _ := f.file(below)
	f.cutFile(path)
}

func (f *faults) cutFile(path string) {
	info, err := os.Stat(path)
	if err != nil {
		f.t.Fatal(err)
	}
	keep := info.Size() - f.rand.Int64N(info.Size()/2+1)
	if err := os.Truncate(path, keep); err != nil {
		f.t.Fatal(err)
	}
	f.t.Logf("  %s to %d of %d", path, keep, info.Size())
}

// A decider makes decisions about one finding, as a phone does: what was not answered is said again.
type decider struct {
	phone    *handset
	board    string
	answered []string
	waited   int
	direct   atomic.Int64   // answers that did not wait
	refused  map[string]int // answers that are no success, by their beginning
}

func (d *decider) state(ctx context.Context) (s apiState, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	status, text, err := d.phone.call(ctx, "GET", "/api/v1/boards/"+d.board, nil)
	return s, err == nil && status == http.StatusOK && json.Unmarshal(text, &s) == nil
}

func (d *decider) finding(ctx context.Context) (apiItem, bool) {
	s, _ := d.state(ctx)
	for _, i := range s.Findings {
		if i.Finding.State == "confirmed" {
			return i, true
		}
	}
	return apiItem{}, false
}

func (d *decider) decide(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		time.Sleep(50 * time.Millisecond) // a person
		i, ok := d.finding(ctx)
		if !ok {
			continue
		}
		w := decision(i, []string{"confirm", "undo"}[n%2])
		w.path = "/api/v1/boards/" + d.board + "/decisions"
		for ctx.Err() == nil {
			one, cancel := context.WithTimeout(ctx, 20*time.Second)
			status, saved, text, err := d.phone.send(one, w)
			cancel()
			if status != http.StatusOK && d.refused != nil {
				d.refused[fmt.Sprintf("%d %.40s %v", status, text, err != nil)]++
			}
			if err == nil && status == http.StatusOK && saved.Saved {
				d.answered = append(d.answered, w.request())
				if saved.Waits {
					d.waited++
				} else {
					d.direct.Add(1)
				}
				break
			}
			if err == nil && status >= 400 && status < 500 && status != http.StatusTooManyRequests {
				break // refused: something else was said of the finding
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// settled waits until nothing waits any more, and finds each decision that was answered in the board's journal once.
func (d *decider) settled(t *testing.T, c *tableComputer) (answered int) {
	t.Helper()
	eventually(t, "nothing waits for "+d.board, func() bool {
		s, ok := d.state(t.Context())
		return ok && len(s.Waiting) == 0
	}, func() string { s, _ := d.state(t.Context()); return fmt.Sprintf("%d decisions", len(s.Waiting)) })
	l, err := readLedger(c.state(), d.board+"-r1")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range l.of("decide") {
		var o struct{ Request string }
		if json.Unmarshal([]byte(e.body), &o) == nil {
			count[o.Request]++
		}
	}
	for _, request := range d.answered {
		if count[request] != 1 {
			t.Errorf("%s: the decision %s was answered and is in the journal %d times", d.board, request, count[request])
		}
	}
	for request, times := range count {
		if times > 1 {
			t.Errorf("%s: the decision %s is in the journal %d times", d.board, request, times)
		}
	}
	t.Logf("%s: %d decisions answered, of which %d waited; %d in the journal; answers %v", d.board, len(d.answered), d.waited, len(count), d.refused)
	return len(d.answered)
}

// middle is what lies between the computers and the hall.
type middle struct {
	listener net.Listener
	to       string
	stalled  atomic.Bool
	mu       sync.Mutex
	pairs    map[*pair]bool
}

// pair is one connection through it.
type pair struct {
	a, b net.Conn
	dead atomic.Bool // what comes is swallowed
}

func newMiddle(t *testing.T, to string) *middle {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &middle{listener: l, to: to, pairs: map[*pair]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", to)
			if err != nil {
				_ = a.Close()
				continue
			}
			p := &pair{a: a, b: b}
			m.mu.Lock()
			m.pairs[p] = true
			m.mu.Unlock()
			running.Go(func() { m.pass(p, a, b) })
			running.Go(func() { m.pass(p, b, a) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); m.reset(); running.Wait() })
	return m
}

func (m *middle) address() string { return m.listener.Addr().String() }

func (m *middle) pass(p *pair, from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		for m.stalled.Load() {
			time.Sleep(10 * time.Millisecond)
		}
		if n > 0 && !p.dead.Load() {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if p.dead.Load() { // the other end hears nothing of it either, until it gives up
				_, _ = io.Copy(io.Discard, to)
			}
			m.mu.Lock()
			delete(m.pairs, p)
			m.mu.Unlock()
			return
		}
	}
}

func (m *middle) stall(on bool) { m.stalled.Store(on) }

// swallow makes all connections half open: each end believes that the other is there.
func (m *middle) swallow() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range m.pairs {
		p.dead.Store(true)
	}
}

func (m *middle) reset() {
	m.stalled.Store(false)
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range m.pairs {
		for _, c := range []net.Conn{p.a, p.b} {
			if t, ok := c.(*net.TCPConn); ok {
				_ = t.SetLinger(0)
			}
			_ = c.Close()
		}
	}
}
