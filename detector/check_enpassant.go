package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A pawn has gone diagonally to an empty square (FIDE Laws 3.7.3): en passant too late, en passant with the captured
// pawn left on the board, or no capture at all.
//
// Innocent look-alikes: en passant in time, the victim taken off before the press or within one scan of it.

func seeEnPassant(v *view) (shape, bool) {
	from, to, victim, ok := v.pawnAside()
	if !ok {
		return shape{}, false
	}
	uci := uciOf(from, to, legal.NoKind)
	verdict := v.pos.Explain(uci)
	set := uint64(1)<<from | 1<<to
	if v.at[victim] == legal.NoPiece && v.base[victim].Side() == v.mover().Other() {
		return v.illegalShape(&verdict, uci, set|1<<victim)
	}
	switch {
	case verdict.Legal && !verdict.Doubt && verdict.Move.IsEnPassant():
		return v.pawnLeft(verdict.Move, set|1<<victim)
	case verdict.Kind == kinds.IllegalEPLate:
		// Nobody was taken: it is a pawn that went where it may not.
		s, ok := v.illegalShape(&verdict, uci, set)
		s.kind, s.articles = kinds.IllegalPawn, []string{"3.7.3"}
		s.reason = words.Say("why.pawn.diagonal", from, to)
		return s, ok
	}
	return shape{}, false
}

// pawnAside returns a pawn's step diagonally ahead to an empty square, with the square beside its origin on which a
// pawn taken en passant stands, where nothing else differs but perhaps that square.
func (v *view) pawnAside() (from, to, victim legal.Square, ok bool) {
	s := v.mover()
	pawn := legal.PieceOf(s, legal.Pawn)
	from, to = legal.NoSquare, legal.NoSquare
	for set := v.diff; set != 0; set &= set - 1 {
		switch sq := legal.Square(lowest(set)); {
		case v.base[sq] == pawn && v.at[sq] == legal.NoPiece && from == legal.NoSquare:
			from = sq
		case v.base[sq] == legal.NoPiece && v.at[sq] == pawn && to == legal.NoSquare:
			to = sq
		}
	}
	if from == legal.NoSquare || to == legal.NoSquare || to.Rank()-from.Rank() != ahead(s) {
		return 0, 0, 0, false
	}
	if df := to.File() - from.File(); df != 1 && df != -1 {
		return 0, 0, 0, false
	}
	victim = legal.SquareOf(to.File(), from.Rank())
	return from, to, victim, v.diff&^(1<<from|1<<to|1<<victim) == 0
}

// pawnLeft is en passant with the captured pawn still on the board (FIDE Laws 3.1.1, 3.7.3.1).
func (v *view) pawnLeft(m legal.Move, set uint64) (shape, bool) {
	moved := v.movedOn(m.EnPassantVictim())
	if _, ok := v.doneLater(); ok && !(moved && (v.replied || !v.final)) {
		return v.finished()
	}
	s := v.shapeOf(kinds.IllegalEPPawnLeft, rules.Certain, set)
	s.uci = v.pos.UCI(m)
	s.open = !v.final && !(moved && v.replied)
	s.articles = []string{"3.1.1", "3.7.3.1"}
	s.reason = words.Say("why.ep_left", m.EnPassantVictim())
	s.after, s.stands = v.made(&v.at)
	return s, true
}

// movedOn says that the pawn that was left has answered by a legal move.
func (v *view) movedOn(pawn legal.Square) bool {
	after, ok := v.made(&v.at)
	pos, err := after.Standing()
	if !ok || err != nil {
		return false
	}
	board := v.at
	for i := range v.later {
		board[v.later[i].sq] = v.later[i].is
	}
	r, ok := onePly(&pos, &board)
	return ok && r.From() == pawn
}
