package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Castling on wrong squares (FIDE Laws 3.8.2): king and rook have both left their squares and passed each other, and
// they stand beside the squares to which castling brings them. No two moves of theirs bring them there, and no push,
// for neither can go over the other.
//
// Innocent look-alikes: castling; castling, and then one of the two went on, which is a second move; a king's step and
// a rook's move beside it; a piece that was put right while the press was looked at.

func seeCastlingSquares(v *view) (shape, bool) {
	s := v.mover()
	king := v.pos.KingSquare(s)
	if king.Rank() != homeRank(s) || v.at[king] == v.base[king] || squares(v.diff) > 4 {
		return shape{}, false
	}
	for f := 0; f < 8; f++ {
		rook := legal.SquareOf(f, king.Rank())
		if v.base[rook] != legal.PieceOf(s, legal.Rook) || v.at[rook] == v.base[rook] {
			continue
		}
		if kingTo, rookTo, ok := v.wentAstray(king, rook); ok {
			return v.onWrongSquares(king, rook, kingTo, rookTo)
		}
	}
	return shape{}, false
}

// wentAstray returns where king and rook stand, if that is all that differs and they have passed each other.
func (v *view) wentAstray(king, rook legal.Square) (kingTo, rookTo legal.Square, ok bool) {
	kingTo, rookTo = legal.NoSquare, legal.NoSquare
	for set := v.diff; set != 0; set &= set - 1 {
		sq := legal.Square(lowest(set))
		switch {
		case v.base[sq] != legal.NoPiece && sq != king && sq != rook:
			return 0, 0, false
		case v.at[sq] == legal.NoPiece:
		case v.at[sq] == v.base[king] && kingTo == legal.NoSquare:
			kingTo = sq
		case v.at[sq] == v.base[rook] && rookTo == legal.NoSquare:
			rookTo = sq
		default:
			return 0, 0, false
		}
	}
	return kingTo, rookTo, kingTo != legal.NoSquare && rookTo != legal.NoSquare && passedEachOther(king, rook, kingTo, rookTo)
}

// passedEachOther says that king and rook have passed each other on their rank, and that each stands beside its square
// of the castling.
func passedEachOther(king, rook, kingTo, rookTo legal.Square) bool {
	rank := king.Rank()
	right, beside := legal.SquareOf(6, rank), legal.SquareOf(5, rank)
	if rook < king {
		right, beside = legal.SquareOf(2, rank), legal.SquareOf(3, rank)
	}
	passed := kingTo.Rank() == rank && rookTo.Rank() == rank && (rook > king) == (kingTo > rookTo)
	wrong := kingTo != right && rookTo != beside // with one of them right, the other may have been pushed, or have moved again
	return passed && wrong && near(kingTo, right) && near(rookTo, beside)
}

func (v *view) onWrongSquares(king, rook, kingTo, rookTo legal.Square) (shape, bool) {
	for _, right := range castlingTargets(v.pos.Chess960(), king, rook) {
		if right == legal.NoSquare {
			continue
		}
		if placement := v.castled(king, rook, right); v.shown(&placement) >= 0 {
			return shape{}, false // they stood right, and one of them went on from there
		}
	}
	if _, ok := v.doneLater(); ok {
		return v.finished()
	}
	s := v.shapeOf(kinds.IllegalKing, rules.Certain, v.diff|1<<king|1<<rook)
	s.open = !v.final // the hand may still put them right
	s.uci = uciOf(king, kingTo, legal.NoKind)
	s.articles = []string{"3.8.2"}
	s.reason = words.Say("why.castle.squares", v.mover(), kingTo, rookTo)
	s.after, s.stands = v.made(&v.at)
	return s, true
}
