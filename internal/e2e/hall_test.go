//go:build linux

package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/research/presses"
	"boardwatchd/internal/sharedtest"
)

// A hall is many boards of people whom the project did not write (internal/research/presses), at pseudo terminals,
// watched by one process of the real program at the speed of life: faster, and the seconds of the clocks would not be
// seconds.
type hall struct {
	name   string
	o      presses.Options
	every  time.Duration // about so often something goes wrong; 0: never
	harm   harm          // what goes wrong
	hasty  bool          // there are scrambles of 6 to 20 plies, three a second, as often as the generator has them
	boards int
	harmed int                                            // how often something went wrong, after play
	absent [][2]time.Time                                 // when the program stood still or did not run, after play
	brief  bool                                           // the people do not stay at the table after the last press
	rest   time.Duration                                  // how long it is watched after its last press, lastLook at least
	more   string                                         // of the configuration
	setUp  func(t *testing.T, r *hallRunner)              // before the program starts; may be nil
	beside func(t *testing.T, r *hallRunner) (end func()) // something that goes on while they play; may be nil
}

// A harm is one thing that goes wrong, and it is over when it returns.
type harm func(t *testing.T, r *hallRunner)

// halls are what is measured. The three families of clocks take turns.
var halls = []hall{
	{name: "honest"},
	{name: "scrambles", hasty: true},
	{name: "offences", o: presses.Options{Offences: 150}},
	{name: "standstills", o: presses.Options{Offences: 50}, every: 40 * time.Second, harm: standstill},
	{name: "kills", o: presses.Options{Offences: 50}, every: 40 * time.Second, harm: kill},
	{name: "cables", o: presses.Options{Offences: 50, Gaps: 80}},
}

// TestHalls measures what the program makes of whole halls, for as long as a blitz game lasts, some six minutes. It
// prints rates and every difference; it fails where a journal does not verify.
//
//	BOARDWATCHD_HALLS=24 go test -v -timeout 30m -run 'TestHalls$' ./internal/e2e
//
// is 24 boards in each hall. BOARDWATCHD_HALLS_SEED is the first board's seed, 1 by default; BOARDWATCHD_E2E_KEEP keeps
// the journals.
func TestHalls(t *testing.T) {
	boards, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HALLS"))
	if boards < 1 {
		t.Skip("set BOARDWATCHD_HALLS to a number of boards; TestAHallForSomeSeconds is the short form")
	}
	for _, h := range halls {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			h.boards = boards
			h.blitz()
			tables, _ := h.play(t)
			var n hallCount
			for _, b := range tables {
				b.judge(t, &n)
			}
			n.tell(t)
		})
	}
}

// blitz lets the people play blitz, with scrambles only where the hall is hasty.
func (h *hall) blitz() {
	h.o.Pace = presses.Blitz
	if !h.hasty {
		calm := presses.DefaultHabits()
		calm.Scramble = 0
		h.o.Habits = &calm
	}
}

// TestAHallForSomeSeconds: the first plies of several boards with all families of clocks, watched by one process that
// stands still once. The players do nothing unusual: every ply is known, nobody is accused, and every journal verifies.
func TestAHallForSomeSeconds(t *testing.T) {
	long(t)
	t.Parallel()
	h := hall{boards: 6, brief: true, every: 4 * time.Second, harm: standstill, o: presses.Options{
		Pace: presses.Blitz, Plies: 2, LeadInSec: 1, Habits: &presses.Habits{},
	}}
	tables, late := h.play(t)
	if late > 100*time.Millisecond {
		t.Skipf("the boards were %v late: on this machine it is not known when they sent what", late)
	}
	for _, b := range tables {
		var n hallCount
		b.judge(t, &n)
		if n.exact != 1 || n.accused != 0 {
			t.Errorf("board %s: %+v", b.name, n)
		}
	}
}

// lastLook is how long a hall is watched after its last press: within it, what was wrong is reported.
const lastLook = 3 * time.Second

// A hallBoard is a table of the generator as a device, and what became of it.
type hallBoard struct {
	*presses.Table
	now    int64
	sent   []byte // that the host was sent
	pulls  int
	more   atomic.Int64 // pulls that the generator knows nothing of
	plight plight
	late   int64 // how late it has come to something at most
	over   int64 // the game is taken to be over then; 0: when the generator says so

	name   string
	began  time.Time // its time 0
	absent []absence // of the program, in its time
	log    ledger
}

// An absence is a time in which the program stood still or did not run.
type absence struct{ from, to int64 }

func (b *hallBoard) Now() int64 { return b.now }

func (b *hallBoard) Done() bool { return b.Table.Done() || b.over != 0 && b.now >= b.over }

func (b *hallBoard) Cable() (in bool, pulls int) {
	return b.Connected() && !b.plight.away.Load(), b.pulls + int(b.more.Load())
}

func (b *hallBoard) Advance(to int64, emit func(at int64, p []byte)) {
	if at, ok := b.NextEvent(); ok {
		b.late = max(b.late, to-at)
	}
	in := b.Connected()
	send := func(at int64, p []byte) {
		b.sent = append(b.sent, p...)
		emit(at, p)
	}
	b.Table.Advance(to, func(at int64, p []byte) { send(at, b.plight.pass(p)) })
	send(to, b.plight.garbage())
	b.now = to
	if in && !b.Connected() {
		b.pulls++
	}
}

// hallsPlayed is how often each short form has been played, by its test's name.
var hallsPlayed sync.Map

// play watches a hall until all games are over. It returns the boards and how late they were at most, which is this
// machine's fault.
func (h *hall) play(t *testing.T) (tables []*hallBoard, late time.Duration) {
	w := newPlace(t)
	first, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HALLS_SEED"))
	first = max(first, 1)
	if h.brief { // repeated, it is played by others
		times, _ := hallsPlayed.LoadOrStore(t.Name(), new(atomic.Int64))
		first += int(times.(*atomic.Int64).Add(1)-1) * h.boards
	}
	var list strings.Builder
	for i := range h.boards {
		b := &hallBoard{name: fmt.Sprintf("b%d", i+1)}
		o := h.o
		o.Seed = uint64(first + i)
		o.Clock = presses.EventClock + presses.Kind(i%3)
		b.Table = presses.New(o)
		if plies := b.Truth().Plies; h.brief {
			b.over = plies[len(plies)-1].PressAt + second
		}
		tables = append(tables, b)
		fmt.Fprintf(&list, "  - name: %s\n    port: %s\n", b.name, w.path(b.name))
	}
	page := ownPage
	if h.beside != nil {
		page = fmt.Sprintf("http: {listen: '127.0.0.1:%d', secure: off}\n", freePort(t))
	}
	config := w.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\n%s%sboards:\n%s", w.path("state"), page, h.more, list.String()))
	r := &hallRunner{hall: h, w: w, config: config, rng: rand.New(rand.NewPCG(uint64(first), uint64(h.boards))), tables: tables}
	if h.setUp != nil {
		h.setUp(t, r)
	}
	r.start(t)
	end := func() {}
	if h.beside != nil {
		end = h.beside(t, r)
	}
	var served []*emulated
	for _, b := range tables {
		b.began = time.Now()
		served = append(served, serveBoard(t, b, 1, w.path(b.name)))
	}
	for _, s := range served {
		r.until(t, s.played)
	}
	// What was pressed last is looked at twice.
	quiet := make(chan struct{})
	time.AfterFunc(max(lastLook, h.rest), func() { close(quiet) })
	h.every = 0
	r.until(t, quiet)
	end()
	for _, s := range served {
		s.stop()
	}
	r.d.stopped(t)
	for _, b := range tables {
		late = max(late, time.Duration(b.late)*time.Microsecond)
		for _, a := range r.absent {
			b.absent = append(b.absent, absence{a[0].Sub(b.began).Microseconds(), a[1].Sub(b.began).Microseconds()})
		}
		b.read(t, w)
	}
	h.harmed, h.absent = r.harmed, r.absent
	t.Logf("%d boards, %d times harmed, boards at most %v late", h.boards, r.harmed, late.Round(time.Millisecond))
	return tables, late
}

// read checks a board's journal and takes it over.
func (b *hallBoard) read(t *testing.T, w place) {
	t.Helper()
	name := b.name + "-r1"
	path := filepath.Join(w.state(), name+".bwj")
	if r := w.run(t, "", "verify", path); r.status != 0 && !strings.Contains(r.out, "torn") || !strings.Contains(r.out, "closed") && r.status == 0 {
		t.Errorf("verify %s: status %d: %s", name, r.status, r.out)
	}
	if dir := os.Getenv("BOARDWATCHD_E2E_KEEP"); dir != "" {
		to := filepath.Join(dir, fileName(t.Name()))
		if err := os.MkdirAll(to, 0o755); err != nil {
			t.Fatal(err)
		}
		for n := 1; ; n++ {
			from := segmentPath(w.state(), name, n)
			text, err := os.ReadFile(from)
			if err != nil {
				break
			}
			if err := os.WriteFile(filepath.Join(to, filepath.Base(from)), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.log = mustRead(t, w.state(), name)
}

// A hallRunner starts the program, lets it stand still, and kills it.
type hallRunner struct {
	*hall
	w      place
	config string
	rng    *rand.Rand
	d      *process
	boot   []string       // what starts the program, "unshare" for example; empty: it is started as it is
	absent [][2]time.Time // when the program stood still or did not run
	harmed int
	tables []*hallBoard
	// resent reports that an arbiter was refused and has sent the same again; nil where no arbiter enters anything.
	resent   <-chan struct{}
	answered <-chan struct{} // the same of an arbiter who was answered "saved"
	ahead    <-chan struct{} // … with a head that is past the record
	url      string          // of the page; "" where no arbiter enters anything
	cookie   string          // of the arbiter's phone
	radio    *radio          // of that phone, in rows in which it is lost; else nil
	hook     *receiver       // of alerts; nil where no arbiter enters anything
	silent   *atomic.Bool    // no arbiter decides anything meanwhile; nil where none does
}

func (r *hallRunner) start(t *testing.T) {
	t.Helper()
	cmd := r.w.command(context.Background(), "run", "-c", r.config)
	if r.boot != nil {
		path, err := exec.LookPath(r.boot[0])
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path, cmd.Args = path, slices.Concat(r.boot, cmd.Args)
	}
	r.d = start(t, cmd)
	for range r.boards {
		r.d.err.await(t, `"message":"watching"`)
	}
}

// until does harm to the program again and again until something has happened.
func (r *hallRunner) until(t *testing.T, done <-chan struct{}) {
	t.Helper()
	for {
		var next <-chan time.Time
		if r.every > 0 {
			next = time.After(r.every/2 + time.Duration(r.rng.Int64N(int64(r.every))))
		}
		select {
		case <-done:
			return
		case <-next:
			r.harm(t, r)
			r.harmed++
		case <-sharedtest.Hung(t):
			t.Fatal("the games do not end")
		}
	}
}

// away notes an absence of the program.
func (r *hallRunner) away(do func()) {
	from := time.Now()
	do()
	r.absent = append(r.absent, [2]time.Time{from, time.Now()})
}

// between is a random time.
func (r *hallRunner) between(least, most time.Duration) time.Duration {
	return least + time.Duration(r.rng.Int64N(int64(most-least)))
}

func kill(t *testing.T, r *hallRunner) {
	r.away(func() {
		r.d.kill()
		r.start(t)
	})
}

func standstill(t *testing.T, r *hallRunner) {
	r.away(func() {
		r.d.signal(t, syscall.SIGSTOP)
		<-time.After(r.between(time.Second, time.Second+29*r.every/40))
		r.d.signal(t, syscall.SIGCONT)
	})
}
