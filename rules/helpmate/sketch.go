package helpmate

import "boardwatchd/rules/legal"

// A sketch is the picture of a mate that guides the quick walk, with a value for every piece on every square, the lower
// the better. The picture is the loser's king at the edge, the winner's king two steps from it, and a queen or a rook
// that gives check along the edge. For minor pieces it is the loser's king in a corner, with one of its own pieces
// beside it. The sketch only decides the order of tries; mates that look otherwise are accepted as well.
type sketch struct {
	edge
	haste  int     // quarters that a half-move counts: 0 is the quickest to find something, 1 finds shorter lines
	helped bool    // pieces or pawns of the loser are useful
	greedy bool    // only the king's steps and the winner's captures and promotions come nearer
	spent  squares // squares of the loser's king in earlier sketches of the question
	rows   [16][64]int8
}

// Rows of small numbers, filled once and never written again.
var (
	kingRow   = kingRows()   // twice the steps of a king to a square
	knightRow = knightRows() // twice the moves of a knight, and the value of a knight that is needed
	bishopRow = bishopRows() // the same for a bishop
	pawnRow   = pawnRows()   // by side: the way of a pawn to promotion
	flatRow   = flatRows()   // flatRow[v+32] is v everywhere
	edges     = allEdges()
	corners   = allCorners()
	nets      = allNets()
)

// An edge is the squares of the kings in one picture. In a corner it also has the square on which a piece of the loser
// blocks its own king, and the square on which the winner's knight is useful.
type edge struct{ kingOfLoser, king, blocker, knight legal.Square }

func kingRows() (rows [64][64]int8) {
	for a := legal.A1; a < legal.NoSquare; a++ {
		for b := legal.A1; b < legal.NoSquare; b++ {
			rows[a][b] = int8(2 * distance(a, b))
		}
	}
	return rows
}

// needed is the value of a piece without which there is no mate.
const needed = -24

func knightRows() (rows [64][64]int8) {
	for to := range rows {
		for s := range rows[to] {
			rows[to][s] = int8(needed + 2*int(leaps[s][to]))
		}
	}
	return rows
}

func bishopRows() (rows [64][64]int8) {
	for to := legal.A1; to < legal.NoSquare; to++ {
		for s := legal.A1; s < legal.NoSquare; s++ {
			switch {
			case s == to:
				rows[to][s] = needed
			case isDark(s) == isDark(to):
				rows[to][s] = needed + 2
			}
		}
	}
	return rows
}

func pawnRows() (rows [3][64]int8) {
	for s := legal.A1; s < legal.NoSquare; s++ {
		rows[legal.White][s] = int8(2*toPromotion(s, legal.White) - 4)
		rows[legal.Black][s] = int8(2*toPromotion(s, legal.Black) - 4)
	}
	return rows
}

func flatRows() (rows [64][64]int8) {
	for v := range rows {
		for s := range rows[v] {
			rows[v][s] = int8(v - 32)
		}
	}
	return rows
}

func flat(v int) [64]int8 { return flatRow[v+32] }

func allEdges() (list []edge) {
	add := func(file, rank, kingFile, kingRank int) {
		list = append(list, edge{kingOfLoser: legal.SquareOf(file, rank), king: legal.SquareOf(kingFile, kingRank)})
	}
	for i := range 8 {
		add(i, 0, i, 2)
		add(i, 7, i, 5)
		add(0, i, 2, i)
		add(7, i, 5, i)
	}
	return list
}

// allCorners is the pictures for one minor piece and a piece of the loser. From the square knight, a knight is near.
func allCorners() (list []edge) {
	for _, corner := range [...]legal.Square{legal.A1, legal.H1, legal.A8, legal.H8} {
		list = append(list,
			edge{kingOfLoser: corner, king: inside(corner, 0, 2), blocker: inside(corner, 1, 0), knight: inside(corner, 3, 3)},
			edge{kingOfLoser: corner, king: inside(corner, 2, 0), blocker: inside(corner, 0, 1), knight: inside(corner, 3, 3)})
	}
	return list
}

// allNets is the pictures for two minor pieces with a bishop among them: the winner's king a knight's move from the
// corner, and a knight that denies the last square by its check.
func allNets() (list []edge) {
	for _, corner := range [...]legal.Square{legal.A1, legal.H1, legal.A8, legal.H8} {
		list = append(list,
			edge{kingOfLoser: corner, king: inside(corner, 1, 2), knight: inside(corner, 2, 3)},
			edge{kingOfLoser: corner, king: inside(corner, 2, 1), knight: inside(corner, 3, 2)})
	}
	return list
}

// inside is the square a number of files and ranks away from a corner.
func inside(corner legal.Square, files, ranks int) legal.Square {
	in, up := 1-2*(corner.File()/7), 1-2*(corner.Rank()/7)
	return legal.SquareOf(corner.File()+files*in, corner.Rank()+ranks*up)
}

// draw makes the sketch for a position. The weights were chosen by the number of positions visited on the test
// material: a queen or a rook outweighs any walk, captures help because they make room, minor pieces are useless.
func (k *sketch) draw(pos *legal.Position, mat material, winner legal.Side) {
	loser := winner.Other()
	minor := bareMinors(mat, winner)
	k.haste, k.helped, k.greedy = 0, minor, !minor && mat.need(winner) != needQueen
	if minor && mat.need(winner) == needMinors {
		k.haste = 1
	}
	switch {
	case !minor:
		k.choose(pos, winner, edges, ^squares(0))
	case k.haste > 0 && mat.of(winner)&^knights != 0:
		k.choose(pos, winner, nets, cornerColours(mat, winner))
	default:
		k.choose(pos, winner, corners, cornerColours(mat, winner))
	}
	for kind := legal.Pawn; kind < legal.King; kind++ {
		k.rows[legal.PieceOf(loser, kind)] = flat(3)
	}
	k.rows[legal.PieceOf(loser, legal.King)] = kingRow[k.kingOfLoser]
	k.rows[legal.PieceOf(winner, legal.King)] = kingRow[k.king]
	k.rows[legal.PieceOf(winner, legal.Queen)] = flat(-17)
	k.rows[legal.PieceOf(winner, legal.Rook)] = flat(-15)
	k.rows[legal.PieceOf(winner, legal.Bishop)] = flat(0)
	k.rows[legal.PieceOf(winner, legal.Knight)] = flat(0)
	k.rows[legal.PieceOf(winner, legal.Pawn)] = flat(-2)
	if mat.need(winner) == needQueen {
		k.rows[legal.PieceOf(winner, legal.Pawn)] = pawnRow[winner]
	}
	if minor {
		k.drawMinor(mat, winner)
	}
}

// bareMinors reports whether the side has no other pieces than minor ones.
func bareMinors(mat material, side legal.Side) bool {
	return mat.of(side)&(pawns|rooks|queens) == 0
}

// drawMinor makes the sketch for minor pieces alone. They are needed, and mostly a piece of the loser too, possibly
// from a promotion.
func (k *sketch) drawMinor(mat material, winner legal.Side) {
	loser := winner.Other()
	k.rows[legal.PieceOf(winner, legal.Bishop)] = flat(needed)
	k.rows[legal.PieceOf(winner, legal.Knight)] = knightRow[k.knight]
	need := mat.need(winner)
	if need != needBlocker && need != needHelper {
		return
	}
	k.rows[legal.PieceOf(loser, legal.Knight)] = knightRow[k.blocker]
	k.rows[legal.PieceOf(loser, legal.Bishop)] = bishopRow[k.blocker]
	if mat.of(winner)&knights != 0 {
		k.rows[legal.PieceOf(loser, legal.Rook)] = flat(needed)
	}
	if need == needHelper {
		k.rows[legal.PieceOf(loser, legal.Pawn)] = pawnRow[loser]
	}
}

// cornerColours is the corners in which the winner's bishop can give check, or otherwise those beside which a bishop of
// the loser can be.
func cornerColours(mat material, winner legal.Side) squares {
	own, other := mat.of(winner), mat.of(winner.Other())
	light, dark := own&lightBishops != 0, own&darkBishops != 0
	if !light && !dark && other&knights == 0 {
		light, dark = other&darkBishops != 0, other&lightBishops != 0
	}
	switch {
	case light && !dark:
		return lightSquares
	case dark && !light:
		return ^squares(lightSquares)
	}
	return ^squares(0)
}

// choose picks the picture nearest to the present squares of the kings, along ways that the pawns leave open.
func (k *sketch) choose(pos *legal.Position, winner legal.Side, among []edge, colours squares) {
	var kingOfWinner, kingOfLoser ways
	kingOfWinner.fill(pos, winner)
	kingOfLoser.fill(pos, winner.Other())
	best := 1 << 20
	for i := range among {
		e := &among[i]
		far, near := int(kingOfWinner[e.king&63]), int(kingOfLoser[e.kingOfLoser&63])
		price := 5*max(far, near) + min(far, near)
		if k.spent&set(e.kingOfLoser) != 0 {
			price += 1 << 10
		}
		if colours&set(e.kingOfLoser) == 0 {
			price += 1 << 11
		}
		if price < best {
			best, k.edge = price, *e
		}
	}
	k.spent |= around(around(set(k.kingOfLoser)))
}

// ways is the number of a king's steps to each square, far where there is no way.
type ways [64]int8

// fill computes the ways of the side's king while all pawns stay on their squares.
func (w *ways) fill(pos *legal.Position, side legal.Side) {
	for i := range w {
		w[i] = far
	}
	other := side.Other()
	open := ^squares(pos.Pieces(side, legal.Pawn)) &^ pawnStrikes(squares(pos.Pieces(other, legal.Pawn)), other)
	done, edge := squares(0), set(pos.KingSquare(side))
	for n := int8(0); edge != 0 && n < far; n++ {
		for x := edge; x != 0; x &= x - 1 {
			w[x.first()&63] = n
		}
		done |= edge
		edge = around(edge) & open &^ done
	}
}

// change is what a move adds to the sum over the board. In castling the rook is left out.
func (k *sketch) change(pos *legal.Position, m legal.Move) int {
	from, to := m.From(), m.To()
	moved := pos.PieceAt(from)
	sum := -int(k.rows[moved&15][from&63])
	if m.Captured() != legal.NoKind {
		at := m.Victim()
		sum -= int(k.rows[pos.PieceAt(at)&15][at&63])
	}
	if promotion := m.Promotion(); promotion != legal.NoKind {
		moved = legal.PieceOf(moved.Side(), promotion)
	}
	return sum + int(k.rows[moved&15][to&63])
}
