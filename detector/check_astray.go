package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Castling on wrong squares (FIDE Laws 3.8.2): king and rook have both left their squares, and they stand beside the
// squares to which castling brings them. Where they have passed each other and both stand wrong, no two moves of theirs
// bring them there, and no push, for neither can go over the other. Where one of them stands right, or they have not
// passed each other, it is likely: the other one was never read where it belongs, or both were in the air together.
//
// Innocent look-alikes: castling; castling, and then one of the two went on, which is a second move; a king's step, and
// then a rook's move beside it; a piece that was put right while the press was looked at.

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
		kingTo, rookTo, ok := v.wrongCastlingSquares(king, rook)
		if !ok {
			continue
		}
		if v.mirrored(king, kingTo) {
			return shape{}, false
		}
		if proof, ok := v.astray(king, rook, kingTo, rookTo); ok {
			return v.onWrongSquares(king, rook, kingTo, rookTo, proof)
		}
	}
	return shape{}, false
}

// mirrored says that the king castles from the d-file in a game that began with the orthodox array seen in the mirror.
// Hardly anybody set up Chess960 then, and who castles as he always does, seen in the mirror, is not accused of it; nor
// who castles as in Chess960.
func (v *view) mirrored(king, to legal.Square) bool {
	if king.File() != 3 || v.line.Len() == 0 {
		return false
	}
	switch to.File() {
	case 1, 2, 5, 6:
	default:
		return false
	}
	home := v.line.Position(0).Placement()
	n, ok := ownArray(&home, v.mover())
	return ok && n == mirroredArrayNumber
}

// wrongCastlingSquares returns where king and rook stand, if that is all that differs and they stand on the first rank.
func (v *view) wrongCastlingSquares(king, rook legal.Square) (kingTo, rookTo legal.Square, ok bool) {
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

// astray says how far king and rook show by their squares that castling was meant.
func (v *view) astray(king, rook, kingTo, rookTo legal.Square) (rules.Proof, bool) {
	right, beside := castledTo(king, rook)
	passed := (rook > king) == (kingTo > rookTo)
	close := near(kingTo, right) && near(rookTo, beside)
	switch {
	case passed && close && kingTo != right && rookTo != beside:
		return rules.Certain, true
	case v.shaken || v.pos.Chess960():
		return 0, false
	case passed:
		return rules.Strong, close && v.neverCastled(king, rook, kingTo, rookTo)
	}
	meant := close || kingTo == right && near(rookTo, right)
	return rules.Strong, meant && v.pos.Castling().Has(v.mover(), rook.File()) && v.inTheAirTogether(king, rook, kingTo, rookTo)
}

// neverCastled says that the one of king and rook that stands wrong was not read on its square of castling.
func (v *view) neverCastled(king, rook, kingTo, rookTo legal.Square) bool {
	right, beside := castledTo(king, rook)
	if kingTo == right {
		return rookTo != beside && v.latest(beside, v.base[rook]) == nil
	}
	return v.latest(right, v.base[king]) == nil
}

// inTheAirTogether says that each of two pieces was lifted before the other was put down, as the reports came.
func (v *view) inTheAirTogether(a, b, aTo, bTo legal.Square) bool {
	liftA, liftB, putA, putB := v.lifted(a), v.lifted(b), v.latest(aTo, v.base[a]), v.latest(bTo, v.base[b])
	for _, c := range [...]*change{liftA, liftB, putA, putB} {
		if c == nil || c.healed || c.odd {
			return false
		}
	}
	return liftA.win.Hi < putB.win.Hi && liftB.win.Hi < putA.win.Hi
}

func (v *view) onWrongSquares(king, rook, kingTo, rookTo legal.Square, proof rules.Proof) (shape, bool) {
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
	s := v.shapeOf(kinds.IllegalKing, proof, v.diff|1<<king|1<<rook)
	s.open = !v.final // the hand may still put them right
	s.uci = uciOf(king, kingTo, legal.NoKind)
	s.articles = []string{"3.8.2"}
	s.reason = words.Say("why.castle.squares", v.mover(), kingTo, rookTo)
	s.after, s.stands = v.made(&v.at)
	return s, true
}
