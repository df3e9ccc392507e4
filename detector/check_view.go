package detector

import (
	"math/bits"

	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// What the checks share: reading a view, and building a shape.

// Confidence by what proves it, in permille. Not measured: an order, for whoever sorts by it.
const (
	certainPermille = 990
	strongPermille  = 900
	hintPermille    = 500
)

// mover is the side that has the move in the view.
func (v *view) mover() legal.Side { return v.pos.Turn() }

// A transfer is one piece that stands on another square than before.
type transfer struct {
	from, to      legal.Square
	piece, victim legal.Piece // victim is who stood on to
}

func (t transfer) squares() uint64 { return 1<<t.from | 1<<t.to }

// neighbouring says that the piece has gone no further than a push goes.
func (t transfer) neighbouring() bool { return near(t.from, t.to) }

// near says that two squares touch, or are one.
func near(a, b legal.Square) bool {
	df, dr := a.File()-b.File(), a.Rank()-b.Rank()
	return max(df, -df, dr, -dr) <= 1
}

// oneTransfer returns the transfer that is the whole difference from a to b, if it is one.
func oneTransfer(a, b *legal.Placement) (t transfer, ok bool) {
	diff := difference(a, b)
	if squares(diff) != 2 {
		return transfer{}, false
	}
	from, to := legal.Square(bits.TrailingZeros64(diff)), legal.Square(63-bits.LeadingZeros64(diff))
	if b[from] != legal.NoPiece {
		from, to = to, from
	}
	if b[from] != legal.NoPiece || a[from] == legal.NoPiece || b[to] != a[from] {
		return transfer{}, false
	}
	return transfer{from: from, to: to, piece: a[from], victim: a[to]}, true
}

// uciOf writes a transfer as the legality core reads it.
func uciOf(from, to legal.Square, promo legal.Kind) string {
	s := from.String() + to.String()
	if promo != legal.NoKind {
		s += string(rune(promo.Letter() | 0x20))
	}
	return s
}

// lastRank is the rank, counted from 0, on which a side's pawns are exchanged; the rank before it comes with it.
func lastRank(s legal.Side) (last, before int) {
	if s == legal.Black {
		return 0, 1
	}
	return 7, 6
}

// ahead is what one step forward adds to the rank of a side's pawn.
func ahead(s legal.Side) int {
	if s == legal.Black {
		return -1
	}
	return 1
}

// shapeOf begins a shape of the side that has the move, about the board at the press.
func (v *view) shapeOf(kind kinds.Kind, proof rules.Proof, set uint64) shape {
	s := shape{
		kind: kind, proof: proof, side: v.mover(), squares: set, board: v.at,
		permille: certainPermille,
	}
	if row := kind.Row(); row.Transfer {
		s.articles = row.FIDE // how the piece moves; what follows from it is the docket's
	}
	switch proof {
	case rules.Strong:
		s.permille = strongPermille
	case rules.Hint:
		s.permille = hintPermille
	}
	return s
}

// illegalShape makes a shape of an illegal verdict; it returns false where the verdict is legal or in doubt.
func (v *view) illegalShape(verdict *legal.Verdict, uci string, set uint64) (shape, bool) {
	if verdict.Legal || verdict.Doubt || !verdict.Kind.Illegal() {
		return shape{}, false
	}
	s := v.shapeOf(verdict.Kind, rules.Certain, set)
	s.uci, s.articles, s.reason = uci, verdict.Articles, verdict.Reason
	s.after, s.stands = v.made(&v.at)
	return s, true
}

// made is the position in which the mover's turn has left these pieces, whatever he did; false where it can be none (a
// king is gone, or one too many).
func (v *view) made(pieces *legal.Placement) (legal.Setup, bool) {
	s := v.pos.Setup()
	s.Castling = keptRights(&s, pieces)
	s.Placement = *pieces
	s.EnPassant = v.passedSquare(pieces)
	s.HalfMoves++
	if zeroing(&v.base, pieces) {
		s.HalfMoves = 0
	}
	if s.Turn == legal.Black {
		s.FullMoves++
	}
	s.Turn = s.Turn.Other()
	_, err := s.Standing()
	return s, err == nil
}

// passedSquare returns the square that a pawn's double step has just passed over, for a move that was wrong only for
// what it did to the king: the opponent may answer it en passant, and must not be told that he came too late.
func (v *view) passedSquare(pieces *legal.Placement) legal.Square {
	t, ok := oneTransfer(&v.base, pieces)
	s := v.mover()
	if !ok || t.piece != legal.PieceOf(s, legal.Pawn) || t.from.File() != t.to.File() || t.to.Rank()-t.from.Rank() != 2*ahead(s) {
		return legal.NoSquare
	}
	passed := (t.from + t.to) / 2
	if _, before := lastRank(s.Other()); t.from.Rank() != before || v.base[passed] != legal.NoPiece || t.victim != legal.NoPiece {
		return legal.NoSquare
	}
	return passed
}

// zeroing says that a capture or a pawn move lies between two placements (FIDE Laws 9.3).
func zeroing(a, b *legal.Placement) bool {
	pieces := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if a[i].Kind() == legal.Pawn || b[i].Kind() == legal.Pawn {
			return true
		}
		if a[i] != legal.NoPiece {
			pieces++
		}
		if b[i] != legal.NoPiece {
			pieces--
		}
	}
	return pieces != 0
}

// played is the position after a legal move, as a set-up.
func (v *view) played(m legal.Move) legal.Setup {
	after := v.pos.After(m)
	return after.Setup()
}

// doneLater returns the legal move that the board showed in full while the press was pending, whatever came from nowhere:
// a captured piece may read on another square before it is missed on its own.
func (v *view) doneLater() (m legal.Move, ok bool) {
	board := v.at
	for i := range v.later {
		c := &v.later[i]
		if next := placementWith(board, c); play.Surplus(&v.base, &next)>>c.sq&1 != 0 {
			continue
		}
		board[c.sq] = c.is
		if m, ok := onePly(v.pos, &board); ok {
			return m, true
		}
	}
	return 0, false
}

func placementWith(p legal.Placement, c *change) legal.Placement {
	p[c.sq] = c.is
	return p
}

// finished is a move that was begun before the press and finished after it (FIDE Laws 6.2.1): false where nothing
// proves that, and where it was not finished at all.
func (v *view) finished() (shape, bool) {
	m, ok := v.doneLater()
	if !ok {
		return shape{}, false
	}
	c := v.early(m)
	if c == nil {
		return shape{}, false
	}
	return v.earlyShape(m, c), true
}

// shown returns how long the board stood as pieces says, the longest time of several, in microseconds; -1 where it was
// never seen so. What stood at the press stands for ever.
func (v *view) shown(pieces *legal.Placement) int64 { return v.shownFrom(0, pieces) }

// shownFrom is the same from the n-th change on.
func (v *view) shownFrom(n int, pieces *legal.Placement) int64 {
	longest := int64(-1)
	board := v.origin
	if board == *pieces && n == 0 {
		longest = 0
	}
	for i := range v.changes {
		board[v.changes[i].sq] = v.changes[i].is
		if i >= n && board == *pieces {
			longest = max(longest, v.stood(i))
		}
	}
	return longest
}

// stood returns how long the board stayed as the i-th change left it.
func (v *view) stood(i int) int64 {
	if i+1 >= len(v.changes) {
		return 1 << 62
	}
	return v.changes[i+1].win.Hi - v.changes[i].win.Hi
}

// lifted returns the latest change that emptied the square, and placed the latest that put the piece there; nil if none
// was reported.
func (v *view) lifted(sq legal.Square) *change { return v.latest(sq, legal.NoPiece) }

func (v *view) latest(sq legal.Square, is legal.Piece) *change {
	for i := len(v.changes) - 1; i >= 0; i-- {
		if c := &v.changes[i]; c.sq == sq && c.is == is {
			return c
		}
	}
	return nil
}
