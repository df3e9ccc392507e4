package legal

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// sharedFile returns the path of a file of the data beside the project; the test is skipped if it is missing.
func sharedFile(t testing.TB, name ...string) string {
	t.Helper()
	return sharedtest.Path(t, name...)
}

func mustPosition(t testing.TB, fen string) Position {
	t.Helper()
	s, err := ParseFEN(fen)
	if err != nil {
		t.Fatalf("ParseFEN(%q): %v", fen, err)
	}
	p, err := s.Position()
	if err != nil {
		t.Fatalf("Position of %q: %v", fen, err)
	}
	return p
}

// playUCI plays moves that must be legal.
func playUCI(t testing.TB, p Position, moves ...string) *History {
	t.Helper()
	h := NewHistory(p)
	for _, uci := range moves {
		m, ok := h.Position().FindUCI(uci)
		if !ok {
			t.Fatalf("%s is not legal in %s", uci, h.Position().FEN())
		}
		h.Push(m)
	}
	return h
}

// walk plays a game chosen by bytes: each picks one of the legal moves. visit sees every position.
func walk(p Position, choices []byte, visit func(*Position)) {
	var l MoveList
	for _, c := range choices {
		visit(&p)
		p.Moves(&l)
		if l.Len() == 0 {
			return
		}
		p = p.After(l.At(int(c) * l.Len() / 256))
	}
	visit(&p)
}

// fuzzStart returns a start position from a number: orthodox, one of the 960, or one of the standard six.
func fuzzStart(n uint16) Position {
	if n < 960 {
		p, _ := StartSetup(int(n)).Position()
		return p
	}
	s, _ := ParseFEN(standardSix[int(n)%len(standardSix)].fen)
	p, _ := s.Position()
	return p
}

// samplePositions returns positions of random games, always the same ones.
func samplePositions(count int, chess960 bool) []Position {
	r := rand.New(rand.NewPCG(1, 2))
	var out []Position
	for len(out) < count {
		n := 518
		if chess960 {
			n = r.IntN(960)
		}
		choices := make([]byte, 10+r.IntN(90))
		for i := range choices {
			choices[i] = byte(r.Uint32())
		}
		walk(fuzzStart(uint16(n)), choices, func(p *Position) {
			if r.IntN(12) == 0 && len(out) < count {
				out = append(out, *p)
			}
		})
	}
	return out
}
