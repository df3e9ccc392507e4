package helpmate

import "boardwatchd/rules/legal"

// A goal is the picture of a mate towards which one search steers: the loser's king in a corner, the winner's king two steps
// before it, one of the loser's men beside its king. It only decides what is tried first.
type goal struct {
	corner  legal.Square // the loser's king
	king    legal.Square // the winner's king
	blocker legal.Square // the loser's knight or bishop
	knight  legal.Square // where the winner's knights are of use
}

// goals lists the pictures in the order in which they are tried. The far rank seen from the winner comes first, because its pawns go
// there. The colour of the corner follows the bishops: a bishop of the winner must be able to give check there, a bishop of the
// loser to stand beside its king.
func goals(m material, winner legal.Side) (list [8]goal) {
	dark := m.of(winner)&darkBishops != 0 ||
		m.of(winner)&lightBishops == 0 && m.of(winner.Other())&lightBishops != 0
	far, near := 7, 0
	if winner == legal.Black {
		far, near = 0, 7
	}
	for i := range list {
		rank, colour := far, dark
		if i&2 != 0 {
			rank = near
		}
		if i&4 != 0 {
			colour = !dark
		}
		file := 7
		if isDark(legal.SquareOf(file, rank)) != colour {
			file = 0
		}
		list[i] = picture(file, rank, i&1 != 0)
	}
	list[1], list[2], list[4] = list[4], list[1], list[2]
	return list
}

// picture has the winner's king before the corner on its file or, on its side, along its rank.
func picture(file, rank int, onSide bool) goal {
	in, up := 1, 1 // towards the middle of the board
	if file == 7 {
		in = -1
	}
	if rank == 7 {
		up = -1
	}
	g := goal{
		corner:  legal.SquareOf(file, rank),
		king:    legal.SquareOf(file, rank+2*up),
		blocker: legal.SquareOf(file+in, rank),
		knight:  legal.SquareOf(file+3*in, rank+3*up),
	}
	if onSide {
		g.king, g.blocker = legal.SquareOf(file+2*in, rank), legal.SquareOf(file, rank+up)
	}
	return g
}

// A need is what the winner lacks for the mate; it follows from the material alone.
type need uint8

const (
	needKings   need = iota // it has a queen or a rook, or minor men enough
	needQueen               // it has pawns, and too little else
	needBlocker             // the loser must put a man beside its king, and has one
	needHelper              // the loser must promote to get such a man
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
		return needKings
	case other&knights != 0, own&knights != 0 && other&(lightBishops|darkBishops|rooks) != 0,
		own&lightBishops != 0 && other&darkBishops != 0, own&darkBishops != 0 && other&lightBishops != 0:
		return needBlocker
	}
	return needHelper
}

// A compass says, for every man on every square, how far from the picture it is, in moves: the sum over the board is
// the search's estimate. Lower is better; the zero point has no meaning.
type compass [needs][16][64]int8

// set fills the compass for one goal.
func (c *compass) set(g goal, winner legal.Side) {
	for n := range needs {
		for k := legal.Pawn; k <= legal.King; k++ {
			for s := legal.A1; s < legal.NoSquare; s++ {
				c[n][legal.PieceOf(winner, k)][s] = int8(ofWinner(n, g, k, s, winner))
				c[n][legal.PieceOf(winner.Other(), k)][s] = int8(ofLoser(n, g, k, s, winner.Other()))
			}
		}
	}
}

func ofWinner(n need, g goal, k legal.Kind, s legal.Square, side legal.Side) int {
	switch k {
	case legal.King:
		return distance(s, g.king)
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
		return -3 + int(leaps[s][g.knight])
	}
	if n == needQueen {
		return -7 + toPromotion(s, side)
	}
	return -7
}

func ofLoser(n need, g goal, k legal.Kind, s legal.Square, side legal.Side) int {
	helpful := n == needBlocker || n == needHelper
	switch k {
	case legal.King:
		return distance(s, g.corner)
	case legal.Pawn:
		if n == needHelper {
			return -7 + toPromotion(s, side)
		}
		if n == needBlocker {
			return -7
		}
		return 1
	case legal.Knight:
		if helpful {
			return -17 + int(leaps[s][g.blocker])
		}
	case legal.Bishop:
		switch {
		case helpful && s == g.blocker:
			return -17
		case helpful && isDark(s) == isDark(g.blocker):
			return -16
		}
	}
	return 2
}

// toPromotion is how many ranks a pawn has to go.
func toPromotion(s legal.Square, side legal.Side) int {
	if side == legal.White {
		return 7 - s.Rank()
	}
	return s.Rank()
}

// estimate sums the compass over the board.
func (s *search) estimate(n need) (sum int) {
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if p := s.pos.PieceAt(sq); p != legal.NoPiece {
			sum += int(s.compass[n][p&15][sq])
		}
	}
	return sum
}

// change is what a move adds to the estimate while the need stays the same.
func (s *search) change(n need, m legal.Move) int {
	c := &s.compass[n]
	from, to := m.From(), m.To()
	moved := s.pos.PieceAt(from)
	sum := -int(c[moved&15][from])
	if captured := m.Captured(); captured != legal.NoKind {
		at := to
		if m.IsEnPassant() {
			at = m.EnPassantVictim()
		}
		sum -= int(c[s.pos.PieceAt(at)&15][at])
	}
	if promotion := m.Promotion(); promotion != legal.NoKind {
		moved = legal.PieceOf(moved.Side(), promotion)
	}
	return sum + int(c[moved&15][to])
}

// distance is a king's way on the empty board.
func distance(a, b legal.Square) int {
	return max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank()))
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
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
