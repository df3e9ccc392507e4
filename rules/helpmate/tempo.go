package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// countdown proves that the winner cannot mate because a side has only pawn moves left, and not enough of them.
//
// It follows the possible actions of each piece in a number of half-moves, the side to move first, both sides in turn:
// the rules of mobility with one step at a time. (Not rule 6, which needs to know the possible actions at the next
// move.) As long as a side's pieces and king have never moved, each of its moves advances a pawn by at least one rank,
// so that it has made no more moves than its pawns can have advanced ranks. When that is less than the moves that it
// should have made, play has ended before, and everything that can have happened is in the facts so far.
func (b *mobility) countdown(pos *legal.Position, winner legal.Side) bool {
	if stirs(pos, legal.White) && stirs(pos, legal.Black) {
		return false
	}
	b.set(pos, winner)
	b.paced = true
	defer func() { b.paced = false }()
	made, still := [3]int{}, 0
	for turn := pos.Turn(); still < 2; turn = turn.Other() {
		still++
		if b.ply(turn) {
			still = 0
		}
		made[turn]++
		if b.advances(turn) < made[turn] {
			b.freeze()
			return b.walled()
		}
		if b.promotes || b.advances(legal.White) == endless && b.advances(legal.Black) == endless {
			return false
		}
	}
	return false
}

// stirs reports whether the side has a piece that can go to an empty square, or a king that can go to one that is not
// attacked. Such a side hardly ever has only pawn moves left, so this cheap test spares most questions. It cannot cause
// an error, because a false answer of countdown proves nothing.
func stirs(pos *legal.Position, side legal.Side) bool {
	empty := ^squares(pos.Occupied(legal.White) | pos.Occupied(legal.Black))
	if leapsFrom(squares(pos.Pieces(side, legal.Knight)))&empty != 0 {
		return true
	}
	queens := squares(pos.Pieces(side, legal.Queen))
	if x := squares(pos.Pieces(side, legal.Bishop)) | queens; slant(x)&empty != 0 {
		return true
	}
	if x := squares(pos.Pieces(side, legal.Rook)) | queens; (x<<8|x>>8|x&^fileH<<1|x&^fileA>>1)&empty != 0 {
		return true
	}
	for x := beside(set(pos.KingSquare(side))) & empty; x != 0; x &= x - 1 {
		if !pos.Attacked(x.first(), side.Other()) {
			return true
		}
	}
	return false
}

// slant is the squares diagonally adjacent to those of a set.
func slant(x squares) squares {
	x = x<<8 | x>>8
	return x&^fileH<<1 | x&^fileA>>1
}

// ply lets the pieces of one side make one step each.
func (b *mobility) ply(turn legal.Side) (changed bool) {
	b.freeze()
	for i := range b.pieces[:b.count] {
		if m := &b.pieces[i]; m.side == turn {
			before, grown := m.reach, m.grown
			b.move(m)
			changed = changed || m.reach != before || m.grown != grown
		}
	}
	var takes [3]squares
	for i := range b.pieces[:b.count] {
		takes[b.pieces[i].side] |= b.pieces[i].takes
	}
	changed = b.castle() || changed
	return b.lose(takes) || changed
}

// endless is more than the number of moves that pawns can make: 8 pawns, 6 ranks.
const endless = 1 << 10

// advances is the number of ranks that the side's pawns can have advanced so far; endless if other pieces may move.
func (b *mobility) advances(side legal.Side) (n int) {
	for i := range b.pieces[:b.count] {
		m := &b.pieces[i]
		switch {
		case m.side != side || m.reach == m.home:
		case m.kind != legal.Pawn || m.grown:
			return endless
		case side == legal.White:
			n += bits.LeadingZeros64(uint64(m.home))/8 - bits.LeadingZeros64(uint64(m.reach))/8
		default:
			n += bits.TrailingZeros64(uint64(m.home))/8 - bits.TrailingZeros64(uint64(m.reach))/8
		}
	}
	return n
}
