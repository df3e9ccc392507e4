//go:build linux

package e2e

import (
	"encoding/json"
	"io"
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
	if r.out != "" || !strings.Contains(r.err, "the journal: evening.bwj") {
		t.Errorf("it says\n%s%s", r.out, r.err)
	}
	if r := w.run(t, "", "verify", "evening.bwj").want(t, 0); !strings.Contains(r.out, "evening.bwj: equal: ") || !strings.Contains(r.out, "closed") {
		t.Errorf("verify says %q", r.out)
	}
	w.run(t, "", "replay", "evening.bwj").want(t, 0)
	r = w.run(t, "", "lab", "--evaluate", "evening.bwj").want(t, 0)
	for _, says := range []string{
		"335 cards", "order raster", "trusted", "CAPTURE, blitz: ", "CASTLING, classical: ", "  scoop", "  together", "cannot certify one false alarm per 1,000",
		"are of generated people",
	} {
		if !strings.Contains(r.out, says) {
			t.Errorf("%q is not in\n%s", says, clip(r.out))
		}
	}
	r = w.run(t, "", "lab", "--quiet", "--evaluate", "--format", "json", "evening.bwj").want(t, 0)
	var report struct {
		Recordings []struct{ Cards int }
		Groups     []struct {
			One int `json:"one_hand"`
			Two int `json:"two_hands"`
		}
	}
	cards := 0
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || len(report.Groups) != 6 || report.Recordings[0].Cards != 335 || r.err != "" {
		t.Errorf("%v: %+v %s", err, report, r.err)
	}
	for _, g := range report.Groups {
		cards += g.One + g.Two
	}
	if cards != 90+50+15+10+10+5 {
		t.Errorf("%d captures, castlings and promotions", cards)
	}
	if again := w.run(t, "", "lab", "--quiet", "--evaluate", "--format", "json", "evening.bwj").want(t, 0); again.out != r.out {
		t.Error("the same recording is judged otherwise")
	}
	// The same evening is not written over another.
	if r := w.run(t, "", "lab", "--simulate", "--seed", "5", "--out", "evening.bwj").want(t, 2); !strings.Contains(r.err, "evening.bwj") {
		t.Errorf("%s", r.err)
	}
}

// TestLabErrors name the file, and what to do.
func TestLabErrors(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	w.write(t, "game.jsonl", `{"t":0.1,"dir":"rx","hex":"8e00051402"}`+"\n")
	for _, c := range []struct {
		args, says string
		status     int
	}{
		{"lab --evaluate game.jsonl", "game.jsonl: no labels are in it: boardwatchd lab records", 1},
		{"lab --evaluate nowhere.bwj", "nowhere.bwj", 1},
		{"lab", "lab --simulate", 1},
	} {
		if r := w.run(t, "", strings.Fields(c.args)...).want(t, c.status); !strings.Contains(r.err, c.says) || r.out != "" {
			t.Errorf("%s: %s%s", c.args, r.out, r.err)
		}
	}
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

// key presses a key, and Enter after it, as in a pipe.
func (l *laboratory) key(k string) {
	l.t.Helper()
	if _, err := io.WriteString(l.keys, k+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

var cardMove = regexp.MustCompile(`'s \w+ (..) to (..)\.`)

// card is the move that the program asks for now.
func (l *laboratory) card() (from, to string) {
	l.t.Helper()
	all := cardMove.FindAllStringSubmatch(l.p.out.String(), -1)
	if len(all) == 0 {
		l.t.Fatalf("no card in\n%s", clip(l.p.out.String()))
	}
	return all[len(all)-1][1], all[len(all)-1][2]
}

var labSetUp = map[string]dgt.Piece{
	"a1": dgt.WhiteRook, "g1": dgt.WhiteKnight, "f1": dgt.WhiteBishop, "h8": dgt.BlackRook, "b8": dgt.BlackKnight, "d8": dgt.BlackQueen,
}

// do plays the card that is shown, and says so.
func (l *laboratory) do() {
	from, to := l.card()
	l.put(from, dgt.Empty)
	l.put(to, labSetUp[from])
	labSetUp[to] = labSetUp[from]
	l.key("")
}

// TestLabAtABoard: people at a real port. Kill -9 in the middle loses nothing, and the same command goes on.
func TestLabAtABoard(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	var p dgt.Placement
	for square, piece := range labSetUp {
		p[('8'-square[1])*8+square[0]-'a'] = piece
	}
	l := &laboratory{answering: &answering{port: newPort(t), dump: dgt.BoardDump{Placement: p}.AppendTo(nil), clock: clockless}, t: t}
	l.begin(w, "--out", "evening.bwj", "--protocol", "short", "--seed", "8", "--players", "17,4", "--operator", "Ann")
	l.see("SET UP")
	l.key("")
	l.see("24 cards")
	l.see("q stop")
	l.do()
	l.see("23 cards")
	l.see("q stop")
	l.p.kill()

	l.begin(w, "--out", "evening.bwj")
	l.see("SET UP")
	l.key("")
	l.see("23 cards")
	l.see("q stop")
	l.do()
	l.see("22 cards")
	l.key("q")
	l.see("2 of 90 cards")
	if code := l.p.wait(t); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	if r := w.run(t, "", "verify", "evening.bwj").want(t, 0); !strings.Contains(r.out, "equal") {
		t.Errorf("verify says %q", r.out)
	}
	if r := w.run(t, "", "lab", "--evaluate", "evening.bwj").want(t, 0); !strings.Contains(r.out, "2 cards") || !strings.Contains(r.out, "the scan is not known") {
		t.Errorf("%s", clip(r.out))
	}
	raw := catJournal(t, w, "evening")
	for label, n := range map[string]int{`"event":"done"`: 2, `"event":"begin"`: 2, `"do":"pause"`: 2, `"operator":"Ann"`: 2} {
		if got := strings.Count(raw, label); got != n {
			t.Errorf("%s stands there %d times, want %d", label, got, n)
		}
	}
	if r := w.run(t, "", "lab", "--board", l.port.path, "--out", "evening.bwj", "--seed", "9").want(t, 2); !strings.Contains(r.err, "seed 8") {
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
