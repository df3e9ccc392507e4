package helpmate

import "boardwatchd/rules/legal"

// pointless is the set of squares to which a piece never moves because the winner could not mate any more: rules 8 and
// 9 of mobility. It may contain squares that the piece cannot reach anyway.
func (b *mobility) pointless(m *piece) squares {
	switch {
	case m.side != b.winner && b.pieces[winnerKing].steady():
		return b.unanswered(m) | b.uncovered(m)
	case b.spare >= 0 && m == &b.pieces[b.spare] && b.pieces[loserKing].steady():
		return b.lost(m)
	}
	return 0
}

// unanswered is the set of squares from which the loser's piece would check the winner's king, which never moves, with
// no possible answer: rule 8. The check is certain, because the line holds only squares on which no other piece is ever
// placed. After it the winner must move the king, capture the piece or interpose; if it can do none of these it is
// mated, and if the loser's move was not legal there is nothing to prove.
//
// The position before the move obeys the facts. Of the position after it we know only that this piece is elsewhere. So
// the answers are judged with the piece's home square empty, if it never moved before, and with its new square
// occupied; it guards the squares that it attacks from there.
func (b *mobility) unanswered(m *piece) (out squares) {
	king := b.pieces[winnerKing].home
	others := b.twice | b.once&^m.reach
	if m.kind == legal.Knight {
		for x := leapsFrom(king) &^ m.reach & b.land[m.side]; x != 0; x &= x - 1 {
			if !b.answers(m, x&-x, x&-x, x&-x) {
				out |= x & -x
			}
		}
		return out
	}
	if m.kind != legal.Rook {
		out |= b.unansweredOn(m, king, others, &diagonal)
	}
	if m.kind != legal.Bishop {
		out |= b.unansweredOn(m, king, others, &straight)
	}
	return out
}

// unansweredOn walks from the king outwards, as far as the piece would give check to the king from there.
func (b *mobility) unansweredOn(m *piece, king, others squares, ways *[4]direction) (out squares) {
	for _, way := range ways {
		line := squares(0)
		for x := way.shift(king); x != 0; x = way.shift(x &^ others) {
			line |= x
			if x&^m.reach&b.land[m.side] != 0 && !b.answers(m, x, x, line) {
				out |= x
			}
		}
	}
	return out
}

// mated is the set of squares from which the loser's pawn would check with no answer. It leaves out squares that matter
// for a capture en passant, which are the first two ranks that a pawn on its home rank reaches, and the last rank, on
// which it is no longer a pawn.
func (b *mobility) mated(m *piece, next squares) (out squares) {
	if m.side == b.winner || !b.pieces[winnerKing].steady() {
		return 0
	}
	next &= pawnStrikes(b.pieces[winnerKing].home, b.winner) &^ (m.reach | rank1 | rank8)
	if m.home&(rank1<<8|rank8>>8) != 0 {
		step := pawnSteps(m.home, m.side)
		next &^= step | pawnSteps(step, m.side)
	}
	for x := next; x != 0; x &= x - 1 {
		if !b.answers(m, x&-x, x&-x, x&-x) {
			out |= x & -x
		}
	}
	return out
}

// uncovered is the set of squares to which the loser's piece, which never moved, would move and uncover a check with no
// answer: it is between the winner's king and a steady slider of its own side, and no other piece ever enters that
// line.
func (b *mobility) uncovered(m *piece) (out squares) {
	if m.reach != m.home {
		return 0
	}
	checker, line := b.cover(m, &diagonal, legal.Bishop)
	if line == 0 {
		checker, line = b.cover(m, &straight, legal.Rook)
	}
	if line == 0 {
		return 0
	}
	for x := m.strikes(m.home, ^b.steady) & b.land[m.side] &^ line; x != 0; x &= x - 1 {
		if !b.answers(m, x&-x, checker, line) {
			out |= x & -x
		}
	}
	return out
}

// cover is the slider behind the piece, and the squares from the king to it; 0 if there is none.
func (b *mobility) cover(m *piece, ways *[4]direction, kind legal.Kind) (checker, line squares) {
	king := b.pieces[winnerKing].home
	others := (b.twice | b.once) &^ (m.home &^ b.twice)
	for _, way := range ways {
		line = 0
		for x := way.shift(king); x != 0; x = way.shift(x &^ others) {
			line |= x
			if line&m.home == 0 || x&b.homes[m.side] == 0 || x == m.home {
				continue
			}
			for i := firstPiece; i < b.count; i++ {
				if s := &b.pieces[i]; s.home == x && s.side == m.side && s.steady() && (s.kind == kind || s.kind == legal.Queen) && b.twice&x == 0 {
					return x, line
				}
			}
		}
	}
	return 0, 0
}

// answers reports whether the winner may answer a check once the piece is on the square: by a piece that moves onto the
// line, which is the square of the checking piece and those between it and the king, or by the king. Pawns only capture
// the checking piece.
func (b *mobility) answers(m *piece, square, checker, line squares) bool {
	open := ^(b.steady &^ m.home)
	for i := firstPiece; i < b.count; i++ {
		w := &b.pieces[i]
		switch {
		case w.side != b.winner:
		case w.grown:
			return true
		case w.kind == legal.Pawn:
			step := pawnSteps(w.reach, w.side) & open
			double := pawnSteps(pawnSteps(w.home&(rank1<<8|rank8>>8), w.side)&open, w.side)
			if pawnStrikes(w.reach, w.side)&checker|(step|double)&line&^checker != 0 {
				return true
			}
		case w.strikes(w.reach, open)&line != 0:
			return true
		}
	}
	return b.escapes(m, square)
}

// escapes reports whether the winner's king, which never moved, may have a step once the piece is on the square.
func (b *mobility) escapes(m *piece, square squares) bool {
	king := b.pieces[winnerKing].home
	// The squares that the piece certainly attacks from there, also behind the king.
	free := beside(king) &^ m.strikes(square, ^(b.twice|b.once&^m.reach)|king)
	for i := range b.pieces[:b.count] {
		w := &b.pieces[i]
		switch {
		case w == m:
		case w.side == b.winner:
			if w.steady() && w.home != square {
				free &^= w.home
			}
		case w.guards&square != 0:
			free &^= b.always(w, square) // the piece may be in the line
		default:
			free &^= w.guards
		}
	}
	return free != 0
}

// lost is the set of squares from which the winner's last piece would check the loser's king, which never moves, and
// could only be captured: rule 9. The piece is beside the king, so that nothing can interpose, and no other square is
// left to the king. It is no mate, because it is captured by the king, as it is unguarded, or by another piece that
// attacks the square at all times: only the checking piece could pin that piece.
func (b *mobility) lost(m *piece) (out squares) {
	king := b.pieces[loserKing].home
	free := beside(king)
	free &^= b.homes[m.side.Other()] | b.pieces[winnerKing].guards
	if m.kind == legal.Knight || m.kind == legal.Pawn {
		return 0
	}
	for x := m.strikes(king, 0) &^ (around(b.pieces[winnerKing].reach) &^ b.watched[m.side.Other()]); x != 0; x &= x - 1 {
		if free&^(x&-x) == 0 {
			out |= x & -x
		}
	}
	return out
}
