package helpmate

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/internal/sharedtest"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// A question is a position and a side, with the answer of the file it comes from.
type question struct {
	pos  legal.Position
	side legal.Side
	can  bool
}

// corpus reads a file of the data beside the project: "WB", "W-", "-B" or "--", a blank, and a FEN.
func corpus(t testing.TB, name string) (out []question) {
	t.Helper()
	f, err := os.Open(sharedtest.Path(t, "data", "unwinnable", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		who, fen, ok := strings.Cut(lines.Text(), " ")
		if !ok || len(who) != 2 {
			continue // a comment
		}
		pos := legaltest.Position(t, fen)
		out = append(out, question{pos, legal.White, who[0] == 'W'}, question{pos, legal.Black, who[1] == 'B'})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(out) < 1000 {
		t.Fatalf("%s: only %d questions", name, len(out))
	}
	return out
}

// tally is how a file was answered.
type tally struct {
	never, possible, unknownNever, unknownPossible int
	plies                                          int
	nodes                                          []int
}

func (y *tally) undecided() int { return y.unknownNever + y.unknownPossible }

func (y *tally) add(t *testing.T, s *Solver, q *question, limit int) {
	t.Helper()
	answer := s.Ask(&q.pos, q.side, limit)
	verdict, line, nodes := answer.Verdict, answer.Line, answer.Nodes
	y.nodes = append(y.nodes, nodes)
	if nodes < 0 || nodes > limit {
		t.Errorf("%d nodes with a limit of %d: %s in %s", nodes, limit, q.side, q.pos.FEN())
	}
	switch verdict {
	case Never:
		y.never++
	case Possible:
		y.possible++
		y.plies += len(line)
		if !mates(q.pos, q.side, line) {
			t.Errorf("a line that does not mate: %s in %s", q.side, q.pos.FEN())
		}
	case Unknown:
		if q.can {
			y.unknownPossible++
		} else {
			y.unknownNever++
		}
		if testing.Verbose() && os.Getenv("BOARDWATCHD_HELPMATE_SHOW") != "" {
			t.Logf("undecided: %s in %s, can: %v", q.side, q.pos.FEN(), q.can)
		}
		return
	}
	if (verdict == Possible) != q.can {
		t.Errorf("WRONG: %s in %s: %s", q.side, q.pos.FEN(), verdict)
	}
}

// The files of chasolver (MIT): no wrong verdict, no more left open than when this was written, and no more nodes in
// the mean than a tenth above what it took then. With BOARDWATCHD_HELPMATE_LIMIT another budget is tried.
func TestVerdictsOfOthers(t *testing.T) {
	for _, file := range []struct {
		name string
		open int // undecided answers allowed
		mean int // nodes allowed for a question
	}{{"lichess.txt", 0, 38}, {"positions.txt", 0, 11_500}} {
		t.Run(file.name, func(t *testing.T) {
			limit, other := DefaultLimit, false
			if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_LIMIT")); err == nil {
				limit, other = n, true
			}
			list := corpus(t, file.name)
			if testing.Short() && !other {
				list = list[:400]
			}
			var y tally
			solver := new(Solver)
			for i := range list {
				y.add(t, solver, &list[i], limit)
			}
			slices.Sort(y.nodes)
			n, sum := len(y.nodes), 0
			for _, nodes := range y.nodes {
				sum += nodes
			}
			t.Logf("limit %d, %d questions: never %d, possible %d, undecided %d that can and %d that cannot; nodes: mean %d, median %d, 90%% %d, 99%% %d, most %d; mean line %d half-moves",
				limit, n, y.never, y.possible, y.unknownPossible, y.unknownNever, sum/n, y.nodes[n/2], y.nodes[n*9/10], y.nodes[n*99/100], y.nodes[n-1], y.plies/max(y.possible, 1))
			if y.undecided() > file.open && !other {
				t.Errorf("%d answers left open, they were %d", y.undecided(), file.open)
			}
			if sum > n*file.mean && !other && !testing.Short() {
				t.Errorf("%d nodes for %d questions, more than %d for each", sum, n, file.mean)
			}
		})
	}
}
