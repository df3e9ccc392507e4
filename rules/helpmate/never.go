package helpmate

import "boardwatchd/rules/legal"

// walls proves from the board alone that the side can never mate: the quickest of the proofs. Not for boards that show the side not to move in check.
func (b *mobility) walls(pos *legal.Position, winner legal.Side) bool {
	b.set(pos, winner)
	for b.round() {
		if b.promotes {
			return false
		}
	}
	return !b.promotes && b.walled()
}

// never tries every proof from the board alone that the side can never mate: walls, moves that can be counted, cases.
func (b *mobility) never(pos *legal.Position, winner legal.Side) bool {
	return b.walls(pos, winner) || b.countdown(pos, winner) || b.splits(pos, winner)
}

// wall is the pawns that never move and are never captured: the evidence, after walls has proved its point.
func (b *mobility) wall() (list []legal.Square) {
	var stuck squares
	for i := firstMan; i < b.count; i++ {
		if m := &b.men[i]; m.kind == legal.Pawn && m.steady() {
			stuck |= m.home
		}
	}
	for ; stuck != 0; stuck &= stuck - 1 {
		list = append(list, stuck.first())
	}
	return list
}
