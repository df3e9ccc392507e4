package legal

import (
	"testing"

	"boardwatchd/rules/kinds"
)

func TestRepetitionIsByPossibleMoves(t *testing.T) {
	knights := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	twice := append(append([]string(nil), knights...), knights...)
	for _, c := range []struct {
		claim, fen string
		moves      []string
		want       int
	}{
		{"the start counts", startFEN, nil, 1},
		{"knights out and back twice", startFEN, twice, 3},
		{"the same placement with the other side to move is another position", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
			[]string{"e1e2", "e8e7", "e2d1", "e7e8", "d1e1"}, 1},
		{"a double step nobody can take changes nothing", startFEN,
			[]string{"e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"}, 3},
		{"a double step that could be taken is a position of its own", "4k3/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1",
			[]string{"e2e4", "e8d8", "g1f3", "d8e8", "f3g1", "e8d8", "g1f3", "d8e8", "f3g1"}, 2},
		{"a king that has moved and returned has lost its rights", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
			[]string{"e1e2", "e8e7", "e2e1", "e7e8", "e1e2", "e8e7", "e2e1", "e7e8"}, 2},
		{"a rook that has moved and returned has lost its right", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
			[]string{"h1h2", "e8e7", "h2h1", "e7e8", "h1h2", "e8e7", "h2h1", "e7e8"}, 2},
		{"a right counts also while castling is not possible", "1r2k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
			[]string{"a1a2", "e8e7", "a2a1", "e7e8"}, 1},
		{"nothing before a pawn move can repeat", startFEN, append(append([]string(nil), knights...), "e2e3", "e7e6"), 1},
	} {
		h := playUCI(t, mustPosition(t, c.fen), c.moves...)
		if got := h.Repetition(); got != c.want {
			t.Errorf("%s: %d times, want %d", c.claim, got, c.want)
		}
	}
}

// The position of "a pinned en passant": the pawn that could take would open its own king's line.
func TestPinnedEnPassantIsNoPossibleMove(t *testing.T) {
	start := mustPosition(t, "3k4/8/8/8/3p4/8/2P5/3RK3 w - - 0 1") // d4 is pinned on the d-file
	after := playUCI(t, start, "c2c4").Position()
	if after.EnPassant() != NoSquare {
		t.Error("the pinned pawn may take en passant")
	}
	if v := after.Explain("d4c3"); v.Kind != kinds.IllegalExposesKing {
		t.Errorf("d4c3: %+v", v)
	}
	h := playUCI(t, start, "c2c4", "d8e8", "e1f1", "e8d8", "f1e1", "d8e8", "e1f1", "e8d8", "f1e1")
	if got := h.Repetition(); got != 3 {
		t.Errorf("after c4 and two returns the position appeared %d times, want 3", got)
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want Outcome
	}{
		{startFEN, Ongoing},
		{"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Checkmate},
		{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Stalemate},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 149 100", Ongoing},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 150 100", Move75},
		{"R3k3/8/4K3/8/8/8/8/8 b - - 150 100", Checkmate}, // mate on the 75th move comes first
	} {
		p := mustPosition(t, c.fen)
		if got := p.Outcome(); got != c.want {
			t.Errorf("%s: %v, want %v", c.fen, got, c.want)
		}
	}
	h := NewHistory(StartPosition())
	for i, want := range []Outcome{Ongoing, Ongoing, Ongoing, Fivefold} {
		for _, uci := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
			m, _ := h.Position().FindUCI(uci)
			h.Push(m)
		}
		if got := h.Outcome(); got != want || h.Repetition() != i+2 {
			t.Errorf("appearance %d: %v, repetition %d", i+2, got, h.Repetition())
		}
	}
}

func (p *Position) mustFind(t *testing.T, uci string) Move {
	t.Helper()
	m, ok := p.FindUCI(uci)
	if !ok {
		t.Fatalf("%s is not legal in %s", uci, p)
	}
	return m
}
