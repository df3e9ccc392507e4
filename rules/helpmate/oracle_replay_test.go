package helpmate_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/notnil/chess"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// A reader of lines that was written by other people: it says whether a line of moves, as UCI writes them, is legal
// from a FEN and ends in checkmate.
type secondReader interface {
	mates(fen string, line []string) error
}

// notnil is github.com/notnil/chess.
type notnil struct{}

func (notnil) mates(fen string, line []string) error {
	// Its FEN reader does not know whether the king is in check, its text unmarshaller does.
	pos := new(chess.Position)
	if err := pos.UnmarshalText([]byte(fen)); err != nil {
		return err
	}
	for i, text := range line {
		var found *chess.Move
		for _, m := range pos.ValidMoves() {
			if m.String() == text {
				found = m
			}
		}
		if found == nil {
			return fmt.Errorf("half-move %d, %s, is not legal", i+1, text)
		}
		pos = pos.Update(found)
	}
	if pos.Status() != chess.Checkmate {
		return fmt.Errorf("the end is %v", pos.Status())
	}
	return nil
}

// engine is a program that speaks UCI and knows "go perft 1" and "d".
type engine struct {
	in  io.Writer
	out *bufio.Scanner
}

func startEngine(t *testing.T, path string) *engine {
	t.Helper()
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &engine{in, bufio.NewScanner(out)}
}

// tell sends a command and reads on until a line begins with the end mark.
func (e *engine) tell(end, format string, args ...any) (lines []string, err error) {
	if _, err := fmt.Fprintf(e.in, format+"\n", args...); err != nil {
		return nil, err
	}
	for e.out.Scan() {
		lines = append(lines, e.out.Text())
		if strings.HasPrefix(e.out.Text(), end) {
			return lines, nil
		}
	}
	return nil, fmt.Errorf("the engine has stopped: %v", e.out.Err())
}

func (e *engine) mates(fen string, line []string) error {
	for i := range len(line) + 1 {
		lines, err := e.tell("Nodes searched", "position fen %s moves %s\ngo perft 1", fen, strings.Join(line[:i], " "))
		if err != nil {
			return err
		}
		legal := map[string]bool{}
		for _, l := range lines {
			if move, rest, ok := strings.Cut(l, ": "); ok && rest == "1" {
				legal[move] = true
			}
		}
		if i < len(line) && !legal[line[i]] {
			return fmt.Errorf("half-move %d, %s, is not legal", i+1, line[i])
		}
		if i == len(line) && len(legal) > 0 {
			return fmt.Errorf("%d moves are left at the end", len(legal))
		}
	}
	lines, err := e.tell("Checkers:", "d")
	if err != nil {
		return err
	}
	if checkers := strings.TrimPrefix(lines[len(lines)-1], "Checkers:"); strings.TrimSpace(checkers) == "" {
		return fmt.Errorf("stalemate at the end")
	}
	return nil
}

// Lines of all families are read by notnil/chess, and with BOARDWATCHD_ORACLE_ENGINE (a path, for example of Stockfish)
// by that engine.
func TestLinesAreReadByOthers(t *testing.T) {
	boards := setting("", 40) / 8
	readers := map[string]secondReader{"notnil": notnil{}}
	if path := os.Getenv("BOARDWATCHD_ORACLE_ENGINE"); path != "" {
		readers["engine"] = startEngine(t, path)
	}
	c := newCourt(t, 20000, 0)
	r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), 3))
	read := 0
	families := slices.Concat(mateoracle.Families, mateoracle.Crowds)
	for _, family := range families {
		for n := 0; n < boards; {
			b, ok := family.Make(r)
			if !ok || !admitted(&b) {
				continue
			}
			n++
			for side := range sides {
				if a := c.ask(b, side); a.Verdict == helpmate.Possible {
					c.read(readers, b, side, a.Line)
					read++
				}
			}
		}
	}
	t.Logf("%d lines were read by %d others", read, len(readers))
	if read < boards*len(families)/2 {
		t.Errorf("only %d lines: the test proves nothing", read)
	}
}

func (c *court) read(readers map[string]secondReader, b mateoracle.Board, side legal.Side, line []legal.Move) {
	c.t.Helper()
	pos := legaltest.Position(c.t, b.FEN())
	var text []string
	for _, m := range line {
		text = append(text, pos.UCI(m))
		pos = pos.After(m)
	}
	for who, reader := range readers {
		if err := reader.mates(b.FEN(), text); err != nil {
			c.wrong("%s %s: %s: %v", side, b.FEN(), who, err)
		}
	}
}
