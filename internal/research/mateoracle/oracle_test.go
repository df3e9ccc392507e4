package mateoracle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"boardwatchd/rules/legal"
)

func mustRead(t testing.TB, fen string) Board {
	t.Helper()
	b, err := Read(fen)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func perft(b *Board, depth int) (n int) {
	list := b.Moves(nil)
	if depth == 1 {
		return len(list)
	}
	for _, m := range list {
		after := *b
		after.Play(m)
		n += perft(&after, depth-1)
	}
	return n
}

func TestNodeCountsOfTheWellKnownPositions(t *testing.T) {
	for _, c := range []struct {
		fen          string
		depth, nodes int
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197281},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467},
	} {
		b := mustRead(t, c.fen)
		if got := perft(&b, c.depth); got != c.nodes {
			t.Errorf("%s: %d nodes at depth %d, want %d", c.fen, got, c.depth, c.nodes)
		}
	}
}

// Random games: the moves of rules/legal and of this package are the same, and packing and unpacking a board does not
// change it.
func TestGeneratorAgreesWithTheProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	games := 60
	if testing.Short() {
		games = 10
	}
	for range games {
		pos := legal.StartPosition()
		b := mustRead(t, pos.FEN())
		for range 250 {
			var theirs legal.MoveList
			pos.Moves(&theirs)
			var want, got []string
			for _, m := range theirs.Slice() {
				want = append(want, pos.UCI(m))
			}
			ours := b.Moves(nil)
			for _, m := range ours {
				got = append(got, m.String())
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Fatalf("%s:\n%v\n%v", pos.FEN(), want, got)
			}
			p := b.pack()
			if back := p.unpack(); back.pack() != p || back.at != b.at || back.turn != b.turn || back.castling != b.castling || back.ep != b.ep {
				t.Fatalf("%s comes out of its packing as %s", b.FEN(), back.FEN())
			}
			if len(ours) == 0 {
				break
			}
			m := ours[r.IntN(len(ours))]
			b.Play(m)
			theirMove, ok := pos.FindUCI(m.String())
			if !ok {
				t.Fatalf("%s: no %s", pos.FEN(), m)
			}
			pos = pos.After(theirMove)
		}
	}
}

// The figures of the theorem on small material (unwinnability notes 3.4): Black to move.
func TestTablesCountWhatOthersCounted(t *testing.T) {
	var tables Tables
	for _, c := range []struct {
		pieces string
		want   Count
	}{
		{"R", Count{Legal: 223944, Mates: 216, Stalemates: 68, Forced: 412}},
		{"Q", Count{Legal: 223944, Mates: 364, Stalemates: 872, Forced: 2420}},
	} {
		if got := tables.Of(c.pieces).Counts[Black]; got != c.want {
			t.Errorf("K%sK: %+v, want %+v", c.pieces, got, c.want)
		}
	}
	for _, pieces := range []string{"B", "N"} {
		if got := tables.Of(pieces).Counts[White]; got.Others+got.Stalemates != got.Legal {
			t.Errorf("K%sK: %+v, and White can never mate there", pieces, got)
		}
	}
}

func TestTableAndClosureAgree(t *testing.T) {
	var tables Tables
	r := rand.New(rand.NewPCG(1, 2))
	for _, pieces := range []string{"Q", "R", "P"} {
		table := tables.Of(pieces)
		for n := 0; n < 4; {
			i := r.IntN(table.size())
			if !get(table.legal, i) {
				continue
			}
			n++
			s := table.seat(i)
			var b Board
			table.board(&s, &b)
			if got, want := Closure(b, 1<<20, White).White, get(table.can, i); got != want {
				t.Fatalf("%s: closure %v, table %v", b.FEN(), got, want)
			}
		}
	}
}

func TestClosureSaysWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		fen          string
		white, black bool
		positions    int // 0: any
	}{
		{"8/p5pp/5ppk/6B1/6PK/5pP1/5P1P/8 b - - 0 1", false, false, 5},
		{"5K1k/7P/8/8/8/8/8/8 b - - 0 1", false, false, 0},
		{"4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", false, false, 0},
		{"7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", false, false, 1},
		{"k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1", true, true, 0},
	} {
		b := mustRead(t, c.fen)
		r := Closure(b, 1<<20)
		if r.White != c.white || r.Black != c.black || !r.Closed && !(r.White && r.Black) || c.positions > 0 && r.Positions != c.positions {
			t.Errorf("%s: %+v", c.fen, r)
		}
		m := b.Mirror()
		if r := Closure(m, 1<<20); r.White != c.black || r.Black != c.white {
			t.Errorf("mirrored %s: %+v", m.FEN(), r)
		}
	}
}

// Rook against king needs some moves: with too few left before 9.6.2 mate is impossible.
func TestClockedKnowsTheEndBy75Moves(t *testing.T) {
	for _, c := range []struct {
		fen   string
		white bool
	}{
		{"7k/5Q2/6K1/8/8/8/8/8 w - - 149 120", true},
		{"7k/5Q2/6K1/8/8/8/8/8 w - - 150 120", false},
		{"3k4/8/8/8/8/8/4R3/4K3 w - - 147 120", false},
	} {
		if r := Clocked(mustRead(t, c.fen), 1<<20); r.White != c.white || !r.Closed {
			t.Errorf("%s: %+v", c.fen, r)
		}
	}
}
