package clubplay

import (
	"testing"

	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

func TestChoice(t *testing.T) {
	for _, c := range []struct{ name, fen, want, never string }{
		{"mate in one", "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", "e1e8", ""},
		{"a queen that stands there", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", ""},
		{"a knight under attack moves or is covered", "4k3/8/8/8/3p4/4N3/8/4K3 w - - 0 1", "", "e1d1"},
		{"no queen for a protected pawn", "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", "", "d2d5"},
		{"mate on the back rank is seen", "r5k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1", "", "a2b2"},
	} {
		for seed := range uint64(20) {
			r := random.New(seed)
			pos := legaltest.Position(t, c.fen)
			m := Player{}.Choose(&r, legal.NewHistory(pos))
			if got := pos.UCI(m); c.want != "" && got != c.want || got == c.never {
				t.Errorf("%s: %s", c.name, got)
			}
		}
	}
}

// In whole games nobody misses a mate in one, nobody allows one that can be helped, and the first moves are the book's.
func TestGames(t *testing.T) {
	allowed, plies, drawn := 0, 0, 0
	for seed := range uint64(6) {
		r := random.New(seed)
		pos, err := legal.StartSetup(orthodox).Position()
		if err != nil {
			t.Fatal(err)
		}
		h := legal.NewHistory(pos)
		for n := 0; n < 100 && h.Outcome() == legal.Ongoing; n++ {
			pos := *h.Position()
			mate := allowsMate(&pos)
			m := Player{}.Choose(&r, h)
			if n < 4 && len(book()[key(&pos)]) == 0 {
				t.Errorf("seed %d: after %d plies the book has ended", seed, n)
			}
			h.Push(m)
			if mate && h.Outcome() != legal.Checkmate {
				t.Errorf("seed %d: a mate in one was missed in %s", seed, pos.FEN())
			}
			if allowsMate(h.Position()) {
				allowed++
			}
			plies++
		}
		if h.Repetition() > 2 {
			drawn++
		}
	}
	t.Logf("%d plies, %d times a mate in one could not be helped, %d games end with repetition", plies, allowed, drawn)
	if 50*allowed > plies {
		t.Errorf("%d of %d plies allow a mate in one", allowed, plies)
	}
}

func TestTheSameSeedPlaysTheSame(t *testing.T) {
	pos := legaltest.Position(t, "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQ - 0 8")
	a, b := random.New(7), random.New(7)
	if x, y := (Player{}).Choose(&a, legal.NewHistory(pos)), (Player{}).Choose(&b, legal.NewHistory(pos)); x != y {
		t.Errorf("%s and %s", pos.UCI(x), pos.UCI(y))
	}
}

func BenchmarkChoose(b *testing.B) {
	setup, err := legal.ParseFEN("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQ - 0 8")
	if err != nil {
		b.Fatal(err)
	}
	pos, err := setup.Position()
	if err != nil {
		b.Fatal(err)
	}
	r := random.New(1)
	for b.Loop() {
		Player{}.Choose(&r, legal.NewHistory(pos))
	}
}
