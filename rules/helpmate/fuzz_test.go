package helpmate

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	"boardwatchd/rules/legal"
)

// reachable visits every position that can be reached, without any of the package's logic: no material, no walls, no
// order, no 64-bit keys, the half-move counter aside. done is false when there are more than most.
func reachable(pos legal.Position, side legal.Side, most int) (mate, done bool) {
	return visitAll(pos, side, most, false)
}

// inTime is reachable with the half-move counter as part of the identity of a position, and no move beyond 75 (FIDE
// Laws 9.6.2).
func inTime(pos legal.Position, side legal.Side, most int) (mate, done bool) {
	return visitAll(pos, side, most, true)
}

func visitAll(pos legal.Position, side legal.Side, most int, counted bool) (mate, done bool) {
	type place struct {
		legal.Placement
		turn   legal.Side
		rights legal.Rights
		ep     legal.Square
		half   int
	}
	seen := map[place]bool{}
	todo := []legal.Position{pos}
	var list legal.MoveList
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		here := place{p.Placement(), p.Turn(), p.Castling(), p.EnPassant(), 0}
		if counted {
			here.half = p.HalfMoves()
		}
		if seen[here] {
			continue
		}
		seen[here] = true
		if len(seen) > most {
			return false, false
		}
		p.Moves(&list)
		if list.Len() == 0 && p.InCheck() && p.Turn() != side {
			return true, true
		}
		if counted && p.HalfMoves() >= 150 {
			continue
		}
		for _, m := range list.Slice() {
			todo = append(todo, p.After(m))
		}
	}
	return false, true
}

// stroll plays random moves, captures and checks more often than others, and reports whether the side happened to mate.
func stroll(pos legal.Position, side legal.Side, r *rand.Rand, plies int) bool {
	var list legal.MoveList
	for range plies {
		pos.Moves(&list)
		if list.Len() == 0 {
			return pos.InCheck() && pos.Turn() != side
		}
		m := list.At(r.IntN(list.Len()))
		for range 3 {
			if m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
				break
			}
			m = list.At(r.IntN(list.Len()))
		}
		pos = pos.After(m)
	}
	return pos.Outcome() == legal.Checkmate && pos.Turn() != side
}

// check asks a question and holds the answer against everything else that is known.
func check(t *testing.T, pos legal.Position, side legal.Side, limit, most int) Verdict {
	t.Helper()
	before := pos
	answer := Ask(&pos, side, limit)
	verdict, line := answer.Verdict, answer.Line
	if pos != before {
		t.Fatalf("the position asked about was changed: %s", before.FEN())
	}
	if again := Ask(&pos, side, limit); !reflect.DeepEqual(again, answer) {
		t.Fatalf("two answers to one question: %+v, %+v", answer, again)
	}
	if answer.Nodes > max(limit, 0) {
		t.Fatalf("%d nodes with a limit of %d", answer.Nodes, limit)
	}
	switch verdict {
	case Possible:
		if line == nil || !mates(pos, side, line) {
			t.Fatalf("%s in %s: the line %v does not mate", side, pos.FEN(), line)
		}
	case Never:
		if pos.HalfMoves() < 150 {
			contradict(t, pos, side, most)
		}
	case Unknown:
		if answer.Reason == Internal {
			t.Fatalf("%s in %s: a line that does not mate was found", side, pos.FEN())
		}
		if line != nil {
			t.Fatalf("unknown, and a line: %v", line)
		}
	default:
		t.Fatalf("%s in %s: %s", side, pos.FEN(), verdict)
	}
	return verdict
}

// contradict looks for a mate that was said to be impossible.
func contradict(t *testing.T, pos legal.Position, side legal.Side, most int) {
	t.Helper()
	if mate, _ := reachable(pos, side, most); mate {
		t.Fatalf("WRONG: %s in %s: never, but all positions hold a mate", side, pos.FEN())
	}
	r := rand.New(rand.NewPCG(pos.Key(), uint64(side)))
	for range 20 {
		if stroll(pos, side, r, 200) {
			t.Fatalf("WRONG: %s in %s: never, but a random game mates", side, pos.FEN())
		}
	}
}

// FuzzText asks about any FEN that is a board, also one left standing.
func FuzzText(f *testing.F) {
	for _, q := range questions {
		f.Add(q.fen, q.side == legal.White, int16(2000))
	}
	f.Fuzz(func(t *testing.T, fen string, white bool, limit int16) {
		setup, err := legal.ParseFEN(fen)
		if err != nil {
			return
		}
		pos, err := setup.Position()
		if err != nil {
			if pos, err = setup.Standing(); err != nil {
				return
			}
		}
		side := legal.Black
		if white {
			side = legal.White
		}
		check(t, pos, side, int(limit), 2000)
	})
}

// FuzzBoard builds boards of the kind that is hard: locked pawns, few pieces, kings anywhere.
func FuzzBoard(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed*31), true)
	}
	f.Fuzz(func(t *testing.T, seed uint64, shape uint8, white bool) {
		pos, ok := randomBoard(rand.New(rand.NewPCG(seed, uint64(shape))), shape)
		if !ok {
			return
		}
		side := legal.Black
		if white {
			side = legal.White
		}
		check(t, pos, side, 3000, 3000)
	})
}

// randomBoard puts down some pairs of pawns face to face, some single pawns, some other pieces and the kings; false if
// that is no position. The low four bits of the shape say how much of each.
func randomBoard(r *rand.Rand, shape uint8) (legal.Position, bool) {
	setup := legal.Setup{Turn: legal.White, EnPassant: legal.NoSquare, FullMoves: 1}
	if r.IntN(2) == 0 {
		setup.Turn = legal.Black
	}
	put := func(s legal.Square, p legal.Piece) {
		if setup.Placement[s] == legal.NoPiece {
			setup.Placement[s] = p
		}
	}
	put(legal.Square(r.IntN(64)), legal.WhiteKing)
	put(legal.Square(r.IntN(64)), legal.BlackKing)
	for file := range 8 {
		if r.IntN(8) < int(shape&7) {
			rank := 1 + r.IntN(5)
			put(legal.SquareOf(file, rank), legal.WhitePawn)
			put(legal.SquareOf(file, rank+1), legal.BlackPawn)
		}
	}
	for range r.IntN(3) {
		put(legal.Square(8+r.IntN(48)), legal.PieceOf(legal.White+legal.Side(r.IntN(2)), legal.Pawn))
	}
	kinds := []legal.Kind{legal.Bishop, legal.Bishop, legal.Knight, legal.Rook, legal.Queen}
	if shape&8 != 0 {
		kinds = kinds[:2]
	}
	for range r.IntN(4) {
		put(legal.Square(r.IntN(64)), legal.PieceOf(legal.White+legal.Side(r.IntN(2)), kinds[r.IntN(len(kinds))]))
	}
	pos, err := setup.Position()
	return pos, err == nil
}

// Random boards against the complete enumeration, wherever that ends within 20,000 positions.
// BOARDWATCHD_HELPMATE_BOARDS asks for more of them.
func TestRandomBoardsAgainstEnumeration(t *testing.T) {
	boards := 500
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_BOARDS")); err == nil {
		boards = n
	} else if testing.Short() {
		boards = 200
	}
	r := rand.New(rand.NewPCG(5, 22))
	var counts [Unknown + 1]int
	never, confirmed := 0, 0
	for n := 0; n < boards; {
		pos, ok := randomBoard(r, uint8(r.IntN(16)))
		if !ok {
			continue
		}
		n++
		side := legal.White + legal.Side(r.IntN(2))
		verdict := check(t, pos, side, 20000, 0)
		counts[verdict]++
		if verdict == Possible {
			continue
		}
		mate, done := reachable(pos, side, 20000)
		if verdict == Never {
			never++
			if done {
				confirmed++
			}
			if mate {
				t.Fatalf("WRONG: %s in %s: never, but all positions hold a mate", side, pos.FEN())
			}
		}
	}
	t.Logf("%d boards: never %d (%d confirmed by complete enumeration), possible %d, unknown %d", boards, counts[Never], confirmed, counts[Possible], counts[Unknown])
	if confirmed < boards/50 {
		t.Errorf("only %d refusals were confirmed: the test proves nothing", confirmed)
	}
}
