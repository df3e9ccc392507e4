//go:build linux

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openFiles sets how many descriptors a process may have.
func (pr *process) openFiles(t testing.TB, limit uint64) {
	t.Helper()
	var l unix.Rlimit
	err := unix.Prlimit(pr.cmd.Process.Pid, unix.RLIMIT_NOFILE, nil, &l)
	if err == nil {
		l.Cur = min(limit, l.Max)
		err = unix.Prlimit(pr.cmd.Process.Pid, unix.RLIMIT_NOFILE, &l, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// notices are what the page says of the program.
func (h *handset) notices(t testing.TB) string {
	t.Helper()
	var a struct {
		Notices []struct{ Text, Remedy string }
	}
	h.ask(t, "GET", "/api/v1/boards", nil, &a)
	return fmt.Sprint(a.Notices)
}

// TestDescriptorsUsedUp: no descriptor is left. Log and page say so, how many there are and what to do; the board is
// watched on, and what is seen goes into the journal; and the end of it is reported.
func TestDescriptorsUsedUp(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	p, gone := newPort(t), newPort(t)
	if err := os.Symlink(gone.path, v.path("b2")); err != nil { // the terminal's own name is another test's soon
		t.Fatal(err)
	}
	v.configure(t, fmt.Sprintf("boards: [{name: %s, port: %s}, {name: b2, port: %s}]\ntiming: {settle: 0s}\n", boardName, p.path, v.path("b2")))
	v.open(t)
	a := answering{port: p, dump: startDump(), clock: []byte{0x8d, 0, 10, 0x20, 3, 0, 0x20, 3, 0, 9}}
	a.serveUntil(t, func() bool { return strings.Contains(v.out.String(), "game 1") })
	ann := v.pair(t, "Ann")
	feed := ann.follow(t, "")

	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", v.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	v.openFiles(t, uint64(len(open)))
	v.err.await(t, "Descriptors are used up", "LimitNOFILE")
	feed.await(t, "the notice", func(e happened) bool { return e.name == "notice" && strings.Contains(e.data, "used up") })
	if text := ann.notices(t); !strings.Contains(text, fmt.Sprintf("of %d", len(open))) || !strings.Contains(text, "LimitNOFILE") {
		t.Errorf("the page says %s", text)
	}
	v.openFiles(t, uint64(len(open))-8) // what a cable frees that comes out, another program of the same user takes
	if err := os.Remove(v.path("b2")); err != nil {
		t.Fatal(err)
	}
	_ = gone.Close()

	for _, m := range [][]byte{
		a.clock,
		{0x8e, 0, 5, 0x34, 0}, {0x8e, 0, 5, 0x24, 1}, {0x8d, 0, 10, 0x20, 3, 0, 0x20, 3, 0, 0x13},
	} {
		a.note(m)
		p.put(t, m)
	}
	a.serveUntil(t, func() bool { return strings.Contains(v.out.String(), "e4") })
	v.awaitLedger(t, "e4", func(l ledger) bool { return strings.Contains(strings.Join(l.moves(), " "), "e2e4") })

	v.openFiles(t, 1024)
	feed.await(t, "that it is over", func(e happened) bool { return e.name == "notice" && !strings.Contains(e.data, "escriptors") })
	v.err.await(t, "this is over")
	v.pair(t, "Bob")
	v.stopped(t)
}

// TestBoardsWithOneSerialNumber: two boards answer with the same serial number. Each is watched at its port, and log
// and page name both.
func TestBoardsWithOneSerialNumber(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	p, q := newPort(t), newPort(t)
	v.configure(t, fmt.Sprintf("boards: [{name: b1, port: %s}, {name: b2, port: %s}]\ntiming: {settle: 0s}\n", p.path, q.path))
	v.open(t)
	clock := []byte{0x8d, 0, 10, 0x20, 3, 0, 0x20, 3, 0, 8}
	a, b := answering{port: p, dump: startDump(), clock: clock}, answering{port: q, dump: startDump(), clock: clock}
	a.serveUntil(t, func() bool { return strings.Contains(v.out.String(), "31415") })
	ann := v.pair(t, "Ann")
	if text := ann.notices(t); strings.Contains(text, "31415") {
		t.Errorf("one board is told: %s", text)
	}
	b.serveUntil(t, func() bool { return strings.Contains(ann.notices(t), "31415: b1 ("+p.path+"), b2 ("+q.path+")") })
	v.err.await(t, "Boards answer with one serial number", p.path, q.path)
	v.stopped(t)
}
