package helpmate

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// seeds are boards on which one rule or another bites, each a family of its own with everything that a few edits make
// of it.
var seeds = []struct{ name, fen string }{
	{"pawns face to face", "6k1/8/8/1p1p1p1p/1P1P1P1P/8/5B2/6K1 w - - 0 1"},
	{"pawns face to face and far apart", "1k6/p1p1p1p1/P1P1P1P1/4p3/8/7K/4P3/8 w - - 0 1"},
	{"doubled pawns", "3k4/p1p1p1p1/P1P1P1P1/8/7K/4P3/4P3/8 w - - 0 1"},
	{"few spare moves in a cell", "k7/8/5p2/1p6/1P6/KP6/PP3P2/8 w - - 0 1"},
	{"spare moves against a king that walks", "1k6/1P3p1p/BP6/1P6/8/8/5PKP/8 w - - 0 1"},
	{"a knight that can only check", "8/1k6/8/3p1p2/3PpP2/3pKp2/3P1P1n/8 b - - 0 1"},
	{"a bishop that can only check", "b3B3/4k3/8/1p6/1Pp1p1p1/ppP1P1P1/rp6/1K6 b - - 0 1"},
	{"a rook that would be mated for", "rnb5/pk1p4/p1pPp3/P1P1P3/RBP5/P7/8/7K b - - 0 1"},
	{"a last queen before a full cell", "8/8/8/8/5ppp/Q4pkb/5pnq/5K1n b - - 0 1"},
	{"pawns that would mate", "5b2/8/1p1p1p2/1PkP1Pp1/2B3P1/1PPP4/6K1/8 w - - 0 1"},
	{"a shut-in rook and a bishop outside", "8/3b4/4k3/8/1p1p1p2/1PpP1P2/K1P5/RB6 w - - 0 1"},
	{"a king in the line of its bishop", "8/8/p1p1p3/P1k1P3/P1p1P3/2P4p/5K1P/6B1 w - - 0 1"},
	{"a shut-in rook that may be taken", "rb6/k1pBp1p1/1pP1P1P1/1P6/4K3/8/8/b7 w - - 0 1"},
	{"a shut-in rook and a bishop of its colour outside", "B2b4/8/8/4k3/1p6/1Pp1p1p1/K1P1P1P1/RB6 b - - 0 1"},
	{"a king that would stalemate", "8/b1b5/k6p/5p1P/5p2/5PpK/6P1/8 w - - 0 1"},
	{"castling in a wall", "4k3/8/8/8/3p1p1p/1BpP1P1P/2P1BPBP/3BKBNR w K - 0 1"},
	{"a bishop shut in with the king", "1Bb4k/1b1p1p1p/p1pP1P1P/P1P5/8/8/4K3/8 w - - 0 1"},
	{"two bishops shut in with a king in a corner", "6k1/8/8/8/p1p1p3/P1PpPp1p/1BbP1P1P/BK3b2 w - - 0 1"},
	{"bishops of one colour", "2b1k3/8/2b5/1p1p1p1p/1P1P1P1P/4B3/8/2B1K3 w - - 0 1"},
}

// relative is a seed after some edits: a piece moved, added, taken off or changed, the board mirrored, the turn
// changed. False if that is no position.
func relative(r *rand.Rand, seed *legal.Position) (legal.Position, bool) {
	y := seed.Setup()
	edited := false
	for range r.IntN(5) {
		edited = true
		from, to := legal.Square(r.IntN(64)), legal.Square(r.IntN(64))
		for n := 0; y.Placement[from] == legal.NoPiece && n < 40; n++ {
			from = legal.Square(r.IntN(64))
		}
		if r.IntN(2) == 0 { // near by
			to = legal.SquareOf(from.File()-1+r.IntN(3), from.Rank()-1+r.IntN(3))
		}
		piece := y.Placement[from]
		if to == legal.NoSquare || y.Placement[to].Kind() == legal.King {
			continue
		}
		switch r.IntN(5) {
		case 0, 1:
			y.Placement[from], y.Placement[to] = legal.NoPiece, piece
		case 2:
			if piece.Kind() != legal.King {
				y.Placement[to] = piece
			}
		case 3:
			if piece.Kind() != legal.King {
				y.Placement[from] = legal.NoPiece
			}
		case 4:
			kinds := []legal.Kind{legal.Pawn, legal.Bishop, legal.Bishop, legal.Knight, legal.Rook, legal.Queen}
			y.Placement[to] = legal.PieceOf(legal.White+legal.Side(r.IntN(2)), kinds[r.IntN(len(kinds))])
		}
	}
	if y.EnPassant == legal.NoSquare && r.IntN(2) == 0 {
		y.Turn = y.Turn.Other()
	}
	if edited && y.Castling != 0 {
		y.Castling = rightsOf(&y)
	}
	if y.EnPassant == legal.NoSquare && y.Castling == 0 && r.IntN(2) == 0 {
		y = mirrored(&y)
	}
	if r.IntN(4) == 0 {
		y.EnPassant = passed(&y)
	}
	pos, err := y.Position()
	if err != nil {
		y.EnPassant = legal.NoSquare
		pos, err = y.Position()
	}
	return pos, err == nil && pos.Outcome() == legal.Ongoing
}

// passed is where a pawn may just have made a double step beside an enemy pawn.
func passed(y *legal.Setup) legal.Square {
	rank, pawn, on := 3, legal.WhitePawn, 1
	if y.Turn == legal.White {
		rank, pawn, on = 4, legal.BlackPawn, -1
	}
	for file := range 8 {
		behind, home := legal.SquareOf(file, rank-on), legal.SquareOf(file, rank-2*on)
		if y.Placement[legal.SquareOf(file, rank)] != pawn || y.Placement[behind] != legal.NoPiece || y.Placement[home] != legal.NoPiece {
			continue
		}
		for _, beside := range []int{file - 1, file + 1} {
			if s := legal.SquareOf(beside, rank); s != legal.NoSquare && y.Placement[s] == legal.PieceOf(y.Turn, legal.Pawn) {
				return behind
			}
		}
	}
	return legal.NoSquare
}

// rightsOf is White's rights as far as king and rooks stand at home.
func rightsOf(y *legal.Setup) (rights legal.Rights) {
	for _, file := range []int{0, 7} {
		if y.Placement[legal.E1] == legal.WhiteKing && y.Placement[legal.SquareOf(file, 0)] == legal.WhiteRook {
			rights = rights.With(legal.White, file)
		}
	}
	return rights
}

// mirrored swaps the sides.
func mirrored(y *legal.Setup) legal.Setup {
	out := *y
	for s := legal.A1; s < legal.NoSquare; s++ {
		p := y.Placement[s]
		if p != legal.NoPiece {
			p = legal.PieceOf(p.Side().Other(), p.Kind())
		}
		out.Placement[legal.SquareOf(s.File(), 7-s.Rank())] = p
	}
	out.Turn = y.Turn.Other()
	return out
}

// proofs are the ways to prove from the board alone that a side can never mate.
var proofs = []struct {
	name  string
	prove func(b *mobility, pos *legal.Position, side legal.Side) bool
}{
	{"walls", (*mobility).walls},
	{"countdown", (*mobility).countdown},
	{"cases", (*mobility).splits},
}

// Boards for which a proof holds, and single changes that refute it.
func TestProofsSeeTheirPoint(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		side      legal.Side
		proof     int // in proofs
		granted   bool
	}{
		{"a pawn stays behind the pawn of its file", "1k6/p1p1p1p1/P1P1P1P1/4p3/8/7K/4P3/8 w - - 0 1", legal.Black, 0, true},
		{"unless that pawn may be taken", "1k6/p1p1p1p1/P1P1P1P1/3bp3/8/7K/4P3/8 w - - 0 1", legal.Black, 0, false},
		{"a knight stays where its only moves mate its helper", "8/1k6/8/3p1p2/3PpP2/3pKp2/3P1P1n/8 b - - 0 1", legal.White, 0, true},
		{"unless the helper may take it", "8/1k6/8/3p1p2/3PpP2/3pKp2/3P1P1n/3B4 b - - 0 1", legal.White, 0, false},
		{"pawns stay where their only moves mate", "5b2/8/1p1p1p2/1PkP1Pp1/2B3P1/1PPP4/6K1/8 w - - 0 1", legal.Black, 0, true},
		{"a king that never moved may mate by stepping out of a line", "8/8/p1p1p3/P1k1P3/P1p1P3/2P4p/5K1P/6B1 w - - 0 1", legal.White, 0, false},
		{"castling does not open the wall", "4k3/8/8/8/3p1p1p/1BpP1P1P/2P1BPBP/3BKBNR w K - 0 1", legal.White, 0, true},
		{"too few moves are left", "k7/8/5p2/1p6/1P6/KP6/PP3P2/8 w - - 0 1", legal.White, 1, true},
		{"enough moves are left", "k7/2p5/8/1p6/1P6/KP6/PP2PPPP/8 w - - 0 1", legal.Black, 1, false},
		{"a bishop that is shut in with the king leaves it a square at each check", "1Bb4k/1b1p1p1p/p1pP1P1P/P1P5/8/8/4K3/8 w - - 0 1", legal.White, 0, true},
		{"unless another bishop takes that square", "B1b4k/Bb1p1p1p/p1pP1P1P/P1P5/8/8/4K3/8 w - - 0 1", legal.White, 0, false},
		{"a shut-in rook may be taken and opens nothing", "rb6/k1pBp1p1/1pP1P1P1/1P6/4K3/8/8/b7 w - - 0 1", legal.White, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := legaltest.Position(t, c.fen)
			var b mobility
			if got := proofs[c.proof].prove(&b, &pos, c.side); got != c.granted {
				t.Errorf("%s: %v", proofs[c.proof].name, got)
			}
		})
	}
}

// Each proof says how it proves, after a move that is forced as well.
func TestWallsSayHowTheyProve(t *testing.T) {
	for _, c := range []struct {
		fen    string
		want   Wall
		forced int // moves before the wall
	}{
		{"6k1/8/8/1p1p1p1p/1P1P1P1P/8/5B2/6K1 w - - 0 1", Closed, 0},
		{"1Bb4k/1b1p1p1p/p1pP1P1P/P1P5/7B/1b6/4K3/5b2 w - - 0 1", AlwaysFree, 0},
		{"k7/8/5p2/1p6/1P6/KP6/PP3P2/8 w - - 0 1", MovesEnd, 0},
		{"rb6/k1pBp1p1/1pP1P1P1/1P6/4K3/8/8/b7 w - - 0 1", AnyCapture, 0},
		{"3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1", AnyPlace, 0},
		{"3k1b2/q1p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1", AnyPlace, 1},
	} {
		pos := legaltest.Position(t, c.fen)
		if a := Ask(&pos, legal.White, DefaultLimit); a.Reason != Walls || a.Wall != c.want || len(a.Line) != c.forced {
			t.Errorf("%s: %+v, want %d after %d moves", c.fen, a, c.want, c.forced)
		}
	}
}

// wall is the pawns that never move and are never captured: the evidence, after walls has proved its point.
func (b *mobility) wall() (list []legal.Square) {
	var stuck squares
	for i := firstPiece; i < b.count; i++ {
		if m := &b.pieces[i]; m.kind == legal.Pawn && m.steady() {
			stuck |= m.home
		}
	}
	for ; stuck != 0; stuck &= stuck - 1 {
		list = append(list, stuck.first())
	}
	return list
}

func TestTheWallIsNamed(t *testing.T) {
	pos := legaltest.Position(t, "6k1/8/8/1p1p1p1p/1P1P1P1P/8/5B2/6K1 w - - 0 1")
	var b mobility
	if !b.walls(&pos, legal.White) {
		t.Fatal("no wall")
	}
	want := []legal.Square{legal.B4, legal.D4, legal.F4, legal.H4, legal.B5, legal.D5, legal.F5, legal.H5}
	if got := b.wall(); !slices.Equal(got, want) {
		t.Errorf("the wall is %v, want %v", got, want)
	}
}

// Each proof on the relatives of each seed against the complete enumeration, where that ends soon enough, and against
// random games and a search without proofs where not. BOARDWATCHD_HELPMATE_PROOFS asks for more of them,
// BOARDWATCHD_HELPMATE_SALT for others.
func TestProofsAgainstEnumeration(t *testing.T) {
	boards := 400
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_PROOFS")); err == nil {
		boards = n
	} else if testing.Short() {
		boards = 100
	}
	salt, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_SALT"))
	for i, seed := range seeds {
		t.Run(seed.name, func(t *testing.T) {
			t.Parallel()
			y := newYield(uint64(i), uint64(salt))
			from := legaltest.Position(t, seed.fen)
			for range boards {
				if pos, ok := relative(y.r, &from); ok {
					y.question(t, &pos, legal.White)
					y.question(t, &pos, legal.Black)
				}
			}
			t.Logf("%d never proved, %d confirmed by complete enumeration; by proof: %v, first: %v", y.never, y.confirmed, y.granted, y.first)
			if y.never == 0 && !testing.Short() {
				t.Errorf("nothing was proved: the test says nothing")
			}
		})
	}
}

// yield counts what the proofs gave.
type yield struct {
	r                *rand.Rand
	asked            map[question]bool // a seed without edits comes often, and takes longest
	granted, first   [3]int            // by proof
	never, confirmed int
}

func newYield(seed, salt uint64) yield {
	return yield{r: rand.New(rand.NewPCG(seed, salt)), asked: map[question]bool{}}
}

func (y *yield) question(t *testing.T, pos *legal.Position, side legal.Side) {
	t.Helper()
	q := question{pos: *pos, side: side}
	if materialOf(pos).barren(side) || y.asked[q] {
		return
	}
	y.asked[q] = true
	var b mobility
	first := -1
	for i := range proofs {
		if proofs[i].prove(&b, pos, side) {
			y.granted[i]++
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return
	}
	y.first[first]++
	y.never++
	if refuted(t, pos, side, proofs[first].name) {
		y.confirmed++
	}
}

// refuted looks for a mate that was said to be impossible, and reports whether the enumeration was complete.
func refuted(t *testing.T, pos *legal.Position, side legal.Side, proof string) (complete bool) {
	t.Helper()
	mate, done := reachable(*pos, side, 1000)
	if !done {
		mate = hunted(pos, side)
	}
	if mate {
		t.Fatalf("WRONG: %s says that %s can never mate in %s", proof, side, pos.FEN())
	}
	return done
}

// hunted looks for a mate by the guided search, without any proof.
func hunted(pos *legal.Position, side legal.Side) bool {
	var s search
	s.prover.idle = true
	s.set(pos, side)
	return s.visit(8000, nil).Verdict == Possible
}

// FuzzProofs asks every proof about some relative of a seed.
func FuzzProofs(f *testing.F) {
	for i := range seeds {
		f.Add(uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, salt uint64) {
		y := newYield(uint64(which), salt)
		from := legaltest.Position(t, seeds[int(which)%len(seeds)].fen)
		for range 8 {
			if pos, ok := relative(y.r, &from); ok {
				y.question(t, &pos, legal.White)
				y.question(t, &pos, legal.Black)
			}
		}
	})
}
