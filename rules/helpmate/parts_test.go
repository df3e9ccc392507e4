package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

func TestMaterialThatCannotMate(t *testing.T) {
	for _, c := range []struct {
		name         string
		fen          string
		white, black bool // barren
	}{
		{"kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true},
		{"a knight against queens", "q3k2q/8/8/8/8/8/8/N3K3 w - - 0 1", true, false},
		{"a knight against a rook", "r3k3/8/8/8/8/8/8/N3K3 w - - 0 1", false, false},
		{"a knight against a bishop", "b3k3/8/8/8/8/8/8/N3K3 w - - 0 1", false, false},
		{"two knights", "4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", false, true},
		{"bishops of one colour against heavy pieces", "rq2k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", true, false},
		{"bishops of one colour on both sides", "5b2/4k3/8/8/8/8/8/B1B1K3 w - - 0 1", true, true},
		{"bishops of two colours on two sides", "2b1k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", false, false},
		{"bishops of one colour against a pawn", "4k3/p7/8/8/8/8/8/B1B1K3 w - - 0 1", false, false},
		{"a bishop and its own pawn", "4k3/8/8/8/8/8/P7/B3K3 w - - 0 1", false, true},
		{"bishop and knight", "4k3/8/8/8/8/8/8/BN2K3 w - - 0 1", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := legaltest.Position(t, c.fen)
			m := materialOf(&pos)
			if m.barren(legal.White) != c.white || m.barren(legal.Black) != c.black {
				t.Errorf("White %v, Black %v", m.barren(legal.White), m.barren(legal.Black))
			}
		})
	}
}

func TestMaterialFollowsTheMoves(t *testing.T) {
	var list legal.MoveList
	for _, pos := range gamePositions(500) {
		before := materialOf(&pos)
		pos.Moves(&list)
		for _, m := range list.Slice() {
			after := pos.After(m)
			if got, want := before.after(m, pos.Turn()), materialOf(&after); got != want {
				t.Fatalf("%s after %s: %x, want %x", pos.FEN(), pos.UCI(m), got, want)
			}
		}
	}
}

// Whatever is played in a random game must be foreseen by the mobility of its first position, up to the point where the
// rules leave moves out on purpose (the winner cannot mate any more).
func TestMobilityForeseesRandomGames(t *testing.T) {
	seen := 0
	list, r := gamePositions(300), rand.New(rand.NewPCG(9, 9))
	for len(list) < 4000 {
		if pos, ok := randomBoard(r, uint8(r.IntN(16))); ok {
			list = append(list, pos)
		}
	}
	for len(list) < 8000 {
		seed := legaltest.Position(t, seeds[r.IntN(len(seeds))].fen)
		if pos, ok := relative(r, &seed); ok {
			list = append(list, pos)
		}
	}
	for i, pos := range list {
		for side := legal.White; side <= legal.Black; side++ {
			var b mobility
			b.survey(&pos, side)
			seen++
			follow(t, &b, pos, uint64(i))
		}
	}
	if seen < 3000 {
		t.Errorf("only %d boards were looked at", seen)
	}
}

// follow plays a random game and looks for each piece, by the square it stood on first, in its reach. It ends where
// rules 6 and 7 leave moves out: at a stalemate or mate one move ahead, and when the winner's last piece is taken or
// checks.
func follow(t *testing.T, b *mobility, pos legal.Position, seed uint64) {
	t.Helper()
	start := pos.FEN()
	r := rand.New(rand.NewPCG(seed, 17))
	at := [64]int{}
	for i := range at {
		at[i] = -1
	}
	for i := range b.pieces[:b.count] {
		at[b.pieces[i].home.first()] = i
	}
	var list legal.MoveList
	for range 60 {
		pos.Moves(&list)
		if list.Len() == 0 {
			return
		}
		m := list.At(r.IntN(list.Len()))
		after := pos.After(m)
		if outcome := after.Outcome(); outcome == legal.Stalemate || outcome == legal.Checkmate {
			return
		}
		mover, to := at[m.From()], m.To()
		if mover == b.spare && after.InCheck() {
			return
		}
		victim := at[to]
		if m.IsEnPassant() {
			victim = at[m.EnPassantVictim()]
			at[m.EnPassantVictim()] = -1
		}
		if m.Captured() != legal.NoKind {
			if victim == b.spare {
				return
			}
			if !b.pieces[victim].taken {
				t.Fatalf("%s: %s takes a piece that was never to be taken", start, pos.UCI(m))
			}
		}
		at[m.From()] = -1
		if m.IsCastling() {
			rook := at[m.RookFrom()]
			at[m.RookFrom()], at[m.RookTo()] = -1, rook
			if b.pieces[rook].reach&set(m.RookTo()) == 0 {
				t.Fatalf("%s: %s was not foreseen for the rook in %s", start, pos.UCI(m), pos.FEN())
			}
		}
		at[to] = mover
		if b.pieces[mover].reach&set(to) == 0 {
			t.Fatalf("%s: %s was not foreseen in %s", start, pos.UCI(m), pos.FEN())
		}
		pos = after
	}
}

func TestWallsAreSeen(t *testing.T) {
	for _, c := range []struct {
		name   string
		fen    string
		side   legal.Side
		walled bool
	}{
		{"pawns face to face", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.White, true},
		{"bishops that attack no square of the king", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", legal.White, true},
		{"a file without pawns", "4k3/8/8/1p1p1p2/1P1P1P2/8/8/4K3 w - - 0 1", legal.White, false},
		{"a pawn that can be taken by a king", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.Black, true},
		{"a king that would stalemate when it comes nearer", "8/b1b5/k6p/5p1P/5p2/5PpK/6P1/8 w - - 0 1", legal.White, true},
		{"the same, the other side", "8/b1b5/k6p/5p1P/5p2/5PpK/6P1/8 w - - 0 1", legal.Black, true},
		{"a pawn that promotes", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", legal.White, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := legaltest.Position(t, c.fen)
			var b mobility
			b.survey(&pos, c.side)
			if got := b.walled(); got != c.walled {
				t.Errorf("walled: %v", got)
			}
		})
	}
}
