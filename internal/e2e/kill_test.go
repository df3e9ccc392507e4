//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killsWanted is how often the daemon is killed: BOARDWATCHD_E2E_KILLS, or 25.
func killsWanted(t *testing.T) int {
	t.Helper()
	text := os.Getenv("BOARDWATCHD_E2E_KILLS")
	if text == "" {
		return 25
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("BOARDWATCHD_E2E_KILLS=%q is no number of kills", text)
	}
	return n
}

// proposed is what is printed when the game is over.
const proposed = "result proposed: 1-0"

// killsPerGame is about how many kills a game of about 18 s has room for.
const killsPerGame = 13

// TestKill: kill -9 at random moments of games, some of them while the daemon
// recovers from the one before. Nothing that was printed is ever missing, no file
// is touched again, the numbers stay dense, verify finds no difference, and at
// the end the moves are those of the game.
func TestKill(t *testing.T) {
	long(t)
	t.Parallel()
	wanted := killsWanted(t)
	games := (wanted + killsPerGame - 1) / killsPerGame
	// The board plays on while the daemon starts again: too many at once, and a
	// start takes so long that nobody could tell what was played meanwhile.
	atOnce := make(chan struct{}, 4)
	for g := range games {
		t.Run(fmt.Sprintf("game %d", g+1), func(t *testing.T) {
			t.Parallel()
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			n := wanted / games
			if g < wanted%games {
				n++
			}
			k := killer{w: newPlace(t), rng: rand.New(rand.NewPCG(uint64(g), 10)), kills: n}
			k.play(t, uint64(100+g))
		})
	}
}

// longAway is for how long the players go on after a kill before they wait for the daemon: a ply of the game takes
// nearly a second, and what is played while nobody looks for long cannot be known. So the test is the same on a busy
// machine, where a start takes seconds.
const longAway = 400 * time.Millisecond

// killer plays one game and kills its daemon again and again.
type killer struct {
	w      place
	rng    *rand.Rand
	config string
	kills  int

	printed []string // everything that was on standard output before a kill
	files   [][]byte // the journal as the last kill left it
	early   int      // kills before the daemon was ready
	again   bool     // the last kill was one of those
	torn    int
	board   *heldBoard
	slowest time.Duration // from the start to "watching"
}

func (k *killer) play(t *testing.T, seed uint64) {
	k.board = &heldBoard{Device: operaBoard(t, seed)}
	b := serveBoard(t, k.board, operaSpeed, "")
	k.config = k.w.configure(t, b.plugged(t), hurried)
	over := false // the game may end before the last kill
	for n := 0; n < k.kills && !over; n++ {
		k.life(t, n)
		k.check(t)
		over = strings.Contains(k.printed[len(k.printed)-1], proposed)
	}
	d := k.w.daemon(t, k.config)
	if k.watched(t, d); !over {
		d.out.await(t, proposed)
	}
	d.stopped(t)
	k.printed = append(k.printed, d.out.String())
	k.check(t)
	if l := mustRead(t, k.w.state(), journalName); !l.closed() {
		t.Error("the journal is not closed")
	} else {
		checkOpera(t, l.tale(t))
		checkTimeLine(t, l)
	}
	t.Logf("%d kills, %d of them before it was ready, %d torn; ready at most %v after a start",
		k.kills, k.early, k.torn, k.slowest.Round(time.Millisecond))
}

// watched waits until a daemon watches the board, and lets its players go on.
func (k *killer) watched(t *testing.T, d *process) {
	t.Helper()
	d.err.await(t, `"message":"watching"`)
	k.slowest = max(k.slowest, time.Since(d.began))
	d.err.await(t, `"message":"board connected"`)
	k.board.free()
}

// checkTimeLine fails unless the journal's time is that of the wall clock, however
// often the daemon was started anew. Each opening record has the wall time at
// which it was written.
func checkTimeLine(t *testing.T, l ledger) {
	t.Helper()
	var first time.Time
	for i, e := range l.entries[:len(l.entries)-1] {
		if e.kind != "open" {
			continue
		}
		var o struct{ Wall time.Time }
		if err := json.Unmarshal([]byte(e.body), &o); err != nil {
			t.Fatal(err)
		}
		if first.IsZero() {
			first = o.Wall
		}
		// What follows a restart's opening and gap comes after the absence.
		next := i + 1
		for next < len(l.entries)-1 && l.entries[next].at == e.at {
			next++
		}
		elapsed := o.Wall.Sub(first).Microseconds()
		if at := l.entries[next].at; at < elapsed-second || l.entries[i].at > elapsed+second/10 {
			t.Fatalf("record %d stands at %d µs and the one after it at %d, %d µs after the journal was begun", e.seq, e.at, at, elapsed)
		}
	}
}

// life is one start of the daemon and its end at a random moment.
func (k *killer) life(t *testing.T, n int) {
	t.Helper()
	d := k.w.daemon(t, k.config)
	if k.again = n > 0 && !k.again && k.rng.IntN(2) == 0; k.again { // not twice in a row
		<-time.After(time.Duration(k.rng.IntN(20_000)) * time.Microsecond)
		k.early++
	} else {
		if k.watched(t, d); n == 0 {
			d.out.await(t, "game 1") // before that there is nothing to be lost
		}
		<-time.After(time.Duration(k.rng.IntN(1_500)) * time.Millisecond)
	}
	select {
	case <-d.ended:
		t.Fatal("the daemon ended by itself")
	default:
	}
	d.kill()
	if !k.again {
		k.board.holdIn(longAway)
	}
	k.printed = append(k.printed, d.out.String())
}

// printedMove is a move as the daemon prints it.
var printedMove = regexp.MustCompile(`^ *\d+:\d\d:\d\d\.\d +` + boardName + ` +(\d+)(\.\.\.|\.) +(\S+)`)

// check reads what the kill has left.
func (k *killer) check(t *testing.T) {
	t.Helper()
	l, err := readLedger(k.w.state(), journalName)
	if err != nil {
		t.Fatalf("the journal after a kill: %v", err)
	}
	for i, old := range k.files {
		if i >= len(l.files) || !bytes.Equal(l.files[i], old) {
			t.Fatalf("segment %d was changed after the kill that ended it", i+1)
		}
	}
	k.files = l.files
	k.acknowledged(t, l)
	if len(l.entries) == 0 {
		return // killed before the first record
	}
	r := k.w.run(t, "", "verify", k.w.journal())
	switch {
	case l.torn > 0 && r.status == 3 && strings.Contains(r.out, "torn"):
		k.torn++
	case r.status != 0:
		t.Fatalf("verify after a kill: exit status %d\n%s%s", r.status, r.out, r.err)
	}
}

// acknowledged fails unless everything that was printed is in the journal.
func (k *killer) acknowledged(t *testing.T, l ledger) {
	t.Helper()
	said := map[string]bool{}
	for _, e := range l.of("say") {
		said[key(e.body)] = true
	}
	for _, out := range k.printed {
		for _, line := range strings.SplitAfter(out, "\n") {
			m := printedMove.FindStringSubmatch(line)
			if m == nil || !strings.HasSuffix(line, "\n") {
				continue
			}
			number, _ := strconv.Atoi(m[1])
			ply := 2*number - 1
			if m[2] == "..." {
				ply++
			}
			if !said[fmt.Sprintf("ply %d %s", ply, m[3])] {
				t.Fatalf("it had printed %q, and the journal does not have it", strings.TrimSpace(line))
			}
		}
	}
}

// saidMove finds ply and move in an object.
var saidMove = regexp.MustCompile(`^\{"type":"move",.*"ply":(\d+),.*"san":"([^"]+)"`)

func key(object string) string {
	if m := saidMove.FindStringSubmatch(object); m != nil {
		return "ply " + m[1] + " " + m[2]
	}
	return ""
}
