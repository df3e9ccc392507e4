package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

// With queen, rook, two bishops on different colours, bishop and knight, or two knights against the bare king, and with
// a rook against a bishop or a knight, the stronger side can always be helped to mate, unless the other side is to move
// and has no move but to take a piece (dlbbld, basic-helpmate-existence: complete enumeration). Two knights and two
// bishops count as long as both are there.
func TestTheoremOfSmallMaterial(t *testing.T) {
	boards := 1500
	if testing.Short() {
		boards = 300
	}
	r := rand.New(rand.NewPCG(16, 4))
	s := new(Solver)
	for _, pieces := range []string{"Q", "R", "BB", "BN", "NN", "Rb", "Rn"} {
		asked, longest, nodes := 0, 0, 0
		for asked < boards {
			pos, ok := scattered(r, "Kk"+pieces)
			if !ok || pieces == "BB" && len(squareColours(&pos)) != 2 {
				continue
			}
			var list legal.MoveList
			pos.Moves(&list)
			quiet := false
			for _, m := range list.Slice() {
				quiet = quiet || m.Captured() == legal.NoKind
			}
			if list.Len() == 0 || pos.Turn() == legal.Black && !quiet {
				continue
			}
			asked++
			a := s.Ask(&pos, legal.White, 20000)
			if a.Verdict != Possible {
				t.Errorf("%s: %s: %v (%v)", pieces, pos.FEN(), a.Verdict, a.Reason)
			}
			longest, nodes = max(longest, len(a.Line)), nodes+a.Nodes
		}
		t.Logf("%s: %d boards, longest line %d, %d nodes in the mean", pieces, asked, longest, nodes/asked)
	}
}

// scattered puts pieces down anywhere; false if that is no position.
func scattered(r *rand.Rand, letters string) (legal.Position, bool) {
	kinds := map[rune]legal.Piece{
		'K': legal.WhiteKing, 'k': legal.BlackKing, 'Q': legal.WhiteQueen, 'R': legal.WhiteRook,
		'B': legal.WhiteBishop, 'N': legal.WhiteKnight, 'b': legal.BlackBishop, 'n': legal.BlackKnight,
	}
	setup := legal.Setup{Turn: legal.White + legal.Side(r.IntN(2)), EnPassant: legal.NoSquare, FullMoves: 1}
	for _, letter := range letters {
		at := r.IntN(64)
		if setup.Placement[at] != legal.NoPiece {
			return legal.Position{}, false
		}
		setup.Placement[at] = kinds[letter]
	}
	pos, err := setup.Position()
	return pos, err == nil
}

// squareColours is the colours on which bishops stand.
func squareColours(pos *legal.Position) map[bool]bool {
	colours := map[bool]bool{}
	for s := legal.A1; s < legal.NoSquare; s++ {
		if pos.PieceAt(s).Kind() == legal.Bishop {
			colours[isDark(s)] = true
		}
	}
	return colours
}
