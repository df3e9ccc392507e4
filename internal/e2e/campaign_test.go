//go:build linux

package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/research/presses"
	"boardwatchd/internal/sharedtest"
)

// The campaign lets things go wrong while people of the generator play and an arbiter tells things all the time, and compares what is left
// with the truth. Its checker shares nothing with the program but the grammar of the journal.

// A peril is a kind of thing that goes wrong.
type peril struct {
	hall
	what  string
	root  bool // it can only be done by root
	trace bool // it needs strace
	long  bool // only the campaign does it, not its short form
}

// often is how often something goes wrong, about. A harm of some seconds takes as large a part of a shorter time.
const often = 40 * time.Second

var perils = []peril{
	{what: "nothing", hall: hall{name: "calm"}},
	{what: "kill -9", hall: hall{name: "kill", every: often, harm: kill}},
	{what: "kill -9, and again while journals are read", hall: hall{name: "kill-twice", every: often, harm: killTwice}},
	{what: "kill -9 at the N-th write to the disk", trace: true, long: true, hall: hall{name: "kill-at-call", every: often, harm: killAtCall}},
	{what: "fsync fails for some calls", trace: true, long: true, hall: hall{name: "fsync-fails", every: often, harm: fsyncFails}},
	{what: "the process stands still for 1 to 30 s", hall: hall{name: "standstill", every: often, harm: standstill}},
	{what: "the disk is full for 1 to 20 s", hall: hall{name: "full", every: often, harm: fullDisk}},
	{what: "the disk is read-only for 1 to 20 s", root: true, hall: hall{name: "read-only", every: often, harm: readOnly, setUp: ownDisk}},
	{what: "the journals are deleted while they are written", hall: hall{name: "deleted", every: often, harm: deleted}},
	{what: "the journals' directory is moved away", hall: hall{name: "moved", every: often, harm: movedAway}},
	{what: "cables are pulled and put back", hall: hall{name: "cables", o: presses.Options{Gaps: 80}}},
	{what: "bytes are lost and bits flipped", hall: hall{name: "noise", o: presses.Options{LostBytes: 50, FlippedBits: 50}}},
	{what: "strangers hold 600 connections", hall: hall{name: "strangers", every: often, harm: strangers}},
	{what: "any two of these at once", long: true, hall: hall{name: "two-at-once", every: often, harm: twoAtOnce, o: presses.Options{Gaps: 40}}},
}

// TestCampaign plays games for each kind of thing that goes wrong, for as long as a blitz game lasts, and writes a table.
//
//	make campaign
//
// is 4 boards for each. It fails where something that was answered "saved" is lost or doubled, where somebody is accused, where a journal
// does not verify, or where a paired phone is not answered.
func TestCampaign(t *testing.T) {
	boards, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_CAMPAIGN"))
	if boards < 1 {
		t.Skip("set BOARDWATCHD_CAMPAIGN to a number of boards; TestCampaignForSomeSeconds is the short form")
	}
	var table campaignTable
	t.Run("perils", func(t *testing.T) {
		for i := range perils {
			p := perils[i]
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.able(t)
				p.boards = boards
				p.o.Offences = 50
				p.blitz()
				table.add(i, p.run(t))
			})
		}
	})
	table.write(t)
}

// TestCampaignForSomeSeconds: the first plies of a few boards, one or two things that go wrong.
func TestCampaignForSomeSeconds(t *testing.T) {
	long(t)
	t.Parallel()
	for i := range perils {
		p := perils[i]
		if p.long || p.every == 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.able(t)
			p.boards, p.brief, p.every = 2, true, 4*time.Second
			p.o = presses.Options{Pace: presses.Blitz, Plies: 2, LeadInSec: 1, Habits: &presses.Habits{}}
			p.run(t)
		})
	}
}

// able skips what cannot be done here.
func (p *peril) able(t *testing.T) {
	t.Helper()
	if p.root && os.Geteuid() != 0 {
		t.Skip("only root can do this")
	}
	if _, err := exec.LookPath("strace"); p.trace && err != nil {
		t.Skip("strace is missing: apt-get install strace")
	}
}

// A campaignRow is what became of one kind.
type campaignRow struct {
	peril
	hallCount
	saved, lost, doubled int // what the arbiter told
	slowest              time.Duration
}

// run plays it.
func (p *peril) run(t *testing.T) campaignRow {
	row := campaignRow{peril: *p}
	var a *teller
	p.beside = func(t *testing.T, r *hallRunner) (end func()) {
		a = newTeller(t, r)
		return a.end
	}
	tables, _ := p.play(t)
	row.harmed = p.harmed
	for _, b := range tables {
		b.judge(t, &row.hallCount)
		lost, doubled := a.compare(b)
		row.lost += lost
		row.doubled += doubled
	}
	row.saved, row.slowest = a.count()
	row.tell(t)
	t.Logf("%d harms; %d answered saved, %d lost, %d doubled; the slowest answer to a phone took %v", row.harmed, row.saved, row.lost, row.doubled, row.slowest)
	if row.lost+row.doubled+row.accused > 0 {
		t.Errorf("%d answered \"saved\" and lost, %d doubled, %d accusations", row.lost, row.doubled, row.accused)
	}
	if row.saved == 0 {
		t.Error("nothing of what the arbiter told was saved")
	}
	return row
}

// A teller is an arbiter who tells something about every board again and again, and insists until it is saved.
type teller struct {
	phone *handset
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu      sync.Mutex
	saved   map[string][]string // by board: requests
	slowest time.Duration
	failed  []string
}

// newTeller pairs a phone with the daemon that has just begun.
func newTeller(t *testing.T, r *hallRunner) *teller {
	v := &venue{place: r.w, kept: map[string]string{}, patience: sharedtest.Patience(t)}
	v.ran(r.d)
	v.invited(t)
	a := &teller{phone: v.pair(t, "Ann"), saved: map[string][]string{}}
	ctx, cancel := context.WithCancel(t.Context())
	a.stop = cancel
	for i := range r.boards {
		a.done.Go(func() { a.tell(ctx, fmt.Sprintf("b%d", i+1)) })
	}
	return a
}

func (a *teller) tell(ctx context.Context, board string) {
	for n := 1; ctx.Err() == nil; n++ {
		request := fmt.Sprintf("campaign-%s-%06d", board, n)
		w := told{"/api/v1/boards/" + board + "/reports", map[string]any{"request": request, "what": "draw-offer", "side": "white"}}
		for ctx.Err() == nil {
			began := time.Now()
			status, saved, text, err := a.phone.send(ctx, w)
			a.mu.Lock()
			switch {
			case err == nil && status == http.StatusOK && saved.Saved:
				a.saved[board] = append(a.saved[board], request)
				a.slowest = max(a.slowest, time.Since(began))
			case err == nil && status != http.StatusServiceUnavailable:
				a.failed = append(a.failed, fmt.Sprintf("%s: %d %s", request, status, text))
			}
			a.mu.Unlock()
			wait(ctx, time.Second)
			if err == nil && status == http.StatusOK {
				break
			}
		}
		wait(ctx, time.Second)
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (a *teller) end() {
	a.stop()
	a.done.Wait()
}

func (a *teller) count() (saved int, slowest time.Duration) {
	for _, list := range a.saved {
		saved += len(list)
	}
	return saved, a.slowest.Round(time.Millisecond)
}

// compare looks for what was answered "saved" in a board's journal.
func (a *teller) compare(b *hallBoard) (lost, doubled int) {
	times := map[string]int{}
	for _, e := range b.log.of("instruct") {
		if _, after, ok := strings.Cut(e.body, `"request":"`); ok {
			request, _, _ := strings.Cut(after, `"`)
			times[request]++
		}
	}
	for _, request := range a.saved[b.name] {
		if times[request] == 0 {
			lost++
		}
	}
	for _, n := range times {
		doubled += n - 1
	}
	return lost, doubled
}

func killTwice(t *testing.T, r *hallRunner) {
	r.away(func() {
		r.d.kill()
		r.d = r.w.daemon(t, r.config)
		<-time.After(r.between(0, 300*time.Millisecond))
		r.d.kill()
		r.start(t)
	})
}

// strace runs strace on the program until that ends, strace ends, or the time is over.
func (r *hallRunner) strace(t *testing.T, most time.Duration, inject string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	cmd := exec.CommandContext(ctx, "strace", "-f", "-qq", "-p", strconv.Itoa(r.d.cmd.Process.Pid), "-o", os.DevNull, "-e", "trace=fdatasync,fsync", "-e", inject)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // it lets the program go on
	_ = cmd.Run()                                                           // it ends with the program, or with ctx
}

func killAtCall(t *testing.T, r *hallRunner) {
	r.strace(t, 20*time.Second, fmt.Sprintf("inject=fdatasync,fsync:signal=KILL:when=%d", 1+r.rng.IntN(40)))
	r.away(func() {
		r.d.kill() // where the call did not come
		r.start(t)
	})
}

func fsyncFails(t *testing.T, r *hallRunner) {
	n := 1 + r.rng.IntN(20)
	r.strace(t, r.between(2*time.Second, 10*time.Second), fmt.Sprintf("inject=fdatasync,fsync:error=EIO:when=%d..%d", n, n+r.rng.IntN(10)))
}

func fullDisk(t *testing.T, r *hallRunner) {
	r.d.fileSize(t, 0)
	<-time.After(r.between(time.Second, time.Second+19*r.every/40))
	r.d.fileSize(t, unix.RLIM_INFINITY)
}

// ownDisk gives the program a file system of its own.
func ownDisk(t *testing.T, r *hallRunner) {
	if err := os.Mkdir(r.w.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", r.w.state(), "tmpfs", 0, "size=256m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(r.w.state(), unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

func readOnly(t *testing.T, r *hallRunner) {
	// A file system with a file that is open for writing cannot be made read-only but by a bind mount over it.
	flags := uintptr(unix.MS_BIND | unix.MS_REMOUNT)
	for _, step := range []uintptr{unix.MS_BIND, flags | unix.MS_RDONLY} {
		if err := unix.Mount(r.w.state(), r.w.state(), "", step, ""); err != nil {
			t.Fatal(err)
		}
	}
	<-time.After(r.between(time.Second, time.Second+19*r.every/40))
	if err := unix.Unmount(r.w.state(), unix.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
}

func deleted(t *testing.T, r *hallRunner) {
	files, err := filepath.Glob(filepath.Join(r.w.state(), "*.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	newest := map[string]string{} // the segment that is being written: what is closed is not guarded
	for _, f := range files {
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		if last := newest[name]; len(f) > len(last) || len(f) == len(last) && f > last {
			newest[name] = f
		}
	}
	for _, f := range newest {
		if err := os.Remove(f); err != nil {
			t.Error(err)
		}
	}
}

func movedAway(t *testing.T, r *hallRunner) {
	away := r.w.path(fmt.Sprintf("moved-%d", r.harmed))
	if err := os.Rename(r.w.state(), away); err != nil {
		t.Fatal(err)
	}
	<-time.After(r.between(time.Second, 3*time.Second))
	// Who has moved it puts the closed segments back; what is there by then is the program's.
	files, err := filepath.Glob(filepath.Join(away, "*.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		to := filepath.Join(r.w.state(), filepath.Base(f))
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if err := os.MkdirAll(r.w.state(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(f, to); err != nil {
			t.Fatal(err)
		}
	}
}

func strangers(t *testing.T, r *hallRunner) {
	text, err := os.ReadFile(r.config)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "127.0.0.1:")
	port, _, _ := strings.Cut(rest, "'")
	var open []net.Conn
	for i := range 600 {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Errorf("connection %d: %v", i, err)
			break
		}
		_, _ = io.WriteString(c, strings.Repeat("\xff", i)) // what is no request at all
		open = append(open, c)
	}
	<-time.After(r.between(time.Second, 5*time.Second))
	for _, c := range open {
		_ = c.Close() // it may be closed already
	}
}

// twoAtOnce has no deletion: what is deleted and killed within a second is gone.
func twoAtOnce(t *testing.T, r *hallRunner) {
	all := []harm{kill, killTwice, standstill, fullDisk, strangers}
	one, other := r.rng.IntN(len(all)), r.rng.IntN(len(all))
	all[one](t, r)
	all[other](t, r)
}

// A campaignTable collects rows in the order of the perils.
type campaignTable struct {
	mu   sync.Mutex
	rows map[int]campaignRow
}

func (c *campaignTable) add(i int, row campaignRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = map[int]campaignRow{}
	}
	c.rows[i] = row
}

// write prints the table, and puts it into a file that is named.
func (c *campaignTable) write(t *testing.T) {
	var b strings.Builder
	b.WriteString("| what goes wrong | games | times | saved, lost, doubled | games exact | plies wrong, missing, not known of all | offences found | accused |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	order := make([]int, 0, len(c.rows))
	for i := range c.rows {
		order = append(order, i)
	}
	slices.Sort(order)
	for _, i := range order {
		r := c.rows[i]
		fmt.Fprintf(&b, "| %s | %d | %d | %d, %d, %d | %d | %d, %d, %d of %d | %d of %d | %d |\n",
			r.what, r.boards(), r.harmed, r.saved, r.lost, r.doubled, r.exact, r.wrong, r.missing, r.unknown, r.plies, r.found, r.certain, r.accused)
	}
	t.Logf("\n%s", b.String())
	if path := os.Getenv("BOARDWATCHD_CAMPAIGN_TABLE"); path != "" {
		text := "# The campaign, as it came out last\n\nWritten by `make campaign` on " + time.Now().UTC().Format(time.DateOnly) + "; `docs/faults.md` says what it is.\n\n" + b.String()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func (r *campaignRow) boards() int { return r.hallCount.boards }
