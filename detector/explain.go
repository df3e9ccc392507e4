package detector

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file answers one question in several strengths: which legal play leads from a position to the placement on
// the board? Placements are compared, never the order in which squares were reported (reconstruction notes 7.1,
// family G).

// placementAfter returns the placement after m.
func placementAfter(from legal.Placement, m legal.Move) legal.Placement { return play.Landing(from, m) }

// onePly returns the legal move that leads exactly to live. No two legal moves of one position lead to the same
// placement (0 in 158 recorded positions, and by construction: piece and both squares follow from the difference).
func onePly(pos *legal.Position, live *legal.Placement) (legal.Move, bool) {
	from := pos.Placement()
	diff := difference(&from, live)
	if n := bits.OnesCount64(diff); n < 2 || n > 4 {
		return 0, false
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if (diff>>m.From()&1 != 0 || m.IsCastling()) && placementAfter(from, m) == *live { // a castling king may stay
			return m, true
		}
	}
	return 0, false
}

// inProgress says whether live is target with a turn of side s begun and not finished: its pieces lifted, slid or put
// down somewhere, and at most one of the other side's pieces taken off already.
func inProgress(target, live *legal.Placement, s legal.Side) bool {
	n, ok := begun(target, live, s)
	return ok && n == 0
}

// inProgressScan is inProgress within one scan of the board, in which a place can be reported before its lift and a
// slide be seen on two squares. What stands longer is an extra piece.
func inProgressScan(target, live *legal.Placement, s legal.Side) bool {
	n, ok := begun(target, live, s)
	return ok && n <= 1
}

// A begunTurn counts the pieces of a side that were lifted and put down, and what is gone of the other side's.
type begunTurn struct {
	lifted, put          [8]int // by kind
	lifts, puts, victims int
}

// begun looks at the squares on which live differs from target as a turn of side s that is not finished; early counts
// the places whose lift is not seen.
func begun(target, live *legal.Placement, s legal.Side) (early int, ok bool) {
	diff := difference(target, live)
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
		return 0, false // two pieces stand elsewhere
	}
	for k, n := range b.put {
		// A pawn that was lifted may come back as another piece; everything else as what it was.
		if b.lifted[k] == 0 && b.lifted[legal.Pawn] == 0 {
			early += n
		}
	}
	return max(early, b.puts-b.lifts), true
}

// take counts one square. It returns false where no turn of s leaves it so: the other side's piece stands where it
// should not, or its king is gone.
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

// pushed says that, m having been played, a piece of the opponent's stands where no legal reply puts it: it was pushed
// there, or is on its way.
func (t *Tracker) pushed(m legal.Move) bool {
	base := t.g.last()
	mid := placementAfter(base.place, m)
	after := base.pos.After(m)
	if play.UnderWay(&after, &t.b.live) {
		return false
	}
	var replies legal.MoveList
	listed := false
	for set := difference(&mid, &t.b.live); set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		is := t.b.live[sq]
		if is == legal.NoPiece || is.Side() == base.pos.Turn() {
			continue
		}
		if !listed {
			after.Moves(&replies)
			listed = true
		}
		reached := false
		for _, r := range replies.Slice() {
			next := placementAfter(mid, r)
			reached = reached || next[sq] == is && mid[sq] != is && t.b.live[r.From()] != mid[r.From()]
		}
		if !reached {
			return true
		}
	}
	return false
}

// putBeside says that, m having been played, the captured piece stands on another square and nothing else differs: it
// was put down there, or a piece like it has come there whose lift is not reported yet.
func (t *Tracker) putBeside(m legal.Move) bool {
	base := t.g.last()
	mid := placementAfter(base.place, m)
	rest := difference(&mid, &t.b.live)
	if squares(rest) != 1 || m.Victim() == legal.NoSquare {
		return false
	}
	sq := lowest(rest)
	return mid[sq] == legal.NoPiece && t.b.live[sq] == base.place[m.Victim()]
}

// mayBePushed says that pieces of the opponent's stand beside the move m of s where s may have pushed them.
func (t *Tracker) mayBePushed(s legal.Side, m legal.Move, n int, at int64, final bool) bool {
	return (t.pushed(m) || t.putBeside(m)) && !(final && t.carriedOn(s, m, n, at))
}

// carriedOn says that a player has not pushed the opponent's pieces beside his move m, which stood alone after n
// changes: the opponent has put them there from further away than a sleeve pushes a piece. More may have been played
// since the report of the press at the given time.
func (t *Tracker) carriedOn(s legal.Side, m legal.Move, n int, at int64) bool {
	if n <= 0 || n >= len(t.b.changes) || t.b.stood(n) < stillUS && t.c.turn() != s {
		return false
	}
	base := t.g.last().place
	mid := placementAfter(base, m)
	again := func(c change) bool { return c.sq == m.To() && (c.is == mid[c.sq] || c.is.Side() == s.Other()) } // or taken there
	if back := t.b.seen(&base); back > n && !slices.ContainsFunc(t.b.changes[back:], again) {
		return false // it was taken back
	}
	if far(&mid, &t.b.live, s.Other()) {
		return true
	}
	reported := t.b.changesUntil(at)
	if reported <= n || reported >= len(t.b.changes) {
		return false
	}
	then := t.b.after(reported)
	return far(&mid, &then, s.Other())
}

// far says that from one placement to another only pieces of one side have moved, and each further than a sleeve pushes
// it.
func far(from, to *legal.Placement, s legal.Side) bool {
	diff := difference(from, to)
	for set := diff; set != 0; set &= set - 1 {
		sq := lowest(set)
		if is := to[sq]; is != legal.NoPiece && !cameFrom(from, diff, is, legal.Square(sq)) {
			return false
		}
	}
	return inProgress(from, to, s)
}

// cameFrom says that such a piece is gone from one of the squares, and not from beside this one.
func cameFrom(place *legal.Placement, squares uint64, p legal.Piece, to legal.Square) bool {
	far := false
	for set := squares; set != 0; set &= set - 1 {
		if from := legal.Square(lowest(set)); place[from] == p {
			if near(from, to) {
				return false
			}
			far = true
		}
	}
	return far
}

// takes says whether the side to move can legally capture the piece on a square, also en passant.
func takes(pos *legal.Position, sq legal.Square) bool {
	return anyMove(pos, func(m legal.Move) bool { return m.Victim() == sq })
}

// anyMove says whether one of the legal moves is such a move.
func anyMove(pos *legal.Position, is func(legal.Move) bool) bool {
	var list legal.MoveList
	pos.Moves(&list)
	return slices.ContainsFunc(list.Slice(), is)
}

// tooDifferent says that two placements differ on more squares than a number of plies and one more, begun, can change: each at
// most four, as castling does.
func tooDifferent(a, b *legal.Placement, plies int) bool {
	return squares(difference(a, b)) > 4*(plies+1)
}

// pliesThenBegun returns the rows of depth plies, one or two, after which live is the next turn begun; at most max.
func pliesThenBegun(pos *legal.Position, live *legal.Placement, depth, max int) (rows [][]legal.Move) {
	from := pos.Placement()
	if depth > 2 || tooDifferent(&from, live, depth) {
		return nil
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if len(rows) >= max {
			return rows
		}
		mid := placementAfter(from, m)
		if depth == 1 {
			after := pos.After(m)
			if inProgress(&mid, live, pos.Turn().Other()) && inHand(&mid, live) && mayTake(&after, live) {
				rows = append(rows, []legal.Move{m})
			}
			continue
		}
		after := pos.After(m)
		for _, rest := range pliesThenBegun(&after, live, 1, max-len(rows)) {
			rows = append(rows, append([]legal.Move{m}, rest...))
		}
	}
	return rows
}

// inHand says that the turn that is begun has put down nothing yet, but for the king of a castling: what stands on
// another square is a ply of its own.
func inHand(mid, live *legal.Placement) bool {
	diff := difference(mid, live)
	for set := diff; set != 0; set &= set - 1 {
		sq := legal.Square(lowest(set))
		if is := live[sq]; is != legal.NoPiece && !(is.Kind() == legal.King && castledFrom(mid, diff, sq, is)) {
			return false
		}
	}
	return true
}

// castledFrom says that the king has come to its square of a castling from another one of the first rank.
func castledFrom(mid *legal.Placement, diff uint64, to legal.Square, king legal.Piece) bool {
	first, _ := lastRank(king.Side().Other())
	if f := to.File(); to.Rank() != first || f != 2 && f != 6 {
		return false
	}
	for set := diff; set != 0; set &= set - 1 {
		if from := legal.Square(lowest(set)); mid[from] == king {
			return from.Rank() == first && !near(from, to)
		}
	}
	return false
}

// mayTake says that the player to move can have begun to take the piece of the opponent's that is missing, if he has
// lifted one of his own: a legal move of that piece captures it.
func mayTake(pos *legal.Position, live *legal.Placement) bool {
	var lifted uint64
	gone, place := legal.NoSquare, pos.Placement()
	for set := difference(&place, live); set != 0; set &= set - 1 {
		switch sq := legal.Square(lowest(set)); {
		case place[sq].Side() == pos.Turn():
			lifted |= 1 << sq
		case place[sq] != legal.NoPiece && live[sq] == legal.NoPiece:
			gone = sq
		}
	}
	if gone == legal.NoSquare || lifted == 0 {
		return true
	}
	return anyMove(pos, func(m legal.Move) bool { return m.Victim() == gone && lifted>>m.From()&1 != 0 })
}

// searchBudget bounds the search for lost plies of one length. Measured: 5 to 10 ms on one core where it is used up
// (BenchmarkLostPlies); five plies that were really played need some thousand positions.
const searchBudget = 50_000

// A search looks for rows of legal moves of a fixed length that lead to live.
type search struct {
	live  *legal.Placement
	left  int    // positions that may still be visited
	still uint64 // squares that nothing has left
	row   [maxLost]legal.Move
	found [][]legal.Move
	max   int
}

// maxLost is how many plies may be lost in a gap and still be found again.
const maxLost = 5

// lostPlies returns up to max rows of exactly depth legal moves from pos to live.
func lostPlies(pos *legal.Position, live *legal.Placement, depth, max int) [][]legal.Move {
	s := search{live: live, left: searchBudget, max: max}
	s.visit(pos, 0, depth)
	return s.found
}

// canBePlies says that some row of exactly depth legal moves leads from pos to live, none of them by a piece on a
// square that nothing has left.
func canBePlies(pos *legal.Position, live *legal.Placement, depth int, still uint64) bool {
	s := search{live: live, left: searchBudget, max: 1, still: still}
	s.visit(pos, 0, depth)
	return len(s.found) > 0
}

func (s *search) visit(pos *legal.Position, at, depth int) {
	from := pos.Placement()
	if at == depth-1 {
		if m, ok := onePly(pos, s.live); ok && s.still>>m.From()&1 == 0 {
			s.row[at] = m
			s.found = append(s.found, append([]legal.Move(nil), s.row[:depth]...))
		}
		return
	}
	turn := pos.Turn()
	mine, theirs := (depth-at+1)/2, (depth-at)/2
	if !reachable(&from, s.live, turn, mine, theirs) {
		return
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if s.left--; s.left < 0 || len(s.found) >= s.max {
			return
		}
		mid := placementAfter(from, m)
		if s.still>>m.From()&1 != 0 || !reachable(&mid, s.live, turn, mine-1, theirs) {
			continue
		}
		s.row[at] = m
		next := pos.After(m)
		s.visit(&next, at+1, depth)
	}
}

// reachable says whether that many plies can do: each puts one piece of its own where the target has it, castling two,
// and no side castles twice.
func reachable(from, target *legal.Placement, turn legal.Side, mine, theirs int) bool {
	var missing [3]int
	for sq, p := range target {
		if p != from[sq] {
			missing[p.Side()]++
		}
	}
	left := missing[legal.NoSide] // squares that must become empty: each ply leaves one, castling and en passant two
	return missing[turn] <= mine+castles(mine) && missing[turn.Other()] <= theirs+castles(theirs) && left <= mine+theirs+max(castles(mine)+castles(theirs), 1)
}

// castles is the one piece more that a side can have put in so many plies.
func castles(plies int) int { return min(plies, 1) }
