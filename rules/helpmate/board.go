package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// squares is a set of squares, bit 0 = a1.
type squares uint64

const (
	fileA squares = 0x0101010101010101
	fileH         = fileA << 7
	rank1 squares = 0xFF
	rank8         = rank1 << 56
)

func set(s legal.Square) squares { return 1 << (s & 63) }

// first is the lowest square of a set that is not empty.
func (x squares) first() legal.Square { return legal.Square(bits.TrailingZeros64(uint64(x))) }

// last is the highest square of a set, as a set.
func (x squares) last() squares { return 1 << (63 - bits.LeadingZeros64(uint64(x)|1)) }

func (x squares) count() int { return bits.OnesCount64(uint64(x)) }

// A direction shifts a whole set of squares by one step. Keep leaves out the squares from which the step would wrap
// around the edge of the board.
type direction struct {
	left, right uint8
	keep        squares
}

func (d direction) shift(x squares) squares { return x & d.keep << d.left >> d.right }

// straight and diagonal are the directions of rook and bishop.
var (
	straight = [4]direction{{8, 0, ^squares(0)}, {0, 8, ^squares(0)}, {1, 0, ^fileH}, {0, 1, ^fileA}}
	diagonal = [4]direction{{9, 0, ^fileH}, {7, 0, ^fileA}, {0, 7, ^fileH}, {0, 9, ^fileA}}
)

// slides is every square that a piece on some square of the set reaches in one move through open squares; the first
// square that is not open is included.
func slides(from, open squares, ways *[4]direction) (reach squares) {
	for _, way := range ways {
		for x := way.shift(from); x != 0; x = way.shift(x & open) {
			reach |= x
		}
	}
	return reach
}

// diagonals is slides along the diagonals for a whole set, without a loop: three doublings fill each line.
func diagonals(from, open squares) squares {
	east, west := open&^fileA, open&^fileH // where a step east or west may end
	return fillUp(from, east, 9)<<9&^fileA | fillUp(from, west, 7)<<7&^fileH |
		fillDown(from, west, 9)>>9&^fileH | fillDown(from, east, 7)>>7&^fileA
}

// straights is the same along ranks and files.
func straights(from, open squares) squares {
	east, west := open&^fileA, open&^fileH
	return fillUp(from, open, 8)<<8 | fillUp(from, east, 1)<<1&^fileA |
		fillDown(from, open, 8)>>8 | fillDown(from, west, 1)>>1&^fileH
}

func fillUp(x, open squares, by uint) squares {
	x |= open & (x << by)
	open &= open << by
	x |= open & (x << (2 * by))
	open &= open << (2 * by)
	return x | open&(x<<(4*by))
}

func fillDown(x, open squares, by uint) squares {
	x |= open & (x >> by)
	open &= open >> by
	x |= open & (x >> (2 * by))
	open &= open >> (2 * by)
	return x | open&(x>>(4*by))
}

// around is every neighbouring square of a set.
func around(x squares) squares {
	x |= x&^fileH<<1 | x&^fileA>>1
	return x | x<<8 | x>>8
}

// beside is every square that is a king's step from some square of a set.
func beside(x squares) squares {
	flanks := x&^fileH<<1 | x&^fileA>>1
	x |= flanks
	return flanks | x<<8 | x>>8
}

// leapsFrom is every square a knight reaches from a set.
func leapsFrom(x squares) squares {
	one := x&^fileH<<1 | x&^fileA>>1
	two := x&^(fileH|fileH>>1)<<2 | x&^(fileA|fileA<<1)>>2
	return one<<16 | one>>16 | two<<8 | two>>8
}

// pawnSteps is the set one step ahead of the pawns, pawnStrikes the set that they attack.
func pawnSteps(x squares, side legal.Side) squares {
	if side == legal.White {
		return x << 8
	}
	return x >> 8
}

func pawnStrikes(x squares, side legal.Side) squares {
	x = pawnSteps(x, side)
	return x&^fileH<<1 | x&^fileA>>1
}
