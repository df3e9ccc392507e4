package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// A need is the winner's main lack for a mate; it follows from the material alone.
type need uint8

const (
	needKings   need = iota // it has a queen or a rook
	needMinors              // it has enough minor pieces, which must come to the place
	needQueen               // it has pawns, and too little otherwise
	needBlocker             // the loser must place a piece beside its own king, and has one
	needHelper              // the loser must promote to get such a piece
	needs
)

func (m material) need(winner legal.Side) need {
	own, other := m.of(winner), m.of(winner.Other())
	switch {
	case own&(queens|rooks) != 0:
		return needKings
	case own&pawns != 0:
		return needQueen
	case own != 1<<(fieldKnight*fieldBits) && own&^lightBishops != 0 && own&^darkBishops != 0:
		return needMinors
	case other&knights != 0, own&knights != 0 && other&(lightBishops|darkBishops|rooks) != 0,
		own&lightBishops != 0 && other&darkBishops != 0, own&darkBishops != 0 && other&lightBishops != 0:
		return needBlocker
	}
	return needHelper
}

// worth makes estimates of different needs comparable: a queen is nearer to a mate than any helper.
var worth = [needs]int{needKings: -60, needMinors: -60, needQueen: -30, needBlocker: -25, needHelper: 0}

// A compass holds, for every piece on every square, the distance in moves to the picture of a mate. The sum over the
// board is the search's estimate. Lower is better; the zero point has no meaning.
type compass struct {
	goal         goal
	winner       legal.Side
	kingOfWinner [64]int8 // the way of the winner's king to its square
	kingOfLoser  [64]int8 // the way of the loser's king
	siege        [64]int8 // the way of the winner's king to the pawns in the way
	ready        [needs]bool
	table        [needs][16][64]int8
}

// point turns the compass to a goal.
func (c *compass) point(to *goal, winner legal.Side, kingOfLoser, kingOfWinner, siege squares) {
	c.goal, c.winner, c.ready = *to, winner, [needs]bool{}
	kingWay(set(to.king), kingOfWinner, &c.kingOfWinner)
	kingWay(set(to.corner), kingOfLoser, &c.kingOfLoser)
	if siege &= kingOfWinner; siege == 0 {
		siege = set(to.king)
	}
	kingWay(siege, kingOfWinner, &c.siege)
}

// of is the table for a need, made on first use.
func (c *compass) of(n need) *[16][64]int8 {
	table := &c.table[n]
	if c.ready[n] {
		return table
	}
	c.ready[n] = true
	loser := c.winner.Other()
	for k := legal.Pawn; k <= legal.King; k++ {
		own, other := &table[legal.PieceOf(c.winner, k)], &table[legal.PieceOf(loser, k)]
		for s := legal.A1; s < legal.NoSquare; s++ {
			own[s] = int8(c.ofWinner(n, k, s))
			other[s] = int8(c.ofLoser(n, k, s))
		}
	}
	return table
}

func (c *compass) ofWinner(n need, k legal.Kind, s legal.Square) int {
	switch k {
	case legal.King:
		if n == needQueen {
			return int(c.siege[s])
		}
		return int(c.kingOfWinner[s])
	case legal.Queen:
		return -17
	case legal.Rook:
		return -15
	case legal.Bishop:
		return -2
	case legal.Knight:
		if n == needKings || n == needQueen {
			return -2
		}
		return -3 + int(leaps[s][c.goal.knight])
	}
	switch {
	case n == needQueen:
		return -7 + toPromotion(s, c.winner)
	}
	return -7
}

func (c *compass) ofLoser(n need, k legal.Kind, s legal.Square) int {
	helpful := n == needBlocker || n == needHelper
	switch k {
	case legal.King:
		return int(c.kingOfLoser[s])
	case legal.Pawn:
		if n == needHelper {
			return -7 + toPromotion(s, c.winner.Other())
		}
		return 1
	case legal.Knight:
		if helpful {
			return -17 + nearestLeap(s, c.goal.blockers)
		}
	case legal.Bishop:
		switch {
		case helpful && c.goal.blockers&set(s) != 0:
			return -17
		case helpful && c.goal.blockers&coloured(s) != 0:
			return -16
		}
	}
	return 2
}

// nearestLeap is a knight's distance to the nearest of the squares.
func nearestLeap(s legal.Square, to squares) int {
	near := 9
	for x := to; x != 0; x &= x - 1 {
		near = min(near, int(leaps[s][x.first()]))
	}
	return near
}

// coloured is all squares of the square's colour.
func coloured(s legal.Square) squares {
	if isDark(s) {
		return darkSquares
	}
	return ^darkSquares
}

const darkSquares squares = 0xAA55AA55AA55AA55

// toPromotion is the number of ranks to a pawn's promotion.
func toPromotion(s legal.Square, side legal.Side) int {
	if side == legal.White {
		return 7 - s.Rank()
	}
	return s.Rank()
}

// estimate sums the compass over the board.
func (s *search) estimate(g *guide, n need) (sum int) {
	table := g.of(n)
	sum = worth[n]
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if p := s.pos.PieceAt(sq); p != legal.NoPiece {
			sum += int(table[p&15][sq])
		}
	}
	return sum
}

// change is what a move adds to the estimate while the need stays the same. In castling the rook is left out.
func (s *search) change(g *guide, n need, m legal.Move) int {
	table := g.of(n)
	from, to := m.From(), m.To()
	moved := s.pos.PieceAt(from)
	sum := -int(table[moved&15][from])
	if m.Captured() != legal.NoKind {
		at := to
		if m.IsEnPassant() {
			at = m.EnPassantVictim()
		}
		sum -= int(table[s.pos.PieceAt(at)&15][at])
	}
	if promotion := m.Promotion(); promotion != legal.NoKind {
		moved = legal.PieceOf(moved.Side(), promotion)
	}
	return sum + int(table[moved&15][to])
}

// far is the distance of a square to which there is no way.
const far = 12

// kingWay computes a king's steps to the nearest square of a set, walking only on the squares within.
func kingWay(to, within squares, way *[64]int8) {
	for i := range way {
		way[i] = far
	}
	done, edge := squares(0), to
	for n := int8(0); edge != 0 && n < far; n++ {
		for x := edge; x != 0; x &= x - 1 {
			way[bits.TrailingZeros64(uint64(x))] = n
		}
		done |= edge
		edge = around(edge) & within &^ done
	}
}

// leaps is a knight's way on the empty board, in moves. Filled once, never written again.
var leaps = knightLeaps()

func knightLeaps() (table [64][64]uint8) {
	for from := range table {
		row := &table[from]
		for i := range row {
			row[i] = 99
		}
		row[from] = 0
		for reach := uint8(0); reach < 7; reach++ {
			for a := range row {
				if row[a] != reach {
					continue
				}
				for b := range row {
					df, dr := abs(a&7-b&7), abs(a>>3-b>>3)
					if df*dr == 2 && row[b] > reach+1 {
						row[b] = reach + 1
					}
				}
			}
		}
	}
	return table
}
