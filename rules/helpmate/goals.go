package helpmate

import "boardwatchd/rules/legal"

// maxGoals is the number of goals of a question.
const maxGoals = 8

// A goal is the picture of a mate towards which one search steers: the loser's king in a corner, the winner's king two
// steps from it, one of the loser's pieces beside its king. It only decides the order of tries.
type goal struct {
	corner   legal.Square // the loser's king
	king     legal.Square // the winner's king
	blockers squares      // the loser's knights or bishops
	knight   legal.Square // the square on which the winner's knights are useful
}

// pictures lists the mates in the corners, in the order of tries. The far rank, as seen from the winner, comes first,
// because its pawns go there. The colour of the corner follows the bishops: a bishop of the winner must be able to give
// check there, and a bishop of the loser must be able to block a square beside its king.
func pictures(m material, winner legal.Side) (list [maxGoals]goal) {
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

// picture places the winner's king in front of the corner, on its file or, if onSide, along its rank.
func picture(file, rank int, onSide bool) goal {
	in, up := 1, 1 // towards the middle of the board
	if file == 7 {
		in = -1
	}
	if rank == 7 {
		up = -1
	}
	g := goal{
		corner:   legal.SquareOf(file, rank),
		king:     legal.SquareOf(file, rank+2*up),
		blockers: set(legal.SquareOf(file+in, rank)),
		knight:   legal.SquareOf(file+3*in, rank+3*up),
	}
	if onSide {
		g.king, g.blockers = legal.SquareOf(file+2*in, rank), set(legal.SquareOf(file, rank+up))
	}
	return g
}

// fit replaces the pictures that the walls forbid, because one of the kings cannot get there, by mates on the squares
// that remain, the nearest and narrowest first.
func (b *mobility) fit(list *[maxGoals]goal, h *mateReach) {
	left := h.kingOfLoser & h.attacked
	for i := range list {
		g := &list[i]
		if h.kingOfLoser&set(g.corner) != 0 && h.king&set(g.king) != 0 {
			continue
		}
		if near, ok := b.nearest(h, left); ok {
			left &^= set(near.corner)
			*g = near
		}
	}
}

// nearest is the best mate on one of the squares.
func (b *mobility) nearest(h *mateReach, among squares) (best goal, ok bool) {
	lowest := 1 << 20
	for x := among; x != 0; x &= x - 1 {
		if g, price, can := b.narrow(h, x&-x); can && price < lowest {
			best, lowest, ok = g, price, true
		}
	}
	return best, ok
}

// narrow returns the goal of a mate on the square, and its price.
func (b *mobility) narrow(h *mateReach, square squares) (g goal, price int, ok bool) {
	king, ok := b.cornered(h, square)
	if !ok {
		return goal{}, 0, false
	}
	at := square.first()
	free := around(square) &^ square & h.kingOfLoser
	price = 3*free.count() + 6*(free&^h.attacked).count() + distance(h.kingOfLoserAt, at)
	if king == 0 {
		king = helper(h, square, free)
	}
	g = goal{corner: at, king: at, blockers: free, knight: at}
	if king != 0 {
		g.king = king.first()
		price += distance(h.kingAt, g.king)
	}
	return g, price, true
}

// helper is the square from which the winner's king denies the other king the most squares; 0 if it denies none.
func helper(h *mateReach, square, free squares) (best squares) {
	most := 0
	for x := h.king &^ around(square); x != 0; x &= x - 1 {
		if n := (free & around(x&-x)).count(); n > most {
			best, most = x&-x, n
		}
	}
	return best
}

// distance is a king's distance on the empty board.
func distance(a, b legal.Square) int {
	return max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank()))
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
