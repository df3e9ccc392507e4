package helpmate

import "boardwatchd/rules/legal"

// walled proves that the side can never mate because its men cannot get at the enemy king: on no square which that king can reach can it
// be attacked while all the squares around it, as far as it could step there, are taken from it. False proves nothing.
func (b *mobility) walled(winner legal.Side) bool {
	var attacked, king, prey squares
	for i := range b.men[:b.count] {
		m := &b.men[i]
		switch {
		case m.side == winner && m.grown:
			return false
		case m.side == winner && m.kind == legal.King:
			king = m.reach
		case m.side == winner:
			attacked |= m.strikes(m.reach, ^b.steady)
		case m.kind == legal.King:
			prey = m.reach
		}
	}
	for x := prey & attacked; x != 0; x &= x - 1 {
		if b.cornered(winner, x&-x, prey&^attacked, king) {
			return false
		}
	}
	return true
}

// cornered tells whether the enemy king may be mated on a square. safe is where it can go and no man but the winner's king
// may ever attack it: each of those beside it must be attacked by the winner's king, which stands somewhere, or be taken by one of the
// loser's own men, which are different ones.
func (b *mobility) cornered(winner legal.Side, square, safe, king squares) bool {
	open := around(square) &^ square & safe
	if b.filled(winner, open, 0) {
		return true
	}
	for x := king &^ around(square); x != 0; x &= x - 1 {
		if left := open &^ around(x&-x); left != open && b.filled(winner, left, 0) {
			return true
		}
	}
	return false
}

// filled tells whether different men of the loser, beyond those used, may stand on all the squares.
func (b *mobility) filled(winner legal.Side, open squares, used uint32) bool {
	if open == 0 {
		return true
	}
	first := open & -open
	for i := range b.men[:b.count] {
		m := &b.men[i]
		if m.side != winner && m.kind != legal.King && used>>i&1 == 0 && m.reach&first != 0 && b.filled(winner, open&^first, used|1<<i) {
			return true
		}
	}
	return false
}
