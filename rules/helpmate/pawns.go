package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// movePawn grows a pawn's reach: rules 2, 3 and 5 of mobility.
func (b *mobility) movePawn(m *piece) {
	targets, closed := b.stands[m.side.Other()], b.steady|b.ahead(m)
	for {
		takes := pawnStrikes(m.reach, m.side) & targets
		steps := pawnSteps(m.reach, m.side) &^ closed
		if b.paced { // a double step counts only where moves are counted; the squares reached are the same either way
			steps |= pawnSteps(pawnSteps(m.home&(rank1<<8|rank8>>8), m.side)&^closed, m.side) &^ closed
		}
		if x := b.mated(m, takes|steps); x != 0 {
			takes, steps = takes&^x, steps&^x
		}
		next := m.reach | takes | steps
		m.takes |= takes
		if next&(rank1|rank8) != 0 {
			m.reach, m.grown = next, true
			b.promotes = b.promotes || m.side == b.winner
			return
		}
		if next == m.reach || b.paced {
			m.reach = next
			return
		}
		m.reach = next
	}
}

// ahead is the squares of its file that the pawn never enters because of other pawns. Two pawns on one file that never
// leave it and are never captured keep their order for ever, because neither jumps. So the pawn never reaches the home
// square of an enemy pawn ahead, which can only come nearer, nor the last square of a pawn of its own side ahead. One
// such square closes the rest of the file, as long as the pawn itself has not left the file; if the pawn is captured,
// it is on no square at all. (A pawn that has just promoted and not moved on still keeps the order: an enemy pawn
// cannot have passed, and one of its own side is on the last rank.)
func (b *mobility) ahead(m *piece) (closed squares) {
	file := m.home.first().File()
	column := fileA << file
	if m.reach&^column != 0 {
		return 0
	}
	for x := b.files[file]; x != 0; x &= x - 1 {
		p := &b.pieces[bits.TrailingZeros32(x)]
		if p.taken || p.reach&^column != 0 || (p.home > m.home) != (m.side == legal.White) || p.home == m.home {
			continue
		}
		switch {
		case p.side != m.side:
			closed |= p.home
		case m.side == legal.White:
			closed |= p.reach.last()
		default:
			closed |= p.reach & -p.reach
		}
	}
	return closed
}

// passing adds the capture en passant that is possible at once. By the facts, the capturing pawn may reach that square
// at any time, and the victim may be captured.
func (b *mobility) passing(pos *legal.Position) {
	if pos.EnPassant() == legal.NoSquare {
		return
	}
	side, at := pos.Turn(), set(pos.EnPassant())
	for i := firstPiece; i < b.count; i++ {
		m := &b.pieces[i]
		if m.kind != legal.Pawn {
			continue
		}
		if m.side == side && pawnStrikes(m.home, side)&at != 0 {
			m.reach |= at
			m.takes |= at
		}
		if m.side != side && pawnSteps(at, side.Other()) == m.home {
			m.taken = true
		}
	}
}
