//go:build linux

package e2e

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/dgt"
)

// TestLabWithoutABoard: generated people play the whole protocol; the journal verifies and is judged.
func TestLabWithoutABoard(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	r := w.run(t, "", "lab", "--simulate", "--seed", "4", "--out", "evening.bwj").want(t, 0)
	if r.out != "" || !strings.Contains(r.err, "335 cards, seed 4") || !strings.Contains(r.err, "block 14 of 14: press") || !strings.Contains(r.err, "the journal: evening.bwj") {
		t.Errorf("it says\n%s%s", r.out, r.err)
	}
	if r := w.run(t, "", "verify", "evening.bwj").want(t, 0); !strings.Contains(r.out, "evening.bwj: equal: ") || !strings.Contains(r.out, "closed") {
		t.Errorf("verify says %q", r.out)
	}
	w.run(t, "", "replay", "evening.bwj").want(t, 0)
	r = w.run(t, "", "lab", "--evaluate", "evening.bwj").want(t, 0)
	for _, says := range []string{
		"335 cards by 2 people", "order raster", "trusted", "CAPTURE: 90 one-handed, 50 two-handed", "and 20 look-alikes", "CASTLING: 15 one-handed, 10 two-handed",
		"PROMOTION: 10 one-handed, 5 two-handed", "one scoop", "two together", "cannot certify one false alarm per 1,000", "are of generated people",
		"lever: told", "stated as in a game: prior",
	} {
		if !strings.Contains(r.out, says) {
			t.Errorf("%q is not in\n%s", says, clip(r.out))
		}
	}
	r = w.run(t, "", "lab", "--quiet", "--evaluate", "--format", "json", "evening.bwj").want(t, 0)
	var report struct {
		Recordings []struct{ Cards int }
		Groups     []struct {
			Kind, Class string
			One         int `json:"one_hand"`
		}
		Warnings []string
	}
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || len(report.Groups) != 9 || report.Recordings[0].Cards != 335 || report.Groups[0].One != 90 || r.err != "" {
		t.Errorf("%v: %+v %s", err, report, r.err)
	}
	if again := w.run(t, "", "lab", "--quiet", "--evaluate", "--format", "json", "evening.bwj").want(t, 0); again.out != r.out {
		t.Error("the same recording is judged otherwise")
	}
	// The same evening is not written over another.
	if r := w.run(t, "", "lab", "--simulate", "--seed", "5", "--out", "evening.bwj").want(t, 1); !strings.Contains(r.err, "evening.bwj") {
		t.Errorf("%s", r.err)
	}
	if r := w.run(t, "", "lab", "--generated", "60", "--seed", "2").want(t, 0); !strings.Contains(r.out, "CASTLING: 480 one-handed, 160 two-handed") {
		t.Errorf("%s", clip(r.out))
	}
}

// TestLabErrors name the file, and what to do.
func TestLabErrors(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	capture := w.write(t, "game.jsonl", `{"t":0.1,"dir":"rx","hex":"8e00051402"}`+"\n")
	for _, c := range []struct {
		args, says string
		status     int
	}{
		{"lab --evaluate game.jsonl", "game.jsonl: no labels are in it: boardwatchd lab records", 1},
		{"lab --evaluate nowhere.bwj", "nowhere.bwj", 1},
		{"lab --board nowhere --protocol game.jsonl", "game.jsonl: line 1", 2},
		{"lab", "lab --simulate", 1},
	} {
		if r := w.run(t, "", strings.Fields(c.args)...).want(t, c.status); !strings.Contains(r.err, c.says) || r.out != "" {
			t.Errorf("%s: %s%s", c.args, r.out, r.err)
		}
	}
	if _, err := os.Stat(capture); err != nil {
		t.Error(err)
	}
	protocol := w.write(t, "mine.yaml", w.run(t, "", "lab", "--print-protocol", "short").want(t, 0).out)
	w.run(t, "", "lab", "--quiet", "--simulate", "--protocol", protocol, "--out", "short.bwj").want(t, 0)
}

// laboratory is a board whose pieces the test puts, and the program beside it.
type laboratory struct {
	*answering
	t    testing.TB
	p    *process
	keys io.WriteCloser
	seen int // bytes of the output that see has passed
}

// begin starts the program on the board.
func (l *laboratory) begin(w place, args ...string) {
	l.t.Helper()
	cmd := w.command(l.t.Context(), append([]string{"lab", "--board", l.port.path}, args...)...)
	keys, err := cmd.StdinPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	l.keys, l.p, l.seen = keys, start(l.t, cmd), 0
}

// see answers the program until it shows a text, and passes all up to it.
func (l *laboratory) see(text string) {
	l.t.Helper()
	l.serveUntil(l.t, func() bool { return l.passed(text) })
}

func (l *laboratory) passed(text string) bool {
	n := strings.Index(l.p.out.String()[l.seen:], text)
	if n >= 0 {
		l.seen += n + len(text)
	}
	return n >= 0
}

// put changes a square.
func (l *laboratory) put(square string, p dgt.Piece) {
	l.t.Helper()
	m := dgt.FieldUpdate{Square: ('8'-square[1])*8 + square[0] - 'a', Piece: p}.AppendTo(nil)
	l.note(m)
	l.port.put(l.t, m)
}

// key presses a key, and Enter behind it, as in a pipe.
func (l *laboratory) key(k string) {
	l.t.Helper()
	if _, err := io.WriteString(l.keys, k+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

var captureCard = regexp.MustCompile(`White's (\w+) (..) takes (\w+) (..)\.`)

// insist presses Enter until the program shows a text: what the board has reported may be on its way still.
func (l *laboratory) insist(text string) {
	l.t.Helper()
	const early = "The board has seen nothing yet."
	from, pressed := l.seen, 0
	l.serveUntil(l.t, func() bool {
		if strings.Count(l.p.out.String()[from:], early) >= pressed {
			l.key("")
			pressed++
		}
		return l.passed(text)
	})
}

// card is the capture that the program asks for now.
func (l *laboratory) card() (from, to string) {
	l.t.Helper()
	all := captureCard.FindAllStringSubmatch(l.p.out.String(), -1)
	if len(all) == 0 {
		l.t.Fatalf("no card in\n%s", clip(l.p.out.String()))
	}
	last := all[len(all)-1]
	return last[2], last[4]
}

var labSetUp = map[string]dgt.Piece{
	"a1": dgt.WhiteRook, "a2": dgt.BlackPawn, "d1": dgt.WhiteQueen, "d3": dgt.BlackKnight,
	"c1": dgt.WhiteBishop, "g5": dgt.BlackBishop, "h1": dgt.WhiteRook, "h8": dgt.BlackRook,
}

// do plays the card, and back puts the pieces back.
func (l *laboratory) do() (from, to string) {
	from, to = l.card()
	l.put(from, dgt.Empty)
	l.put(to, dgt.Empty)
	l.put(to, labSetUp[from])
	return from, to
}

func (l *laboratory) back(from, to string) {
	l.put(to, dgt.Empty)
	l.put(from, labSetUp[from])
	l.put(to, labSetUp[to])
}

// TestLabAtABoard: people at a real port. The board shows what is done; a card done otherwise comes again; kill -9 in the
// middle loses nothing, and the same command goes on.
func TestLabAtABoard(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	w.write(t, "p.yaml", "name: try\nblocks: [{what: capture, layout: 1, tempi: [fast], cards: [{style: swap, count: 2}, {style: together, count: 1}]}]\n")
	var p dgt.Placement
	for square, piece := range labSetUp {
		p[('8'-square[1])*8+square[0]-'a'] = piece
	}
	l := &laboratory{answering: &answering{port: newPort(t), dump: dgt.BoardDump{Placement: p}.AppendTo(nil), clock: clockless}, t: t}
	l.begin(w, "--out", "evening.bwj", "--protocol", "p.yaml", "--seed", "8", "--players", "17,4", "--operator", "Ann")
	l.see("SYNC MARK")
	l.key("")
	l.see("takes")
	from, to := l.do()
	l.see("PUT BACK")
	l.back(from, to)
	l.see("takes")
	l.put("a1", dgt.Empty) // another card than any
	l.put("b4", dgt.WhiteRook)
	l.insist("Not as asked")
	l.put("b4", dgt.Empty)
	l.put("a1", dgt.WhiteRook)
	l.see("takes")
	l.p.kill()

	l.begin(w, "--out", "evening.bwj")
	l.see("SYNC MARK")
	l.key("s")
	l.see("card 2 of 3")
	l.see("takes")
	from, to = l.do()
	l.see("PUT BACK")
	l.back(from, to)
	l.see("takes")
	l.do()
	l.see("THAT WAS ALL")
	if code := l.p.wait(t); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	if r := w.run(t, "", "verify", "evening.bwj").want(t, 0); !strings.Contains(r.out, "equal") {
		t.Errorf("verify says %q", r.out)
	}
	r := w.run(t, "", "lab", "--evaluate", "evening.bwj").want(t, 0)
	for _, says := range []string{"3 cards by 1 people", "CAPTURE: 2 one-handed, 1 two-handed", "no sensor 3", "the scan is not known"} {
		if !strings.Contains(r.out, says) {
			t.Errorf("%q is not in\n%s", says, clip(r.out))
		}
	}
	raw := catJournal(t, w, "evening")
	for label, n := range map[string]int{`"event":"done"`: 3, `"event":"otherwise"`: 1, `"event":"begin"`: 2, `"do":"pause"`: 2, `"operator":"Ann"`: 2, `"performer":"17"`: 11} {
		if got := strings.Count(raw, label); got != n && label != `"performer":"17"` || got == 0 {
			t.Errorf("%s stands there %d times, want %d", label, got, n)
		}
	}
	if r := w.run(t, "", "lab", "--board", l.port.path, "--out", "evening.bwj").want(t, 2); !strings.Contains(r.err, "played to the end") {
		t.Errorf("%s", r.err)
	}
}

// clockless says that there is no clock.
var clockless = []byte{0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x01 << 6}

// catJournal is the text of all segments.
func catJournal(t *testing.T, w place, name string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "cat "+w.path(name)+"*.bwj").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
