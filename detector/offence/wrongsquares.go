package offence

import (
	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Castling on wrong squares (FIDE Laws 3.8.2): king and rook have both left their squares and are beside the squares
// that castling brings them to. Where they have passed each other and both are wrong, the proof is certain: no two
// moves of theirs lead there, and no push, for neither can go over the other. Where one of them is right, or they have
// not passed each other, it is strong: the other was never read on its right square, or both were in the hand together.
//
// Innocent look-alikes: castling; castling, and then one of the two went on, which is a second move; a king's step, and
// then a rook's move beside it; a piece that was put right while the press was looked at.

func seeCastlingSquares(v *View) (Shape, bool) {
	s := v.Mover()
	king := v.Pos.KingSquare(s)
	if king.Rank() != homeRank(s) || v.At[king] == v.Base[king] || play.Count(v.Diff) > 4 {
		return Shape{}, false
	}
	for f := 0; f < 8; f++ {
		rook := legal.SquareOf(f, king.Rank())
		if v.Base[rook] != legal.PieceOf(s, legal.Rook) || v.At[rook] == v.Base[rook] {
			continue
		}
		kingTo, rookTo, ok := v.wrongCastlingSquares(king, rook)
		if !ok {
			continue
		}
		if v.mirrored(king, kingTo) {
			return Shape{}, false
		}
		if proof, ok := v.castlingMeant(king, rook, kingTo, rookTo); ok {
			return v.onWrongSquares(king, rook, kingTo, rookTo, proof)
		}
	}
	return Shape{}, false
}

// mirrored reports whether the king castles from the d-file in a game that began from the mirror image of the orthodox
// array. Such an array is rarely meant as Chess960; a player who castles there as usual, in mirror image, or as in
// Chess960, is not accused of it.
func (v *View) mirrored(king, to legal.Square) bool {
	if king.File() != 3 || v.Line.Len() == 0 {
		return false
	}
	switch to.File() {
	case 1, 2, 5, 6:
	default:
		return false
	}
	home := v.Line.Position(0).Placement()
	n, ok := array.OfSide(&home, v.Mover())
	return ok && n == array.MirroredNumber
}

// wrongCastlingSquares returns the squares of king and rook, if nothing else differs and both are on the first rank.
func (v *View) wrongCastlingSquares(king, rook legal.Square) (kingTo, rookTo legal.Square, ok bool) {
	kingTo, rookTo = legal.NoSquare, legal.NoSquare
	for set := v.Diff; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		switch {
		case v.Base[sq] != legal.NoPiece && sq != king && sq != rook:
			return 0, 0, false
		case v.At[sq] == legal.NoPiece:
		case v.At[sq] == v.Base[king] && kingTo == legal.NoSquare:
			kingTo = sq
		case v.At[sq] == v.Base[rook] && rookTo == legal.NoSquare:
			rookTo = sq
		default:
			return 0, 0, false
		}
	}
	ok = kingTo != legal.NoSquare && rookTo != legal.NoSquare && kingTo.Rank() == king.Rank() && rookTo.Rank() == king.Rank()
	return kingTo, rookTo, ok
}

// castledTo returns the squares to which castling brings king and rook.
func castledTo(king, rook legal.Square) (right, beside legal.Square) {
	rank := king.Rank()
	if rook < king {
		return legal.SquareOf(2, rank), legal.SquareOf(3, rank)
	}
	return legal.SquareOf(6, rank), legal.SquareOf(5, rank)
}

// castlingMeant returns how far the squares of king and rook prove that castling was meant.
func (v *View) castlingMeant(king, rook, kingTo, rookTo legal.Square) (rules.Proof, bool) {
	right, beside := castledTo(king, rook)
	passed := (rook > king) == (kingTo > rookTo)
	close := play.Near(kingTo, right) && play.Near(rookTo, beside)
	switch {
	case passed && close && kingTo != right && rookTo != beside:
		return rules.Certain, true
	case v.ReportsDoubtful || v.Pos.Chess960():
		return 0, false
	case passed:
		return rules.Strong, close && v.neverCastled(king, rook, kingTo, rookTo)
	}
	meant := close || kingTo == right && play.Near(rookTo, right)
	return rules.Strong, meant && v.Pos.Castling().Has(v.Mover(), rook.File()) && v.inTheAirTogether(king, rook, kingTo, rookTo)
}

// neverCastled reports whether the one of king and rook that is wrong was never read on its castling square.
func (v *View) neverCastled(king, rook, kingTo, rookTo legal.Square) bool {
	right, beside := castledTo(king, rook)
	if kingTo == right {
		return rookTo != beside && v.Latest(beside, v.Base[rook]) == nil
	}
	return v.Latest(right, v.Base[king]) == nil
}

// inTheAirTogether reports whether each of two pieces was lifted before the other was put down, in the order of the
// reports.
func (v *View) inTheAirTogether(a, b, aTo, bTo legal.Square) bool {
	liftA, liftB, putA, putB := v.Lifted(a), v.Lifted(b), v.Latest(aTo, v.Base[a]), v.Latest(bTo, v.Base[b])
	for _, c := range [...]*evidence.Change{liftA, liftB, putA, putB} {
		if c == nil || c.FromDump || c.UnknownCode {
			return false
		}
	}
	return liftA.Window.Hi < putB.Window.Hi && liftB.Window.Hi < putA.Window.Hi
}

func (v *View) onWrongSquares(king, rook, kingTo, rookTo legal.Square, proof rules.Proof) (Shape, bool) {
	for _, right := range castlingTargets(v.Pos.Chess960(), king, rook) {
		if right == legal.NoSquare {
			continue
		}
		if placement := v.castled(king, rook, right); v.shown(&placement) >= 0 {
			return Shape{}, false // both were on the right squares, and one of them went on from there
		}
	}
	if _, ok := v.doneLater(); ok {
		return v.finishedLate()
	}
	s := v.ShapeOf(kinds.IllegalKing, proof, v.Diff|1<<king|1<<rook)
	s.MayBeCompleted = !v.Final // the hand may still put them right
	s.UCI = UCI(king, kingTo, legal.NoKind)
	s.Articles = []string{"3.8.2"}
	s.Reason = words.Say("why.castle.squares", v.Mover(), kingTo, rookTo)
	s.After, s.Stands = v.made(&v.At)
	return s, true
}
