//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// TestFeedAtFullSpeed: a recorded game through a port, as fast as the line takes
// it, in chunks of any size, from a board that answers nothing.
func TestFeedAtFullSpeed(t *testing.T) {
	t.Parallel()
	for i, g := range recorded {
		for _, longest := range []int{1, 7, 300} {
			t.Run(fmt.Sprintf("%s, chunks up to %d", g.name, longest), func(t *testing.T) {
				t.Parallel()
				w := newPlace(t)
				all := bytes.Join(wire(t, g.name), nil)
				p := newPort(t)
				d := w.daemon(t, w.configure(t, p.path, calm))
				d.err.await(t, "board connected")
				for _, c := range cuts(all, rand.New(rand.NewPCG(5, uint64(i))), longest) {
					p.put(t, c)
				}
				d.out.await(t, g.last)
				w.awaitLedger(t, "all bytes", func(l ledger) bool { return l.received() >= len(all) })
				d.stopped(t)
				w.checkFed(t, i, all)
			})
		}
	}
}

// TestFeedAsked: the same games from a board that answers every request; the
// next move is not made before the dump that the press calls for was sent.
func TestFeedAsked(t *testing.T) {
	long(t)
	t.Parallel()
	for i, g := range recorded {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			w := newPlace(t)
			messages := wire(t, g.name)
			a := &answering{port: newPort(t)}
			d := w.daemon(t, w.configure(t, a.port.path, "timing:\n  settle: 0s\n"))
			d.err.await(t, "board connected")
			presses := 0
			for _, m := range messages {
				press := a.note(m)
				a.port.put(t, m)
				asked := a.port.commands(t, 0)
				for late := sharedtest.Late(t); press && !bytes.Contains(asked, []byte{0x42}); {
					if time.Now().After(late) {
						t.Fatalf("no dump is asked for after press %d", presses+1)
					}
					asked = append(asked, a.port.commands(t, time.Second)...)
				}
				a.serve(t, asked)
				if press {
					presses++
				}
			}
			if presses != g.presses {
				t.Fatalf("%d presses in the recording, want %d", presses, g.presses)
			}
			a.serveUntil(t, func() bool { return strings.Contains(d.out.String(), g.last) })
			d.stopped(t)
			w.checkFed(t, i, nil)
		})
	}
}

func hexOf(p []byte) string { return fmt.Sprintf("%x", p) }

// checkFed compares the daemon's journal with what happened: what it said at the
// time and what a replay says, and the bytes if they are known. A last move that
// nobody has pressed is a move when the recording ends (capture_test.go), but not
// while the clock runs and the daemon is asked to stop.
func (p place) checkFed(t *testing.T, game int, all []byte) {
	t.Helper()
	moves := listed(t, recorded[game].moves)[:recorded[game].presses]
	checkMoves(t, p.judged(t), game, moves)
	checkMoves(t, said(t, p.run(t, "", "replay", "--format", "jsonl", p.journal()).want(t, 0).out), game, moves)
	if all == nil {
		return
	}
	got := ""
	for _, e := range mustRead(t, p.state(), journalName).of("rx") {
		got += e.body
	}
	if got != hexOf(all) {
		t.Errorf("the journal has %d bytes of the board that are not the %d that it sent", len(got)/2, len(all))
	}
}

// TestFeedFromEmulate: the emulated board is another process of the same
// program, found through its symbolic link; it plays a recorded game.
func TestFeedFromEmulate(t *testing.T) {
	long(t)
	t.Parallel()
	w := newPlace(t)
	game, err := os.ReadFile(shared(t, "captures/dgtdriver-game3-johan.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	line := w.path("dgtboard")
	board := w.start(t, "emulate", "--pgn", w.write(t, "game.pgn", string(game)), "--speed", "10", "--seed", "11", "--link", line)
	if path := strings.TrimSpace(board.out.await(t, "/dev/pts/")); path != readlink(t, line) {
		t.Errorf("emulate prints %s, its link leads to %s", path, readlink(t, line))
	}
	d := w.daemon(t, w.configure(t, line, hurried))
	d.out.await(t, "result proposed: 1-0 by kings")
	d.stopped(t)
	seen := w.judged(t)
	want := listed(t, "dgtdriver-game3-johan.pgn")
	if strings.Join(seen.san, " ") != strings.Join(want, " ") || len(seen.findings) != 0 {
		t.Errorf("moves\n got %v\nwant %v\nfindings %v", seen.san, want, seen.findings)
	}
	board.stopped(t)
	if _, err := os.Lstat(line); err == nil {
		t.Errorf("the link is still there")
	}
}

func readlink(t testing.TB, name string) string {
	t.Helper()
	to, err := os.Readlink(name)
	if err != nil {
		t.Fatal(err)
	}
	return to
}
