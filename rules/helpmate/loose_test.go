package helpmate

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// looseBoards are boards with pieces of no account: one side's or both's, bishops, knights, a rook that is shut in.
var looseBoards = []struct{ name, fen string }{
	{"bishops that may only pass", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1"},
	{"a bishop beside a shut-in king", "2bk4/1p1p1p2/1P1P1P2/8/8/2B5/8/6K1 b - - 0 1"},
	{"a knight about", "3k1b2/2p1p1p1/KpP1P1P1/1P6/8/8/5n2/8 w - - 0 1"},
	{"bishops of both sides", "6k1/8/b7/1p1p1p1p/1P1P1P1P/8/5B2/K7 w - - 0 1"},
	{"a queen on each side", "7k/5q2/8/8/8/8/1Q6/K7 w - - 0 1"},
	{"one hole for three bishops", "B1B5/pBp3k1/P1P5/4b3/8/8/8/2K5 w - - 0 1"},
	{"pawns on their way", "3k1b2/4p1p1/Kp2P1P1/1Pp5/4B3/5B2/1P6/8 w - - 0 1"},
	{"a rook shut in", "rbk5/p1p5/P1P5/8/2K5/8/5B2/8 w - - 0 1"},
}

// askLoose asks for the proof.
func askLoose(pos *legal.Position, side legal.Side, room int) bool {
	proved, _ := new(looseProof).prove(pos, side, room, 20000)
	return proved
}

// Boards for which the proof holds, and changes of them that refute it.
func TestLooseProofsAreFound(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		side      legal.Side
		granted   bool
	}{
		{"bishops can only pass", looseBoards[0].fen, legal.White, true},
		{"nor can the other side mate", looseBoards[0].fen, legal.Black, true},
		{"a rook about could mate", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5R2/8/8 w - - 0 1", legal.White, false},
		{"castling is not looked at", "3k1b2/2p1pBp1/1pP1P1P1/1P3B2/4B1B1/5B2/8/R3K3 w Q - 0 1", legal.Black, false},
		{"nor is a pawn that gets through", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/7P/8 w - - 0 1", legal.White, false},
		{"nobody is loose", "3k4/2p1p1p1/KpP1P1P1/1P6/8/8/8/8 w - - 0 1", legal.White, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := legaltest.Position(t, c.fen)
			if got := askLoose(&pos, c.side, looseRoom); got != c.granted {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestLooseProofsKeepToTheirLimit(t *testing.T) {
	var g looseProof
	for _, c := range looseBoards {
		pos := legaltest.Position(t, c.fen)
		for limit := range 200 {
			if _, nodes := g.prove(&pos, legal.White, looseRoom, limit); nodes > limit {
				t.Fatalf("%s: %d moves with a limit of %d", c.name, nodes, limit)
			}
		}
	}
}

// The proof on the relatives of each board, whatever pieces are loose, against the complete enumeration, and where that
// does not end soon, against a search without proofs. BOARDWATCHD_HELPMATE_PROOFS asks for more of them,
// BOARDWATCHD_HELPMATE_SALT for others.
func TestLooseProofsAgainstEnumeration(t *testing.T) {
	boards := 200
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_PROOFS")); err == nil {
		boards = n
	} else if testing.Short() {
		boards = 60
	}
	salt, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_SALT"))
	proved, confirmed := 0, 0
	for i, seed := range slices.Concat(looseBoards, seeds) {
		r := rand.New(rand.NewPCG(uint64(i), uint64(salt)))
		from := legaltest.Position(t, seed.fen)
		refused := map[question]bool{} // a seed without edits comes often; the enumeration does not depend on the room
		for range boards {
			pos, ok := relative(r, &from)
			room := []int{0, 1, 3, looseRoom, 16, 30}[r.IntN(6)]
			for _, side := range []legal.Side{legal.White, legal.Black} {
				q := question{pos: pos, side: side}
				if !ok || refused[q] || materialOf(&pos).barren(side) || !askLoose(&pos, side, room) {
					continue
				}
				proved++
				refused[q] = true
				mate, done := closure(t, &pos, side, 4000)
				if !done {
					mate = hunted(&pos, side)
				}
				if mate {
					t.Fatalf("WRONG: the proof with loose pieces and room %d say that %s can never mate in %s", room, side, pos.FEN())
				}
				if done {
					confirmed++
				}
			}
		}
	}
	t.Logf("%d never proved, %d confirmed by complete enumeration", proved, confirmed)
	if confirmed == 0 {
		t.Errorf("none of %d was confirmed: the test proves nothing", proved)
	}
}

// Boards on which the enemy king can be checked, but always has a square left, against the complete enumeration.
func TestChecksThatLeaveASquareAgainstEnumeration(t *testing.T) {
	boards := 200
	if testing.Short() {
		boards = 60
	}
	r := rand.New(rand.NewPCG(8, 1))
	from := legaltest.Position(t, "1Bb4k/1b1p1p1p/p1pP1P1P/P1P5/8/8/4K3/8 w - - 0 1")
	var b mobility
	proved, confirmed := 0, 0
	for range boards {
		pos, ok := relative(r, &from)
		for _, side := range []legal.Side{legal.White, legal.Black} {
			if !ok || materialOf(&pos).barren(side) || b.proof(&pos, side) != AlwaysFree {
				continue
			}
			proved++
			mate, done := closure(t, &pos, side, 100_000)
			if mate {
				t.Fatalf("WRONG: %s can mate in %s", side, pos.FEN())
			}
			if done {
				confirmed++
			}
		}
	}
	t.Logf("%d never proved, %d confirmed by complete enumeration", proved, confirmed)
	if confirmed < boards/10 {
		t.Error("too few: the test proves nothing")
	}
}

// closure is the complete enumeration by the oracle.
func closure(t *testing.T, pos *legal.Position, side legal.Side, most int) (mate, done bool) {
	t.Helper()
	b, err := mateoracle.Read(pos.FEN())
	if err != nil {
		t.Fatal(err)
	}
	s := mateoracle.White
	if side == legal.Black {
		s = mateoracle.Black
	}
	r := mateoracle.Closure(b, most, s)
	return r.Mates(s), r.Closed
}

// One step of the proof at a time: every legal move leads to a scene that is visited, and one that mates, promotes or
// lets a pawn be taken en passant ends the proof. The boards are those of lines that end in mate, where the last moves
// are asked about most.
func TestLooseProofsFollowEveryMove(t *testing.T) {
	boards := 60
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_PROOFS")); err == nil {
		boards = n
	}
	salt, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_SALT"))
	var sv Solver
	var f looseSteps
	for i, seed := range slices.Concat(looseBoards, seeds) {
		r := rand.New(rand.NewPCG(uint64(i), uint64(salt)))
		from := legaltest.Position(t, seed.fen)
		for range boards {
			pos, ok := relative(r, &from)
			if !ok {
				continue
			}
			for _, side := range []legal.Side{legal.White, legal.Black} {
				f.check(t, pos, side, r)
				for _, m := range sv.Ask(&pos, side, 1000).Line {
					f.check(t, pos, side, r)
					pos = pos.After(m)
				}
			}
		}
	}
	t.Logf("%d moves followed, %d ends met, %d of them mates", f.moves, f.ends, f.mates)
	if f.moves == 0 || f.mates < boards/10 {
		t.Error("too few: the test proves nothing")
	}
}

type looseSteps struct {
	g                  looseProof
	list               legal.MoveList
	moves, ends, mates int
}

func (f *looseSteps) check(t *testing.T, pos legal.Position, side legal.Side, r *rand.Rand) {
	t.Helper()
	g := &f.g
	g.winner, g.root, g.left, g.outOfRoom = side, pos.Turn(), 1<<20, false
	room := []int{0, 1, 3, looseRoom, 16, 64}[r.IntN(6)]
	if pos.Castling() != 0 || pos.EnPassant() != legal.NoSquare || inCheckOutOfTurn(&pos) || !g.gather(&pos, room) {
		return
	}
	goesOn := true
	for more := true; goesOn && more; more = g.spread() {
		g.open()
		goesOn = g.step()
	}
	pos.Moves(&f.list)
	for _, m := range f.list.Slice() {
		next := pos.After(m)
		mate := next.Outcome() == legal.Checkmate && pos.Turn() == side
		if mate || m.Promotion() != legal.NoKind || next.EnPassant() != legal.NoSquare {
			f.ends++
			if mate {
				f.mates++
			}
			if goesOn {
				t.Fatalf("room %d, %s: %s in %s should end the proof", room, side, pos.UCI(m), pos.FEN())
			}
			continue
		}
		if !goesOn {
			continue
		}
		f.moves++
		g.show(&g.rows[0])
		for i := range g.exact {
			switch g.at[i] {
			case set(m.To()):
				g.remove(i)
			case set(m.From()):
				g.restore(i, set(m.To()))
				g.pieces[g.exact[i].side] &^= set(m.From())
			}
		}
		g.turn = next.Turn()
		if x := g.scene(); !g.bare() && *g.place(&x) == 0 {
			t.Fatalf("room %d, %s: %s in %s is not followed", room, side, pos.UCI(m), pos.FEN())
		}
	}
}
