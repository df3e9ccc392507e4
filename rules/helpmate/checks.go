package helpmate

import "boardwatchd/rules/legal"

// pointless is the squares where a piece never goes because the winner could not mate any more: rules 8 and 9 of mobility. Squares are in it that
// the piece cannot reach anyway.
func (b *mobility) pointless(m *man) squares {
	switch {
	case m.side != b.winner && b.men[hunterKing].steady():
		return b.unanswered(m)
	case b.spare >= 0 && m == &b.men[b.spare] && b.men[preyKing].steady():
		return b.lost(m)
	}
	return 0
}

// unanswered is where the loser's piece would check the winner's king, which never moves, with no answer: rule 8. The check
// is certain, because the line holds only squares on which nobody else ever stands. After it the winner must move the
// king, take the piece or step in between; if it can do neither it is mated, and if the loser's move was not legal there is nothing to prove.
//
// The position before the move obeys the facts; of the one after it we know only that this piece stands elsewhere. So the answers are judged with
// its home empty, if it never moved before, and with its new square occupied; what it guards is what it attacks from there.
func (b *mobility) unanswered(m *man) (out squares) {
	king := b.men[hunterKing].home
	others := b.twice | b.once&^m.reach
	if m.kind == legal.Knight {
		for x := leapsFrom(king) &^ m.reach & b.land[m.side]; x != 0; x &= x - 1 {
			if !b.answers(m, x&-x, x&-x) {
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

// unansweredOn walks from the king outwards, as far as the piece would see the king from there.
func (b *mobility) unansweredOn(m *man, king, others squares, ways *[4]direction) (out squares) {
	for _, way := range ways {
		line := squares(0)
		for x := way.shift(king); x != 0; x = way.shift(x &^ others) {
			line |= x
			if x&^m.reach&b.land[m.side] != 0 && !b.answers(m, x, line) {
				out |= x
			}
		}
	}
	return out
}

// answers tells whether the winner may answer a check by the man on the square; the line is that square and those between it and the king.
func (b *mobility) answers(m *man, square, line squares) bool {
	open := ^(b.steady &^ m.home)
	for i := firstMan; i < b.count; i++ {
		w := &b.men[i]
		switch {
		case w.side != b.winner:
		case w.grown:
			return true
		case w.kind == legal.Pawn:
			step := pawnSteps(w.reach, w.side)
			if pawnStrikes(w.reach, w.side)&square|(step|pawnSteps(step, w.side))&line != 0 {
				return true
			}
		case w.strikes(w.reach, open)&line != 0:
			return true
		}
	}
	return b.escapes(m, square)
}

// escapes tells whether the winner's king, which never moved, may have a step when the man has come to the square.
func (b *mobility) escapes(m *man, square squares) bool {
	king := b.men[hunterKing].home
	// What the man attacks from there for certain, also behind the king.
	free := beside(king) &^ m.strikes(square, ^(b.twice|b.once&^m.reach)|king)
	for i := range b.men[:b.count] {
		w := &b.men[i]
		switch {
		case w == m:
		case w.side == b.winner:
			if w.steady() && w.home != square {
				free &^= w.home
			}
		case w.guards&square != 0:
			free &^= b.always(w, square) // the man may stand in the line
		default:
			free &^= w.guards
		}
	}
	return free != 0
}

// lost is where the winner's last piece would check the loser's king, which never moves, and could only be taken: rule 9. It stands beside the king, nobody
// guards it, so that this is no mate; no other square is left to the king, nothing can be put in between.
func (b *mobility) lost(m *man) (out squares) {
	king := b.men[preyKing].home
	free := beside(king)
	free &^= b.homes[m.side.Other()] | b.men[hunterKing].guards
	if m.kind == legal.Knight || m.kind == legal.Pawn {
		return 0
	}
	for x := m.strikes(king, 0) &^ around(b.men[hunterKing].reach); x != 0; x &= x - 1 {
		if free&^(x&-x) == 0 {
			out |= x & -x
		}
	}
	return out
}
