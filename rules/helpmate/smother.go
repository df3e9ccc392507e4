package helpmate

import "boardwatchd/rules/legal"

// smother is the picture of a mate by a bishop alone: the loser's king in a corner, pieces of its own on the two
// squares beside it, the bishop on the long diagonal. The winner's king is not needed, which helps if locked pawns
// separate the kings.
type smother struct {
	winner legal.Side
	corner legal.Square
	dark   bool // the corner
	king   [64]int8
	beside [2][64]int8 // a bishop's way to each of the two squares
	square [2]legal.Square
	check  [64]int8 // a bishop's way to a check
}

// point chooses the corner.
func (t *smother) point(pos *legal.Position, winner legal.Side, kingOfLoser, shut squares) {
	t.winner = winner
	var best smother
	lowest := 1 << 20
	for _, corner := range []legal.Square{legal.SquareOf(0, 0), legal.SquareOf(7, 0), legal.SquareOf(0, 7), legal.SquareOf(7, 7)} {
		t.picture(corner, kingOfLoser, shut)
		if price := t.estimate(pos); price < lowest {
			best, lowest = *t, price
		}
	}
	*t = best
}

func (t *smother) picture(corner legal.Square, kingOfLoser, shut squares) {
	t.corner, t.dark = corner, isDark(corner)
	kingWay(set(corner), kingOfLoser, &t.king)
	next := around(set(corner)) &^ coloured(corner)
	t.square = [2]legal.Square{next.first(), (next & (next - 1)).first()}
	for i, s := range t.square {
		bishopWay(set(s), ^shut|set(s), &t.beside[i])
	}
	bishopWay(slides(set(corner), ^shut, &diagonal), ^shut, &t.check)
}

// bishopWay computes the number of moves that a bishop needs to a square of the set if only the shut squares are in its
// way.
func bishopWay(to, open squares, way *[64]int8) {
	for i := range way {
		way[i] = 6
	}
	done, edge := squares(0), to
	for n := int8(0); edge != 0 && n < 6; n++ {
		for x := edge; x != 0; x &= x - 1 {
			way[x.first()] = n
		}
		done |= edge
		edge = slides(edge, open, &diagonal) &^ done
	}
}

// estimate is the distance of the position from the picture.
func (t *smother) estimate(pos *legal.Position) int {
	loser := t.winner.Other()
	sum := 2 * int(t.king[pos.KingSquare(loser)])
	// The two squares are filled by different pieces: the cheapest pair.
	const none = 16
	first, second, pair := none, none, 2*none
	fill := func(a, b int) {
		pair = min(pair, first+b, a+second)
		first, second = min(first, a), min(second, b)
	}
	for x := squares(pos.Pieces(loser, legal.Bishop)); x != 0; x &= x - 1 {
		if s := x.first(); isDark(s) != t.dark {
			fill(int(t.beside[0][s]), int(t.beside[1][s]))
		}
	}
	for x := squares(pos.Pieces(loser, legal.Knight)); x != 0; x &= x - 1 {
		s := x.first()
		fill(int(leaps[s][t.square[0]]), int(leaps[s][t.square[1]]))
	}
	for x := squares(pos.Pieces(loser, legal.Pawn)); x != 0; x &= x - 1 {
		s := x.first()
		way := 8 + toPromotion(s, loser)
		a, b := way, way
		if s == t.square[0] {
			a = 0
		}
		if s == t.square[1] {
			b = 0
		}
		fill(a, b)
	}
	sum += 2 * min(pair, first+none, second+none)
	check := 8
	for x := squares(pos.Pieces(t.winner, legal.Bishop)); x != 0; x &= x - 1 {
		if s := x.first(); isDark(s) == t.dark {
			check = min(check, max(int(t.check[s]), 1))
		}
	}
	return sum + 2*check
}

func (t *smother) cost(pos *legal.Position, depth int) int {
	return bucket(middle/2 + depth + 4*t.estimate(pos))
}
