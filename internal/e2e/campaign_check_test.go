//go:build linux

package e2e

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// This file is about what the campaign knows from outside: the bytes that the boards were let send, and what the page
// has shown.

// checkReceived compares the bytes in a board's journal with those that the board sent. Between two openings of the
// port they are a piece of what it sent, without a hole and without a change. What was sent while nobody held the port
// is in no journal.
func (b *hallBoard) checkReceived(t *testing.T) {
	t.Helper()
	rest := b.sent
	for _, p := range b.log.pieces(t) {
		end := sentAs(rest, p.bytes)
		// Bytes that a program which was killed has not read lie in the port still: the next one reads them with the
		// first of its own, on a busy machine in several pieces.
		for k := p.first; end < 0 && p.restart && k > 0; k-- {
			if left := sentAs(rest, p.bytes[:k]); left >= 0 {
				if more := sentAs(rest[left:], p.bytes[k:]); more >= 0 {
					end = left + more
				}
			}
		}
		if end < 0 {
			t.Errorf("%s: records %d to %d hold %d bytes that the board has not sent so: %.60x", b.name, p.from, p.to, len(p.bytes), p.bytes)
			return
		}
		rest = rest[end:]
	}
}

// sentAs returns where a row of bytes ends in what was sent; -1: it is not there.
func sentAs(sent, row []byte) int {
	i := bytes.Index(sent, row)
	if i < 0 {
		return -1
	}
	return i + len(row)
}

// A piece is what came while a port was open.
type piece struct {
	restart  bool  // it is the first one of a program that was started again
	from, to int64 // its records
	bytes    []byte
	first    int // how many of them were read in the beginning, for portEmptied
}

// portEmptied is within how many µs a program has read what lay in its port when it was started.
const portEmptied = 3 * second

func (l ledger) pieces(t testing.TB) (list []piece) {
	t.Helper()
	cut, restart := true, false
	var began int64
	for _, e := range l.entries {
		switch {
		case e.kind == "rx":
			p, err := hex.DecodeString(e.body)
			if err != nil {
				t.Fatalf("record %d: %v", e.seq, err)
			}
			if cut {
				list = append(list, piece{restart: restart, from: e.seq})
				cut, restart, began = false, false, e.at
			}
			last := &list[len(list)-1]
			last.to, last.bytes = e.seq, append(last.bytes, p...)
			if e.at-began <= portEmptied {
				last.first = len(last.bytes)
			}
		case e.kind == "up", e.kind == "down":
			cut = true
		case isRestart(e):
			cut, restart = true, true
		}
	}
	return list
}

// messages counts those of the boards: an id with the highest bit, and two digits of seven bits for the length
// (protocol notes, section 2).
func (l ledger) messages(t testing.TB) (n int) {
	t.Helper()
	for _, p := range l.pieces(t) {
		for b := p.bytes; len(b) > 0; {
			if b[0] < 0x80 { // the rest of one that began before the port was open
				b = b[1:]
				continue
			}
			if len(b) < 3 || len(b) < int(b[1])<<7+int(b[2]) {
				break
			}
			n++
			b = b[max(3, int(b[1])<<7+int(b[2])):]
		}
	}
	return n
}

// checkTime compares the time line with the wall clock, which stamps what the arbiter tells just before the program
// takes it: a time in which the program did not run counts, and it counts once.
func (b *hallBoard) checkTime(t *testing.T, late time.Duration) {
	t.Helper()
	slack := 1500*time.Millisecond + 5*late // of a busy machine
	var least []time.Duration               // that the time line is ahead of the wall clock, for each start after which something was reported
	begun := true
	for _, e := range b.log.entries {
		begun = begun || isRestart(e)
		var body struct {
			WallMS int64 `json:"wall_ms"`
		}
		if e.kind != "instruct" || json.Unmarshal([]byte(e.body), &body) != nil {
			continue
		}
		ahead := time.Duration(e.at)*time.Microsecond - time.Duration(body.WallMS)*time.Millisecond
		if begun {
			least, begun = append(least, ahead), false
		}
		least[len(least)-1] = min(least[len(least)-1], ahead)
	}
	for i := 1; i < len(least); i++ {
		if more := least[i] - least[0]; more.Abs() > slack {
			t.Errorf("%s: the program was away, and after start %d of those after which something was reported the time line is %v ahead", b.name, i+1, more)
			return
		}
	}
}

// checkSilence: a board that answers is never said not to answer.
func (p *peril) checkSilence(t *testing.T, b *hallBoard, late time.Duration) {
	t.Helper()
	if late > time.Second || p.name == "silent" { // then it did not
		return
	}
	var silent, pressed float64 // s, on the journal's time line
	var first entry
	for _, e := range b.log.of("say") {
		var said struct {
			Type, What string
			T          float64
		}
		if err := json.Unmarshal([]byte(e.body), &said); err != nil {
			t.Fatal(err)
		}
		switch {
		case said.Type == "press":
			pressed = said.T
		case said.What == "no_answer" && silent == 0:
			silent, first = said.T, e
		}
	}
	// Once the games are over nothing shows how late this computer is, and the rows that have ended are judged.
	if silent > 0 && silent < pressed+lastLook.Seconds() {
		t.Errorf("%s: record %d says of a board that answers: %s", b.name, first.seq, first.body)
	}
}

// standsStill is standstill. The short form begins with one that is longer than a board may be silent, while the boards
// have nothing to say.
func standsStill(t *testing.T, r *hallRunner) {
	if !r.brief || r.harmed > 0 {
		standstill(t, r)
		return
	}
	r.away(func() {
		r.d.signal(t, syscall.SIGSTOP)
		<-time.After(7 * time.Second)
		r.d.signal(t, syscall.SIGCONT)
	})
	r.every = 4 * time.Second
}

// page asks the page, as anybody may who has not paired. A program that has just been started does not listen for a
// moment.
func (r *hallRunner) page(t *testing.T, path string) (text string) {
	t.Helper()
	sharedtest.Until(t, "the page answers", func() bool {
		a, err := http.Get(r.url + path)
		if err != nil {
			return false
		}
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		text = string(body)
		return err == nil
	})
	return text
}

// untilTold waits until the page says that the disk takes nothing.
func (r *hallRunner) untilTold(t *testing.T) {
	t.Helper()
	sharedtest.Until(t, "it is told that the disk takes nothing", func() bool {
		return strings.Contains(r.page(t, "/healthz"), `"status":"journal"`)
	})
}

// awaitSoon waits for the next time that something is reported: at most so long that a game is not over meanwhile.
func awaitSoon(told <-chan struct{}) {
	select {
	case <-told: // earlier
	default:
	}
	select {
	case <-told:
	case <-time.After(5 * time.Second): // on a busy machine
	}
}

// untilRotated waits until the newest segment of a board is another one.
func (r *hallRunner) untilRotated(t *testing.T) {
	t.Helper()
	before := newest(t, r)
	for late := time.Now().Add(often); time.Now().Before(late); wait(t.Context(), 5*time.Millisecond) {
		for name, path := range newest(t, r) {
			if path != before[name] {
				return
			}
		}
	}
}

// shown is how many messages of each board the page has shown.
func (r *hallRunner) shown(t *testing.T) map[string]int {
	t.Helper()
	shown := map[string]int{}
	for text := range strings.Lines(r.page(t, "/metrics")) {
		name, number, _ := strings.Cut(strings.TrimSpace(text), " ")
		if board, ok := strings.CutPrefix(name, `boardwatchd_frames_total{board="`); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.Fatal(err)
			}
			shown[strings.TrimSuffix(board, `"}`)] = int(n)
		}
	}
	return shown
}

// shownMore is shown, when the page has just shown another message: one that was written first.
func (r *hallRunner) shownMore(t *testing.T) map[string]int {
	t.Helper()
	first := r.shown(t)
	for late := time.Now().Add(5 * time.Second); ; {
		now := r.shown(t)
		for board, n := range now {
			if n > first[board] {
				return now
			}
		}
		if time.Now().After(late) {
			return now
		}
	}
}

// checkShown: what was shown before the program was killed is in the journals.
func (r *hallRunner) checkShown(t *testing.T, shown map[string]int) {
	t.Helper()
	if len(shown) != r.boards {
		t.Errorf("the page shows the messages of %d boards, not of %d", len(shown), r.boards)
	}
	for board, n := range shown {
		l := mustRead(t, r.w.state(), board+"-r1")
		if got := l.messages(t); got < n {
			t.Errorf("%s: %d messages were shown, and the journal has %d of them", board, n, got)
		}
	}
}
