package play

import (
	"math/bits"
	"slices"

	"boardwatchd/rules/legal"
)

// This file answers one question in several strengths: which legal play leads from a position to the placement on the
// board? It compares placements, never the order in which squares were reported (reconstruction notes 7.1, family G).

// Rotated returns a placement seen from the other side.
func Rotated(p legal.Placement) legal.Placement {
	var r legal.Placement
	for i, pc := range p {
		r[63-i] = pc
	}
	return r
}

// Near reports whether two squares touch or are the same.
func Near(a, b legal.Square) bool {
	df, dr := a.File()-b.File(), a.Rank()-b.Rank()
	return max(df, -df, dr, -dr) <= 1
}

// LastRank returns the rank, counted from 0, on which a side's pawns are exchanged, and the rank before it.
func LastRank(s legal.Side) (last, before int) {
	if s == legal.Black {
		return 0, 1
	}
	return 7, 6
}

// Ahead returns what one step forward adds to the rank of a side's pawn.
func Ahead(s legal.Side) int {
	if s == legal.Black {
		return -1
	}
	return 1
}

// OnePly returns the legal move that leads exactly to live. No two legal moves of one position lead to the same
// placement (0 in 158 recorded positions, and by construction: piece and both squares follow from the difference).
func OnePly(pos *legal.Position, live *legal.Placement) (legal.Move, bool) {
	from := pos.Placement()
	if !couldBeOne(&from, live, pos.Turn()) {
		return 0, false
	}
	diff := Difference(&from, live)
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if (diff>>m.From()&1 != 0 || m.IsCastling()) && PlacementAfter(from, m) == *live { // a castling king may stay
			return m, true
		}
	}
	return 0, false
}

// InProgress reports whether live is target with a turn of side s begun and not finished: its pieces lifted, slid or
// put down somewhere, and at most one piece of the other side taken off already.
func InProgress(target, live *legal.Placement, s legal.Side) bool {
	n, ok := begun(target, live, s)
	return ok && n == 0
}

// InProgressScan is InProgress within one scan of the board, in which a piece can be reported on its new square before
// its lift, and a sliding piece on two squares. If that lasts longer, there is an extra piece.
func InProgressScan(target, live *legal.Placement, s legal.Side) bool {
	n, ok := begun(target, live, s)
	return ok && n <= 1
}

// A begunTurn counts the pieces of a side that were lifted and put down, and the missing pieces of the other side.
type begunTurn struct {
	lifted, put          [8]int // by kind
	lifts, puts, victims int
}

// begun judges the squares on which live differs from target as an unfinished turn of side s; early counts the pieces
// that were put down without their lift being seen.
func begun(target, live *legal.Placement, s legal.Side) (early int, ok bool) {
	diff := Difference(target, live)
	if n := bits.OnesCount64(diff); n == 0 || n > 4 {
		return 0, false
	}
	var b begunTurn
	for d := diff; d != 0; d &= d - 1 {
		if sq := bits.TrailingZeros64(d); !b.take(target[sq], live[sq], s) {
			return 0, false
		}
	}
	castles := b.lifted[legal.King] > 0 && b.lifted[legal.Rook] > 0
	if b.lifts > 2 || b.victims > 1 || b.lifts == 2 && b.puts == 2 && !castles {
		return 0, false // two pieces are on other squares
	}
	for k, n := range b.put {
		// A pawn that was lifted may come back as another piece; every other piece comes back as itself.
		if b.lifted[k] == 0 && b.lifted[legal.Pawn] == 0 {
			early += n
		}
	}
	return max(early, b.puts-b.lifts), true
}

// take counts one square. It returns false where no turn of s leaves it so: a piece of the other side has come there,
// or that side's king is gone.
func (b *begunTurn) take(was, is legal.Piece, s legal.Side) bool {
	if is != legal.NoPiece {
		b.put[is.Kind()]++
		b.puts++
	}
	switch {
	case was.Side() == s:
		b.lifted[was.Kind()]++
		b.lifts++
	case was != legal.NoPiece:
		b.victims++
	}
	return is.Side() != s.Other() && !(was.Side() == s.Other() && was.Kind() == legal.King)
}

// OnlyMovedFar reports whether between two placements only pieces of one side have moved, each further than a sleeve
// pushes it.
func OnlyMovedFar(from, to *legal.Placement, s legal.Side) bool {
	diff := Difference(from, to)
	for set := diff; set != 0; set &= set - 1 {
		sq := Lowest(set)
		if is := to[sq]; is != legal.NoPiece && !cameFrom(from, diff, is, legal.Square(sq)) {
			return false
		}
	}
	return InProgress(from, to, s)
}

// cameFrom reports whether such a piece has left one of the squares, and none that touches its new square.
func cameFrom(place *legal.Placement, squares uint64, p legal.Piece, to legal.Square) bool {
	far := false
	for set := squares; set != 0; set &= set - 1 {
		if from := Lowest(set); place[from] == p {
			if Near(from, to) {
				return false
			}
			far = true
		}
	}
	return far
}

// Takes reports whether the side to move can legally capture the piece on a square, also en passant.
func Takes(pos *legal.Position, sq legal.Square) bool {
	return AnyMove(pos, func(m legal.Move) bool { return m.Victim() == sq })
}

// AnyMove reports whether the predicate holds for one of the legal moves.
func AnyMove(pos *legal.Position, is func(legal.Move) bool) bool {
	var list legal.MoveList
	pos.Moves(&list)
	return slices.ContainsFunc(list.Slice(), is)
}

// TooDifferent reports whether two placements differ on more squares than the given number of plies and one more,
// begun, can change: each changes at most four, as castling does.
func TooDifferent(a, b *legal.Placement, plies int) bool {
	return Count(Difference(a, b)) > 4*(plies+1)
}

// PliesThenBegun returns up to max rows of depth plies, one or two, after which live shows the next turn begun.
func PliesThenBegun(pos *legal.Position, live *legal.Placement, depth, max int) (rows [][]legal.Move) {
	from := pos.Placement()
	if depth > 2 || TooDifferent(&from, live, depth) {
		return nil
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if len(rows) >= max {
			return rows
		}
		mid := PlacementAfter(from, m)
		if depth == 1 {
			after := pos.After(m)
			if InProgress(&mid, live, pos.Turn().Other()) && inHand(&mid, live) && MayTake(&after, live) {
				rows = append(rows, []legal.Move{m})
			}
			continue
		}
		after := pos.After(m)
		for _, rest := range PliesThenBegun(&after, live, 1, max-len(rows)) {
			rows = append(rows, append([]legal.Move{m}, rest...))
		}
	}
	return rows
}

// inHand reports whether the begun turn has put down nothing yet, except the king of a castling: a piece on another
// square is a ply of its own.
func inHand(mid, live *legal.Placement) bool {
	diff := Difference(mid, live)
	for set := diff; set != 0; set &= set - 1 {
		sq := Lowest(set)
		if is := live[sq]; is != legal.NoPiece && !(is.Kind() == legal.King && castledFrom(mid, diff, sq, is)) {
			return false
		}
	}
	return true
}

// castledFrom reports whether the king has come to a castling square from another square of the first rank.
func castledFrom(mid *legal.Placement, diff uint64, to legal.Square, king legal.Piece) bool {
	first, _ := LastRank(king.Side().Other())
	if f := to.File(); to.Rank() != first || f != 2 && f != 6 {
		return false
	}
	for set := diff; set != 0; set &= set - 1 {
		if from := Lowest(set); mid[from] == king {
			return from.Rank() == first && !Near(from, to)
		}
	}
	return false
}

// MayTake reports whether the side to move can have begun to capture the opponent's missing piece, if it has lifted one
// of its own: a legal move of that piece captures it.
func MayTake(pos *legal.Position, live *legal.Placement) bool {
	var lifted uint64
	gone, place := legal.NoSquare, pos.Placement()
	for set := Difference(&place, live); set != 0; set &= set - 1 {
		switch sq := Lowest(set); {
		case place[sq].Side() == pos.Turn():
			lifted |= 1 << sq
		case place[sq] != legal.NoPiece && live[sq] == legal.NoPiece:
			gone = sq
		}
	}
	if gone == legal.NoSquare || lifted == 0 {
		return true
	}
	return AnyMove(pos, func(m legal.Move) bool { return m.Victim() == gone && lifted>>m.From()&1 != 0 })
}

// searchBudget bounds the search for lost plies of one length. Measured: 5 to 10 ms on one core where it is used up
// (BenchmarkLostPlies); five plies that were really played need some thousand positions.
const searchBudget = 50_000

// A rowSearch looks for rows of legal moves of a fixed length that lead to live.
type rowSearch struct {
	live  *legal.Placement
	left  int    // positions that may still be visited
	still uint64 // squares that no piece has left
	row   [MaxLost]legal.Move
	found [][]legal.Move
	max   int
}

// MaxLost is the number of plies that may be lost in a gap and still be found again.
const MaxLost = 5

// LostPlies returns up to max rows of exactly depth legal moves from pos to live.
func LostPlies(pos *legal.Position, live *legal.Placement, depth, max int) [][]legal.Move {
	s := rowSearch{live: live, left: searchBudget, max: max}
	s.search(pos, depth)
	return s.found
}

// CanBePlies reports whether some row of exactly depth legal moves leads from pos to live, none of them by a piece on a
// square that no piece has left.
func CanBePlies(pos *legal.Position, live *legal.Placement, depth int, still uint64) bool {
	s := rowSearch{live: live, left: searchBudget, max: 1, still: still}
	s.search(pos, depth)
	return len(s.found) > 0
}

func (s *rowSearch) search(pos *legal.Position, depth int) {
	if from := pos.Placement(); depth == 1 || reachable(&from, s.live, pos.Turn(), (depth+1)/2, depth/2) {
		s.visit(*pos, 0, depth)
	}
}

// visit has the position as a value, so that none of the search is on the heap.
func (s *rowSearch) visit(pos legal.Position, at, depth int) {
	if at == depth-1 {
		if m, ok := OnePly(&pos, s.live); ok && s.still>>m.From()&1 == 0 {
			s.row[at] = m
			s.found = append(s.found, append([]legal.Move(nil), s.row[:depth]...))
		}
		return
	}
	from, turn := pos.Placement(), pos.Turn()
	mine, theirs := (depth-at+1)/2, (depth-at)/2
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if s.left--; s.left < 0 || len(s.found) >= s.max {
			return
		}
		mid := PlacementAfter(from, m)
		if s.still>>m.From()&1 != 0 || !reachable(&mid, s.live, turn, mine-1, theirs) || at+1 == depth-1 && !couldBeOne(&mid, s.live, turn.Other()) {
			continue
		}
		s.row[at] = m
		s.visit(pos.After(m), at+1, depth)
	}
}

// reachable reports whether that many plies are enough: each puts one piece on its square of the target, castling two,
// and no side castles twice.
func reachable(from, target *legal.Placement, turn legal.Side, mine, theirs int) bool {
	var missing [3]int
	for diff := Difference(from, target); diff != 0; diff &= diff - 1 {
		missing[target[Lowest(diff)].Side()]++
	}
	left := missing[legal.NoSide] // squares that must become empty: each ply leaves one, castling and en passant two
	return missing[turn] <= mine+castles(mine) && missing[turn.Other()] <= theirs+castles(theirs) && left <= mine+theirs+max(castles(mine)+castles(theirs), 1)
}

// castles is the one extra piece that a side can have put down in the given number of plies.
func castles(plies int) int { return min(plies, 1) }

// After returns the position after some moves.
func After(pos legal.Position, moves []legal.Move) legal.Position {
	for _, m := range moves {
		pos = pos.After(m)
	}
	return pos
}
