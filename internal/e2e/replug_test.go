//go:build linux

package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
)

// opera is a short game with captures, castling and a mate (Morphy, Paris 1858).
const opera = `1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7
14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#`

const operaMoves = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 " +
	"O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"

const second = int64(1_000_000) // µs of the board's time

// operaBoard are people who play the game without thinking much, about 2.5 s for
// a ply.
func operaBoard(t testing.TB, seed uint64, faults ...emulator.Fault) *emulator.Emulator {
	t.Helper()
	table, err := players.New(players.Options{
		Seed: seed, WaitForHost: true,
		Games:  []players.Game{{Moves: players.Moves(opera), End: players.EndKings, Result: "1-0"}},
		Tempo:  players.Tempo{Hand: 750, Press: 330_000, Think: 1_000_000, React: 800_000},
		Faults: emulator.Faults{At: faults},
	})
	if err != nil {
		t.Fatal(err)
	}
	return table.Emulator
}

// checkOpera compares what was said with the game.
func checkOpera(t *testing.T, w tale) {
	t.Helper()
	record := w.san
	if w.gap != "" {
		record = append(slices.Clone(record), somePlies) // up to the end
	}
	if !fits(record, strings.Fields(operaMoves)) {
		t.Errorf("moves\n got %s\nwant %s", strings.Join(w.san, " "), operaMoves)
	}
	if len(w.games) != 1 || len(w.findings) != 0 || w.broken {
		t.Errorf("%d games, findings %v, health %v", len(w.games), w.findings, w.health)
	}
}

// hold opens a port beside the daemon, so that its number is not given again as
// long as the test lasts: the next one plugged in has another number, as on USB.
func hold(t testing.TB, path string) {
	t.Helper()
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
}

// TestReplug: the cable comes out between moves, in the middle of a frame and in
// the middle of a dump; the port comes back under another number behind the same
// symbolic link; the game goes on.
func TestReplug(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	line := w.path("dgtboard")
	// More than 2 s of this computer's time apart: what comes and goes faster is a
	// loose contact, and the daemon takes its time with it.
	b := serveBoard(t, operaBoard(t, 3,
		emulator.Fault{At: 14 * second, Kind: emulator.Unplug, For: second / 5},
		emulator.Fault{At: 29 * second, Kind: emulator.UnplugInFrame, N: 2, For: second, Frame: 0x8e},
		emulator.Fault{At: 44 * second, Kind: emulator.UnplugInFrame, N: 33, For: second, Frame: 0x86},
		emulator.Fault{At: 59 * second, Kind: emulator.UnplugInFrame, N: 5, For: second, Frame: 0x8d},
		emulator.Fault{At: 74 * second, Kind: emulator.Unplug, For: 3 * second},
	), operaSpeed, line)
	paths := []string{b.plugged(t)}
	hold(t, paths[0])
	d := w.daemon(t, w.configure(t, line, hurried))
	for range 5 {
		path := b.plugged(t)
		hold(t, path)
		paths = append(paths, path)
	}
	d.out.await(t, "result proposed: 1-0")
	d.stopped(t)
	checkOpera(t, w.judged(t))

	l := mustRead(t, w.state(), journalName)
	ups, downs := l.of("up"), l.of("down")
	if len(ups) != len(paths) || len(downs) != len(paths)-1 {
		t.Fatalf("%d up and %d down in the journal; the cable came out %d times", len(ups), len(downs), len(paths)-1)
	}
	for i, up := range ups {
		if !strings.Contains(up.body, `"`+paths[i]) {
			t.Errorf("up %d is %s, the port was %s", i+1, up.body, paths[i])
		}
		// 3 s of the board's time, 0.3 s to find it, and a busy machine.
		if i > 0 && up.at-downs[i-1].at > 3*second {
			t.Errorf("the board came back after %d µs", up.at-downs[i-1].at)
		}
	}
	if paths[0] == paths[1] {
		t.Errorf("the port has kept its number: %v", paths)
	}
}

// TestBoardComesLater: no board when the daemon starts; it is plugged in, and the
// game watched; SIGTERM closes the journal in order.
func TestBoardComesLater(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	line := w.path("dgtboard")
	d := w.daemon(t, w.configure(t, line, hurried))
	d.err.await(t, "no such device", "no board yet; looking on")
	b := serveBoard(t, operaBoard(t, 4), operaSpeed, line)
	path := b.plugged(t)
	d.err.await(t, "board connected", path)
	d.out.await(t, "game 1: rnbqkbnr/")
	d.out.await(t, " 2... d6")
	d.stopped(t)
	seen := w.judged(t)
	if got := strings.Join(seen.san, " "); !strings.HasPrefix(operaMoves, got) || len(seen.san) < 4 {
		t.Errorf("moves %s", got)
	}

	// The daemon comes back and goes on with the same game.
	d = w.daemon(t, w.path("boardwatchd.yaml"))
	d.out.await(t, "b1", ". ", " 0:02:") // any move, with a clock below three minutes
	d.stopped(t)
	seen = w.judged(t)
	if got := strings.Join(seen.san, " "); !begins(seen.san, strings.Fields(operaMoves)) || len(seen.games) != 1 || seen.broken {
		t.Errorf("after a restart: moves %s, %d games, health %v", got, len(seen.games), seen.health)
	}
	b.stop()
	if _, err := os.Lstat(line); err == nil {
		t.Error("the link of the emulated board is still there")
	}
}

// TestMuteBoard: a board that says nothing for a while, without any error of the
// port, is reported, and told again when it is back; one late answer is not.
func TestMuteBoard(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	o := emulator.Options{Seed: 6, Faults: emulator.Faults{At: []emulator.Fault{
		{At: 10 * second, Kind: emulator.Mute, For: 4 * second}, // less than the silence that counts
		{At: 25 * second, Kind: emulator.Mute, For: 20 * second},
	}}}
	d := w.daemon(t, w.configure(t, serveBoard(t, emulator.New(o), operaSpeed, "").plugged(t), hurried))
	d.out.await(t, "(no_answer) the board has been silent for 2 s; check its cable and power")
	d.out.await(t, "(answering)")
	d.stopped(t)
	if told := strings.Count(d.out.String(), "(no_answer)"); told != 1 {
		t.Errorf("silence is told %d times", told)
	}
	w.judged(t)
}

// TestLostBoardIsToldAndWaitedFor: the daemon does not spin while the board is
// away, does not end, and can be ended.
func TestLostBoardIsToldAndWaitedFor(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	line := w.path("dgtboard")
	b := serveBoard(t, operaBoard(t, 5), operaSpeed, line)
	d := w.daemon(t, w.configure(t, line, hurried))
	d.out.await(t, "game 1")
	b.stop()
	d.err.await(t, "board lost")
	d.out.await(t, "(link_down)")
	d.err.await(t, "no such device", "looking on")
	d.stopped(t)
	w.judged(t)
}
