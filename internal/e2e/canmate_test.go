//go:build linux

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/notnil/chess"
)

// canmateAnswer is an object of canmate --format jsonl.
type canmateAnswer struct {
	FEN     string   `json:"fen"`
	Side    string   `json:"side"`
	Verdict string   `json:"verdict"`
	Line    []string `json:"line"`
	Nodes   *int     `json:"nodes"`
	US      *float64 `json:"us"`
	Why     *string  `json:"why"`
	Budget  *int     `json:"budget"`
	Refused []string `json:"refused"`
}

// ask sends lines through canmate and returns the objects, two for each line.
func ask(t *testing.T, lines []string, args ...string) (answers []canmateAnswer) {
	t.Helper()
	args = append([]string{"canmate", "--format", "jsonl"}, args...)
	r := newPlace(t).run(t, strings.Join(lines, "\n")+"\n", append(args, "-")...).want(t, 0)
	for i, text := range strings.Split(strings.TrimSuffix(r.out, "\n"), "\n") {
		var a canmateAnswer
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if side := []string{"white", "black"}[i%2]; i/2 >= len(lines) || a.FEN != lines[i/2] || a.Side != side {
			t.Fatalf("answer %d is %s", i+1, text)
		}
		if a.Nodes == nil || a.US == nil || *a.US <= 0 || a.Budget == nil || (a.Why == nil) != (a.Verdict == "possible") {
			t.Fatalf("a field is missing: %s", text)
		}
		answers = append(answers, a)
	}
	if len(answers) != 2*len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	return answers
}

// few is n, or a part of it where the race detector or -short asks for less.
func few(n int) int {
	if testing.Short() || raceBuild {
		return n / 10
	}
	return n
}

// TestCanmateLinesMateInTheEyesOfAnotherLibrary: hundreds of questions, and every line is played to its mate by other
// people's code.
func TestCanmateLinesMateInTheEyesOfAnotherLibrary(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, q := range questions(few(600)) {
		lines = append(lines, q.fen)
	}
	seen := map[string]int{}
	for _, a := range ask(t, lines) {
		seen[a.Verdict]++
		if a.Verdict == "possible" {
			mustMate(t, a)
		}
	}
	if seen["possible"] < len(lines) || seen[""] > 0 {
		t.Errorf("the answers are lopsided: %v", seen)
	}
}

// TestCanmateAgainstKnownVerdicts asks the lists beside the project (chasolver's): no answer is wrong, none of a real
// game is left open, and every line mates.
func TestCanmateAgainstKnownVerdicts(t *testing.T) {
	for _, list := range []struct {
		name  string
		count int
		open  bool
	}{{"lichess.txt", 1000, false}, {"positions.txt", 300, true}} {
		t.Run(list.name, func(t *testing.T) {
			t.Parallel()
			var lines, known []string
			for _, line := range strings.Split(readShared(t, "data", "unwinnable", list.name), "\n") {
				if who, fen, ok := strings.Cut(line, " "); ok && len(who) == 2 && len(lines) < few(list.count) {
					lines, known = append(lines, fen), append(known, who)
				}
			}
			for i, a := range ask(t, lines) {
				can := known[i/2][i%2] != '-'
				switch a.Verdict {
				case "possible":
					if len(a.Refused) == 0 {
						mustMate(t, a)
					}
					if !can {
						t.Errorf("WRONG: %s can never mate in %s", a.Side, a.FEN)
					}
				case "never":
					if can {
						t.Errorf("WRONG: %s can mate in %s", a.Side, a.FEN)
					}
				default:
					if a.Verdict != "unknown" || !list.open {
						t.Errorf("%q: %s in %s", a.Verdict, a.Side, a.FEN)
					}
				}
			}
		})
	}
}

func readShared(t *testing.T, name ...string) string {
	t.Helper()
	text, err := os.ReadFile(shared(t, name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mustMate plays a line with the other library: each text names one legal move, its mark is right, no draw by the
// 75-move rule (9.6.2) comes before the end, and the last move mates.
func mustMate(t *testing.T, a canmateAnswer) {
	t.Helper()
	fen := a.FEN
	if len(strings.Fields(fen)) == 4 {
		fen += " 0 1" // the other library wants all six fields
	}
	pos := new(chess.Position)
	if err := pos.UnmarshalText([]byte(fen)); err != nil {
		t.Fatalf("%s: %v", a.FEN, err)
	}
	for i, san := range a.Line {
		if pos.HalfMoveClock() >= 150 {
			t.Fatalf("%s for %s: drawn before %s", a.FEN, a.Side, san)
		}
		m, err := findSAN(pos, san)
		if err != nil {
			t.Fatalf("%s for %s: move %d of %v: %v", a.FEN, a.Side, i+1, a.Line, err)
		}
		pos = pos.Update(m)
		mark := ""
		switch {
		case pos.Status() == chess.Checkmate:
			mark = "#"
		case m.HasTag(chess.Check):
			mark = "+"
		}
		if strings.TrimLeft(san, "KQRBNO-abcdefgh12345678x=") != mark {
			t.Fatalf("%s for %s: %s should be marked %q", a.FEN, a.Side, san, mark)
		}
	}
	loser := map[string]chess.Color{"white": chess.Black, "black": chess.White}[a.Side]
	if pos.Status() != chess.Checkmate || pos.Turn() != loser {
		t.Fatalf("%s: %v is no mate by %s", a.FEN, a.Line, a.Side)
	}
}

// findSAN finds the one legal move that a text of standard notation names.
func findSAN(pos *chess.Position, san string) (found *chess.Move, err error) {
	text := strings.TrimRight(san, "+#")
	for _, m := range pos.ValidMoves() {
		if !named(pos, m, text) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%s names %s and %s", san, found, m)
		}
		found = m
	}
	if found == nil {
		return nil, fmt.Errorf("%s is not legal", san)
	}
	return found, nil
}

func named(pos *chess.Position, m *chess.Move, text string) bool {
	if text == "O-O" || text == "O-O-O" {
		return m.HasTag(chess.KingSideCastle) && text == "O-O" || m.HasTag(chess.QueenSideCastle) && text == "O-O-O"
	}
	text, promotion, _ := strings.Cut(text, "=")
	if strings.ToLower(promotion) != m.Promo().String() {
		return false
	}
	text, ok := strings.CutSuffix(text, m.S2().String())
	if !ok || strings.HasSuffix(text, "x") != (m.HasTag(chess.Capture) || m.HasTag(chess.EnPassant)) {
		return false
	}
	text = strings.TrimSuffix(text, "x")
	kind := map[chess.PieceType]string{chess.King: "K", chess.Queen: "Q", chess.Rook: "R", chess.Bishop: "B", chess.Knight: "N"}[pos.Board().Piece(m.S1()).Type()]
	origin, ok := strings.CutPrefix(text, kind)
	from := m.S1().String()
	return ok && (origin == "" || origin == from[:1] || origin == from[1:] || origin == from)
}

// TestCanmateAnswersAtOnce: whoever asks line by line gets each answer before the next question, on one core too, and
// the end of the questions is the end.
func TestCanmateAnswersAtOnce(t *testing.T) {
	t.Parallel()
	for _, cores := range []string{"1", "2"} {
		cmd := newPlace(t).command(t.Context(), "canmate", "--side", "black", "-")
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+cores)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		pr := start(t, cmd)
		for range 100 {
			if _, err := io.WriteString(in, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\r\n"); err != nil {
				t.Fatal(err)
			}
			pr.out.await(t, "never: Black can never mate")
		}
		in.Close()
		if code := pr.wait(t); code != 0 {
			t.Errorf("exit status %d", code)
		}
	}
}

// TestCanmateEndsWithItsReader: when the output is closed it ends, with one line that says why, though there are more
// questions.
func TestCanmateEndsWithItsReader(t *testing.T) {
	t.Parallel()
	cmd := newPlace(t).command(t.Context(), "canmate", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = write
	pr := start(t, cmd)
	write.Close()
	fed := make(chan error)
	go func() {
		for {
			if _, err := io.WriteString(in, strings.Repeat("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", 1000)); err != nil {
				fed <- err
				return
			}
		}
	}()
	if line, err := bufio.NewReader(read).ReadString('\n'); err != nil || !strings.HasPrefix(line, "possible: White") {
		t.Errorf("%q, %v", line, err)
	}
	read.Close()
	if code := pr.wait(t); code != 1 || strings.Count(pr.err.String(), "\n") != 1 || !strings.Contains(pr.err.String(), "broken pipe") {
		t.Errorf("exit status %d, %q", code, pr.err.String())
	}
	// Go closes its end of the pipe as soon as the process has ended.
	if err := <-fed; !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// TestCanmateGoesOnAfterBadLines: each line has its answer, in its place, and those that are no question are named at
// the end.
func TestCanmateGoesOnAfterBadLines(t *testing.T) {
	t.Parallel()
	const good, bad = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", "\xff\x00not a fen\n"
	in := strings.Repeat(strings.Repeat(good, 99)+bad, 20) + "4k3/8/8/8/8/8/8/4K3 w - - 0 1\tgreen\n" + good
	r := newPlace(t).run(t, in, "canmate", "--side", "black").want(t, 2)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if len(lines) != 2002 {
		t.Fatalf("%d answers to 2002 lines", len(lines))
	}
	for i, line := range lines {
		want := "never: Black"
		switch {
		case i == 2000:
			want = "error: side \"green\""
		case i%100 == 99:
			want = "refused: "
		}
		if !strings.HasPrefix(line, want) {
			t.Errorf("answer %d is %q, want %s…", i+1, line, want)
		}
	}
	named := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
	if len(named) != 21 || named[20] != "boardwatchd canmate: and 1 more" {
		t.Fatalf("named:\n%s", r.err)
	}
	for i, line := range named[:20] {
		if want := fmt.Sprintf("boardwatchd canmate: line %d: read FEN: fields ", 100*(i+1)); !strings.HasPrefix(line, want) {
			t.Errorf("%q is named, want %s…", line, want)
		}
	}
}
