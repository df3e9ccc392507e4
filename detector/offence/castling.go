package offence

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Castling (FIDE Laws 3.8.2, Guidelines II.3): complete and forbidden, or the king alone. In Chess960 the rook may move
// alone, or the king, and either may end where the other began; therefore the check compares the two pieces and not
// their ways.
//
// Innocent look-alikes: castling with a right to it; the rook alone, which is a rook's move; a king's step of one
// square.

func seeCastling(v *View) (Shape, bool) {
	king := v.Pos.KingSquare(v.Mover())
	if king.Rank() != homeRank(v.Mover()) {
		return Shape{}, false
	}
	for f := 0; f < 8; f++ {
		rook := legal.SquareOf(f, king.Rank())
		if v.Base[rook] != legal.PieceOf(v.Mover(), legal.Rook) {
			continue
		}
		for _, kingTo := range castlingTargets(v.Pos.Chess960(), king, rook) {
			if kingTo != legal.NoSquare && !v.mirrored(king, kingTo) && v.castled(king, rook, kingTo) == v.At {
				return v.castlingFault(king, rook, kingTo)
			}
		}
	}
	return v.kingOnly()
}

func homeRank(s legal.Side) int {
	last, _ := play.LastRank(s.Other())
	return last
}

// castlingTargets returns the squares to which a king castles with that rook: on the c- or g-file, and in orthodox
// chess, where the king may have left the e-file, two squares towards the rook.
func castlingTargets(chess960 bool, king, rook legal.Square) (targets [2]legal.Square) {
	file, step := 6, 1
	if rook < king {
		file, step = 2, -1
	}
	targets[0] = legal.SquareOf(file, king.Rank())
	targets[1] = legal.NoSquare
	if !chess960 {
		targets[1] = legal.SquareOf(king.File()+2*step, king.Rank())
		if (file-king.File())*step <= 2 {
			targets[0] = legal.NoSquare // the same square, or a step, or none
		}
	}
	return targets
}

// castled returns the board with king and rook where castling puts them, whatever was there.
func (v *View) castled(king, rook, kingTo legal.Square) legal.Placement {
	pieces := v.Base
	pieces[king], pieces[rook] = legal.NoPiece, legal.NoPiece
	rookTo := kingTo - 1
	if rook < king {
		rookTo = kingTo + 1
	}
	pieces[kingTo], pieces[rookTo] = v.Base[king], v.Base[rook]
	return pieces
}

func (v *View) castlingFault(king, rook, kingTo legal.Square) (Shape, bool) {
	uci := UCI(king, kingTo, legal.NoKind)
	if v.Pos.Chess960() {
		uci = UCI(king, rook, legal.NoKind)
	}
	verdict := v.Pos.Explain(uci)
	right := v.Pos.Castling().Has(v.Mover(), rook.File())
	switch {
	case verdict.Legal || verdict.Doubt:
		return Shape{}, false
	case verdict.Kind.Row().Castling:
	case !right:
		// The king is not on the e-file, or the rook not in a corner: there never was such a right, or it is gone.
		verdict.Kind, verdict.Articles = kinds.IllegalCastleRightLost, kinds.IllegalCastleRightLost.Row().FIDE
		verdict.Reason = words.Say("why.castle.no_right", rook)
	case v.Pos.InCheck():
		verdict.Kind, verdict.Articles = kinds.IllegalCastleOutOfCheck, kinds.IllegalCastleOutOfCheck.Row().FIDE
		verdict.Reason = words.Say("why.castle.in_check", king)
	default:
		// A piece of the mover's was on the king's target square, and was taken off.
		verdict.Kind, verdict.Articles = kinds.IllegalCastleBlocked, kinds.IllegalCastleBlocked.Row().FIDE
		verdict.Reason = words.Say("why.castle.occupied", king, kingTo)
	}
	v.citeRight(&verdict, uci)
	return v.illegalShape(&verdict, uci, v.Diff|1<<king|1<<rook)
}

// kingOnly judges the king's half of castling, with the rook not moved.
func (v *View) kingOnly() (Shape, bool) {
	t, ok := OneTransfer(&v.Base, &v.At)
	if !ok || t.Piece != legal.PieceOf(v.Mover(), legal.King) {
		return Shape{}, false
	}
	uci := UCI(t.From, t.To, legal.NoKind)
	verdict := v.Pos.Explain(uci)
	if verdict.Kind.Row().Castling {
		v.citeRight(&verdict, uci)
		return v.illegalShape(&verdict, uci, t.squares())
	}
	m := verdict.Move
	if !verdict.Legal || verdict.Doubt || !m.IsCastling() || m.To() != t.To || m.RookFrom() == t.To {
		return Shape{}, false
	}
	if _, ok := v.doneLater(); ok {
		return v.finishedLate()
	}
	s := v.ShapeOf(kinds.IllegalCastleKingOnly, rules.Certain, t.squares()|1<<m.RookFrom()|1<<m.RookTo())
	s.UCI = v.Pos.UCI(m)
	s.MayBeCompleted = !v.Final
	s.Articles = []string{"3.8.1", "3.8.2"}
	s.Reason = words.Say("why.castle.rook_left", m.To(), m.RookFrom())
	s.After, s.Stands = v.made(&v.At)
	return s, true
}

// citeRight looks in the game for the move that lost the right: of the king or of the rook (FIDE Laws 3.8.2.1.1,
// 3.8.2.1.2).
func (v *View) citeRight(verdict *legal.Verdict, uci string) {
	if verdict.Kind != kinds.IllegalCastleRightLost || v.Line.Len() == 0 {
		return
	}
	h := legal.NewHistory(*v.Line.Position(0))
	for i := 1; i < v.Line.Len(); i++ {
		next := v.Line.Position(i)
		place := next.Placement()
		m, ok := play.OnePly(v.Line.Position(i-1), &place)
		if !ok {
			h = legal.NewHistory(*next) // the record was broken here: earlier moves are unknown
			continue
		}
		h.Push(m)
	}
	if !h.Position().Same(v.Pos) {
		return
	}
	if told := h.Explain(uci); told.Kind == verdict.Kind && !told.Doubt {
		*verdict = told
	}
}
