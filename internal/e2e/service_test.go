//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/sharedtest"
)

// manager is the end of a service manager's socket that systemd would have.
type manager struct{ *net.UnixConn }

func newManager(t *testing.T, w place) manager {
	t.Helper()
	dir, err := os.MkdirTemp("", "bw") // t.TempDir may be longer than a socket's name can be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: dir + "/notify", Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return manager{c}
}

// next waits for a message; "" when none comes within the time.
func (m manager) next(t *testing.T, wait time.Duration) string {
	t.Helper()
	if err := m.SetReadDeadline(time.Now().Add(wait)); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 512)
	n, err := m.Read(buf)
	if err != nil && !os.IsTimeout(err) {
		t.Fatal(err)
	}
	return string(buf[:n])
}

// TestServiceManager: ready when it watches, a ping in each half of the interval,
// and none while the process is stopped.
func TestServiceManager(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	m := newManager(t, w)
	p := newPort(t)
	cmd := w.command(context.Background(), "run", "-c", w.configure(t, p.path, calm))
	const interval = 4 * time.Second // a loop at rest goes round once a second
	cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+m.LocalAddr().String(), fmt.Sprintf("WATCHDOG_USEC=%d", interval.Microseconds()))
	d := start(t, cmd)
	if got := m.next(t, sharedtest.Patience(t)); got != "READY=1" {
		t.Fatalf("the first message is %q", got)
	}
	pings := 3
	if testing.Short() {
		pings = 1
	}
	for last := time.Now(); pings > 0; pings-- {
		if got := m.next(t, sharedtest.Patience(t)); got != "WATCHDOG=1" {
			t.Fatalf("message %q, want a ping", got)
		}
		if late := time.Since(last); late > interval {
			t.Errorf("a ping after %v; systemd would have restarted the service", late)
		}
		last = time.Now()
	}
	d.stopped(t)
	for got := m.next(t, 0); got != ""; got = m.next(t, 0) {
		if got != "WATCHDOG=1" && got != "STOPPING=1" {
			t.Errorf("message %q", got)
		}
	}
}

// TestNoPingForAStrangersWatchdog: WATCHDOG_PID names another process.
func TestNoPingForAStrangersWatchdog(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	m := newManager(t, w)
	cmd := w.command(context.Background(), "run", "-c", w.configure(t, w.path("nothing"), calm))
	cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+m.LocalAddr().String(), "WATCHDOG_USEC=200000", "WATCHDOG_PID=1")
	d := start(t, cmd)
	if got := m.next(t, sharedtest.Patience(t)); got != "READY=1" {
		t.Fatalf("the first message is %q", got)
	}
	if got := m.next(t, time.Second); got != "" {
		t.Errorf("message %q", got)
	}
	d.stopped(t)
}

// TestOutputThatNobodyReads: what is at the other end of standard output, a full
// pipe or nobody, does not hold up watching, and does not end it.
func TestOutputThatNobodyReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		closed bool
	}{{"a pipe that is full", false}, {"a pipe that is closed", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newPlace(t)
			r, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if _, err := unix.FcntlInt(out.Fd(), unix.F_SETPIPE_SZ, 4096); err != nil {
				t.Fatal(err)
			}
			p := newPort(t)
			cmd := w.command(context.Background(), "run", "-c", w.configure(t, p.path, calm))
			cmd.Stdout = out
			d := start(t, cmd)
			_ = out.Close() // the daemon has its own
			if c.closed {
				_ = r.Close()
			}
			d.err.await(t, "board connected")
			all := bytes.Join(wire(t, recorded[1].name), nil) // about 5 kB of lines
			p.put(t, all)
			w.awaitLedger(t, "all bytes", func(l ledger) bool { return l.received() >= len(all) })
			w.awaitLedger(t, "the last press", func(l ledger) bool { return len(l.moves()) >= recorded[1].presses })
			d.stopped(t)
			if seen := w.judged(t); seen.presses["ok"] != recorded[1].presses {
				t.Errorf("presses %v", seen.presses)
			}
		})
	}
}

// usage is what a process has used.
func usage(b *testing.B, pid int) (cpu time.Duration, rssMiB float64) {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	// After the name in parentheses; utime and stime are fields 14 and 15 of
	// proc(5), in ticks of 10 ms.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(ticks) * 10 * time.Millisecond, float64(kib) / 1024
}

// BenchmarkIdle measures the daemon at rest: boards that answer, on which nothing
// happens, and a game with its clock running. Target: below 1 % of a core and 25 MiB.
func BenchmarkIdle(b *testing.B) {
	if raceBuild {
		b.Skip("the race detector is what would be measured")
	}
	for _, c := range []struct {
		name  string
		board func(seed uint64) *emulator.Emulator
	}{
		{"empty table", func(seed uint64) *emulator.Emulator {
			return emulator.New(emulator.Options{Seed: seed})
		}},
		{"game", func(seed uint64) *emulator.Emulator {
			table, err := players.New(players.Options{Seed: seed, WaitForHost: true, Tempo: players.Rapid})
			if err != nil {
				b.Fatal(err)
			}
			return table.Emulator
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newPlace(b)
			em := serveBoard(b, c.board(1), 1, "")
			d := w.daemon(b, w.configure(b, em.plugged(b), calm))
			d.out.await(b, "(link_up)")
			d.out.await(b, "firmware")
			const span = 6 * time.Second // of life for each round; the tick of /proc is 10 ms
			var used time.Duration
			var rss float64
			b.ResetTimer()
			for range b.N {
				before, _ := usage(b, d.cmd.Process.Pid)
				<-time.After(span)
				var after time.Duration
				after, rss = usage(b, d.cmd.Process.Pid)
				used += after - before
			}
			b.StopTimer()
			b.ReportMetric(100*float64(used)/float64(b.N)/float64(span), "cpu%")
			b.ReportMetric(rss, "MiB")
			if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				b.Fatal(err)
			}
			d.wait(b)
		})
	}
}
