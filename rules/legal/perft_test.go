package legal

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

type perftCase struct {
	name, fen string
	nodes     []uint64 // depth 1, 2, …; 0 is not known
}

// standardSix are the positions every generator is measured on (chessprogramming wiki, "Perft Results").
var standardSix = []perftCase{
	{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []uint64{20, 400, 8902, 197281, 4865609, 119060324}},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []uint64{48, 2039, 97862, 4085603, 193690690}},
	{"three", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238, 674624, 11030083}},
	{"four", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{6, 264, 9467, 422333, 15833292}},
	{"five", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{44, 1486, 62379, 2103487, 89941194}},
	{"six", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []uint64{46, 2079, 89890, 3894594, 164075551}},
}

// perftLimit returns the largest count that is tried: BOARDWATCHD_PERFT_NODES=100000000 makes the long run of some
// minutes. The default takes about a second, ten under the race detector.
func perftLimit(t *testing.T) uint64 {
	text := os.Getenv("BOARDWATCHD_PERFT_NODES")
	if text == "" {
		return 200_000
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("BOARDWATCHD_PERFT_NODES=%q: write a whole number", text)
	}
	return n
}

// perftPosition accepts a check that is older than the double step before it: one of the test positions of others has
// it.
func perftPosition(t *testing.T, fen string) Position {
	t.Helper()
	s, err := ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Position()
	if errors.Is(err, Refusal{ImpossibleCheck}) {
		p, err = s.Standing()
	}
	if err != nil {
		t.Fatalf("Position of %q: %v", fen, err)
	}
	return p
}

func checkPerft(t *testing.T, c perftCase, limit uint64) {
	t.Helper()
	p := perftPosition(t, c.fen)
	for i, want := range c.nodes {
		if want > limit {
			break
		}
		if want == 0 {
			continue
		}
		if got := p.Perft(i + 1); got != want {
			t.Errorf("%s (%s): perft %d is %d, want %d", c.name, c.fen, i+1, got, want)
		}
	}
}

func TestPerftOfTheSixStandardPositions(t *testing.T) {
	for _, c := range standardSix {
		checkPerft(t, c, max(perftLimit(t), 5_000_000))
	}
}

func TestPerftOfChess960AndOddPositions(t *testing.T) {
	for _, c := range oddPerft {
		checkPerft(t, c, max(perftLimit(t), 5_000_000))
	}
}

func TestPerftFiles(t *testing.T) {
	for _, name := range []string{"tricky.perft", "random.perft", "chess960.perft"} {
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(sharedFile(t, "data", "perft", name))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			cases := readPerft(t, bufio.NewScanner(file))
			if len(cases) < 10 {
				t.Fatalf("only %d positions read", len(cases))
			}
			for _, c := range cases {
				checkPerft(t, c, perftLimit(t))
			}
		})
	}
}

// readPerft reads stanzas of "id NAME", "epd FEN", "perft DEPTH NODES".
func readPerft(t *testing.T, lines *bufio.Scanner) (cases []perftCase) {
	t.Helper()
	name := ""
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "id":
			name = rest
		case "epd":
			cases = append(cases, perftCase{name: name, fen: rest})
		case "perft":
			c := &cases[len(cases)-1]
			var depth int
			var nodes uint64
			if _, err := fmt.Sscan(rest, &depth, &nodes); err != nil || depth <= len(c.nodes) || depth > 64 {
				t.Fatalf("%s: cannot read %q", name, lines.Text())
			}
			for len(c.nodes) < depth {
				c.nodes = append(c.nodes, 0)
			}
			c.nodes[depth-1] = nodes
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}
