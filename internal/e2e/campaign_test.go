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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/research/presses"
	"boardwatchd/internal/sharedtest"
)

// The campaign lets things go wrong while people of the generator play and an arbiter enters reports all the time, and
// compares what is left with the truth. Its checker shares nothing with the program but the grammar of the journal.

// A peril is a kind of thing that goes wrong.
type peril struct {
	hall
	what  string
	fault string // of the table in docs/faults.md; "": none
	root  bool   // it can only be done by root
	tool  string // a command that it needs
	long  bool   // only the campaign does it, not its short form
	short bool   // only the short form does it
	early bool   // the short form does it first while nobody plays
	times int    // how many times as many boards; 0: once
	keeps bool   // the program is started again, and its disk takes all it writes: no message comes again for that
	// leaves is a kind of record, or "restart", that each harm leaves in each journal; "": none.
	leaves string
}

// often is how often something goes wrong, about. A harm of some seconds takes as large a part of a shorter time.
const often = 40 * time.Second

// smallSegments let a journal turn to its next segment again and again during play.
const smallSegments = "journal: {segment: 64KiB}\n"

var perils = []peril{
	{what: "nothing", hall: hall{name: "calm", more: smallSegments}},
	{what: "kill -9", fault: "F05", keeps: true, leaves: "restart", hall: hall{name: "kill", every: often, harm: killed, more: smallSegments}},
	{what: "kill -9, and again while journals are read", fault: "F05", keeps: true, leaves: "restart", hall: hall{name: "kill-twice", every: often, harm: killTwice}},
	{what: "kill -9 at the N-th write to the disk", fault: "F05", tool: "strace", leaves: "restart", hall: hall{name: "kill-at-call", every: often, harm: killAtCall}},
	{what: "the computer starts again, with another uptime", fault: "F05, F09", root: true, tool: "unshare", keeps: true, leaves: "restart", hall: hall{name: "reboot", every: often, harm: reboot}},
	{what: "the power fails: ext4 keeps what was synced, and the computer starts again", fault: "F06", root: true, tool: "unshare", leaves: "restart",
		hall: hall{name: "power", every: often, harm: powerCut, setUp: ownExt4, more: smallSegments}},
	{what: "fsync fails for some calls", fault: "F08", tool: "strace", hall: hall{name: "fsync-fails", every: often, harm: fsyncFails}},
	{what: "the process stands still for 1 to 30 s", fault: "F16", leaves: "late", early: true, hall: hall{name: "standstill", every: often, harm: standsStill, more: smallSegments}},
	{what: "the disk is full for 1 to 20 s", fault: "F07", hall: hall{name: "full", every: often, harm: fullDisk}},
	{what: "the disk is full until phones are refused and tell it again, then kill -9", fault: "F05, F07", leaves: "restart", hall: hall{name: "full-kill", every: often, harm: fullThenKill}},
	{what: "the disk is full, and the program is started again meanwhile", fault: "F05, F07", long: true, leaves: "restart", hall: hall{name: "full-restart", every: often, harm: fullRestart}},
	{what: "the receiver of alerts fails, and kill -9 meanwhile", fault: "F05, F10", long: true, keeps: true, leaves: "restart", hall: hall{name: "receiver", every: often, harm: receiverFails}},
	{what: "the disk is read-only for 1 to 20 s", fault: "F08", root: true, tool: "strace", hall: hall{name: "read-only", every: often, harm: readOnly, setUp: ownDisk}},
	{what: "the journals are deleted while they are written", fault: "F08", hall: hall{name: "deleted", every: often, harm: deleted}},
	{what: "the journals' directory is moved away", fault: "F08", hall: hall{name: "moved", every: often, harm: movedAway}},
	{what: "cables are pulled and put back", fault: "F01", hall: hall{name: "cables", o: presses.Options{Gaps: 80}}},
	{what: "all cables are pulled and put back", short: true, leaves: "down", hall: hall{name: "pulled", every: often, harm: pulled}},
	{what: "a hub fails: all cables are out, and the boards come back one after the other at other ports", fault: "F11", long: true, leaves: "down", hall: hall{name: "hub", every: often, harm: hubFails}},
	{what: "the clocks are unplugged for 2 to 10 s", fault: "F04", long: true, hall: hall{name: "clocks", every: often, harm: clocksOut}},
	{what: "the boards fall silent for 8 to 12 s", fault: "F17", long: true, hall: hall{name: "silent", every: often, harm: muted}},
	{what: "the boards send any bytes, as fast as the line takes them", fault: "F15, F19", hall: hall{name: "garbage", every: often, harm: babbled}},
	{what: "another program reads at the ports for 1 to 3 s", fault: "F18", hall: hall{name: "intruders", every: often, harm: intruders}},
	{what: "the arbiter's phone has no Wi-Fi for 1 to 15 s", fault: "F10", hall: hall{name: "wifi", every: often, harm: radioLost}},
	{what: "50 phones follow the feed and do not read", fault: "F12", hall: hall{name: "sleepy", every: often, harm: sleepyPhones}},
	{what: "kill -9, and the configuration is wrong at the next start", fault: "F05, F14", keeps: true, leaves: "restart", hall: hall{name: "misconfigured", every: often, harm: misconfigured}},
	{what: "bytes are lost and bits flipped", fault: "F02, F03", hall: hall{name: "noise", o: presses.Options{LostBytes: 50, FlippedBits: 50}}},
	{what: "strangers hold 600 connections", fault: "F13", hall: hall{name: "strangers", every: often, harm: comeAndGo}},
	{what: "any two of these at once, at five times as many boards", fault: "F23", long: true, times: 5, hall: hall{name: "two-at-once", every: often, harm: twoAtOnce, o: presses.Options{Gaps: 40}}},
}

// TestCampaign plays games for each kind of thing that goes wrong, for as long as a blitz game lasts, and writes a
// table.
//
//	make campaign
//
// is 4 boards for each. It fails where something that was answered "saved" is lost or doubled, where somebody is
// accused, where a journal does not verify, or where a paired phone is not answered.
func TestCampaign(t *testing.T) {
	boards, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_CAMPAIGN"))
	if boards < 1 {
		t.Skip("set BOARDWATCHD_CAMPAIGN to a number of boards; TestCampaignForSomeSeconds is the short form")
	}
	var table campaignTable
	t.Run("perils", func(t *testing.T) {
		for i := range perils {
			p := perils[i]
			if p.short {
				continue
			}
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.able(t)
				p.boards = boards * max(1, p.times)
				p.o.Offences = 50
				p.rest = saidInQuiet
				p.blitz()
				if n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_CAMPAIGN_PLIES")); n > 0 { // to try a row
					p.o.Plies, p.every = n, p.every/4
				}
				table.add(i, p.run(t))
			})
		}
	})
	table.write(t)
}

// saidInQuiet is how long a board must rest until it is said that its plies are not known, and some seconds more.
const saidInQuiet = 14 * time.Second

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
			if p.early {
				p.every, p.o.LeadInSec = time.Second, 9
			}
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
	if _, err := exec.LookPath(p.tool); p.tool != "" && err != nil {
		t.Skipf("the command %s is missing: apt-get install strace util-linux", p.tool)
	}
}

// A campaignRow is what became of one kind.
type campaignRow struct {
	peril
	hallCount
	saved, lost, doubled int  // what the arbiter told
	alerts               int  // messages that left the program, each once
	held                 bool // all that is compared agreed
	slowest              time.Duration
}

// run plays it.
func (p *peril) run(t *testing.T) campaignRow {
	row := campaignRow{peril: *p}
	hook := p.hooked(t)
	var a *teller
	p.beside = func(t *testing.T, r *hallRunner) (end func()) {
		a = newTeller(t, r)
		r.hook, r.silent = hook, &a.silent
		r.resent, r.answered, r.ahead = a.again, a.answered, a.ahead
		return func() {
			a.end(t)
			r.checkHealed(t, a)
		}
	}
	tables, late := p.play(t)
	row.harmed = p.harmed
	for _, b := range tables {
		b.judge(t, &row.hallCount)
		lost, doubled := a.compare(t, b)
		p.compare(t, b, late)
		if p.name != "intruders" { // they have some of it
			b.checkReceived(t)
		}
		p.checkSilence(t, b, late)
		b.checkStandstills(t, late)
		if !p.brief {
			b.checkNoise(t, late)
		}
		row.lost += lost
		row.doubled += doubled
	}
	row.saved, row.slowest = a.count()
	row.alerts = p.compareAlerts(t, hook, tables, row.slowest)
	if !p.brief {
		p.checkAgain(t, hook, late)
	}
	row.tell(t)
	t.Logf("%d harms; %d answered saved, %d lost, %d doubled; %d alerts sent; the slowest answer to a phone took %v",
		row.harmed, row.saved, row.lost, row.doubled, row.alerts, row.slowest)
	if row.lost+row.doubled+row.accused > 0 {
		t.Errorf("%d answered \"saved\" and lost, %d doubled, %d accusations", row.lost, row.doubled, row.accused)
	}
	if p.brief && row.wrong > 0 && late < 100*time.Millisecond { // on a later machine it is not known when the boards sent what
		t.Errorf("%d plies are wrong", row.wrong)
	}
	if row.saved == 0 {
		t.Error("nothing of what the arbiter told was saved")
	}
	row.held = !t.Failed()
	return row
}

// A teller is an arbiter who tells something about every board again and again, and insists until it is saved. Each
// thing is sent twice at once, as by a finger that shakes, and once more later, as by a phone that has missed the
// answer.
type teller struct {
	phone  *handset
	silent atomic.Bool // nothing is decided meanwhile
	stop   context.CancelFunc
	done   sync.WaitGroup

	mu       sync.Mutex
	saved    map[string][]answer // by board
	slowest  time.Duration
	failed   []string
	late     chan struct{} // closed when all has been mended for long
	again    chan struct{} // somebody was answered "not saved", and sends the same again
	answered chan struct{} // somebody was answered "saved"
	ahead    chan struct{} // … with a head that is past the record
}

// An answer is what the arbiter was answered.
type answer struct {
	request string
	apiSaved
}

// newTeller pairs a phone with the daemon that has just begun.
func newTeller(t *testing.T, r *hallRunner) *teller {
	v := &venue{place: r.w, kept: map[string]string{}, patience: sharedtest.Patience(t)}
	v.ran(r.d)
	v.invited(t)
	a := &teller{
		phone: v.pair(t, "Ann"), saved: map[string][]answer{},
		late: make(chan struct{}), again: make(chan struct{}, 1), answered: make(chan struct{}, 1), ahead: make(chan struct{}, 1),
	}
	r.url, r.cookie = v.url, a.phone.cookie
	if r.name == "wifi" || r.name == "two-at-once" {
		r.radio = newRadio(t, v.url)
		v.url = r.radio.url()
	}
	ctx, cancel := context.WithCancel(t.Context())
	a.stop = cancel
	a.done.Go(func() { a.resume(ctx, r.url, r.cookie) })
	for i := range r.boards {
		board := fmt.Sprintf("b%d", i+1)
		a.done.Go(func() { a.tell(ctx, board) })
		a.done.Go(func() { a.rule(ctx, board) })
	}
	return a
}

// tell tells until ctx ends, and then once more: all is mended by then.
func (a *teller) tell(ctx context.Context, board string) {
	before := ""
	for n := 1; ; n++ {
		last := ctx.Err() != nil
		request := fmt.Sprintf("campaign-%s-%06d", board, n)
		for tries := 0; !a.pressTwice(board, request); tries++ {
			select {
			case <-a.late:
				a.fail("%s: not saved, though all is mended", request)
				return
			case <-time.After(time.Second):
			}
			if tries == 0 {
				tellOf(a.again)
			}
		}
		if before != "" {
			a.press(board, before)
		}
		before = request
		if last {
			return
		}
		wait(ctx, time.Second)
	}
}

// pressTwice sends a request twice at once. True says that it was answered "saved".
func (a *teller) pressTwice(board, request string) bool {
	other := make(chan bool, 1)
	go func() { other <- a.press(board, request) }()
	one := a.press(board, request)
	return <-other || one
}

func (a *teller) press(board, request string) (ok bool) {
	w := told{"/api/v1/boards/" + board + "/reports", map[string]any{"request": request, "what": "draw-offer", "side": "white"}}
	began := time.Now()
	status, saved, text, err := a.phone.send(context.Background(), w)
	switch {
	case err != nil: // it was killed
		return false
	case status == http.StatusServiceUnavailable:
		return false
	case status != http.StatusOK || !saved.Saved:
		a.fail("%s: %d %s", request, status, text)
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.saved[board] = append(a.saved[board], answer{request, saved})
	a.slowest = max(a.slowest, time.Since(began))
	tellOf(a.answered)
	if saved.Head.Seq > saved.Seq {
		tellOf(a.ahead)
	}
	return true
}

// tellOf sends the signal that something has happened, without waiting for a receiver.
func tellOf(what chan<- struct{}) {
	select {
	case what <- struct{}{}:
	default: // it was told already
	}
}

func (a *teller) fail(format string, values ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed = append(a.failed, fmt.Sprintf(format, values...))
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// longMended is when all must be saved again: a disk is tried every 10 s, a request of which nothing is known after 30
// s.
const longMended = time.Minute

func (a *teller) end(t *testing.T) {
	a.stop()
	late := time.AfterFunc(longMended, func() { close(a.late) })
	a.done.Wait()
	late.Stop()
	for _, f := range a.failed {
		t.Error(f)
	}
}

func (a *teller) count() (saved int, slowest time.Duration) {
	for _, list := range a.saved {
		saved += len(list)
	}
	return saved, a.slowest.Round(time.Millisecond)
}

// compare looks for what was answered "saved" in a board's journal: the record has the number that was answered, and
// the head that came with it is a record's, that one or a later one.
func (a *teller) compare(t *testing.T, b *hallBoard) (lost, doubled int) {
	times := map[string]int{}
	for _, e := range append(b.log.of("instruct"), b.log.of("decide")...) {
		if request := requestOf(e); request != "" { // the program's own notes about alerts have none
			times[request]++
		}
	}
	at := func(seq int64) entry {
		if seq < 1 || seq > int64(len(b.log.entries)) {
			return entry{}
		}
		return b.log.entries[seq-1]
	}
	for _, s := range a.saved[b.name] {
		if times[s.request] == 0 {
			lost++
		}
		if e := at(s.Seq); e.kind != "instruct" && e.kind != "decide" || requestOf(e) != s.request {
			t.Errorf("%s: answered as record %d, which is %q", s.request, s.Seq, e.body)
		}
		if h := s.Head; h.Seq != 0 && (h.Seq < s.Seq || at(h.Seq).chain != h.Chain) {
			t.Errorf("%s: record %d was answered with the head %+v, and the journal has the chain %q there", s.request, s.Seq, h, at(h.Seq).chain)
		}
	}
	for request, n := range times {
		if doubled += n - 1; n > 1 {
			t.Logf("%s: %s is recorded %d times", b.name, request, n)
		}
	}
	return lost, doubled
}

func requestOf(e entry) string {
	_, after, _ := strings.Cut(e.body, `"request":"`)
	request, _, _ := strings.Cut(after, `"`)
	return request
}

// compare looks in a board's journal for what the program must have done about what went wrong.
func (p *peril) compare(t *testing.T, b *hallBoard, late time.Duration) {
	t.Helper()
	kinds := map[string]int{}
	var up entry
	asked, commands := true, 0
	for i, e := range b.log.entries {
		kinds[e.kind]++
		switch e.kind {
		case "up":
			up, asked, commands = e, false, 0
		case "tx":
			asked = asked || e.body == "42" // the dump
			if commands++; !asked && commands == 5 {
				t.Errorf("%s: the port was opened at record %d, and the board was sent five commands and not asked for its position before record %d", b.name, up.seq, e.seq)
			}
		case "open", "down", "close":
			if !asked && e.at-up.at > (longUp+20*late).Microseconds() {
				t.Errorf("%s: the port was opened at record %d, and the board was not asked for its position before record %d", b.name, up.seq, e.seq)
			}
			asked = true
		}
		if !isRestart(e) {
			continue
		}
		kinds["restart"]++
		for _, next := range b.log.entries[i+1:] {
			if next.kind == "say" || next.kind == "tx" { // owed from before
				continue
			}
			if next.kind != "gap" && next.kind != "open" { // it may have been killed again
				t.Errorf("%s: restarted at record %d, and record %d after it is no gap but %s", b.name, e.seq, next.seq, next.kind)
			}
			break
		}
	}
	if n := kinds[p.leaves]; p.leaves != "" && n < p.harmed {
		t.Errorf("%s: harmed %d times, and the journal has %d records %q", b.name, p.harmed, n, p.leaves)
	}
	b.checkTime(t, late)
}

// longUp is a time in which a board that is there has been asked for its position.
const longUp = 5 * time.Second

func isRestart(e entry) bool {
	return e.kind == "open" && strings.Contains(e.body, `"cause":"restart"`)
}

// killed is kill, and a while in which the program does not run.
func killed(t *testing.T, r *hallRunner) {
	shown := r.shownMore(t)
	r.away(func() {
		r.d.kill()
		r.checkShown(t, shown)
		<-time.After(r.between(2*time.Second, 3*time.Second))
		r.start(t)
	})
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
func (r *hallRunner) strace(t *testing.T, most time.Duration, calls, inject string, more ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	r.straceUntil(ctx, calls, inject, more...)
}

func (r *hallRunner) straceUntil(ctx context.Context, calls, inject string, more ...string) {
	cmd := exec.CommandContext(ctx, "strace", append([]string{"-f", "-qq", "-p", strconv.Itoa(r.d.cmd.Process.Pid), "-o", os.DevNull,
		"-e", "trace=" + calls, "-e", "inject=" + calls + ":" + inject}, more...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // it lets the program go on
	cmd.WaitDelay = 2 * time.Second                                         // then it is killed: it may hang when the program is gone
	_ = cmd.Run()                                                           // it ends with the program, or with ctx
}

// killAtCall does it several times in the short form: what is met by chance is met more often then.
func killAtCall(t *testing.T, r *hallRunner) {
	times := 1
	if r.brief {
		times = 5
	}
	for range times {
		if r.brief || r.rng.IntN(2) == 0 { // what the program concludes is written after what it has concluded it from
			r.strace(t, 20*r.every/40, "write", fmt.Sprintf("signal=KILL:when=%d", 1+r.rng.IntN(3)), written(t, r)...)
		} else {
			r.strace(t, 20*time.Second, "fdatasync,fsync", fmt.Sprintf("signal=KILL:when=%d", 1+r.rng.IntN(40)))
		}
		r.away(func() {
			r.d.kill() // where the call did not come
			r.start(t)
		})
	}
}

func fsyncFails(t *testing.T, r *hallRunner) {
	n, most := 1+r.rng.IntN(20), 10*time.Second
	if r.brief {
		n, most = 1+r.rng.IntN(3), 3*time.Second
	}
	r.strace(t, r.between(2*time.Second, most), "fdatasync,fsync", fmt.Sprintf("error=EIO:when=%d..%d", n, n+r.rng.IntN(10)))
}

func fullDisk(t *testing.T, r *hallRunner) {
	r.fillMidLine(t)
	r.untilTold(t)
	<-time.After(r.between(time.Second, time.Second+19*r.every/40))
	r.d.fileSize(t, unix.RLIM_INFINITY)
}

// fullThenKill: what was not on the disk is gone with the program, and nobody may have been answered that it was.
func fullThenKill(t *testing.T, r *hallRunner) {
	select {
	case <-r.resent: // of an earlier time
	default:
	}
	r.d.fileSize(t, 0)
	select {
	case <-r.resent: // after the 10 s for which a phone waits
		<-time.After(300 * time.Millisecond)
	case <-time.After(14 * time.Second): // nobody was refused: what is saved will tell
	}
	r.untilTold(t)
	kill(t, r)
}

// pulled pulls all cables at once.
func pulled(t *testing.T, r *hallRunner) {
	for _, b := range r.tables {
		b.more.Add(1)
	}
	for range r.tables {
		r.d.err.await(t, `"message":"board lost; looking for it"`)
	}
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

// ownExt4 gives the program an ext4 of its own, in a file.
func ownExt4(t *testing.T, r *hallRunner) {
	image := r.w.path("ext4")
	if err := os.Mkdir(r.w.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 256<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", image).CombinedOutput(); err != nil {
		t.Skipf("no ext4 can be made here: %v: %s", err, out)
	}
	if out, err := r.mountExt4(); err != nil {
		t.Skipf("no ext4 can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(r.w.state(), unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

func (r *hallRunner) mountExt4() (out []byte, err error) {
	return exec.Command("mount", "-o", "loop", r.w.path("ext4"), r.w.state()).CombinedOutput()
}

// shutExt4 is EXT4_IOC_SHUTDOWN of ext4's own tests, and noLogFlush its flag for a power cut: from now on nothing
// reaches the disk, and what was not synced is lost.
const (
	shutExt4   = 0x8004587d
	noLogFlush = 2
)

// powerCut lets the power fail when somebody has just been answered that a record is saved, in the campaign after the
// beginning of a segment; and then when the head of such an answer stands for later records too, in the second life of
// a program whose first one was killed.
func powerCut(t *testing.T, r *hallRunner) {
	if r.brief || r.harmed%2 == 0 {
		if !r.brief {
			r.untilRotated(t)
		}
		awaitSoon(r.answered)
		r.cutPower(t)
	}
	if r.brief || r.harmed%2 == 1 {
		r.shownMore(t) // it is written, and will not have been synced
		kill(t, r)
		awaitSoon(r.ahead)
		r.cutPower(t)
	}
}

// cutPower stops the program first, so that it does nothing between the end of its disk and its own.
func (r *hallRunner) cutPower(t *testing.T) {
	t.Helper()
	r.away(func() {
		r.d.signal(t, syscall.SIGSTOP)
		dir, err := os.Open(r.w.state())
		if err == nil {
			err = unix.IoctlSetPointerInt(int(dir.Fd()), shutExt4, noLogFlush)
			_ = dir.Close() // it is only read
		}
		if err != nil {
			t.Fatal(err)
		}
		r.d.kill()
		if err := unix.Unmount(r.w.state(), 0); err != nil {
			t.Fatal(err)
		}
		if out, err := r.mountExt4(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		r.rebooted(t)
	})
}

// reboot is the end of the computer as the program knows it: its uptime is another one after it, and so is the identity
// of the boot. The wall clock cannot be set for one program alone.
func reboot(t *testing.T, r *hallRunner) {
	r.away(func() {
		r.d.kill()
		r.rebooted(t)
	})
}

// rebooted starts the program in a time namespace of its own.
func (r *hallRunner) rebooted(t *testing.T) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		t.Fatal(err)
	}
	ahead := strconv.FormatInt(r.rng.Int64N(200_000)-now.Sec+10, 10)
	r.boot = []string{"unshare", "--time", "--boottime", ahead, "--monotonic", ahead, "env", "BOARDWATCHD_BOOT_ID=boot" + ahead}
	r.start(t)
}

// readOnly makes the disk read-only. A file system with a file that is open for writing cannot be made so but by a bind
// mount over it, which is seen by who opens a file only: what is open is given the same answer by strace, until the
// program has told that.
func readOnly(t *testing.T, r *hallRunner) {
	flags := uintptr(unix.MS_BIND | unix.MS_REMOUNT)
	files := written(t, r)
	for _, step := range []uintptr{unix.MS_BIND, flags | unix.MS_RDONLY} {
		if err := unix.Mount(r.w.state(), r.w.state(), "", step, ""); err != nil {
			t.Fatal(err)
		}
	}
	ctx, told := context.WithCancel(t.Context())
	var strace sync.WaitGroup
	strace.Go(func() { r.straceUntil(ctx, "write", "error=EROFS", files...) })
	r.untilTold(t)
	told()
	strace.Wait()
	<-time.After(r.between(time.Second, time.Second+19*r.every/40))
	if err := unix.Unmount(r.w.state(), unix.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
}

// written are the arguments with which strace looks at calls about the segments that are being written only.
func written(t *testing.T, r *hallRunner) (args []string) {
	t.Helper()
	for _, f := range newest(t, r) {
		args = append(args, "-P", f)
	}
	return args
}

// newest are the segments that are being written: what is closed is not guarded.
func newest(t *testing.T, r *hallRunner) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.w.state(), "*.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	newest := map[string]string{}
	for _, f := range files {
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		if last := newest[name]; len(f) > len(last) || len(f) == len(last) && f > last {
			newest[name] = f
		}
	}
	return newest
}

// deleted deletes them, and once more what was written again.
func deleted(t *testing.T, r *hallRunner) {
	files := newest(t, r)
	for range 2 {
		sizes := map[string]int64{}
		for _, f := range files {
			info, err := os.Stat(f)
			if err == nil {
				sizes[f] = info.Size()
				err = os.Remove(f)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		sharedtest.Until(t, "all are written again, with more after it", func() bool {
			for f, size := range sizes {
				if info, err := os.Stat(f); err != nil || info.Size() <= size {
					return false
				}
			}
			return true
		})
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
	back := time.Now().Add(sharedtest.Patience(t)) // right after a kill nobody listens for a moment
	for i := range 600 {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		for err != nil && time.Now().Before(back) {
			wait(t.Context(), 50*time.Millisecond)
			c, err = net.Dial("tcp", "127.0.0.1:"+port)
		}
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
	all := []harm{kill, killTwice, standstill, fullDisk, strangers, radioLost, sleepyPhones}
	one, other := r.rng.IntN(len(all)), r.rng.IntN(len(all))
	all[one](t, r)
	all[other](t, r)
}
