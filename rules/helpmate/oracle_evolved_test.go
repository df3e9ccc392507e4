package helpmate_test

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/internal/mateoracle"
	"boardwatchd/rules/helpmate"
)

// Boards are changed a little and kept if they are hard (a never that is not plain, an unknown, a long search), so that after some
// hundreds of changes the pool holds what the Solver likes least.
func TestEvolvedBoards(t *testing.T) {
	boards := 25 * setting("", 40)
	if testing.Short() {
		boards = min(boards, 300)
	}
	r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), 7))
	pool := seeds(t, r)
	c := newCourt(t, 20000, 20000)
	for range boards {
		b, ok := pool[r.IntN(len(pool))].Change(r)
		if !ok || !admitted(&b) {
			continue
		}
		before, nodes := c.verdicts, c.nodes
		c.try(b)
		hard := c.nodes-nodes > 3000 || c.verdicts[helpmate.Unknown] > before[helpmate.Unknown] || c.notPlain
		switch {
		case !hard:
		case len(pool) < 400:
			pool = append(pool, b)
		default:
			pool[r.IntN(len(pool))] = b
		}
	}
	c.report("evolved")
	if c.confirmed == 0 {
		t.Error("no refusal was confirmed: the test proves nothing")
	}
}

func seeds(t *testing.T, r *rand.Rand) (pool []mateoracle.Board) {
	for _, fen := range mateoracle.Printed {
		b, err := mateoracle.Read(fen)
		if err != nil {
			t.Fatal(err)
		}
		pool = append(pool, b)
	}
	for _, f := range mateoracle.Families {
		for range 3 {
			if b, ok := f.Make(r); ok {
				pool = append(pool, b)
			}
		}
	}
	return pool
}
