package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// This file recognises a legal reply at every stage of the hands that make it. A press is reported up to two seconds
// late, and the opponent may answer meanwhile: the board then shows a move and part of the reply. Some stages last as
// long as it takes to find a queen, and some look like an offence of the player who pressed: a pawn on its last rank is
// where no legal move leaves it, and beside its old square.
//
// A reply has begun if only squares of that reply differ, and each of them reads as before, as empty, or as after the
// reply. Besides, it may show:
//
//	a promotion   the pawn itself on the last rank; any piece there that is exchanged again, also one of the
//	              other colour; a spare piece laid down on an empty square; the pawn back on its square, or still
//	              there under the new piece
//	a slide       the piece on a square that it passes, and a king that castles on the square between
//
// A captured piece that is dragged over a square is not recognised here, because that is over within a scan or two and
// the press waits: ArcDrag.

// UnderWay reports whether, in the position after some move, live is a legal reply partly made.
func UnderWay(after *legal.Position, live *legal.Placement) bool {
	mid := after.Placement()
	diff := Difference(&mid, live)
	if n := Count(diff); n == 0 || n > MaxReplySquares {
		return false
	}
	var list legal.MoveList
	after.Moves(&list)
	return slices.ContainsFunc(list.Slice(), func(r legal.Move) bool { return isPartOfReply(&mid, live, diff, r) })
}

// MaxReplySquares bounds the squares of a reply that is being made: castling has four; a promotion two, and a spare
// piece.
const MaxReplySquares = 4

// isPartOfReply reports whether the squares that differ between mid and live are part of the reply r.
func isPartOfReply(mid, live *legal.Placement, diff uint64, r legal.Move) bool {
	next := PlacementAfter(*mid, r)
	s := mid[r.From()].Side()
	spare := 0
	for ; diff != 0; diff &= diff - 1 {
		sq := Lowest(diff)
		is := live[sq]
		switch {
		case mid[sq] != next[sq] && (is == legal.NoPiece || is == next[sq]):
		case r.Promotion() != legal.NoKind && sq == r.To() && exchangeable(is, s):
		case r.Promotion() != legal.NoKind && mid[sq] == legal.NoPiece && is.Side() == s && canPromoteTo(is.Kind()):
			spare++
		case passes(mid, r, sq, is) && live[r.From()] == legal.NoPiece:
		default:
			return false
		}
	}
	return spare <= 1
}

// exchangeable reports whether the piece can be on the promotion square before the final piece is: the pawn, or a wrong
// piece, even if only its colour is wrong.
func exchangeable(p legal.Piece, s legal.Side) bool {
	return p == legal.PieceOf(s, legal.Pawn) || canPromoteTo(p.Kind())
}

// passes reports whether p, the piece that r moves, is on a square between: pushed along a line, or a king that
// castles.
func passes(mid *legal.Placement, r legal.Move, sq legal.Square, p legal.Piece) bool {
	return p == mid[r.From()] && mid[sq] == legal.NoPiece && between(r.From(), sq, r.To())
}

// between reports whether a square lies between two others of a line.
func between(from, sq, to legal.Square) bool {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	if df != 0 && dr != 0 && df != dr && df != -dr {
		return false
	}
	for n, i := max(df, -df, dr, -dr), 1; i < n; i++ {
		if legal.SquareOf(from.File()+df/n*i, from.Rank()+dr/n*i) == sq {
			return true
		}
	}
	return false
}

func canPromoteTo(k legal.Kind) bool { return k >= legal.Knight && k <= legal.Queen }
