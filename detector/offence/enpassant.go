package offence

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A pawn has gone diagonally to an empty square (FIDE Laws 3.7.3): en passant too late, en passant with the captured
// pawn left on the board, or no capture at all.
//
// Innocent look-alikes: en passant in time, with the captured pawn taken off before the press or within one scan of it.

func seeEnPassant(v *View) (Shape, bool) {
	from, to, victim, ok := v.pawnAside()
	if !ok {
		return Shape{}, false
	}
	uci := UCI(from, to, legal.NoKind)
	verdict := v.Pos.Explain(uci)
	set := uint64(1)<<from | 1<<to
	if v.At[victim] == legal.NoPiece && v.Base[victim].Side() == v.Mover().Other() {
		return v.illegalShape(&verdict, uci, set|1<<victim)
	}
	switch {
	case verdict.Legal && !verdict.Doubt && verdict.Move.IsEnPassant():
		return v.pawnLeft(verdict.Move, set|1<<victim)
	case verdict.Kind == kinds.IllegalEPLate:
		// No piece was captured: the pawn has moved to a square that it may not go to.
		s, ok := v.illegalShape(&verdict, uci, set)
		s.Kind, s.Articles = kinds.IllegalPawn, []string{"3.7.3"}
		s.Reason = words.Say("why.pawn.diagonal", from, to)
		return s, ok
	}
	return Shape{}, false
}

// pawnAside returns a pawn's step diagonally ahead to an empty square, with the square beside its origin on which a
// pawn captured en passant is. Nothing else differs, except perhaps that square.
func (v *View) pawnAside() (from, to, victim legal.Square, ok bool) {
	s := v.Mover()
	pawn := legal.PieceOf(s, legal.Pawn)
	from, to = legal.NoSquare, legal.NoSquare
	for set := v.Diff; set != 0; set &= set - 1 {
		switch sq := play.Lowest(set); {
		case v.Base[sq] == pawn && v.At[sq] == legal.NoPiece && from == legal.NoSquare:
			from = sq
		case v.Base[sq] == legal.NoPiece && v.At[sq] == pawn && to == legal.NoSquare:
			to = sq
		}
	}
	if from == legal.NoSquare || to == legal.NoSquare || to.Rank()-from.Rank() != play.Ahead(s) {
		return 0, 0, 0, false
	}
	if df := to.File() - from.File(); df != 1 && df != -1 {
		return 0, 0, 0, false
	}
	victim = legal.SquareOf(to.File(), from.Rank())
	return from, to, victim, v.Diff&^(1<<from|1<<to|1<<victim) == 0
}

// pawnLeft judges en passant with the captured pawn still on the board (FIDE Laws 3.1.1, 3.7.3.1).
func (v *View) pawnLeft(m legal.Move, set uint64) (Shape, bool) {
	moved := v.movedOn(m.EnPassantVictim())
	if _, ok := v.doneLater(); ok && !(moved && (v.OpponentPressed || !v.Final)) {
		return v.finishedLate()
	}
	s := v.ShapeOf(kinds.IllegalEPPawnLeft, rules.Certain, set)
	s.UCI = v.Pos.UCI(m)
	s.MayBeCompleted = !v.Final && !(moved && v.OpponentPressed)
	s.Articles = []string{"3.1.1", "3.7.3.1"}
	s.Reason = words.Say("why.ep_left", m.EnPassantVictim())
	s.After, s.Stands = v.made(&v.At)
	return s, true
}

// movedOn reports whether the pawn that was left on the board has answered by a legal move.
func (v *View) movedOn(pawn legal.Square) bool {
	after, ok := v.made(&v.At)
	pos, err := after.Standing()
	if !ok || err != nil {
		return false
	}
	board := v.At
	for i := range v.Later {
		board[v.Later[i].Square] = v.Later[i].Is
	}
	r, ok := play.OnePly(&pos, &board)
	return ok && r.From() == pawn
}
