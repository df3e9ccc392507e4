package helpmate

import "boardwatchd/rules/legal"

// minorMate measures the distance of a position from a mate in a corner by a knight, or by bishops of one square
// colour, that needs the loser's pieces as blockers. Unlike a compass it considers only the pieces of one picture, and
// the nearest picture: a further blocker has no value and is in the way, so that it had better be captured. The kings'
// ways avoid squares that are attacked now; on a crowded board these are most.
type minorMate struct {
	winner  legal.Side
	bishops bool
	corners []cornerMate // those whose colour suits
	all     [4]cornerMate
	terrain *terrain
	view    view
}

// A view is one way of looking for such mates: the price of a ply of the line, in halves, and the rank whose corners
// are left out.
type view struct {
	plyPrice int
	without  int // a rank, or none
}

// views are tried one after the other, each from the root. A guide that has gone the wrong way early, into the wrong
// corner or with its king in front of the pawns that must promote, rarely comes back: of 80,000 boards with a lone
// minor piece the most expensive one took 1,100,000 nodes with the last view alone and takes 40,000 with all
// (loner_test.go has the boards).
var views = [...]view{{4, none}, {1, 0}, {4, 7}, {0, 0}, {1, 7}, {1, none}}

const none = -1

// A cornerMate is the squares of the pictures in one corner.
type cornerMate struct {
	corner   legal.Square
	beside   [2]legal.Square // the two squares that need a blocker or the winner's king
	diagonal squares         // the square between them
	kings    [2]squares      // with a blocker on beside[i], the winner's king on one of these
	checks   squares         // the squares from which a knight, or a bishop on an empty board, gives check
	// A bishop's moves to beside, checks and diagonal.
	toBeside             [2]bishopWays
	toChecks, toDiagonal bishopWays
}

// bishopWays is the sets of squares from which a bishop needs at most a number of moves to some square of a set, past
// the pieces that never move. Behind locked pawns the ways are long and winding.
type bishopWays [maxBishopMoves]squares

const maxBishopMoves = 12

func (w *bishopWays) fill(to, steady squares) {
	w[0] = to
	for n := 1; n < len(w); n++ {
		w[n] = w[n-1] | diagonals(w[n-1], ^steady)&^steady
	}
}

// from is the number of moves from the squares; maxBishopMoves if there is no way.
func (w *bishopWays) from(at squares) int {
	for n := range w {
		if w[n]&at != 0 {
			return n
		}
	}
	return len(w)
}

// point chooses the corners; it returns false if the loser's king reaches none of them.
func (t *minorMate) point(mat material, winner legal.Side, land *terrain) bool {
	t.winner, t.terrain = winner, land
	own := mat.of(winner)
	t.bishops = own&knights == 0
	t.corners = t.all[:0]
	for _, corner := range [...]legal.Square{legal.A1, legal.H1, legal.A8, legal.H8} {
		fits := own & lightBishops
		if isDark(corner) {
			fits = own & darkBishops
		}
		if t.bishops && fits == 0 || land.kingOfLoser&set(corner) == 0 || corner.Rank() == t.view.without {
			continue
		}
		c := cornerMate{corner: corner, diagonal: set(inside(corner, 1, 1))}
		c.beside = [2]legal.Square{inside(corner, 1, 0), inside(corner, 0, 1)}
		c.kings[0] = set(inside(corner, 0, 2)) | set(inside(corner, 1, 2))
		c.kings[1] = set(inside(corner, 2, 0)) | set(inside(corner, 2, 1))
		c.checks = leapsFrom(set(corner))
		if t.bishops {
			if c.checks = diagonals(set(corner), ^land.blockers) &^ land.blockers; c.checks == 0 {
				continue
			}
		}
		for i, at := range c.beside {
			c.toBeside[i].fill(set(at), land.steady)
		}
		c.toChecks.fill(c.checks, land.steady)
		c.toDiagonal.fill(c.diagonal, land.steady)
		t.corners = append(t.corners, c)
	}
	return len(t.corners) > 0
}

// minorMates reports whether the side can mate only in this way, or probably only so, because the loser has enough
// pieces.
func minorMates(mat material, winner legal.Side) bool {
	if !bareMinors(mat, winner) {
		return false
	}
	n := mat.need(winner)
	return n == needBlocker || n == needHelper || mat.of(winner.Other())&^pawns != 0
}

const (
	barred     = 2  // price of a square that is attacked or occupied, for a king, besides the step
	tooFar     = 20 // no way
	noBlocker  = 24
	perSurplus = 3

	promotionPrice = 2 // twice it is more than the price of one more piece
)

// estimate is the distance of the position from the nearest picture.
func (t *minorMate) estimate(pos *legal.Position) int {
	loser := t.winner.Other()
	own, other := squares(pos.Occupied(t.winner)), squares(pos.Occupied(loser))
	struck := t.attacks(pos, t.winner) | beside(set(pos.KingSquare(t.winner)))
	var kingOfLoser, kingOfWinner kingWays
	kingOfLoser.fill(set(pos.KingSquare(loser)), ^(struck | other | own), t.terrain.kingOfLoser)
	kingOfWinner.fill(set(pos.KingSquare(t.winner)), ^(t.attacks(pos, loser) | own), t.terrain.kingOfWinner)
	best := 1 << 20
	for i := range t.corners {
		c := &t.corners[i]
		sum := 2 * kingOfLoser.to(set(c.corner))
		check := t.toCheck(pos, &c.toChecks)
		first, second := t.blocker(pos, c.beside[0], &c.toBeside[0]), t.blocker(pos, c.beside[1], &c.toBeside[1])
		one := min(first.price+kingOfWinner.to(c.kings[0]), second.price+kingOfWinner.to(c.kings[1]))
		best = min(best, sum+2*(one+check))
		if !t.bishops {
			continue
		}
		// A knight beside the corner may interpose, if the bishop is not directly in front of the king. There the king
		// captures it unless the other king is near.
		leap := min(t.knight(pos, c.beside[0])+kingOfWinner.to(c.kings[0]), t.knight(pos, c.beside[1])+kingOfWinner.to(c.kings[1]))
		pair := min(first.price+second.other(first), first.other(second)+second.price)
		best = min(best, sum+2*(leap+t.toCheck(pos, &c.toDiagonal)), sum+2*(pair+check)+1)
	}
	pieces := other &^ squares(pos.Pieces(loser, legal.Pawn))
	surplus := perSurplus*(pieces.count()-1) - (pieces & struck &^ set(pos.KingSquare(loser))).count()
	return best + surplus + own.count()
}

// A candidate is the cheapest blockers for a square.
type candidate struct {
	from          legal.Square
	price, second int // of the cheapest, and of the next
}

// other is the price of a blocker that is not the one already used for the other square.
func (c *candidate) other(than candidate) int {
	if c.from == than.from {
		return c.second
	}
	return c.price
}

// blocker finds the loser's piece that reaches the square soonest.
func (t *minorMate) blocker(pos *legal.Position, at legal.Square, ways *bishopWays) candidate {
	best := candidate{legal.NoSquare, noBlocker, noBlocker}
	fill := func(from legal.Square, price int) {
		if price < best.price {
			best = candidate{from, price, best.price}
		} else {
			best.second = min(best.second, price)
		}
	}
	loser := t.winner.Other()
	if !t.bishops {
		fill(legal.NoSquare, t.knight(pos, at))
	}
	for x := squares(pos.Pieces(loser, legal.Bishop)) & coloured(at); x != 0; x &= x - 1 {
		fill(x.first(), t.bishopWay(pos, x&-x, ways))
	}
	if !t.bishops {
		for x := squares(pos.Pieces(loser, legal.Rook)); x != 0; x &= x - 1 {
			switch s := x.first(); {
			case s == at:
				fill(s, 0)
			case s.File() == at.File() || s.Rank() == at.Rank():
				fill(s, 1)
			default:
				fill(s, 2)
			}
		}
	}
	for x := squares(pos.Pieces(loser, legal.Pawn)); x != 0; x &= x - 1 {
		switch s := x.first(); {
		case s == at:
			fill(s, 0)
		case s.File() == at.File() && at.Rank() > 0 && at.Rank() < 7 && toPromotion(s, loser) > toPromotion(at, loser):
			fill(s, toPromotion(s, loser)-toPromotion(at, loser))
		default:
			fill(s, promotionPrice+toPromotion(s, loser)+t.afterPromotion(promotionSquare(s, loser), at))
		}
	}
	return best
}

// knight is the number of moves until the loser has a knight on the square.
func (t *minorMate) knight(pos *legal.Position, at legal.Square) int {
	way := noBlocker
	for x := squares(pos.Pieces(t.winner.Other(), legal.Knight)); x != 0; x &= x - 1 {
		way = min(way, int(leaps[x.first()][at]))
	}
	return way
}

// promotionSquare is the square on which a pawn promotes if it stays on its file.
func promotionSquare(s legal.Square, side legal.Side) legal.Square {
	if side == legal.White {
		return legal.SquareOf(s.File(), 7)
	}
	return legal.SquareOf(s.File(), 0)
}

// afterPromotion is the number of moves that the new piece needs to the square, as a knight or as a bishop.
func (t *minorMate) afterPromotion(from, at legal.Square) int {
	way := int(leaps[from][at])
	if isDark(from) == isDark(at) {
		way = min(way, 2)
	}
	return way
}

// bishopWay is the number of moves that a bishop needs. The first move is checked against all pieces on the board; if
// it does not help, the way has at least three moves.
func (t *minorMate) bishopWay(pos *legal.Position, from squares, ways *bishopWays) int {
	if from&ways[0] != 0 {
		return 0
	}
	open := ^squares(pos.Occupied(legal.White) | pos.Occupied(legal.Black))
	first := diagonals(from, open)
	switch {
	case first&ways[0] != 0:
		return 1
	case diagonals(first&open, ^t.terrain.blockers)&ways[0] != 0:
		return 2
	}
	return max(ways.from(from), 3)
}

// toCheck is the number of moves until the winner is one move from one of the squares.
func (t *minorMate) toCheck(pos *legal.Position, ways *bishopWays) int {
	from := ways[0]
	way := 9
	if t.bishops {
		for x := squares(pos.Pieces(t.winner, legal.Bishop)) & coloured(from.first()); x != 0; x &= x - 1 {
			way = min(way, t.bishopWay(pos, x&-x, ways))
		}
		return max(way, 1)
	}
	for x := squares(pos.Pieces(t.winner, legal.Knight)); x != 0; x &= x - 1 {
		for to := from; to != 0; to &= to - 1 {
			way = min(way, int(leaps[x.first()][to.first()]))
		}
	}
	return max(way, 1)
}

// attacks is every square that the side's pieces attack. The loser's king does not count: the squares that it attacks
// are free once it is in its corner.
func (t *minorMate) attacks(pos *legal.Position, side legal.Side) squares {
	occupied := squares(pos.Occupied(legal.White) | pos.Occupied(legal.Black))
	queens := squares(pos.Pieces(side, legal.Queen))
	open := ^(occupied &^ set(pos.KingSquare(side.Other())))
	reach := pawnStrikes(squares(pos.Pieces(side, legal.Pawn)), side) | leapsFrom(squares(pos.Pieces(side, legal.Knight))) |
		diagonals(squares(pos.Pieces(side, legal.Bishop))|queens, open)
	if straight := squares(pos.Pieces(side, legal.Rook)) | queens; straight != 0 {
		reach |= straights(straight, open)
	}
	return reach
}

// kingWays is the squares that a king reaches at each price.
type kingWays [tooFar + 1]squares

func (w *kingWays) fill(from, free, within squares) {
	done := from
	w[0] = from
	for n := 1; n < tooFar; n++ {
		w[n] = around(w[n-1]) & free
		if n > barred {
			w[n] |= around(w[n-1-barred])
		}
		w[n] &= within &^ done
		done |= w[n]
	}
}

// to is the price of the cheapest square of a set.
func (w *kingWays) to(set squares) int {
	for n := range w {
		if w[n]&set != 0 {
			return n
		}
	}
	return tooFar
}

func (t *minorMate) cost(pos *legal.Position, depth int) int {
	return bucket(middle/4 + depth*t.view.plyPrice/2 + 6*t.estimate(pos))
}
