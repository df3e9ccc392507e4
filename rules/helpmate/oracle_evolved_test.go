package helpmate_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
)

// A pool of boards that are changed a little and kept if they are of the kind that is looked for, so that after some
// hundreds of changes it holds what the Solver likes least. BOARDWATCHD_ORACLE_SEEDS is a file with boards to begin
// with, one a line, the FEN after the first blank as in the files beside the project.
type pool struct {
	r      *rand.Rand
	boards []mateoracle.Board
	most   int
}

func newPool(t *testing.T, number uint64) *pool {
	t.Helper()
	p := &pool{r: rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), number))}
	for _, fen := range append(mateoracle.Printed, seeds(t)...) {
		b := board(t, fen)
		p.boards = append(p.boards, b)
	}
	p.most = len(p.boards) + 400
	for _, f := range mateoracle.Families {
		for range 3 {
			if b, ok := f.Make(p.r); ok {
				p.boards = append(p.boards, b)
			}
		}
	}
	return p
}

func seeds(t *testing.T) (fens []string) {
	t.Helper()
	name := os.Getenv("BOARDWATCHD_ORACLE_SEEDS")
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if who, fen, ok := strings.Cut(lines.Text(), " "); ok && len(who) == 2 {
			fens = append(fens, fen)
		}
	}
	return fens
}

// next is a board of the pool after some changes.
func (p *pool) next() mateoracle.Board {
	for {
		b, ok := p.boards[p.r.IntN(len(p.boards))].Change(p.r)
		if ok && admitted(&b) {
			return b
		}
	}
}

func (p *pool) keep(b mateoracle.Board) {
	if len(p.boards) < p.most {
		p.boards = append(p.boards, b)
		return
	}
	p.boards[p.r.IntN(len(p.boards))] = b
}

// Boards on which a side is refused for deeper reasons than material, or that cost many nodes.
func TestEvolvedBoards(t *testing.T) {
	boards := 25 * setting("", 40)
	if testing.Short() {
		boards = min(boards, 100)
	}
	p := newPool(t, 7)
	c := newCourt(t, 20000, 20000)
	for range boards {
		b := p.next()
		before, nodes := c.verdicts, c.nodes
		c.try(b)
		if c.nodes-nodes > c.limit/4 || c.verdicts[helpmate.Unknown] > before[helpmate.Unknown] || c.notPlain {
			p.keep(b)
		}
	}
	c.report("evolved")
	if c.confirmed == 0 {
		t.Error("no refusal was confirmed: the test proves nothing")
	}
}

// Boards on which few nodes are enough for a refusal: what stands around the static proofs.
func TestEvolvedWalls(t *testing.T) {
	boards := 30 * setting("", 40)
	if testing.Short() {
		boards = min(boards, 300)
	}
	p := newPool(t, 8)
	c := newCourt(t, 0, 20000)
	c.limit = 1000
	for range boards {
		b := p.next()
		if c.try(b); c.notPlain {
			p.keep(b)
		}
	}
	c.report("evolved walls")
	if c.confirmed == 0 {
		t.Error("no refusal was confirmed: the test proves nothing")
	}
}
