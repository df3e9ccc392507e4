package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

// gamePositions are positions out of random games, to their end or the 400th half-move: openings, middlegames, and
// endings with few pieces.
func gamePositions(count int) (out []legal.Position) {
	r := rand.New(rand.NewPCG(3, 8))
	var list legal.MoveList
	for len(out) < count {
		pos := legal.StartPosition()
		if r.IntN(4) == 0 {
			pos, _ = legal.StartSetup(r.IntN(960)).Position()
		}
		for range 400 {
			pos.Moves(&list)
			if list.Len() == 0 || len(out) == count {
				break
			}
			m := list.At(r.IntN(list.Len()))
			if m.Captured() == legal.NoKind {
				m = list.At(r.IntN(list.Len()))
			}
			pos = pos.After(m)
			if r.IntN(20) == 0 {
				out = append(out, pos)
			}
		}
	}
	return out
}

func TestPositionsOfRandomGames(t *testing.T) {
	count := 1500
	if testing.Short() {
		count = 400
	}
	var counts [Unknown + 1]int
	most, sum := 0, 0
	for _, pos := range gamePositions(count) {
		for side := legal.White; side <= legal.Black; side++ {
			answer := Ask(&pos, side, DefaultLimit)
			verdict, line, nodes := answer.Verdict, answer.Line, answer.Nodes
			counts[verdict]++
			sum, most = sum+nodes, max(most, nodes)
			switch {
			case verdict == Unknown:
				t.Errorf("unknown: %s in %s", side, pos.FEN())
			case verdict == Possible && !mates(pos, side, line):
				t.Errorf("a line that does not mate: %s in %s", side, pos.FEN())
			case verdict == Never && pos.HalfMoves() < 150:
				contradict(t, pos, side, 500)
			}
		}
	}
	t.Logf("%d questions: never %d, possible %d, unknown %d; nodes: mean %d, most %d", 2*count, counts[Never], counts[Possible], counts[Unknown], sum/(2*count), most)
}
