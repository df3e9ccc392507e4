package helpmate_test

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/internal/research/mateoracle"
)

// Boards left standing after an illegal move (FIDE Laws A.5.2): the side not to move is in check, or pawns stand on the end ranks. What is
// proved of boards that a game can reach need not hold there.
func TestBoardsLeftStandingAgainstTheOracle(t *testing.T) {
	boards := 5 * setting("", 40)
	if testing.Short() {
		boards = min(boards, 100)
	}
	c := newCourt(t, 20000, 5000)
	r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), 52))
	for n := 0; n < boards; {
		b, ok := mateoracle.Families[r.IntN(len(mateoracle.Families))].Make(r)
		if !ok {
			continue
		}
		if b, ok = b.Disturbed(r); !ok {
			continue
		}
		n++
		c.try(b)
	}
	c.report("left standing")
}
