package helpmate

import (
	"testing"

	"boardwatchd/rules/legal/legaltest"
)

func TestDeadPositions(t *testing.T) {
	for _, q := range []struct {
		name, fen string
		dead      bool
	}{
		{"bare kings", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", true},
		{"bishops on one colour", "8/3b2K1/k7/8/8/5B2/8/8 b - - 0 1", true},
		{"bishops on two colours", "8/3b2K1/k7/8/8/6B1/8/8 b - - 0 1", false},
		{"a wall of pawns", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", true},
		{"a wall with a gap", "4k3/8/8/1p1p1p2/1P1P1P2/8/8/4K3 w - - 0 1", false},
		{"the last pawn must be taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", true},
		{"every move after the only one is stalemate", "4B2B/6PP/5P2/4N1P1/5QNk/1P3RP1/5P1P/5RK1 b - - 0 1", true},
		{"one side can mate", "3k4/8/8/8/8/8/4R3/4K3 w - - 0 1", false},
		{"the start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false},
	} {
		t.Run(q.name, func(t *testing.T) {
			pos := legaltest.Position(t, q.fen)
			if dead, white, black := new(Solver).Dead(&pos, DeadLimit); dead != q.dead {
				t.Errorf("%s: dead %v, want %v: %+v, %+v", q.fen, dead, q.dead, white, black)
			}
		})
	}
}

// Of the test material, every position that neither side can win is asked about, and none is called dead that is not.
func TestDeadOnTheCorpus(t *testing.T) {
	for _, name := range []string{"lichess.txt", "positions.txt"} {
		list := corpus(t, name)
		if testing.Short() {
			list = list[:600]
		}
		s := new(Solver)
		dead, missed, asked := 0, 0, 0
		for i := 0; i < len(list); i += 2 {
			pos := &list[i].pos
			want := !list[i].can && !list[i+1].can
			got, white, black := s.Dead(pos, DeadLimit)
			if white.Verdict != NoVerdict || black.Verdict != NoVerdict {
				asked++
			}
			switch {
			case got && !want:
				t.Errorf("called dead: %s", pos.FEN())
			case want && plainlyAlive(pos):
				t.Errorf("dead, and not asked about: %s", pos.FEN())
			case got:
				dead++
			case want:
				missed++
			}
		}
		t.Logf("%s: %d positions, asked about %d, dead %d, beyond DeadLimit %d", name, len(list)/2, asked, dead, missed)
	}
}
