package helpmate_test

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// Boards after an illegal move that stands (FIDE Laws A.5.2): the side not to move is in check, or pawns are on the
// last ranks. Proofs about boards that a game can reach need not hold there.
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

// checkOutOfTurn is a board of the family on which the side not to move is in check and every pawn can move or be
// captured as in a game.
func checkOutOfTurn(r *rand.Rand, family *mateoracle.Family) (b, disturbed mateoracle.Board, ok bool) {
	b, ok = family.Make(r)
	if !ok || !admitted(&b) {
		return b, b, false
	}
	if disturbed, ok = b.Disturbed(r); !ok {
		return b, b, false
	}
	setup, err := legal.ParseFEN(disturbed.FEN())
	if err != nil {
		return b, b, false
	}
	_, err = setup.Position()
	refusal, _ := err.(legal.Refusal)
	return b, disturbed, refusal.Has(legal.SideNotToMoveInCheck) && !refusal.Has(legal.PawnOnLastRank)
}

// A check out of turn costs little: every question is answered, with about as many nodes as the questions about the
// boards from which these were made.
func TestChecksOutOfTurnAreDecided(t *testing.T) {
	boards := setting("", 20)
	if testing.Short() {
		boards = min(boards, 6)
	}
	standing, ordinary := newCourt(t, helpmate.DefaultLimit, 2000), newCourt(t, helpmate.DefaultLimit, 0)
	families := append(append([]mateoracle.Family{}, mateoracle.Families...), mateoracle.Crowds...)
	for i := range families {
		r := rand.New(rand.NewPCG(uint64(setting("_SEED", 1)), uint64(100+i)))
		for n := 0; n < boards; {
			b, disturbed, ok := checkOutOfTurn(r, &families[i])
			if !ok {
				continue
			}
			n++
			for _, side := range [...]legal.Side{legal.White, legal.Black} {
				standing.decided(disturbed, side, families[i].Name)
				ordinary.ask(b, side)
			}
		}
	}
	standing.report("check out of turn")
	ordinary.report("before")
	if standing.nodes > 3*ordinary.nodes {
		t.Errorf("%d nodes with a check out of turn, %d without", standing.nodes, ordinary.nodes)
	}
}
