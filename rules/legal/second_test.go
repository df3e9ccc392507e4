package legal

import "testing"

func TestSecondOpinionKnowsWhatItCannotKnow(t *testing.T) {
	for _, c := range []struct {
		claim, fen, uci string
		want            Opinion
	}{
		{"a legal move", startFEN, "e2e4", SaysLegal},
		{"an illegal move", startFEN, "e2e5", SaysIllegal},
		{"castling out of check, which its FEN reader would allow", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1", SaysIllegal},
		{"castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", SaysLegal},
		{"an en passant square is passed on also when the capture is pinned", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", SaysIllegal},
		{"promotion", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "a7a8q", SaysLegal},
		{"promotion to a king", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "a7a8k", SaysIllegal},
		{"no Chess960", "4k3/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", NoOpinion},
	} {
		p := mustPosition(t, c.fen)
		from, to, promo, err := p.ParseUCI(c.uci)
		if err != nil {
			t.Fatal(err)
		}
		if got := SecondOpinion(&p, from, to, promo); got != c.want {
			t.Errorf("%s: %s in %s: %v, want %v", c.claim, c.uci, c.fen, got, c.want)
		}
	}
}

func TestSecondOpinionIsNotAskedAboutStandingPositions(t *testing.T) {
	s, _ := ParseFEN("6k1/5ppp/8/8/8/7P/4RPP1/r5K1 b - - 0 1")
	p, err := s.Standing()
	if err != nil {
		t.Fatal(err)
	}
	if got := SecondOpinion(&p, A1, G1, NoKind); got != NoOpinion {
		t.Errorf("taking the king: %v", got)
	}
}
