package detector

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// The report of a press comes up to two seconds late, and the opponent answers meanwhile: what the board shows then is a move
// and some of the reply to it. This file knows a legal reply at every stage of the hands that make it. Some stages last as
// long as it takes to find a queen, and some look like an offence of the player who pressed: a pawn on its last rank stands
// where no legal move leaves it, and beside the square where it stood.
//
// A reply has begun if nothing differs but on the squares of that reply, and each of those reads as it was, as nothing, or as
// it will be. Besides:
//
//	a promotion   the pawn itself on the last rank; any piece there that is exchanged again, also one of the other colour; a
//	              spare piece laid down on an empty square; the pawn back on its square, or still there under the new piece
//	a slide       the man on a square that he passes, and a king who castles on the square between
//
// Not known here, because it is over within a scan or two and the press waits: a captured man who is dragged over a square
// (correct.go).

// underWay says that, in the position after some move, live is a legal reply of which some is done.
func underWay(after *legal.Position, live *legal.Placement) bool {
	mid := after.Placement()
	diff := difference(&mid, live)
	if n := bits.OnesCount64(diff); n == 0 || n > maxReplySquares {
		return false
	}
	return anyMove(after, func(r legal.Move) bool { return someOf(&mid, live, diff, r) })
}

// maxReplySquares bounds the squares of a reply that is being made: castling has four; a promotion two, and a spare piece.
const maxReplySquares = 4

// someOf says that what differs between mid and live is some of the reply r.
func someOf(mid, live *legal.Placement, diff uint64, r legal.Move) bool {
	next := landing(*mid, r)
	s := mid[r.From()].Side()
	spare := 0
	for ; diff != 0; diff &= diff - 1 {
		sq := legal.Square(bits.TrailingZeros64(diff))
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

// exchangeable says that the man can stand on the promotion square before the piece that stays there does: the pawn, or a
// piece that is wrong, be it in colour only.
func exchangeable(p legal.Piece, s legal.Side) bool {
	return p == legal.PieceOf(s, legal.Pawn) || canPromoteTo(p.Kind())
}

// passes says that the man p, who moves by r, is over a square between: pushed along a line, or a king who castles.
func passes(mid *legal.Placement, r legal.Move, sq legal.Square, p legal.Piece) bool {
	if p != mid[r.From()] || mid[sq] != legal.NoPiece {
		return false
	}
	from, to := r.From(), r.To()
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

// unseenReply returns the one legal move after which the board is a legal reply of which some is done, where the hands were at
// work together: the first lift of the reply came before the last place of the move, or in the same scan, so that the board
// between the two was never seen. Every square of the move was reported as the move leaves it; a square on which the mover's man
// stood meanwhile was emptied by him, and not by the reply.
func (t *Tracker) unseenReply() (only legal.Move, ok bool) {
	base := t.g.last()
	pos, b := base.pos, &t.b
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		mid := landing(base.place, m)
		rest := difference(&mid, &b.live)
		if squares(rest) > maxReplySquares || !b.reported(&base.place, &mid) || b.stoodOn(rest, pos.Turn()) {
			continue
		}
		if after := pos.After(m); !underWay(&after, &b.live) || !takable(&pos, m, &mid, &b.live) {
			continue
		}
		if ok {
			return legal.NoMove, false
		}
		only, ok = m, true
	}
	return only, ok
}

// slidOn says that, after the first n changes, the man who stood on the square was put further away than a captured man is
// dragged: he was only passing, and has been captured elsewhere.
func (b *board) slidOn(n int, sq legal.Square, man legal.Piece) bool {
	if b.live[sq] == man {
		return false
	}
	for _, c := range b.changes[n:] {
		if c.is == man && !near(c.sq, sq) {
			return true
		}
	}
	return false
}
